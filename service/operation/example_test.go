package operation_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/embed"
	"einvoice/service/extract"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/report"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// exampleInvoice is an invoice that ships with the rulesets.
func exampleInvoice(name string) []byte {
	data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
	if err != nil {
		log.Fatal(err)
	}
	return data
}

func Example_validate() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	data := []byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`)
	result, err := s.Validate(context.Background(), data, validate.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Report.Valid)
	for _, f := range result.Report.Findings[:2] {
		fmt.Println(f.Rule, *f.Line, f.BTCodes)
	}
	// Output:
	// false
	// BR-01 1 [BT-24]
	// BR-02 1 [BT-1]
}

// Reports are written in any of the formats of package report.
func Example_report() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	result, err := s.Validate(context.Background(), exampleInvoice("base-cii.xml"), validate.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	outcome := report.Outcome{Name: "invoice.xml", Report: result.Report, Document: result.Document}
	text, err := report.Named("text").Single(&outcome, report.Options{Library: s.Library()})
	if err != nil {
		log.Fatal(err)
	}
	heading, _, _ := strings.Cut(string(text), "\n")
	fmt.Println(heading)
	// Output:
	// ✓ VALID  invoice.xml
}

func Example_create() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	request, err := create.ReadRequest(create.Example)
	if err != nil {
		log.Fatal(err)
	}
	made, err := create.Document(context.Background(), s.Pages, "xrechnung", request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Root, made.Profile.Name, made.FileName)

	// A document that violates a rule is not delivered.
	request, err = create.ReadRequest([]byte(strings.Replace(string(create.Example), `"Stadt Musterhausen"`, `""`, 1)))
	if err != nil {
		log.Fatal(err)
	}
	_, err = create.Document(context.Background(), s.Pages, "xrechnung", request)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		fmt.Println(refused.Report.Findings[0].Rule, refused.Report.Findings[0].Fields)
	}
	// Output:
	// ubl:Invoice XRechnung 3.0 2026-0117.xml
	// BR-07 [buyer.name]
}

func Example_convert() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	doc, err := s.Read(context.Background(), exampleInvoice("base-cii.xml"), validate.Accept{})
	if err != nil {
		log.Fatal(err)
	}
	conversion, err := convert.Document(context.Background(), s.Service, doc, model.UBL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(conversion.Root)
	for _, l := range conversion.Losses {
		fmt.Printf("%s %q in line %d: %s\n", l.Kind, l.Value, l.Line, l.Reason)
	}
	// Output:
	// ubl:Invoice
	// lost "1" in line 45: UBL 2.1 has no place for it in ubl:Invoice
	// lost "HUR" in line 45: UBL 2.1 has no place for it in ubl:Invoice
}

func Example_embed() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	invoice := exampleInvoice("base-cii.xml")
	doc, err := s.Read(context.Background(), invoice, validate.Accept{})
	if err != nil {
		log.Fatal(err)
	}
	pages, err := s.Pages.Document(context.Background(), doc, render.Options{Language: "de"}) // any PDF serves
	if err != nil {
		log.Fatal(err)
	}
	made, err := embed.Document(context.Background(), s.Service, pages.Data, invoice, embed.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.MediaType, made.Profile.Name)

	xml, err := extract.XML(context.Background(), s.Service, made.Data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(xml.Name, string(xml.Data) == string(invoice))
	// Output:
	// application/pdf Factur-X / ZUGFeRD EN 16931
	// factur-x.xml true
}

func Example_render() {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		log.Fatal(err)
	}
	doc, err := s.Read(context.Background(), exampleInvoice("base-ubl.xml"), validate.Accept{})
	if err != nil {
		log.Fatal(err)
	}
	pages, err := s.Pages.Document(context.Background(), doc, render.Options{Language: "fr"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.5s\n", pages.FileName, pages.Data)
	// Output:
	// INV-2026-001.pdf %PDF-
}

// Rules are data: a folder of them replaces or extends those that ship.
func ExampleOpen_rules() {
	library, err := os.MkdirTemp("", "rules")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(library)
	rule := `ruleset: acme
version: "1"
layer: cius
rules:
  - id: ACME-1
    level: fatal
    context: /invoice
    assert: has(this.buyerReference)
    btCodes: [BT-10]
    fields: [buyerReference]
    message: Put our order's cost centre into the buyer reference (BT-10).
    text: The buyer reference (BT-10) is given.
    examples:
      - {passes: base}
      - {fires: {buyerReference: null}}
`
	if err := os.MkdirAll(library+"/acme/1", 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(library+"/acme/1/acme.yaml", []byte(rule), 0o600); err != nil {
		log.Fatal(err)
	}
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(os.DirFS(library), rulesets.FS)})
	if err != nil {
		log.Fatal(err)
	}
	invoice := bytes.Replace(exampleInvoice("base-ubl.xml"), []byte("BuyerReference>"), []byte("Note>"), 2)
	result, err := s.Validate(context.Background(), invoice, validate.Rules{Rulesets: []string{"acme"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Report.Findings {
		fmt.Println(f.Rule, f.Message)
	}
	// Output:
	// ACME-1 Put our order's cost centre into the buyer reference (BT-10).
}
