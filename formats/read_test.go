package formats_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/formats/hybrid"
	"einvoice/formats/pdf"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/problem"
)

func ExampleRead() {
	data, err := os.ReadFile("ubl/testdata/full-invoice.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	total := doc.Invoice.Totals.AmountDueForPayment
	fmt.Println(doc.Syntax, doc.Invoice.Number.Raw, total.Value, total.Currency.Raw)
	fmt.Println(doc.Source.Path(total.Ref), "in line", doc.Source.Position(total.Ref).Line)
	// Output:
	// ubl BT-1 115.00 BT-5
	// /ubl:Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount in line 297
}

func TestReadRecognisesFormats(t *testing.T) {
	for _, c := range []struct {
		document string
		want     model.Syntax
	}{
		{`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`, model.UBL},
		{`<x:CreditNote xmlns:x="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>`, model.UBL},
		{`<a:CrossIndustryInvoice xmlns:a="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>`, model.CII},
	} {
		doc, err := formats.Read([]byte(c.document), formats.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.document, err)
			continue
		}
		if doc.Syntax != c.want || doc.Source == nil || doc.Invoice.Ref != 1 {
			t.Errorf("%s: syntax %s, root %d", c.document, doc.Syntax, doc.Invoice.Ref)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const (
		ublInvoice = `<i:Invoice xmlns:i="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`
		sbdh       = `<s:StandardBusinessDocument xmlns:s="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader">%s</s:StandardBusinessDocument>`
	)
	for _, c := range []struct {
		name, document  string
		code            string
		line, column    int
		message, remedy string // parts of them
	}{
		{"nothing", "", xmlparse.CodeEmpty, 0, 0, "empty", "send"},
		{"truncated", "<a>\n<b", xmlparse.CodeSyntax, 2, 3, "ends before", "whole document"},
		{"DOCTYPE", "<!DOCTYPE a>\n<a/>", xmlparse.CodeDoctype, 1, 1, "document type", ""},
		{"JSON", `{"number": "1"}`, xmlparse.CodeNotXML, 0, 0, "JSON", ""},
		{"PDF", "%PDF-1.7\n...", pdf.CodeDamaged, 0, 0, "the PDF is damaged", "ask the sender"},
		{"PDF after rubbish", "\r\n\x00%PDF-1.7\n...", pdf.CodeDamaged, 0, 0, "PDF", "ask the sender"},
		{"web page", "<!DOCTYPE html>\n<html></html>", xmlparse.CodeNotXML, 0, 0, "HTML page", "send"},
		{"XHTML", `<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>`, formats.CodeUnknown, 1, 1, "web page", "send"},
		{
			"UBL order", `<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>`,
			formats.CodeOtherDocument, 1, 1, "this is a UBL Order, not an invoice", "send a UBL Invoice or CreditNote",
		},
		{
			"ZUGFeRD 1.0", `<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"/>`,
			formats.CodeOtherDocument, 1, 1, "ZUGFeRD 1.0", "ZUGFeRD 2.1 or later",
		},
		{
			"SBDH around an invoice", fmt.Sprintf(sbdh, "\n  "+ublInvoice),
			formats.CodeWrapped, 1, 1, "wrapped in a Standard Business Document (SBDH); it begins at line 2 with ubl:Invoice", "send that element",
		},
		{"SBDH without invoice", fmt.Sprintf(sbdh, "<a/>"), formats.CodeWrapped, 1, 1, "Standard Business Document (SBDH) without an invoice", "send"},
		{"unknown wrapper", "<mail>\n<body>\n" + ublInvoice + "</body></mail>", formats.CodeWrapped, 1, 1, "wrapped in the element mail; it begins at line 3", "send that element"},
		{
			"no namespace", "\n <Invoice/>", formats.CodeNamespace, 2, 2, "is called Invoice, but is in no namespace",
			"declare the namespace urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
		},
		{
			"wrong namespace", `<CrossIndustryInvoice xmlns="urn:x"/>`, formats.CodeNamespace, 1, 1, "in the namespace urn:x",
			"declare the namespace urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
		},
		{"something else", `<a xmlns="urn:x"/>`, formats.CodeUnknown, 1, 1, "the root element Q{urn:x}a belongs to no known invoice format", "send"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := formats.Read([]byte(c.document), hybrid.Options())
			if doc != nil {
				t.Error("a document was read")
			}
			e, ok := errors.AsType[*problem.Error](err)
			if !ok {
				t.Fatalf("got %v, want a *problem.Error", err)
			}
			if e.Code != c.code || e.Position.Line != c.line || e.Position.Column != c.column ||
				!strings.Contains(e.Message, c.message) || !strings.Contains(e.Remedy, c.remedy) || e.Remedy == "" {
				t.Errorf("got %v", e)
			}
			for _, part := range []string{e.Code, e.Message, e.Remedy} {
				if !strings.Contains(e.Error(), part) {
					t.Errorf("%q lacks %q", e.Error(), part)
				}
			}
		})
	}
}

func TestReadPassesLimitsOn(t *testing.T) {
	_, err := formats.Read([]byte("<a><b/></a>"), formats.Options{Limits: xmlparse.Limits{Depth: 1}})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != xmlparse.CodeLimit {
		t.Errorf("got %v, want %s", err, xmlparse.CodeLimit)
	}
	if _, ok := errors.AsType[*problem.Error](err); !ok {
		t.Errorf("%v does not wrap the parser's error", err)
	}
}

// A document that consists of empty lines must not take many times its own size.
func TestReadBoundsMemory(t *testing.T) {
	lines := func(n int) []byte {
		return []byte(`<a:Invoice xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:c="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">` +
			strings.Repeat("<c:InvoiceLine/>", n) + `</a:Invoice>`)
	}
	doc, err := formats.Read(lines(2000), formats.Options{})
	if err != nil || len(doc.Invoice.Lines) != 2000 {
		t.Errorf("2,000 lines are refused: %v", err)
	}
	_, err = formats.Read(lines(100_000), formats.Options{})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != xmlparse.CodeLimit || e.Position.Line != 1 || e.Position.Column < 2000 {
		t.Errorf("100,000 empty lines: got %v, want %s", err, xmlparse.CodeLimit)
	}
}
