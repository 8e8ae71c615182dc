package formats_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/jsoninvoice"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"
	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
)

func sampleCII(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("cii/testdata/full.xml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A PDF is read as the XML that is attached to it: the same invoice with the same
// positions.
func TestReadPDF(t *testing.T) {
	xml := sampleCII(t)
	data := pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: xml}, pdftest.File{Name: "a.txt", Data: []byte("a")})
	received, err := formats.Receive(data, hybrid.Options())
	if err != nil {
		t.Fatal(err)
	}
	got := received.Document
	want, err := formats.Read(xml, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if asJSON(t, got.Invoice) != asJSON(t, want.Invoice) || got.Syntax != want.Syntax || got.Source.Data != string(xml) {
		t.Error("the PDF and its XML are read differently")
	}
	if a, b := got.Source.Position(got.Invoice.Number.Ref), want.Source.Position(want.Invoice.Number.Ref); a != b || a.Line < 2 {
		t.Errorf("BT-1 is at %v in the PDF's XML, and at %v in the XML", a, b)
	}
	if got.Attachment != "factur-x.xml" || want.Attachment != "" {
		t.Errorf("the attachments are %q and %q", got.Attachment, want.Attachment)
	}
	if received.Attachment.Name != "factur-x.xml" || len(received.PDF.Attachments) != 2 {
		t.Errorf("received in %s among %d", received.Attachment.Name, len(received.PDF.Attachments))
	}
	if back, err := jsoninvoice.Decode(t.Context(), []byte(asJSON(t, got.Invoice))); err != nil || asJSON(t, back) != asJSON(t, want.Invoice) {
		t.Errorf("its JSON is not read back as it was: %v", err)
	}
}

func TestReadPDFRefuses(t *testing.T) {
	const zugferd1 = "\n<a:CrossIndustryDocument xmlns:a=\"urn:ferd:CrossIndustryDocument:invoice:1p0\"/>"
	const draft = `<r:Invoice xmlns:r="urn:un:unece:uncefact:data:standard:CBFBUY:5"/>`
	const orderX = `<r:SCRDMCCBDACIOMessageStructure xmlns:r="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>`
	with := func(name, data string) []byte { return pdftest.Hybrid(pdftest.File{Name: name, Data: []byte(data)}) }
	for _, c := range []struct {
		name    string
		data    []byte
		options formats.Options
		code    string
		line    int
		says    string
	}{
		{"damaged", []byte("%PDF-1.7"), hybrid.Options(), pdf.CodeDamaged, 0, "damaged"},
		{"nothing attached", pdftest.Hybrid(), hybrid.Options(), pdf.CodeNoAttachment, 0, "nothing is attached"},
		{"no invoice", with("a.txt", "a"), hybrid.Options(), pdf.CodeNoInvoice, 0, "attached is a.txt"},
		{"ZUGFeRD 1.0", with("ZUGFeRD-invoice.xml", zugferd1), hybrid.Options(), formats.CodeOtherDocument, 2, "in the attachment ZUGFeRD-invoice.xml: line 2, column 1: this is an invoice of ZUGFeRD 1.0"},
		{"ZUGFeRD of 2013", with("ZUGFeRD-invoice.xml", draft), formats.Options{OpenPDF: hybrid.Opener(pdf.Limits{}), Legacy: true}, formats.CodeOtherDocument, 1, "in the attachment ZUGFeRD-invoice.xml: line 1, column 1: this is an invoice of a draft of ZUGFeRD from 2013"},
		{"Order-X", with("order-x.xml", orderX), hybrid.Options(), formats.CodeOtherDocument, 0, "in the attachment order-x.xml: this is an order, an order change or an order response in Order-X"},
		{"Order-X beside something else", pdftest.Hybrid(pdftest.File{Name: "a.txt", Data: []byte("a")}, pdftest.File{Name: "b.xml", Data: []byte(orderX)}), hybrid.Options(), formats.CodeOtherDocument, 0, "in the attachment b.xml"},
		{"an envelope", with("a.xml", "<XHE/>"), hybrid.Options(), pdf.CodeNoInvoice, 0, "attached is a.xml"},
		{"broken XML", with("factur-x.xml", "<a>\n<b"), hybrid.Options(), xmlparse.CodeSyntax, 2, "in the attachment factur-x.xml: line 2"},
		{"nothing opens PDFs", with("factur-x.xml", "<a/>"), formats.Options{}, formats.CodePDF, 0, "nothing linked that opens PDFs"},
		{"PDFs are not wanted", with("factur-x.xml", "<a/>"), formats.Options{XMLOnly: true}, formats.CodePDF, 0, "only XML"},
		{"too large", with("factur-x.xml", "<a/>"), formats.Options{OpenPDF: hybrid.Opener(pdf.Limits{}), Limits: xmlparse.Limits{Bytes: 500}}, pdf.CodeLimit, 0, "500"},
		{"too large an attachment", with("factur-x.xml", strings.Repeat(" ", 5000)), formats.Options{OpenPDF: hybrid.Opener(pdf.Limits{Decoded: 4000})}, pdf.CodeLimit, 0, "4000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := formats.Read(c.data, c.options)
			e, ok := errors.AsType[*problem.Error](err)
			if !ok || e.Code != c.code || e.Position.Line != c.line || !strings.Contains(e.Error(), c.says) || e.Remedy == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEmbeddedXML(t *testing.T) {
	const broken = "\ufeff<a>\r\n<b"
	for _, c := range []struct {
		name             string
		data             []byte
		want, attachment string
		code             string
	}{
		{"of a PDF, whatever it is", pdftest.Hybrid(pdftest.File{Name: "xrechnung.xml", Data: []byte(broken)}), broken, "xrechnung.xml", ""},
		{"XML", []byte("\ufeff<a/>\r\n"), "\ufeff<a/>\r\n", "", ""},
		{"neither", []byte("{}"), "", "", xmlparse.CodeNotXML},
		{"nothing", nil, "", "", xmlparse.CodeEmpty},
		{"no XML", pdftest.Hybrid(), "", "", pdf.CodeNoAttachment},
		{"an order", pdftest.Hybrid(pdftest.File{Name: "order-x.xml", Data: []byte("<SCRDMCCBDACIOMessageStructure/>")}), "", "", formats.CodeOtherDocument},
	} {
		t.Run(c.name, func(t *testing.T) {
			xml, name, err := formats.EmbeddedXML(c.data, hybrid.Options())
			if e, ok := errors.AsType[*problem.Error](err); err != nil && (!ok || e.Code != c.code) || err == nil && c.code != "" {
				t.Fatalf("got %v, want %q", err, c.code)
			}
			if !bytes.Equal(xml, []byte(c.want)) || name != c.attachment {
				t.Errorf("got %q of %q", xml, name)
			}
		})
	}
}
