package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/text"

	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// embedded shows text in Liberation Sans, whose program is $1, as this font.
func embedded(font, text string) sample {
	return sample{
		resources: "/Font << /F << /Type /Font /BaseFont /LiberationSans " + font + " >> >>",
		content:   "BT /F 12 Tf " + text + " Tj ET",
		objects:   []string{""}, streams: map[int]string{1: string(liberationsansregular.TTF)},
	}
}

// The widths of A and B are 667 in Liberation Sans, and B is its glyph 37.
const (
	symbolicFont = "/FontDescriptor << /Type /FontDescriptor /Flags 4 /FontFile2 $1 >>"
	plainFont    = "/FontDescriptor << /Type /FontDescriptor /Flags 32 /FontFile2 $1 >>"
	widthsOfAB   = "/FirstChar 65 /LastChar 66 /Widths [667 667]"
	composite    = "/Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /LiberationSans " +
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
)

var contradicts = []string{"the font LiberationSans contradicted itself about widths; it keeps those that the pages are laid out with"}

var fontRepairs = map[string]repair{
	"TrueType":                  {embedded("/Subtype /TrueType /Encoding /WinAnsiEncoding "+widthsOfAB+plainFont, "(AB)"), nil},
	"TrueType without encoding": {embedded("/Subtype /TrueType "+widthsOfAB+plainFont, "(AB)"), nil},
	"TrueType with differences": {embedded("/Subtype /TrueType /Encoding << /Differences [65 /Euro] >> /FirstChar 65 /LastChar 65 /Widths [556]"+plainFont, "(A)"), nil},
	"TrueType, symbolic":        {embedded("/Subtype /TrueType /Encoding /MacRomanEncoding "+widthsOfAB+symbolicFont, "(AB)"), nil},
	"TrueType, widths":          {embedded("/Subtype /TrueType /Encoding /WinAnsiEncoding /FirstChar 65 /LastChar 66 /Widths [667 900]"+plainFont, "(AB)"), contradicts},
	"TrueType, no widths":       {embedded("/Subtype /TrueType /Encoding /WinAnsiEncoding"+plainFont, "(AB)"), nil},
	"composite":                 {embedded(composite+"/W [36 [667 667]] /CIDToGIDMap /Identity "+symbolicFont+">>]", "<00240025>"), nil},
	"composite without map":     {embedded(composite+"/W [36 [667 667]] "+symbolicFont+">>]", "<00240025>"), nil},
	"composite, widths":         {embedded(composite+"/W [36 37 700] "+symbolicFont+">>]", "<00240025>"), contradicts},
	"Type 3": {
		sample{
			resources: "/Font << /F << /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 65 /LastChar 65 /Widths [8] " +
				"/Encoding << /Differences [65 /a] >> /CharProcs << /a $1 >> >> >>",
			content: "BT /F 12 Tf (A) Tj ET", objects: []string{""}, streams: map[int]string{1: "5 0 0 0 9 9 d1 0 0 9 9 re f"},
		},
		nil,
	},
}

var fontRefusals = map[string]refusal{
	"notdef":           {embedded(composite+symbolicFont+">>]", "<0000>"), 2, archive.ReasonGlyph, "LiberationSans"},
	"beyond the font":  {embedded(composite+symbolicFont+">>]", "<FFFF>"), 2, archive.ReasonGlyph, "LiberationSans"},
	"no program":       {embedded(composite+">>]", "<0024>"), 2, archive.ReasonFont, "not embedded"},
	"unknown encoding": {embedded("/Subtype /TrueType /Encoding << /Differences [65 /klingon] >>"+plainFont, "(\\001)"), 2, archive.ReasonGlyph, "LiberationSans"},
	"several widths": {
		embedded("/Subtype /TrueType /Encoding << /Differences [65 /A /A] >> /FirstChar 65 /LastChar 66 /Widths [667 800]"+plainFont, "(AB)"),
		2, archive.ReasonWidths, "several",
	},
	"no glyph": {
		sample{
			resources: "/Font << /F << /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65 /Widths [8] " +
				"/Encoding << /Differences [65 /a] >> /CharProcs << >> >> >>",
			content: "BT /F 12 Tf (A) Tj ET",
		},
		2, archive.ReasonGlyph, "without a name",
	},
}

// A font that takes the place of one whose own map to Unicode has some of its codes alone can be
// read as before: what the map has, and the names of glyphs for the rest.
func TestConvertKeepsText(t *testing.T) {
	data := sample{
		resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding /ToUnicode $1 >> >>",
		content:   "BT /F 12 Tf 100 500 Td (Ab \\351 z) Tj ET",
		objects:   []string{""},
		streams:   map[int]string{1: "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <7A> <00660066> endbfchar endcmap"},
	}.build()
	before, err := text.Pages(open(t, data))
	if err != nil {
		t.Fatal(err)
	}
	result, err := archive.Convert(data, metadata, nil, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := text.Pages(open(t, result.Data))
	if err != nil {
		t.Fatal(err)
	}
	if want := "Ab é ff"; before[1] != want || after[1] != want { // the second page of a sample has its content
		t.Errorf("the text is %q, and %q after the conversion, want %q", before, after, want)
	}
}

// A simple TrueType font whose encoding PDF/A forbids becomes a composite font with the
// same glyphs and widths.
func TestConvertComposes(t *testing.T) {
	result, err := archive.Convert(repairs["TrueType with differences"].build(), metadata, nil, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	document := open(t, result.Data).Document()
	found := false
	for _, ref := range document.References() {
		o, err := document.Object(ref)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := o.(types.Dict); ok && d["Subtype"] == types.Name("CIDFontType2") {
			found = true
			if got := fmt.Sprint(d["W"].PDFString()); !strings.HasSuffix(got, "[556]]") {
				t.Errorf("the widths are %s", got)
			}
		}
		if s, ok := o.(types.StreamDict); ok && s.Dict["Type"] == types.Name("CMap") {
			if err := s.Decode(); err != nil || !strings.Contains(string(s.Content), "<41> ") {
				t.Errorf("the map is %s, %v", s.Content, err)
			}
		}
	}
	if !found {
		t.Error("the font is not a composite one")
	}
}
