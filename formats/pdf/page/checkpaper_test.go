package page_test

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/raster"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/sampled"
)

// drawn is a picture of a page of a PDF.
func drawn(ctx context.Context, pdf []byte, page, dpi int) (image.Image, error) {
	document, err := raster.Open(ctx, pdf)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	return document.Picture(ctx, page, dpi)
}

// A shape is what letter paper shows, in points from the top left corner of the page.
type shape struct {
	text.Box
	grey float64
}

// paperOf is letter paper with shapes.
func paperOf(shapes []shape) []byte {
	var b strings.Builder
	for _, s := range shapes {
		fmt.Fprintf(&b, "%.2f g %.2f %.2f %.2f %.2f re f\n", s.grey, s.Left, 841.89-s.Bottom, s.Right-s.Left, s.Bottom-s.Top)
	}
	w := &pdftest.Writer{}
	contents := w.Stream("", []byte(b.String()))
	tree := w.Next() + 1
	sheet := w.Add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 595.28 841.89] /Resources << >> /Contents %s >>", pdftest.Ref(tree), pdftest.Ref(contents)))
	w.Add("<< /Type /Pages /Kids [" + pdftest.Ref(sheet) + "] /Count 1 >>")
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(tree) + " >>")
	return w.Close("/Root " + pdftest.Ref(root))
}

// chanceShapes are bars, lines and areas anywhere; those of a light grey are no fault.
func chanceShapes(seed *rand.Rand) (shapes []shape) {
	for range seed.IntN(4) {
		x, y := seed.Float64()*595, seed.Float64()*842
		if seed.IntN(2) == 0 { // at an edge of the page, as designers place them
			x, y = []float64{0, 550, x, x}[seed.IntN(4)], []float64{0, 815, y}[seed.IntN(3)]
		}
		shapes = append(shapes, shape{text.Box{Left: x, Top: y, Right: min(595, x+1+seed.Float64()*200), Bottom: min(842, y+1+seed.Float64()*60)}, []float64{0, .3, .55, .99}[seed.IntN(4)]})
	}
	return shapes
}

// On letter paper that passes the check no text and no logo stands on anything dark, whatever the
// invoice is. Paper that is dark at the edges of the page alone passes.
func TestPaperUnderTexts(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 192))
	passed, dark, refused := 0, 0, 0
	for run := range sampled.Of(24, 6) {
		papers := [2][]shape{chanceShapes(seed), chanceShapes(seed)}
		top, bottom := 15+seed.IntN(30), 20+seed.IntN(25)
		file := fmt.Sprintf("{name: own, based: %s, page: {top: %d, bottom: %d, left: %d, right: %d}, paper: {first: one.pdf, following: two.pdf}",
			look.Names()[run%len(look.Names())], top, bottom, 15+seed.IntN(20), 15+seed.IntN(20))
		if seed.IntN(3) == 0 {
			file += ", logo: {file: logo.svg, x: 190, y: 6, width: 40, height: 9, right: true}"
		}
		fsys := files(t)
		fsys["one.pdf"], fsys["two.pdf"] = &fstest.MapFile{Data: paperOf(papers[0])}, &fstest.MapFile{Data: paperOf(papers[1])}
		fsys["own.yaml"] = &fstest.MapFile{Data: []byte(file + "}")}
		l, err := page.ReadLook(fsys, "own.yaml")
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		faults, err := page.CheckLook(t.Context(), l, drawn)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		told := slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, "shows something") })
		for i := range papers {
			papers[i] = slices.DeleteFunc(papers[i], func(s shape) bool { return s.grey > .9 })
		}
		if told {
			if refused++; atTheEdges(papers[:], l) {
				t.Errorf("run %d: %s with %v is refused: %q", run, file, papers, faults)
			}
			continue
		}
		passed++
		dark += len(papers[0]) + len(papers[1])
		inv := page.Sample()
		inv.Lines = inv.Lines[:1+seed.IntN(50)]
		inv.Notes = []model.Note{{Text: model.NewText(strings.Repeat("Bemerkung ", seed.IntN(800)))}}
		c, err := pdf.Open(printed(t, inv, page.Options{Language: "de", Look: l}).Data, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		sheets, err := text.Words(c, text.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		for i, sheet := range sheets {
			for _, w := range sheet.Words {
				for _, s := range papers[min(i, 1)] {
					if min(s.Right, w.Box.Right)-max(s.Left, w.Box.Left) > 1 && min(s.Bottom, w.Box.Bottom)-max(s.Top, w.Box.Top) > 3 {
						t.Errorf("run %d: %q on page %d stands on %v of the paper: %s", run, w.Text, i+1, s, file)
					}
				}
			}
		}
	}
	if t.Logf("%d looks pass, with %d dark shapes, and %d are refused", passed, dark, refused); passed < sampled.Of(5, 5) || dark < sampled.Of(5, 5) || refused < sampled.Of(5, 5) {
		t.Errorf("%d looks pass, with %d dark shapes, and %d are refused: too few of one kind", passed, dark, refused)
	}
}

// atTheEdges reports whether all shapes are outside of what the margins and the line with the page
// number take, and above nothing else of the look.
func atTheEdges(papers [][]shape, l *look.Look) bool {
	const mm = 72 / 25.4
	if l.Picture != nil {
		return false
	}
	for _, shapes := range papers {
		for _, s := range shapes {
			beside := s.Right < min(l.Page.Left, 20)*mm || s.Left > (210-min(l.Page.Right, 15))*mm
			above := s.Bottom < (l.Page.Top-1)*mm && (l.Letter == nil || s.Bottom < 40*mm)
			below := s.Top > 294*mm
			if !beside && !above && !below {
				return false
			}
		}
	}
	return true
}
