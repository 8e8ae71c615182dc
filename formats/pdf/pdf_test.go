package pdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/formats/filekind"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/model/problem"
)

const (
	cii      = `<?xml version="1.0"?><a:CrossIndustryInvoice xmlns:a="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>`
	ubl      = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`
	zugferd1 = `<!-- <old> --><a:CrossIndustryDocument xmlns:a="urn:ferd:CrossIndustryDocument:invoice:1p0"/>`
	order    = `<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>`
)

func file(name, data string) pdftest.File { return pdftest.File{Name: name, Data: []byte(data)} }

func Example() {
	data := pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Relationship: "Alternative", Data: []byte("<invoice/>")})
	container, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	invoice, err := container.Invoice()
	if err != nil {
		fmt.Println(err)
		return
	}
	xml, err := invoice.Data()
	fmt.Printf("%s (%s): %s %v\n", invoice.Name, invoice.Relationship, xml, err)
	// Output: factur-x.xml (Alternative): <invoice/> <nil>
}

// attachingForms are the ways in which a file can be attached. Each returns the entries of
// the catalog and of the page, and the place where the file must be found.
var attachingForms = map[string]func(w *pdftest.Writer, spec string) (catalog, page string, place pdf.Place){
	"name tree": func(_ *pdftest.Writer, spec string) (string, string, pdf.Place) {
		return "/Names << /EmbeddedFiles << /Names [(a) " + spec + "] >> >>", "", pdf.InNameTree
	},
	"name tree with kids": func(w *pdftest.Writer, spec string) (string, string, pdf.Place) {
		leaf := w.Add("<< /Limits [(a) (a)] /Names [(a) " + spec + "] >>")
		kid := w.Add("<< /Limits [(a) (a)] /Kids [" + pdftest.Ref(leaf) + "] >>")
		names := w.Add("<< /EmbeddedFiles << /Kids [" + pdftest.Ref(kid) + "] >> >>")
		return "/Names " + pdftest.Ref(names), "", pdf.InNameTree
	},
	"associated": func(_ *pdftest.Writer, spec string) (string, string, pdf.Place) {
		return "/AF [" + spec + "]", "", pdf.InDocumentAF
	},
	"associated, indirect": func(w *pdftest.Writer, spec string) (string, string, pdf.Place) {
		return "/AF " + pdftest.Ref(w.Add("["+spec+"]")), "", pdf.InDocumentAF
	},
	"associated, no array": func(_ *pdftest.Writer, spec string) (string, string, pdf.Place) {
		return "/AF " + spec, "", pdf.InDocumentAF
	},
	"page": func(_ *pdftest.Writer, spec string) (string, string, pdf.Place) {
		return "", "/AF [" + spec + "]", pdf.InPageAF
	},
	"annotation": func(w *pdftest.Writer, spec string) (string, string, pdf.Place) {
		note := w.Add("<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS " + spec + " >>")
		return "", "/Annots [" + pdftest.Ref(note) + "]", pdf.InAnnotation
	},
	"everywhere": func(w *pdftest.Writer, spec string) (string, string, pdf.Place) {
		note := w.Add("<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS " + spec + " >>")
		return "/AF [" + spec + "] /Names << /EmbeddedFiles << /Names [(a) " + spec + "] >> >>",
			"/AF [" + spec + "] /Annots [" + pdftest.Ref(note) + "]",
			pdf.InNameTree | pdf.InDocumentAF | pdf.InPageAF | pdf.InAnnotation
	},
}

func TestPlaces(t *testing.T) {
	for name, attach := range attachingForms {
		t.Run(name, func(t *testing.T) {
			var w pdftest.Writer
			spec := pdftest.Ref(w.Attach(file("factur-x.xml", cii)))
			catalog, page, place := attach(&w, spec)
			root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(w.Pages(2, page)) + " " + catalog + " >>")
			c := open(t, w.Close("/Root "+pdftest.Ref(root)))
			if len(c.Attachments) != 1 || c.Attachments[0].Places != place {
				t.Fatalf("found %d attachments: %+v", len(c.Attachments), c.Attachments)
			}
			if got := data(t, c.Attachments[0]); got != cii {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestDescription(t *testing.T) {
	a := open(t, pdftest.Hybrid(pdftest.File{
		Name: "Abrechnung \\374ber 1.xml", Description: "\\376\\377\\000a\\000\\033\\000[\\000\\n\\000b", MIME: "text/xml", Relationship: "Source", Data: []byte(ubl),
		Params: "/Size 72 /CreationDate (D:20260102030405+01'00') /ModDate (D:20260203) /CheckSum <0123456789abcdef0123456789abcdef>",
	})).Attachments[0]
	if a.Name != "Abrechnung über 1.xml" || a.Key != a.Name || a.Description != "a[ b" || a.MIME != "text/xml" || a.Relationship != "Source" {
		t.Errorf("described as %+v", a)
	}
	if a.Size != 72 || fmt.Sprintf("%x", a.CheckSum) != "0123456789abcdef0123456789abcdef" {
		t.Errorf("size %d, checksum %x", a.Size, a.CheckSum)
	}
	if got := a.Created.UTC().Format(time.DateTime); got != "2026-01-02 02:04:05" || a.Modified.Format(time.DateOnly) != "2026-02-03" {
		t.Errorf("created %s, modified %s", got, a.Modified)
	}
	bare := open(t, pdftest.Hybrid(file("a", "b"))).Attachments[0]
	if bare.Size != -1 || bare.CheckSum != nil || !bare.Created.IsZero() || bare.MIME != "" || bare.Relationship != "" {
		t.Errorf("what is not declared is %+v", bare)
	}
}

func TestInvoice(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []pdftest.File
		want  string // the attachment, or else the code of the error
		names string
	}{
		{"by name", []pdftest.File{file("a.pdf", "%PDF"), file("factur-x.xml", "broken")}, "factur-x.xml", ""},
		{"by name, in capitals", []pdftest.File{file("Factur-X.XML", cii), file("other.xml", ubl)}, "Factur-X.XML", ""},
		{"XRechnung", []pdftest.File{file("xrechnung.xml", ubl)}, "xrechnung.xml", ""},
		{"ZUGFeRD 2.0", []pdftest.File{file("zugferd-invoice.xml", cii)}, "zugferd-invoice.xml", ""},
		{"ZUGFeRD 1.0", []pdftest.File{file("ZUGFeRD-invoice.xml", zugferd1)}, "ZUGFeRD-invoice.xml", ""},
		{"both", []pdftest.File{file("ZUGFeRD-invoice.xml", zugferd1), file("factur-x.xml", cii)}, "factur-x.xml", ""},
		{"both, the later one without a name of the standards", []pdftest.File{file("ZUGFeRD-invoice.xml", zugferd1), file("invoice.xml", cii)}, "invoice.xml", ""},
		{"both, and no invoice", []pdftest.File{file("ZUGFeRD-invoice.xml", zugferd1), file("order.xml", order)}, "ZUGFeRD-invoice.xml", ""},
		{"by content", []pdftest.File{file("data.bin", "\ufeff"+cii), file("order.xml", order)}, "data.bin", ""},
		{"twice the same", []pdftest.File{file("factur-x.xml", cii), file("FACTUR-X.xml", cii)}, "factur-x.xml", ""},
		{"none", nil, pdf.CodeNoAttachment, ""},
		{"no invoice", []pdftest.File{file("order.xml", order), file("b.txt", "b")}, pdf.CodeNoInvoice, "order.xml, b.txt"},
		{"several by name", []pdftest.File{file("factur-x.xml", cii), file("xrechnung.xml", ubl)}, pdf.CodeSeveralInvoices, "factur-x.xml, xrechnung.xml"},
		{"several by content", []pdftest.File{file("1.xml", cii), file("2.xml", ubl), file("3.xml", order)}, pdf.CodeSeveralInvoices, "1.xml, 2.xml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			invoice, err := open(t, pdftest.Hybrid(c.files...)).Invoice()
			if err == nil {
				if invoice.Name != c.want {
					t.Errorf("got %s, want %s", invoice.Name, c.want)
				}
				return
			}
			e := typed(t, err)
			if e.Code != c.want || !strings.Contains(e.Message, c.names) {
				t.Errorf("got %v", e)
			}
		})
	}
}

func TestKind(t *testing.T) {
	utf16 := []byte{0xFE, 0xFF}
	for _, c := range []byte(cii) {
		utf16 = append(utf16, 0, c)
	}
	for _, c := range []struct {
		data string
		want pdf.Kind
	}{
		{cii, pdf.KindCII},
		{ubl, pdf.KindUBL},
		{strings.ReplaceAll(ubl, "Invoice", "CreditNote"), pdf.KindUBL},
		{zugferd1, pdf.KindZUGFeRD1},
		{string(utf16), pdf.KindCII},
		{`<?xml version="1.0" encoding="ISO-8859-15"?>` + ubl, pdf.KindUBL},
		{order, pdf.KindOther},
		{"<Invoice/>", pdf.KindOther},
		{"see " + ubl, pdf.KindOther},
		{"", pdf.KindOther},
		{"\x00\x00", pdf.KindOther},
	} {
		if got := open(t, pdftest.Hybrid(file("a", c.data))).Attachments[0].Kind(); got != c.want {
			t.Errorf("%q is of kind %q, want %q", c.data, got, c.want)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"%PDF-1.4": true, "rubbish\r\n%PDF-1.4": true, "": false, "%PDX": false,
		strings.Repeat(" ", 2000) + "%PDF-1.4": false, "\ufeff<!-- %PDF-1.4 --><a/>": false, "<a>%PDF-1.4</a>": false,
	} {
		if filekind.IsPDF([]byte(text)) != want {
			t.Errorf("%.40q: got %v", text, !want)
		}
	}
	_, err := pdf.Open([]byte("<a/>"), pdf.Limits{})
	if e := typed(t, err); e.Code != pdf.CodeNotPDF {
		t.Errorf("got %v", e)
	}
}

func open(tb testing.TB, data []byte) *pdf.Container {
	tb.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func data(tb testing.TB, a *pdf.Attachment) string {
	tb.Helper()
	got, err := a.Data()
	if err != nil {
		tb.Fatal(err)
	}
	return string(bytes.Clone(got))
}

// typed checks that an error is a complete *problem.Error.
func typed(tb testing.TB, err error) *problem.Error {
	tb.Helper()
	e, ok := errors.AsType[*problem.Error](err)
	if !ok {
		tb.Fatalf("got %v, want a *problem.Error", err)
	}
	codes := []string{
		pdf.CodeNotPDF, pdf.CodeEncrypted, pdf.CodeDamaged, pdf.CodeLimit,
		pdf.CodeNoAttachment, pdf.CodeNoInvoice, pdf.CodeSeveralInvoices,
	}
	if !slices.Contains(codes, e.Code) || e.Message == "" || e.Remedy == "" {
		tb.Fatalf("got %+v", e)
	}
	return e
}
