package report_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"
)

// Where no language is asked for, the page for the supplier is the one that a supplier of that country would
// get by asking for the language: findings, and why an overlay does not apply.
func TestLanguageOfTheSupplier(t *testing.T) {
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	page := report.Named("supplier")
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	for country, tag := range map[string]string{"DE": "de", "FR": "fr", "AT": "de"} {
		language, err := s.Library().Language(tag)
		if err != nil {
			t.Fatal(err)
		}
		document := strings.ReplaceAll(string(data), "<cbc:IdentificationCode>DE<", fmt.Sprintf("<cbc:IdentificationCode>%s<", country))
		document = strings.Replace(document, "<cbc:DueDate>", "<cbc:DueDate>x", 1)
		pages := map[bool]string{}
		for _, asked := range []bool{false, true} {
			result, err := s.Validate(context.Background(), []byte(document), validate.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			r := result.Report
			r.Overlays = []engine.OverlayInfo{{Name: "a", Reason: "it rests on peppol-bis-billing-3"}, {Name: "b", Reason: "it is for invoices of other sellers"}}
			options := report.Options{Library: s.Library(), LanguageAsked: asked}
			if asked {
				options.Words = language
				if err := r.Translate(language); err != nil {
					t.Fatal(err)
				}
			}
			pages[asked] = writeWith(t, page, options, []*report.Outcome{{Report: r, Document: result.Document}})
		}
		if pages[false] != pages[true] || strings.Contains(pages[true], "it rests on") || !strings.Contains(pages[true], "peppol-bis-billing-3") {
			t.Errorf("%s: the page without a language is\n%s\nand with %s\n%s", country, pages[false], tag, pages[true])
		}
	}
}
