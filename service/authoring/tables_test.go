package authoring_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// Where an expression asks a table, its names and columns are offered, and what they are is said.
func TestTablesInEditors(t *testing.T) {
	const rule = `ruleset: company
version: 1
layer: cius
rules:
  - id: CO-1
    level: fatal
    context: /invoice
    assert: has(lookup("vendors", this.seller.vatIdentifier).iban)
    btCodes: [BT-31]
    fields: [seller.vatIdentifier]
    message: m
    text: t
`
	w := authoring.Open(fstest.MapFS{
		"company/1/r.yaml":    {Data: []byte(rule)},
		"tables/vendors.yaml": {Data: []byte("table: vendors\ntitle: Our vendors\nowner: Purchasing\nkey: vat\ncolumns: {vat: text, iban: text, limit: decimal}\nfreshUntil: 2099-12-31\n")},
		"tables/vendors.csv":  {Data: []byte("vat,iban,limit\nDE1,A,1\n")},
	}, rulesets.FS)
	const line = 8
	text := strings.Split(rule, "\n")[line-1]
	behind := func(part string) int { return strings.Index(text, part) + len(part) + 1 }
	labels := func(column int) (all []string) {
		t.Helper()
		offered, err := w.Complete("company/1/r.yaml", line, column)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range offered {
			all = append(all, c.Label)
		}
		return all
	}
	if got := labels(behind(`lookup("ven`)); !slices.Equal(got, []string{"vendors"}) {
		t.Errorf("in the name of a table %q are offered", got)
	}
	if got := labels(behind(`Identifier).ib`)); !slices.Contains(got, "iban") || !slices.Contains(got, "limit") || len(got) > 3 {
		t.Errorf("behind a row %q are offered", got)
	}
	for part, want := range map[string]string{`lookup("ven`: "Our vendors, of Purchasing, fresh until 2099-12-31", `Identifier).ib`: "`iban` text"} {
		said, _, err := w.Hover("company/1/r.yaml", line, behind(part))
		if err != nil || !strings.Contains(said, want) {
			t.Errorf("at %s is said %q, %v", part, said, err)
		}
	}
}
