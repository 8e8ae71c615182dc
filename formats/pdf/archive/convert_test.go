package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/problem"

	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A sample is a PDF of two pages. The tested objects are on the second one.
type sample struct {
	catalog   string
	page      string // entries
	resources string
	content   string
	annots    []string
	objects   []string // $1, $2, ... refer to them, $0 to the second page
	streams   map[int]string
	trailer   string
}

// build writes the sample. $n is the reference to object n of the sample.
func (s sample) build() []byte {
	var w pdftest.Writer
	const first = 7 // after: content, two pages, the page tree, info, the content of the first page
	refer := func(text string) string {
		for n := len(s.objects); n >= 1; n-- {
			text = strings.ReplaceAll(text, fmt.Sprintf("$%d", n), pdftest.Ref(first+n-1))
		}
		return strings.ReplaceAll(text, "$0", "3 0 R")
	}
	annots := ""
	if s.annots != nil {
		annots = "/Annots [" + refer(strings.Join(s.annots, " ")) + "]"
	}
	w.Stream("", []byte(refer(s.content)))
	w.Add("<< /Type /Page /Parent 4 0 R /MediaBox [0 0 595 842] /Contents 6 0 R >>")
	media := "/MediaBox [0 0 595 842]"
	if strings.Contains(s.page, "MediaBox") {
		media = ""
	}
	w.Add("<< /Type /Page /Parent 4 0 R /Contents 1 0 R " + media + " /Resources << " + refer(s.resources) + " >> " + annots + refer(s.page) + " >>")
	w.Add("<< /Type /Pages /Count 2 /Kids [2 0 R 3 0 R] >>")
	w.Add("<< /Title (Old title) /Author (Somebody) >>")
	w.Stream("", []byte("q Q"))
	for i, o := range s.objects {
		if data, ok := s.streams[i+1]; ok {
			if strings.Contains(o, "/Filter") {
				w.Raw(refer(o), []byte(data))
			} else {
				w.Stream(refer(o), []byte(refer(data)))
			}
		} else {
			w.Add(refer(o))
		}
	}
	root := w.Add("<< /Type /Catalog /Pages 4 0 R " + refer(s.catalog) + " >>")
	return w.Close("/Root " + pdftest.Ref(root) + " /Info 5 0 R " + s.trailer)
}

// helvetica shows text in a font that is not embedded.
func helvetica(text string) sample {
	return sample{
		resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>",
		content:   "BT /F 12 Tf (" + text + ") Tj ET",
	}
}

const link = "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] "

// form is an empty appearance.
const form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"

// A repair is a sample that is converted, with the changes on the second page. A star
// marks a change of the document.
type repair struct {
	sample
	want []string
}

var repairs = merged(documentRepairs, fontRepairs)

func merged[T any](all ...map[string]T) map[string]T {
	result := map[string]T{}
	for _, m := range all {
		maps.Copy(result, m)
	}
	return result
}

var documentRepairs = map[string]repair{
	"nothing":         {sample{content: "0 0 9 9 re f"}, nil},
	"standard font":   {helvetica("Rechnung \\200"), []string{"the font Helvetica is not embedded; LiberationSans takes its place"}},
	"unused font":     {sample{resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Klingon >> >>"}, nil},
	"invisible font":  {sample{resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Klingon >> >>", content: "BT 3 Tr /F 1 Tf (a) Tj ET"}, nil},
	"JavaScript":      {sample{catalog: "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>"}, []string{"*JavaScript is removed"}},
	"open action":     {sample{catalog: "/OpenAction << /S /JavaScript /JS (1) >>"}, []string{"*an action is removed: JavaScript"}},
	"open at a place": {sample{catalog: "/OpenAction [$0 /Fit]"}, nil},
	"catalog actions": {sample{catalog: "/AA << /WC << /S /JavaScript /JS (1) >> >>"}, []string{"*actions of the document are removed"}},
	"page actions":    {sample{page: "/AA << /O << /S /JavaScript /JS (1) >> >>"}, []string{"actions of the page are removed"}},
	"link":            {sample{annots: []string{link + "/A << /S /URI /URI (x) >> >>"}}, nil},
	"another file":    {sample{annots: []string{link + "/A << /S /GoToR /D [0 /Fit] /F << /Type /Filespec /F (a.pdf) /UF (a.pdf) >> >> >>"}}, nil},
	"launch":          {sample{annots: []string{link + "/A << /S /Launch /F (calc) >> >>"}}, []string{"an action is removed: Launch"}},
	"named":           {sample{annots: []string{link + "/A << /S /Named /N /Print >> >>"}}, []string{"an action is removed: Named"}},
	"next": {
		sample{annots: []string{link + "/A << /S /URI /URI (x) /Next << /S /JavaScript /JS (1) >> >> >>"}},
		[]string{"an action that follows another one is removed"},
	},
	"outline": {
		sample{catalog: "/Outlines $1", objects: []string{"<< /First $2 /Last $2 /Count 1 >>", "<< /Title (a) /Parent $1 /A << /S /Launch >> >>"}},
		[]string{"*an action is removed: Launch"},
	},
	"movie":  {sample{annots: []string{"<< /Subtype /Movie /Rect [0 0 9 9] >>"}}, []string{"an annotation that PDF/A excludes is removed: an annotation (Movie)"}},
	"hidden": {sample{annots: []string{"<< /Subtype /Square /F 2 /Rect [0 0 9 9] >>"}}, []string{"something hidden is removed: an annotation (Square)"}},
	"note":   {sample{annots: []string{"<< /Subtype /Text /Contents (x) /Rect [0 0 9 9] >>"}}, []string{"a note is removed that has no appearance: x"}},
	"stamp": {
		sample{annots: []string{"<< /Subtype /Stamp /AP << /N $1 /D $1 >> /Rect [0 0 9 9] >>"}, objects: []string{form}, streams: map[int]string{1: "0 0 9 9 re f"}},
		nil,
	},
	"form": {
		sample{
			catalog: "/AcroForm << /Fields [$1] /NeedAppearances true >>", annots: []string{"$1"},
			objects: []string{"<< /Subtype /Widget /FT /Tx /T (a) /V (b) /Rect [0 0 18 9] /AP << /N $2 >> >>", form},
			streams: map[int]string{2: "0 0 9 9 re f"},
		},
		[]string{"*fields are shown as the document has them; a program was asked to draw them again", "the fields of the form are part of the page"},
	},
	"signature": {
		sample{
			catalog: "/AcroForm << /Fields [$1] /SigFlags 3 >>", annots: []string{"$1"},
			objects: []string{"<< /Subtype /Widget /FT /Sig /T (a) /V << /Type /Sig >> /Rect [0 0 0 0] >>"},
		},
		[]string{"*the signature is no longer valid and is removed; what it looked like stays", "the fields of the form are part of the page"},
	},
	"press": {sample{content: "0 0 0 1 k"}, []string{"*colours for a press (DeviceCMYK) are given the meaning of ISO 12647-2"}},
	"graphics state": {
		sample{resources: "/ExtGState << /G << /TR /Identity /TR2 /Default /HTP [0 0] /BM /Strange /OPM 1 /RI /Strange >> >>", content: "/G gs /Strange ri"},
		nil,
	},
	"unknown operator": {sample{content: "BX 1 strange EX"}, []string{"an operator that PDF does not have is removed"}},
	"missing resource": {sample{content: "/X Do"}, []string{"a reference to X, which is not there, is removed"}},
	"PostScript":       {sample{resources: "/XObject << /X $1 >>", content: "/X Do", objects: []string{"/Type /XObject /Subtype /PS"}, streams: map[int]string{1: ""}}, []string{"an object that PDF/A excludes is removed: PS"}},
	"draws itself": {
		sample{resources: "/XObject << /X $1 >>", content: "/X Do", objects: []string{form + " /Resources << /XObject << /X $1 >> >>"}, streams: map[int]string{1: "/X Do"}},
		[]string{"something that draws itself is removed"},
	},
	"alternates": {
		sample{
			resources: "/XObject << /X $1 >>", content: "/X Do", streams: map[int]string{1: "\x00"},
			objects: []string{"/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Interpolate true /Alternates []"},
		},
		[]string{"other versions of an image are removed"},
	},
	"LZW": {
		sample{
			resources: "/XObject << /X $1 >>", content: "/X Do", streams: map[int]string{1: "\x80\x0B\x60\x50\x22\x0C\x0C\x85\x01"},
			objects: []string{"/Subtype /Image /Width 3 /Height 3 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /LZWDecode"},
		},
		nil,
	},
	"bad profile": {
		sample{resources: "/ColorSpace << /C [/ICCBased $1] >>", content: "/C cs", objects: []string{"/N 3"}, streams: map[int]string{1: "junk"}},
		[]string{"a colour profile that cannot be used is left out"},
	},
	"spot colours": {
		sample{
			resources: "/ColorSpace << /C [/Separation /HKS /DeviceRGB $1] /D [/Separation /HKS /DeviceRGB $2] >>", content: "/C cs /D cs",
			objects: []string{"<< /FunctionType 2 /Domain [0 1] /N 1 /C1 [1 0 0] /C0 [1 1 1] >>", "<< /FunctionType 2 /Domain [0 1] /N 1 /C1 [0 1 0] /C0 [1 1 1] >>"},
		},
		[]string{"a spot colour with two meanings has two names: HKS 2"},
	},
	"layers": {
		sample{catalog: "/OCProperties << /OCGs [$1 $2] /D << /Order [$1] /AS [] >> >>", objects: []string{"<< /Type /OCG /Name (a) >>", "<< /Type /OCG /Name (b) >>"}},
		[]string{"*layers no longer switch by themselves when viewed or printed"},
	},
	"spot colour whose name is not UTF-8": {
		sample{
			resources: "/ColorSpace << /C [/DeviceN [/Gr#FCn] /DeviceRGB $1 << /Colorants << /Gr#FCn [/Separation /Gr#FCn /DeviceRGB $1] >> >>] >>",
			content:   "/C cs", objects: []string{"<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [0 1 0] /N 1 >>"},
		}, nil,
	},
	"unbalanced": {sample{content: "Q q q 1 0 0 rg"}, nil},
}

func TestRepairs(t *testing.T) {
	for name, c := range repairs {
		t.Run(name, func(t *testing.T) {
			result, err := archive.Convert(c.build(), metadata, []archive.File{invoiceXML}, pdf.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, change := range result.Changes {
				switch change.Page {
				case 0:
					got = append(got, "*"+change.What)
				case 2:
					got = append(got, change.What)
				default:
					t.Errorf("a change of page %d: %s", change.Page, change.What)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("changes %q, want %q", got, c.want)
			}
			if result.Pages != 2 {
				t.Errorf("%d pages", result.Pages)
			}
			conforms(t, result.Data)
			again, err := archive.Convert(result.Data, metadata, []archive.File{invoiceXML}, pdf.Limits{})
			if err != nil {
				t.Fatalf("what was converted is refused: %v", err)
			}
			conforms(t, again.Data)
		})
	}
}

// conforms searches all objects of a file for what PDF/A forbids, whether or not the
// catalog leads to them.
func conforms(t *testing.T, data []byte) {
	t.Helper()
	c := open(t, data)
	if len(c.Attachments) == 0 || c.Attachments[0].Places != pdf.InNameTree|pdf.InDocumentAF {
		t.Error("the file is not attached")
	}
	for _, ref := range c.Document().References() {
		o, err := c.Document().Object(ref)
		if err != nil {
			t.Fatal(err)
		}
		var d types.Dict
		switch o := o.(type) {
		case types.Dict:
			d = o
		case types.StreamDict:
			d = o.Dict
			if f := d["Filter"]; f != nil && !strings.Contains("FlateDecode", strings.Trim(f.PDFString(), "[]/")) {
				t.Errorf("a stream is encoded with %s", f.PDFString())
			}
		}
		forbidden(t, d)
	}
}

// forbidden searches a dictionary for entries that PDF/A forbids.
func forbidden(t *testing.T, d types.Dict) {
	t.Helper()
	for key, value := range d {
		switch key {
		case "AA", "JS", "JavaScript", "TR", "TR2", "HTP", "Alternates", "OPI", "PS", "AcroForm", "XFA", "CIDSet", "CharSet", "Encrypt", "AS":
			t.Errorf("there is %s: %s", key, value)
		case "Interpolate":
			if value == types.Boolean(true) {
				t.Error("an image is smoothed")
			}
		case "OPM":
			if value != types.Integer(0) {
				t.Error("overprint mode is set")
			}
		}
		if inner, ok := value.(types.Dict); ok {
			forbidden(t, inner)
		}
	}
	if d["Subtype"] == types.Name("Link") || d["Subtype"] == types.Name("Stamp") {
		if d["F"] != types.Integer(4) {
			t.Errorf("an annotation has the flags %v", d["F"])
		}
		if look, ok := d["AP"].(types.Dict); ok && (len(look) != 1 || look["N"] == nil) {
			t.Errorf("an annotation has the appearances %s", look.PDFString())
		}
	}
	if d["Type"] == types.Name("Font") && d["FontDescriptor"] == nil && d["DescendantFonts"] == nil &&
		d["BaseFont"] != types.Name("Klingon") && d["Subtype"] != types.Name("Type3") {
		t.Errorf("a font is not embedded: %s", d.PDFString())
	}
}

// A refusal is a sample that is refused, with the reason.
type refusal struct {
	sample
	page       int
	code, says string
}

var refusals = merged(documentRefusals, fontRefusals)

var documentRefusals = map[string]refusal{
	"font":        {sample{resources: "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Klingon >> >>", content: "BT /F 1 Tf (a) Tj ET"}, 2, archive.ReasonFont, "Klingon"},
	"narrow font": {sample{resources: "/Font << /F << /Type /Font /Subtype /TrueType /BaseFont /ArialNarrow >> >>", content: "BT /F 1 Tf (a) Tj ET"}, 2, archive.ReasonFont, "ArialNarrow"},
	"no font":     {sample{content: "BT (a) Tj ET"}, 2, archive.ReasonFont, "not there"},
	"glyph":       {helvetica("\\001"), 2, archive.ReasonGlyph, "Helvetica"},
	"damaged font": {
		sample{resources: "/Font << /F << /Subtype /TrueType /BaseFont /A /FontDescriptor << /FontFile2 $1 >> >> >>", content: "BT /F 1 Tf (a) Tj ET", objects: []string{""}, streams: map[int]string{1: "junk"}},
		2, archive.ReasonFont, "damaged",
	},
	"XFA": {sample{catalog: "/AcroForm << /XFA (x) >>"}, 0, archive.ReasonXFA, "XFA"},
	"field": {
		sample{annots: []string{"<< /Subtype /Widget /FT /Tx /T (total) /V (99) /Rect [0 0 9 9] >>"}}, 2, archive.ReasonField, "total",
	},
	"annotation": {sample{annots: []string{"<< /Subtype /FreeText /Contents (x) /Rect [0 0 9 9] >>"}}, 2, archive.ReasonAnnotation, "FreeText"},
	"nesting":    {sample{content: strings.Repeat("q ", 29)}, 2, archive.ReasonRestriction, "28"},
	"string":     {sample{content: "/A <</B (" + strings.Repeat("x", 32768) + ")>> DP"}, 2, archive.ReasonRestriction, "string"},
	"name":       {sample{page: "/Tabs /" + strings.Repeat("x", 128)}, 0, archive.ReasonRestriction, "name"},
	"tiny page":  {sample{page: "/MediaBox [0 0 2 2]"}, 2, archive.ReasonPages, "size"},
	"content":    {sample{content: "1 0 0 ) rg"}, 2, archive.ReasonDamaged, "cannot be read"},
	"other file": {
		sample{resources: "/XObject << /X $1 >>", content: "/X Do", streams: map[int]string{1: ""}, objects: []string{form + " /F (data)"}},
		0, archive.ReasonStream, "another file",
	},
	"bits": {
		sample{resources: "/XObject << /X $1 >>", content: "/X Do", streams: map[int]string{1: ""}, objects: []string{"/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 12 /ColorSpace /DeviceGray"}},
		2, archive.ReasonImage, "bits",
	},
	"inline LZW": {sample{content: "BI /W 1 /H 1 /BPC 8 /CS /G /F /LZW ID x EI"}, 2, archive.ReasonImage, "LZW"},
	"space":      {sample{content: "/C cs"}, 2, archive.ReasonColour, "not there"},
	"spot colours": {
		sample{resources: "/ColorSpace << /C [/DeviceN [/Gold /Cyan] /DeviceRGB << /FunctionType 4 >>] >>", content: "/C cs"}, 2, archive.ReasonColour, "Gold",
	},
	"CMap": {
		sample{
			resources: "/Font << /F << /Subtype /Type0 /Encoding /90ms-RKSJ-H /BaseFont /A /DescendantFonts [<< /Subtype /CIDFontType2 /FontDescriptor << /FontFile2 $1 >> >>] >> >>",
			content:   "BT /F 1 Tf (a) Tj ET", objects: []string{""}, streams: map[int]string{1: string(liberationsansregular.TTF)},
		},
		2, archive.ReasonEncoding, "90ms-RKSJ-H",
	},
}

func TestRefusals(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			_, err := archive.Convert(c.build(), metadata, nil, pdf.Limits{})
			refused, ok := errors.AsType[*archive.Refused](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			r := refused.Reasons[0]
			if r.Page != c.page || r.Code != c.code || !strings.Contains(r.Message, c.says) || r.Remedy == "" || len(refused.Reasons) != 1 {
				t.Errorf("got %+v", refused.Reasons)
			}
			if !strings.Contains(err.Error(), r.Message) || !strings.Contains(err.Error(), r.Code) {
				t.Errorf("the error says %s", err)
			}
		})
	}
}

func TestConvertUnreadable(t *testing.T) {
	for name, data := range map[string]string{"nothing": "", "text": "hello", "cut off": "%PDF-1.4\n1 0 obj"} {
		_, err := archive.Convert([]byte(data), metadata, nil, pdf.Limits{})
		if _, ok := errors.AsType[*problem.Error](err); !ok {
			if _, ok := errors.AsType[*archive.Refused](err); !ok {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	small := helvetica("a").build()
	_, err := archive.Convert(small, metadata, nil, pdf.Limits{Decoded: 10})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != pdf.CodeLimit {
		t.Errorf("too much is %v", err)
	}
}

// Metadata of the PDF is kept if no other is given.
func TestConvertMetadata(t *testing.T) {
	m := archive.Metadata{Date: &day, Author: "Me"}
	result, err := archive.Convert(sample{catalog: "/Lang (fr)"}.build(), m, nil, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">Old title<", ">Me<", ">fr<"} {
		if !bytes.Contains(result.Data, []byte(want)) {
			t.Errorf("the packet does not have %s", want)
		}
	}
	if bytes.Contains(result.Data, []byte("Somebody")) || bytes.Contains(result.Data, []byte("urn:factur-x")) {
		t.Error("the packet says what it should not")
	}
}

// Entries of the information dictionary that are lost are told.
func TestConvertTellsLostInformation(t *testing.T) {
	var w pdftest.Writer
	pages := w.Pages(1, "")
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	info := w.Add("<< /Title (A) /Producer (B) /Keywords (invoice, paid) /Cost#20centre (4711) >>")
	result, err := archive.Convert(w.Close("/Root "+pdftest.Ref(root)+" /Info "+pdftest.Ref(info)), metadata, nil, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Changes) != 1 || result.Changes[0] != (archive.Change{What: "entries of the document information without a place are removed: Cost centre"}) {
		t.Errorf("changes %v", result.Changes)
	}
	if !bytes.Contains(result.Data, []byte("<pdf:Keywords>invoice, paid</pdf:Keywords>")) {
		t.Error("the keywords are lost")
	}
}

// Attached files are kept, except an invoice that another one replaces.
func TestConvertAttachments(t *testing.T) {
	input := pdftest.Hybrid(
		pdftest.File{Name: "factur-x.xml", Data: []byte("<old/>")},
		pdftest.File{Name: "plan.csv", MIME: "text/csv", Relationship: "Cousin", Data: []byte("a;b")},
	)
	result, err := archive.Convert(input, metadata, []archive.File{invoiceXML}, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, result.Data)
	if len(c.Attachments) != 2 {
		t.Fatalf("%d files are attached", len(c.Attachments))
	}
	for i, want := range []string{"<invoice/>", "a;b"} {
		if data, err := c.Attachments[i].Data(); err != nil || string(data) != want {
			t.Errorf("%s is %s, %v", c.Attachments[i].Name, data, err)
		}
	}
	if a := c.Attachments[1]; a.MIME != "text/csv" || a.Relationship != "Unspecified" {
		t.Errorf("%s is described as %s, %s", a.Name, a.MIME, a.Relationship)
	}
	if len(result.Changes) != 1 || !strings.Contains(result.Changes[0].What, "factur-x.xml") {
		t.Errorf("changes %v", result.Changes)
	}
	without := metadata
	without.Invoice = nil
	if result, err = archive.Convert(input, without, nil, pdf.Limits{}); err != nil || len(open(t, result.Data).Attachments) != 2 {
		t.Errorf("without an invoice: %v", err)
	}
}

func TestConvertIsDeterministic(t *testing.T) {
	input := helvetica("Rechnung").build()
	var first []byte
	for range 5 {
		result, err := archive.Convert(input, metadata, []archive.File{invoiceXML}, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = result.Data
		}
		if !bytes.Equal(first, result.Data) {
			t.Fatal("the same document differs")
		}
	}
	again, err := archive.Convert(first, metadata, []archive.File{invoiceXML}, pdf.Limits{})
	if err != nil || len(again.Changes) != 1 { // the invoice is replaced
		t.Errorf("once more: %v, %v", again, err)
	}
}

// Whatever is attached, attaching it once more to the result changes nothing: names that are equal, odd or taken already.
func TestAttachedOnce(t *testing.T) {
	names := []string{"a.csv", "A.CSV", "a-2.csv", "a ü.csv", "../a.csv", "a/b:c.csv", "", "con.txt", "a-3.csv", "factur-x.xml.csv"}
	for range 50 {
		files := []archive.File{invoiceXML}
		for n := rand.IntN(8); n >= 0; n-- {
			files = append(files, archive.File{Name: names[rand.IntN(len(names))], MIME: "text/csv", Data: []byte{byte('a' + rand.IntN(2))}})
		}
		first, err := archive.Convert(helvetica("Rechnung").build(), metadata, files, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		second, err := archive.Convert(first.Data, metadata, files, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		was, is := attachedNames(t, first.Data), attachedNames(t, second.Data)
		if !slices.Equal(was, is) || len(is) != len(files) {
			t.Errorf("%q were attached, and then %q", was, is)
		}
	}
}

func attachedNames(t *testing.T, data []byte) (names []string) {
	t.Helper()
	for _, a := range open(t, data).Attachments {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return names
}

// A wrong count in the page tree is repaired; a page instead of a page tree is refused.
func TestConvertPageTree(t *testing.T) {
	var w pdftest.Writer
	w.Add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>")
	w.Add("<< /Type /Pages /Count 7 /Kids [1 0 R] >>")
	w.Add("<< /Type /Catalog /Pages 2 0 R >>")
	result, err := archive.Convert(w.Close("/Root 3 0 R"), metadata, nil, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, result.Data)
	catalog, err := c.Document().Catalog()
	if err != nil {
		t.Fatal(err)
	}
	tree := c.Reader(100, time.Now().Add(time.Minute)).Dict(catalog["Pages"])
	if tree["Count"] != types.Integer(1) {
		t.Errorf("the tree is %s", tree.PDFString())
	}
	for _, pages := range []string{"1 0 R", "9 0 R", "3 0 R"} {
		var w pdftest.Writer
		w.Add("<< /Type /Page /MediaBox [0 0 99 99] >>")
		w.Add("<< /Type /Catalog /Pages " + pages + " >>")
		w.Add("<< /Kids [3 0 R 1 0 R] >>")
		if _, err := archive.Convert(w.Close("/Root 2 0 R"), metadata, nil, pdf.Limits{}); !strings.Contains(fmt.Sprint(err), archive.ReasonDamaged) {
			t.Errorf("pages at %s: got %v", pages, err)
		}
	}
}

// Several goroutines convert PDFs at a time; they share the substitute fonts.
func TestConvertConcurrently(t *testing.T) {
	input := helvetica("Rechnung").build()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 5 {
				if _, err := archive.Convert(input, metadata, []archive.File{invoiceXML}, pdf.Limits{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// Small PDFs that are expensive to convert are refused.
func TestConvertHostile(t *testing.T) {
	many := func(text string, n int) string { return strings.Repeat(text, n) }
	nested := sample{resources: "/XObject << /X $1 >>", content: "/X Do", streams: map[int]string{}}
	for n := 1; n <= 60; n++ { // each form draws the next one twice
		nested.objects = append(nested.objects, fmt.Sprintf("%s /Resources << /XObject << /X $%d >> >>", form, n+1))
		nested.streams[n] = "/X Do /X Do"
	}
	for name, c := range map[string]struct {
		data   []byte
		limits pdf.Limits
	}{
		"nested forms": {nested.build(), pdf.Limits{}},
		"operators":    {sample{content: many("q Q ", 1<<20)}.build(), pdf.Limits{Objects: 1000}},
		"operands":     {sample{content: many("1 ", 1<<20)}.build(), pdf.Limits{}},
		"brackets":     {sample{content: many("[", 1<<20)}.build(), pdf.Limits{}},
		"widths": {
			sample{
				resources: "/Font << /F << /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /W [" + many("0 65535 1 ", 20_000) +
					"] /FontDescriptor << /FontFile2 $1 >> >>] >> >>",
				content: "BT /F 1 Tf (" + many("ab", 9000) + ") Tj ET", objects: []string{""}, streams: map[int]string{1: string(liberationsansregular.TTF)},
			}.build(),
			pdf.Limits{},
		},
	} {
		_, err := archive.Convert(c.data, metadata, nil, c.limits)
		_, refused := errors.AsType[*archive.Refused](err)
		_, unreadable := errors.AsType[*problem.Error](err)
		if !refused && !unreadable {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A reference to an object that is not there means the null object, whatever objects the
// conversion adds.
func TestConvertDanglingReferences(t *testing.T) {
	var w pdftest.Writer
	kids := ""
	for number := 5; number < 60; number++ { // the numbers that come next, and beyond
		kids += fmt.Sprintf("%d 0 R ", number)
	}
	w.Add("<< /Type /Catalog /Pages 2 0 R >>")
	w.Add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
	w.Add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [" + kids + "] >>")
	invoice := archive.File{Name: "factur-x.xml", MIME: "text/xml", Relationship: "Data", Data: []byte("<xml/>")}
	converted, err := archive.Convert(w.Close("/Root 1 0 R"), metadata, []archive.File{invoice}, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := pdf.Open(converted.Data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r := c.Reader(10_000, time.Now().Add(time.Minute))
	pages := 0
	r.Pages(r.Entries(c.Document().Root())["Pages"], func(page types.Dict, _ types.Object) {
		pages++
		for _, o := range r.Array(page["Contents"]) {
			if s, ok := r.Stream(o); ok {
				data, err := r.Decode(s)
				if err != nil || len(data) > 0 {
					t.Errorf("the page draws %.40q, %v", data, err)
				}
			}
		}
		if s, ok := r.Stream(page["Contents"]); ok {
			if data, err := r.Decode(s); err != nil || strings.TrimSpace(string(data)) != "" {
				t.Errorf("the page draws %.40q, %v", data, err)
			}
		}
	})
	if pages != 1 {
		t.Errorf("%d pages", pages)
	}
}
