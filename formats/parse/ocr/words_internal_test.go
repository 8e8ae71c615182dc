package ocr

import (
	"image"
	"math"
	"testing"
)

// rows are words of three rows of a page, as high as capital letters.
func rows(slope float64) (ink []inkWord) {
	for i, y := range []float64{300, 900, 1500} {
		for n := range 5 {
			x := 200 + 400*float64(n)
			base := y + slope*(x-1240)
			ink = append(ink, inkWord{text: "ABC", left: x - 60, right: x + 60, top: base - 36, bottom: base, confidence: 0.9, line: string(rune('a' + i))})
		}
	}
	return ink
}

// The words of a line of a page that is askew come back to one base line.
func TestStraighten(t *testing.T) {
	page := image.Rect(0, 0, 2480, 3508)
	for _, slope := range []float64{0, 0.026, -0.026} {
		words := wordsOf(rows(slope), page, 300)
		if len(words) != 15 {
			t.Fatalf("%d words", len(words))
		}
		for i := range 5 {
			if first, w := words[0].Box.Bottom, words[i].Box.Bottom; math.Abs(first-w) > 0.6 {
				t.Errorf("slope %.3f: word %d is at %.1f, the first at %.1f", slope, i, w, first)
			}
		}
	}
	// What leans too much is no page that is askew.
	if w := wordsOf(rows(0.5), page, 300); math.Abs(w[0].Box.Bottom-w[4].Box.Bottom) < 10 {
		t.Error("a slope of 0.5 is turned back")
	}
}

func TestReadTSV(t *testing.T) {
	for row, want := range map[string]int{
		"5\t1\t1\t1\t1\t1\t60\t100\t120\t30\t96.5\tInvoice\n":                                           1,
		"level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext": 0,
		"5\t1\t1\t1\t1\t1\t60\t100\t120\t30\t96.5\t \n":                                                 0,
		"5\t1\t1\t1\t1\t1\t-60\t100\t120\t30\t96.5\tx\n":                                                0,
		"5\t1\t1\t1\t1\t1\t60\t100\t0\t30\t96.5\tx\n":                                                   0,
		"5\t1\t1\t1\t1\t1\tNaN\t100\t1\t30\t96.5\tx\n":                                                  0,
		"5\t1\t1\n": 0,
	} {
		if got := readTSV([]byte(row)); len(got) != want {
			t.Errorf("%q has %d words, want %d", row, len(got), want)
		}
	}
}

// FuzzTSV reads any output. Every box is a box.
func FuzzTSV(f *testing.F) {
	f.Add([]byte("5\t1\t1\t1\t1\t1\t60\t100\t120\t30\t96.5\tInvoice\n5\t1\t1\t1\t1\t2\t200\t100\t80\t30\t91\t12,50\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, w := range wordsOf(readTSV(data), image.Rect(0, 0, 2480, 3508), 300) {
			if w.Text == "" || !(w.Box.Left < w.Box.Right) || !(w.Box.Top < w.Box.Bottom) || w.Doubt < 0 || w.Doubt > 1 {
				t.Fatalf("the word is %+v", w)
			}
		}
	})
}
