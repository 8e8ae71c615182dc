package ruletest_test

import (
	"io/fs"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
)

func read(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

// Every example beside a shipped rule comes out as it says.
func TestExamplesOfShippedRules(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	run := 0
	for family, all := range versions {
		for _, version := range all {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range ruletest.Examples(l, s.Rules, read) {
				run++
				if !r.OK() {
					t.Errorf("%s:%d: %s: %s", r.File, r.Line, r.Rule, r.Error)
				}
			}
		}
	}
	if run < 100 {
		t.Errorf("only %d examples ran", run)
	}
}

// The base invoice and its two documents say the same.
func TestBaseDocumentsAgree(t *testing.T) {
	for _, name := range []string{"base-ubl.xml", "base-cii.xml"} {
		data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := read(data)
		if err != nil {
			t.Fatal(err)
		}
		if doc.Invoice.Totals.AmountDueForPayment.Raw != "119.00" || len(doc.Invoice.Lines) != 1 || doc.Invoice.Seller.Name.Raw != "Example Seller Ltd" {
			t.Errorf("%s: %+v", name, doc.Invoice)
		}
	}
}
