package text_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/pdf/text"
)

// open opens a PDF with the default limits.
func open(t testing.TB, data []byte) *pdf.Container {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// page is a PDF of one page with this content and resources. add adds objects that the
// resources can refer to.
func page(content, resources string, add func(w *pdftest.Writer)) []byte {
	var w pdftest.Writer
	if add != nil {
		add(&w)
	}
	stream := w.Stream("", []byte(content))
	pages := w.Pages(1, fmt.Sprintf("/Contents %s /Resources << %s >>", pdftest.Ref(stream), resources))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	return w.Close("/Root " + pdftest.Ref(root) + " /ID [<00><00>]")
}

const helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>"

func TestText(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a string", "BT /F 10 Tf 10 700 Td (Total 119,00) Tj ET", "Total 119,00"},
		{"hexadecimal", "BT /F 10 Tf <546F 74616C> Tj ET", "Total"},
		{"escapes", `BT /F 10 Tf (a\(b\)\\ \101\344) Tj ET`, `a(b)\ Aä`},
		{"WinAnsi", "BT /F 10 Tf (\x80 \x96 \xe9) Tj ET", "€ – é"},
		{"kerning is not a space", "BT /F 10 Tf [(1)-20(19)30(,00)] TJ ET", "119,00"},
		{"a gap is a space", "BT /F 10 Tf [(Total)-300(119,00)] TJ ET", "Total 119,00"},
		{"lines", "BT /F 10 Tf 12 TL 10 700 Td (a) Tj T* (b) Tj 0 -12 Td (c) Tj (d) ' ET", "a\nb\nc\nd"},
		{"word and letter space", "BT /F 10 Tf 12 TL 5 1 (a) \" (b) ' ET", "a\nb"},
		{"letters set wide are one word", "BT /F 10 Tf 4 Tc (Wide) Tj (ly) Tj ET", "Widely"},
		{"moved along the line", "BT /F 10 Tf 10 700 Td (a) Tj 100 0 Td (b) Tj ET", "a b"},
		{"exactly after the last", "BT /F 10 Tf 10 700 Td (a) Tj 5.56 0 Td (b) Tj ET", "ab"},
		{"matrices", "q 2 0 0 2 0 0 cm BT /F 10 Tf 1 0 0 1 10 300 Tm (a) Tj 1 0 0 1 15.56 300 Tm (b) Tj 1 0 0 1 10 280 Tm (c) Tj ET Q", "ab\nc"},
		{"turned", "BT /F 10 Tf 0 1 -1 0 100 100 Tm (up) Tj (ward) Tj 1 0 0 1 0 0 Tm (flat) Tj ET", "upward\nflat"},
		{"superscript", "BT /F 10 Tf (m) Tj 4 Ts /F 6 Tf (2) Tj ET", "m2"},
		{"saved font", "BT /F 10 Tf q /None 5 Tf (no) Tj Q (yes) Tj ET", "yes"},
		{"what cannot be read", "BT /F 10 Tf (a) Tj --5 1..2 ] >> (b) Tj ET", "ab"},
		{"a string without end", "BT /F 10 Tf (a) Tj (b", "a"},
		{"an inline picture", "BT /F 10 Tf (a) Tj ET BI /W 2 /H 2 /BPC 8 /CS /G ID (((( EI BT /F 10 Tf 0 -20 Td (b) Tj ET", "a\nb"},
		{"no font", "BT (a) Tj ET", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages, err := text.Pages(open(t, page(c.content, helvetica, nil)))
			if err != nil || len(pages) != 1 || pages[0] != c.want {
				t.Errorf("got %q, %v, want %q", pages, err, c.want)
			}
		})
	}
}

const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <0000> <FFFF> endcodespacerange
2 beginbfchar <0003> <0020> <0010> <00660066> endbfchar
2 beginbfrange <0020> <0022> <0391> <0030> <0031> [<0031> <D835DC00>] endbfrange
endcmap`

// Fonts map their codes to text in several ways.
func TestFonts(t *testing.T) {
	for _, c := range []struct{ name, font, text, want string }{
		{"map to Unicode", "/Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /W [3 [250] 32 34 600] >>] /ToUnicode 1 0 R", "<00200021 0003 0022 0010 0030 0031>", "ΑΒ Γff1\U0001D400"},
		{"no map", "/Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< >>]", "<00410042>", ""},
		{"Unicode itself", "/Type0 /BaseFont /X /Encoding /UniGB-UCS2-H /DescendantFonts [<< >>]", "<00410042>", "AB"},
		{"differences", "/Type1 /BaseFont /X /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /Euro /uni0416 90 /fi] >>", "(ABCZ)", "€ЖCfi"},
		{"Mac", "/TrueType /BaseFont /X /Encoding /MacRomanEncoding", "(\x8a)", "ä"},
		{"standard", "/Type1 /BaseFont /X", "(a\xab)", "a«"},
		{"a map for some of the codes", "/TrueType /BaseFont /X /Encoding /WinAnsiEncoding /ToUnicode 2 0 R", "(AB)", "zB"},
		{"bitmaps of TeX, named by their codes", "/Type3 /FontMatrix [.01 0 0 .01 0 0] /FirstChar 28 /LastChar 233 /Widths [60] /Encoding << /Differences [28 /a28 29 /.notdef 65 /a65 233 /a233] >> /CharProcs << >>", "<1C41E9>", "fiAé"},
		{"bitmaps with names", "/Type3 /FontMatrix [.01 0 0 .01 0 0] /FirstChar 65 /LastChar 66 /Widths [60 60] /Encoding << /Differences [65 /B /A] >> /CharProcs << >>", "(AB)", "BA"},
		{"a mad map", "/TrueType /BaseFont /X /Encoding /WinAnsiEncoding /ToUnicode 3 0 R", "(AB)", "AB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := page("BT /F 10 Tf "+c.text+" Tj ET", "/Font << /F << /Type /Font /Subtype "+c.font+" >> >>", func(w *pdftest.Writer) {
				w.Stream("", []byte(toUnicode))
				w.Stream("", []byte("1 beginbfchar <41> <007A> endbfchar"))
				w.Stream("", []byte("1 beginbfrange <00000000> <FFFFFFFF> [] endbfrange <41> endbfchar"))
			})
			d, err := text.Read(open(t, data), text.Limits{})
			if err != nil || d.Pages[0] != c.want {
				t.Errorf("got %q, %v, want %q", d.Pages, err, c.want)
			}
		})
	}
}

// The text of a form is where the form is drawn. A form that draws itself ends at a
// limit.
func TestForms(t *testing.T) {
	data := page("/A Do BT /F 10 Tf 0 -20 Td (page) Tj ET", helvetica+" /XObject << /A 1 0 R >>", func(w *pdftest.Writer) {
		w.Stream("/Type /XObject /Subtype /Form /Matrix [1 0 0 1 0 50]", []byte("BT /F 10 Tf (form) Tj ET"))
	})
	if pages, err := text.Pages(open(t, data)); err != nil || pages[0] != "form\npage" {
		t.Errorf("got %q, %v", pages, err)
	}
	bomb := page("/A Do", helvetica+" /XObject << /A 1 0 R >>", func(w *pdftest.Writer) {
		w.Stream("/Type /XObject /Subtype /Form", []byte(strings.Repeat("/A Do ", 100)+"BT /F 10 Tf (x) Tj ET"))
	})
	d, err := text.Read(open(t, bomb), text.Limits{Steps: 100_000})
	if !errors.Is(err, text.ErrLimit) {
		t.Errorf("a form that draws itself: %v, %d pages", err, len(d.Pages))
	}
}

// The text of filled-in fields is read as well.
func TestAnnotations(t *testing.T) {
	var w pdftest.Writer
	look := w.Stream("/Type /XObject /Subtype /Form /Resources << "+helvetica+" >>", []byte("BT /F 10 Tf (119,00) Tj ET"))
	pages := w.Pages(1, fmt.Sprintf("/Annots [<< /Subtype /Widget /Rect [10 10 90 30] /AP << /N %s >> >>]", pdftest.Ref(look)))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	got, err := text.Pages(open(t, w.Close("/Root "+pdftest.Ref(root)+" /ID [<00><00>]")))
	if err != nil || got[0] != "119,00" {
		t.Errorf("got %q, %v", got, err)
	}
}

// The fonts in which text is visible are listed, and the page where a colour depends on
// the device.
func TestFontsAndColours(t *testing.T) {
	const two = "/Font << /F << /Subtype /Type1 /BaseFont /Helvetica >> /G << /Subtype /Type1 /BaseFont /Unused >> /H << /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] >> >>"
	for _, c := range []struct {
		name, content, resources, fonts, colour string
	}{
		{"shown", "BT /F 10 Tf (a) Tj /H 9 Tf (b) Tj /F 8 Tf (c) Tj ET", two, "Helvetica 1 false,  1 true", "page 1"},
		{"not visible", "BT 3 Tr /F 10 Tf (a) Tj ET", two, "", ""},
		{"chosen and not used", "BT /G 10 Tf ET", two, "", ""},
		{"red", "1 0 0 rg", "", "", "page 1"},
		{"space by name", "/DeviceCMYK cs", "", "", "page 1"},
		{"calibrated", "/C cs 1 0 0 sc 0 0 1 1 re f", "/ColorSpace << /C [/CalRGB << /WhitePoint [1 1 1] >>] >>", "", ""},
		{"black that nobody chose", "0 0 1 1 re f", "", "", "page 1"},
		{"nothing painted", "0 0 1 1 re n", "", "", ""},
		{"chosen to fill, and used to stroke", "/C cs 1 0 0 sc 0 0 1 1 re S", "/ColorSpace << /C [/CalRGB << /WhitePoint [1 1 1] >>] >>", "", "page 1"},
		{"chosen before, and restored", "/C cs q 0 0 1 1 re f Q 0 0 1 1 re f", "/ColorSpace << /C [/CalRGB << /WhitePoint [1 1 1] >>] >>", "", ""},
		{"a stand-in", "0 g", "/ColorSpace << /DefaultGray [/CalGray << /WhitePoint [1 1 1] >>] >>", "", ""},
		{"indexed", "/C cs 1 sc", "/ColorSpace << /C [/Indexed /DeviceRGB 1 <000000FFFFFF>] >>", "", "page 1"},
		{"an inline picture", "BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI", "", "", "page 1"},
		{"an inline mask", "BI /W 1 /H 1 /IM true ID a EI", "", "", "page 1"},
		{"a picture", "/I Do", "/XObject << /I 1 0 R >>", "", "page 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := page(c.content, c.resources, func(w *pdftest.Writer) {
				w.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB", []byte("abc"))
			})
			d, err := text.Read(open(t, data), text.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var fonts []string
			for _, f := range d.Fonts {
				fonts = append(fonts, fmt.Sprintf("%s %d %t", f.Name, f.Page, f.Embedded))
			}
			if got := strings.Join(fonts, ", "); got != c.fonts || d.DeviceColour != c.colour {
				t.Errorf("got fonts %q and colour %q, want %q and %q", got, d.DeviceColour, c.fonts, c.colour)
			}
		})
	}
}

// Each limit ends the reading; the pages before are returned.
func TestLimits(t *testing.T) {
	var w pdftest.Writer
	content := w.Stream("", []byte("BT /F 10 Tf "+strings.Repeat("(abcdefgh) Tj ", 1000)+"ET"))
	pages := w.Pages(3, fmt.Sprintf("/Contents %s /Resources << %s >>", pdftest.Ref(content), helvetica))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	data := w.Close("/Root " + pdftest.Ref(root) + " /ID [<00><00>]")
	whole, err := text.Pages(open(t, data))
	if err != nil || len(whole) != 3 || len(whole[2]) != 8000 {
		t.Fatalf("%d pages, %v", len(whole), err)
	}
	for name, limits := range map[string]text.Limits{
		"pages": {Pages: 2}, "steps": {Steps: 15_000}, "characters": {Characters: 10_000}, "time": {Time: time.Nanosecond},
	} {
		d, err := text.Read(open(t, data), limits)
		if !errors.Is(err, text.ErrLimit) || len(d.Pages) > 3 {
			t.Errorf("%s: %d pages, %v", name, len(d.Pages), err)
		}
	}
	c, err := pdf.Open(data, pdf.Limits{Decoded: 100})
	if err != nil {
		t.Fatal(err)
	}
	d, err := text.Read(c, text.Limits{})
	if !errors.Is(err, text.ErrLimit) || len(d.Pages) > 0 && d.Pages[0] != "" {
		t.Errorf("%d pages of a stream beyond the limit, %v", len(d.Pages), err)
	}
}

// The pages of the corpus show the number of the invoice that is attached to them.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/suites/zugferd-corpus/pdf/*.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("skipped: ../shared/suites/zugferd-corpus/pdf is not there")
	}
	compared := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages, err := text.Pages(open(t, data))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		doc, err := formats.Read(data, hybrid.Options())
		if err != nil {
			continue // no invoice in it
		}
		compared++
		text := strings.Join(pages, "\n")
		if number := doc.Invoice.Number.Raw; !strings.Contains(text, number) {
			t.Errorf("%s: the number %q is not in the %d characters of its pages", filepath.Base(file), number, len(text))
		}
	}
	if compared < 40 {
		t.Errorf("only %d of %d files were compared", compared, len(files))
	}
}

func FuzzContent(f *testing.F) {
	f.Add([]byte("BT /F 10 Tf 12 TL 10 700 Td (a) Tj T* [(b)-300<41>] TJ ET /A Do BI /W 1 ID x EI"))
	f.Add([]byte("q q Q 1 0 0 1 0 0 cm /C cs 1 g (( [[ << >>"))
	f.Fuzz(func(t *testing.T, content []byte) {
		data := page(string(content), helvetica+" /XObject << /A 1 0 R >>", func(w *pdftest.Writer) {
			w.Stream("/Type /XObject /Subtype /Form", content)
		})
		c, err := pdf.Open(data, pdf.Limits{})
		if err != nil {
			t.Skip()
		}
		if _, err := text.Read(c, text.Limits{Steps: 50_000}); err != nil && !errors.Is(err, text.ErrLimit) {
			t.Error(err)
		}
	})
}

func FuzzToUnicode(f *testing.F) {
	f.Add([]byte(toUnicode))
	f.Fuzz(func(t *testing.T, cmap []byte) {
		data := page("BT /F 10 Tf <00200041FFFF> Tj ET", "/Font << /F << /Subtype /Type0 /Encoding /Identity-H /ToUnicode 1 0 R >> >>", func(w *pdftest.Writer) {
			w.Stream("", cmap)
		})
		if _, err := text.Pages(open(t, data)); err != nil && !errors.Is(err, text.ErrLimit) {
			t.Error(err)
		}
	})
}

func BenchmarkPages(b *testing.B) {
	var content strings.Builder
	for i := range 60 {
		fmt.Fprintf(&content, "BT /F 9 Tf 1 0 0 1 50 %d Tm (Line %d) Tj 1 0 0 1 400 %d Tm (1.234,50) Tj ET\n", 800-12*i, i, 800-12*i)
	}
	var w pdftest.Writer
	stream := w.Stream("", []byte(content.String()))
	pages := w.Pages(100, fmt.Sprintf("/Contents %s /Resources << %s >>", pdftest.Ref(stream), helvetica))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	data := w.Close("/Root " + pdftest.Ref(root) + " /ID [<00><00>]")
	for b.Loop() {
		if _, err := text.Pages(open(b, data)); err != nil {
			b.Fatal(err)
		}
	}
}
