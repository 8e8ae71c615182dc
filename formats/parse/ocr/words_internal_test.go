package ocr

import (
	"context"
	"image"
	"math"
	"strings"
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
	// What leans too much is not a page that is askew.
	if w := wordsOf(rows(0.5), page, 300); math.Abs(w[0].Box.Bottom-w[4].Box.Bottom) < 10 {
		t.Error("a slope of 0.5 is turned back")
	}
}

// Marks of table lines and words that are read twice are dropped, and digits of amounts
// are set right; an identifier stays as it is.
func TestClean(t *testing.T) {
	word := func(s string, left, right float64) inkWord {
		return inkWord{text: s, left: left, right: right, top: 10, bottom: 30, confidence: 0.9, line: "a"}
	}
	var got []string
	for _, w := range clean([]inkWord{
		word("|", 0, 2), word("[200,00", 10, 60), word("[x]", 70, 90), word("Description", 100, 200), word("escriptio", 110, 190), word("Description", 300, 400),
		word("12O,5l", 410, 450), word("SOB,12", 460, 500), word("RE-10O", 510, 560), word("—", 570, 590), word("-", 600, 605),
	}) {
		got = append(got, w.text)
		if w.text == "120,51" && w.confidence > 0.6 {
			t.Error("an exchanged digit leaves the word as sure as it was")
		}
	}
	if want := "200,00 [x] Description Description 120,51 SOB,12 RE-10O -"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

// On a photograph, lines lean one way at the top and another at the bottom.
func TestStraightenPhotograph(t *testing.T) {
	var ink []inkWord
	for i := range 10 {
		y := 200 + 300*float64(i)
		for n := range 5 {
			x := 200 + 400*float64(n)
			base := y + 0.02*(y-1754)/1754*(x-1240)
			ink = append(ink, inkWord{text: "ABC", left: x - 60, right: x + 60, top: base - 36, bottom: base, confidence: 0.9, line: string(rune('a' + i))})
		}
	}
	words := wordsOf(ink, image.Rect(0, 0, 2480, 3508), 300)
	for i := range words {
		if first := words[i/5*5].Box.Bottom; math.Abs(first-words[i].Box.Bottom) > 1 {
			t.Errorf("word %d is at %.1f, the first of its line at %.1f", i, words[i].Box.Bottom, first)
		}
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
		page := image.NewGray(image.Rect(0, 0, 2480, 3508))
		half := len(data) / 2 // the two readings
		read := func(_ context.Context, _ *image.Gray, _ int, _, way string) ([]byte, error) {
			if way == sparse {
				return data[:half], nil
			}
			return data[half:], nil
		}
		words, err := wordsIn(t.Context(), read, []string{"eng", "deu"}, page, 300)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if w.Text == "" || !(w.Box.Left < w.Box.Right) || !(w.Box.Top < w.Box.Bottom) || w.Doubt < 0 || w.Doubt > 1 {
				t.Fatalf("the word is %+v", w)
			}
		}
	})
}
