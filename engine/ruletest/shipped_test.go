package ruletest_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/sampled"
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
	run, tried := 0, 0
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		for _, version := range versions[family] {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			some := slices.DeleteFunc(slices.Clone(s.Rules), func(*engine.Rule) bool {
				tried++
				return !sampled.Takes(tried, 7)
			})
			for _, r := range ruletest.Examples(l, some, read) {
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

// So many rules of packs have no example that fires, as they fire on documents of their
// country: a rule without one is counted here. DT-CIUS-PT-111.2 fires on none of these
// documents either, because a file for it has 6.8 million characters: it is made here.
func TestRulesWithoutExampleThatFires(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{
		"cius-pt/2.1.1": 34, "fr-ctc-extended/1.4.0": 92, "fr-ctc/1.4.0": 25, "hr-eracun/1.0.3": 1, "nlcius-gaccount/1.0.13": 4, "nlcius/1.0.3": 4, "ubl-be/1.31": 33,
	}
	for family, all := range versions {
		for _, version := range all {
			name := family + "/" + version
			s, err := l.Ruleset(name)
			if err != nil {
				t.Fatal(err)
			}
			lacking := 0
			for _, r := range s.Rules {
				if r.Row == nil && r.NeverFires == "" && !slices.ContainsFunc(r.Examples(), func(e engine.Example) bool { return e.Fires }) {
					lacking++
				}
			}
			if lacking != known[name] {
				t.Errorf("%s: %d rules without an example that fires, not %d", name, lacking, known[name])
			}
		}
	}
	v, err := l.Validator("cius-pt/2.1.1")
	if err != nil {
		t.Fatal(err)
	}
	base, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	for size, fires := range map[int]bool{6_826_666: false, 6_826_667: true} { // of as many characters, 5,000 KB are three quarters
		attached := `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/plain" filename="a.txt">` +
			strings.Repeat("A", size) + `</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>`
		doc, err := read([]byte(strings.Replace(string(base), "<cac:AccountingSupplierParty>", attached, 1)))
		if err != nil {
			t.Fatal(err)
		}
		report, err := v.Validate(t.Context(), doc)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(report.Findings, func(f engine.Finding) bool { return f.Rule == "DT-CIUS-PT-111.2" && !f.Failed }); got != fires {
			t.Errorf("DT-CIUS-PT-111.2 with %d characters: %t", size, got)
		}
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
