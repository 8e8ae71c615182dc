package text_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
)

// sheetOf is a PDF of one page with these entries and content.
func sheetOf(entries, content string) []byte {
	var w pdftest.Writer
	picture := w.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", []byte{0})
	stream := w.Stream("", []byte(content))
	pages := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << %s /XObject << /P %s >> >> %s", pdftest.Ref(stream), helvetica, pdftest.Ref(picture), entries))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	return w.Close("/Root " + pdftest.Ref(root))
}

const box = "/MediaBox [0 0 200 100]"

func TestWords(t *testing.T) {
	for _, c := range []struct {
		name, entries, content string
		want                   string // each word with its left edge and base line, in points
	}{
		{"two words of a string", box, "BT /F 10 Tf 10 60 Td (Total 119,00) Tj ET", "Total@10,40 119,00@35,40"},
		{"letters set wide", box, "BT /F 10 Tf 4 Tc 10 60 Td (Total) Tj ET", "Total@10,40"},
		{"kerning, and a gap", box, "BT /F 10 Tf 10 60 Td [(1)-20(1)20(9)-600(x)] TJ ET", "119@10,40 x@33,40"},
		{"a crop box", "/MediaBox [0 0 500 500] /CropBox [100 100 300 200]", "BT /F 10 Tf 110 160 Td (a) Tj ET", "a@10,40"},
		{"a page turned clockwise", "/MediaBox [0 0 100 200] /Rotate 90", "BT /F 10 Tf 0 1 -1 0 40 10 Tm (side) Tj ET", "side@10,40"},
		{"text turned, and the page not", "/MediaBox [0 0 100 200]", "BT /F 10 Tf 0 1 -1 0 40 10 Tm (side) Tj ET", "side@10,40"},
		{"upside down", box, "BT /F 10 Tf -1 0 0 -1 190 40 Tm (down) Tj ET", "down@10,40"},
		{"recognised text behind a picture", box, "BT 3 Tr /F 10 Tf 10 60 Td (scan) Tj ET", "scan@10,40 hidden"},
		{"one word across", box, "BT /F 10 Tf 10 60 Td (flat and long) Tj 0 1 -1 0 150 10 Tm (up) Tj ET", "flat@10,40 and@26,40 long@46,40 up@150,90 turned"},
		{"a transformed page", box, "2 0 0 2 0 0 cm BT /F 5 Tf 5 30 Td (a) Tj ET", "a@10,40"},
		{"text of glyphs that have none", box, "BT /F 10 Tf 10 60 Td (2E) Tj /Span << /ActualText <FEFF002D> >> BDC (\x01) Tj EMC (10) Tj ET", "2E-10@10,40"},
		{"other text than what is shown", box, "BT /F 10 Tf 10 60 Td /Span << /ActualText (999) >> BDC (100) Tj EMC ET", "100@10,40"},
		{"marked content without an end", box, "BT /F 10 Tf 10 60 Td " + strings.Repeat("/Span << /ActualText (9) >> BDC ", 100) + "(100) Tj" + strings.Repeat(" EMC", 300) + " ET", "100@10,40"},
		{"nothing", box, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sheets, err := text.Words(open(t, sheetOf(c.entries, c.content)), text.Limits{})
			if err != nil || len(sheets) != 1 {
				t.Fatalf("got %d sheets, %v", len(sheets), err)
			}
			if got := describe(&sheets[0]); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func describe(s *text.Sheet) string {
	var words []string
	for _, w := range s.Words {
		word := fmt.Sprintf("%s@%.0f,%.0f", w.Text, w.Box.Left, w.Box.Bottom-0.22*w.Size)
		if w.Turned { // its base line is upright
			word = fmt.Sprintf("%s@%.0f,%.0f turned", w.Text, w.Box.Right-0.22*w.Size, w.Box.Bottom)
		}
		if w.Hidden {
			word += " hidden"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Sizes of pages and letters are those that the page is read with.
func TestSheets(t *testing.T) {
	sheets, err := text.Words(open(t, sheetOf("/MediaBox [0 0 100 200] /Rotate 90", "q 50 0 0 100 0 0 cm /P Do Q BT /F 12 Tf 0 1 -1 0 40 10 Tm (a) Tj ET")), text.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s := sheets[0]
	if s.Width != 200 || s.Height != 100 || s.Rotation != 90 || s.Pictured != 0.25 || s.Words[0].Size != 12 {
		t.Errorf("got %+v", s)
	}
}

// A page that shows one JPEG picture alone, from edge to edge, has its file; text that is
// not drawn may be behind it.
func TestScan(t *testing.T) {
	const whole = "q 200 0 0 100 0 0 cm /P Do Q"
	for name, c := range map[string]struct {
		picture, entries, content string
		scan                      bool
	}{
		"a scan":                  {"/Filter /DCTDecode /ColorSpace /DeviceGray", box, whole, true},
		"text behind it":          {"/Filter /DCTDecode /ColorSpace /DeviceRGB", box, whole + " BT 3 Tr /F 10 Tf 10 60 Td (scan) Tj ET", true},
		"text on it":              {"/Filter /DCTDecode /ColorSpace /DeviceGray", box, whole + " BT /F 10 Tf 10 60 Td (stamp) Tj ET", false},
		"a line on it":            {"/Filter /DCTDecode /ColorSpace /DeviceGray", box, whole + " 0 0 m 9 9 l S", false},
		"a part of the page":      {"/Filter /DCTDecode /ColorSpace /DeviceGray", box, "q 100 0 0 100 0 0 cm /P Do Q", false},
		"upside down":             {"/Filter /DCTDecode /ColorSpace /DeviceGray", box, "q -200 0 0 -100 200 100 cm /P Do Q", false},
		"twice":                   {"/Filter /DCTDecode /ColorSpace /DeviceGray", box, whole + " " + whole, false},
		"a page that is turned":   {"/Filter /DCTDecode /ColorSpace /DeviceGray", box + " /Rotate 90", whole, false},
		"another kind of picture": {"/ColorSpace /DeviceGray", box, whole, false},
		"turned colours":          {"/Filter /DCTDecode /ColorSpace /DeviceGray /Decode [1 0]", box, whole, false},
	} {
		var w pdftest.Writer
		picture := w.Add("<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /Length 4 " + c.picture + " >>\nstream\nJPEG\nendstream")
		stream := w.Stream("", []byte(c.content))
		pages := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << %s /XObject << /P %s >> >> %s", pdftest.Ref(stream), helvetica, pdftest.Ref(picture), c.entries))
		sheets, err := text.Words(open(t, w.Close("/Root "+pdftest.Ref(w.Add("<< /Type /Catalog /Pages "+pdftest.Ref(pages)+" >>")))), text.Limits{})
		if err != nil || len(sheets) != 1 {
			t.Fatalf("%s: %d sheets, %v", name, len(sheets), err)
		}
		if scan := string(sheets[0].Scan) == "JPEG"; scan != c.scan {
			t.Errorf("%s: the file is %q", name, sheets[0].Scan)
		}
	}
}

// FuzzWords reads pages of any content: every box is a box, and what is read is bounded.
func FuzzWords(f *testing.F) {
	f.Add([]byte("BT /F 10 Tf 10 60 Td (Total 119,00) Tj ET"))
	f.Add([]byte("q 0 0 0 0 0 0 cm BT /F 1e300 Tf 1e300 0 0 -1e300 0 0 Tm [(a) 1e308 (b)] TJ ET"))
	f.Fuzz(func(t *testing.T, content []byte) {
		container, err := pdf.Open(sheetOf(box, string(content)), pdf.Limits{})
		if err != nil {
			return
		}
		sheets, _ := text.Words(container, text.Limits{Steps: 100_000, Characters: 10_000})
		for _, s := range sheets {
			letters := 0
			for _, w := range s.Words {
				if letters += len(w.Text); w.Text == "" || w.Box.Left > w.Box.Right || w.Box.Top > w.Box.Bottom {
					t.Fatalf("a word is %+v", w)
				}
			}
			if letters > 100_000 {
				t.Fatalf("%d bytes were read", letters)
			}
		}
	})
}
