package ocr_test

import (
	"context"
	"errors"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"einvoice/formats/parse/ocr"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// script is a stand-in for Tesseract that has English and German, and runs these
// commands for a page.
func script(t *testing.T, page string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in for Tesseract is a shell script")
	}
	path := filepath.Join(t.TempDir(), "tesseract")
	body := "#!/bin/sh\nif [ \"$1\" = --list-langs ]; then printf 'List of languages (2):\\ndeu\\neng\\n'; exit 0; fi\n" + page
	if err := os.WriteFile(path, []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func empty() *image.Gray { return image.NewGray(image.Rect(0, 0, 600, 800)) }

// The picture and the languages reach the program, and its words come back in points.
func TestWords(t *testing.T) {
	path := script(t, `[ "$4 $8" = "eng 6" ] || [ "$4 $8" = "eng+deu 11" ] || exit 3
head -c 4 | grep -q PNG || exit 4
printf '5\t1\t1\t1\t1\t1\t60\t100\t120\t22\t96.5\tInvoice\n4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t\n5\t1\t1\t1\t1\t2\t200\t106\t80\t22\t91\tpage\n5\t1\t1\t1\t1\t2\t300\t100\t2\t28\t91\t|\n'
`)
	p, err := ocr.Find(path, "")
	if err != nil {
		t.Fatal(err)
	}
	words, err := p.Words(t.Context(), empty(), 144)
	if err != nil || len(words) != 2 {
		t.Fatalf("%+v, %v", words, err)
	}
	w := words[0]
	if w.Text != "Invoice" || w.Box.Left != 30 || w.Box.Right != 90 || w.Doubt < 0.03 || w.Doubt > 0.04 || w.Size < 13 || w.Size > 17 {
		t.Errorf("the word is %+v", w)
	}
	base := func(i int) float64 { return words[i].Box.Bottom - 0.22*words[i].Size }
	if base(0) < 59 || base(0) > 62 || base(1) < 59 || base(1) > 62 {
		t.Errorf("the base lines are %.1f and %.1f, want 61 or so", base(0), base(1))
	}
}

func TestFailures(t *testing.T) {
	if _, err := ocr.Find(filepath.Join(t.TempDir(), "tesseract"), ""); err == nil || !strings.Contains(err.Error(), "tesseract-ocr") {
		t.Errorf("without the program: %v", err)
	}
	if _, err := ocr.Choose(t.Context(), script(t, ""), "eng+pol"); err == nil || !strings.Contains(err.Error(), "tesseract-ocr-pol") {
		t.Errorf("without the language: %v", err)
	}
	if p, err := ocr.Choose(t.Context(), ocr.Off, ""); p != nil || err != nil {
		t.Errorf("switched off: %v, %v", p, err)
	}
	fails, err := ocr.Choose(t.Context(), script(t, "echo 'out of memory' >&2; exit 1"), "deu")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fails.Words(t.Context(), empty(), 300); err == nil || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("a failure: %v", err)
	}
	floods, err := ocr.Choose(t.Context(), script(t, "yes 'no end of it'"), "deu")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := floods.Words(t.Context(), empty(), 300); err == nil {
		t.Error("output without end is taken")
	}
}

// A program that hangs is killed with all that it started when the context ends.
func TestHang(t *testing.T) {
	p, err := ocr.Choose(t.Context(), script(t, "sleep 600 & sleep 600"), "deu")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := p.Words(ctx, empty(), 300); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// Tesseract itself, where it is.
func TestTesseract(t *testing.T) {
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("skipped: Tesseract is not installed, so only stand-ins for it were tested")
	}
	p, err := ocr.Choose(t.Context(), "tesseract", "eng")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	words, err := p.Words(t.Context(), drawn(t, "Invoice number 4711"), 300)
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, w := range words {
		read = append(read, w.Text)
		if w.Size < 9 || w.Size > 15 { // drawn with 12 points
			t.Errorf("%q has the size %.1f", w.Text, w.Size)
		}
	}
	if got := strings.Join(read, " "); got != "Invoice number 4711" {
		t.Errorf("read %q", got)
	}
}

// drawn is a page of 300 dpi with a text in letters of 12 points.
func drawn(t *testing.T, s string) *image.Gray {
	t.Helper()
	page := image.NewGray(image.Rect(0, 0, 1200, 600))
	for i := range page.Pix {
		page.Pix[i] = 255
	}
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 12, DPI: 300})
	if err != nil {
		t.Fatal(err)
	}
	d := font.Drawer{Dst: page, Src: image.Black, Face: face, Dot: fixed.P(100, 300)}
	d.DrawString(s)
	return page
}
