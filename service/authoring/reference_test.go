package authoring_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// renamedFiles name each thing in several files and ways.
var renamedFiles = map[string]string{
	"company/1/orders.yaml": `ruleset: company
version: 1
layer: cius
parameters:
  limit: {type: decimal, default: 1000, text: t}
constants:
  prefix: PO-
rules:
  - id: CO-1
    level: fatal
    context: /invoice
    assert: filled(this.purchaseOrderReference) && this.purchaseOrderReference.startsWith("${prefix}") # CO-1 asks ${prefix}
    btCodes: [BT-13]
    fields: [purchaseOrderReference]
    message: Write ${prefix}.
    text: There is a number.
    examples: [{passes: {purchaseOrderReference: PO-1}}, {fires: base}]
  - {id: CO-10, level: warning, context: /invoice, assert: "!valid(this.totals.amountDueForPayment) || this.totals.amountDueForPayment < ${limit}", btCodes: [BT-115], fields: [totals.amountDueForPayment], message: m, text: t, examples: [{passes: base}, {fires: {totals.amountDueForPayment: 1000.00}}]}
`,
	"company/2/orders.yaml": "ruleset: company\nversion: 2\nlayer: cius\nextends: company/1\nlevels:\n  - {rules: [CO-1], level: warning, reason: It is new.}\n",
	"overlays/acme.yaml": `overlay: acme
title: t
owner: o
on: {profiles: [en16931]}
rulesets: [company]
parameters: {limit: 200.00}
codeLists:
  - {list: sites, title: Sites, codes: BER HAM}
levels:
  - {rules: CO-1, level: information, reason: r, until: 2099-12-31}
rules:
  - {id: ACME-1, level: fatal, context: /invoice, assert: 'filled(this.buyerReference) && this.buyerReference.isInCodeList("sites")', btCodes: [BT-10], fields: [buyerReference], message: m, text: t, examples: [{passes: {buyerReference: BER}}, {fires: {buyerReference: PAR}}]}
`,
	"overlays/branch.yaml": `overlay: branch
title: t
owner: o
over: acme
parameters: {limit: 100.00}
levels:
  - {rules: [CO-1, CO-10], level: information, reason: r, until: 2099-12-31}
rules:
  - {id: BRANCH-1, level: fatal, context: /invoice, assert: 'filled(this.buyerReference) && this.buyerReference.isInCodeList("sites")', btCodes: [BT-10], fields: [buyerReference], message: m, text: t, examples: [{passes: {buyerReference: BER}}, {fires: {buyerReference: HAM1}}]}
  - {id: BRANCH-2, level: warning, context: /invoice, assert: 'is(lookup("sites", orElse(this.buyerReference, "")).limit, 5.00)', btCodes: [BT-10], fields: [buyerReference], message: m, text: t, examples: [{passes: {buyerReference: BER}}, {fires: {buyerReference: HAM}}]}
`,
	// A table and its column that are named as a code list and a parameter are.
	"tables/sites.yaml":                  "table: sites\ntitle: t\nowner: o\nfreshUntil: 2099-12-31\nkey: site\ncolumns: {site: text, limit: decimal}\nexamples:\n  - {site: BER, limit: 5.00}\n",
	"tables/sites.csv":                   "site,limit\nBER,5.00\n",
	"languages/de/company/1/orders.yaml": "texts:\n  CO-1:\n    message: Schreiben Sie ${prefix}.\n    text: Es gibt eine Nummer.\n  CO-10:\n    message: m\n    text: t\n",
}

func renameWorkspace() *authoring.Workspace {
	folder := fstest.MapFS{}
	for name, text := range renamedFiles {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return authoring.Open(folder, rulesets.FS)
}

// Wherever something is named, asking there finds the same places, and renaming it there gives
// a folder that checks as before and does not have the old name at any of them.
func TestRename(t *testing.T) {
	w := renameWorkspace()
	found, err := w.Check()
	if err != nil || mistakesIn(found) != 0 {
		t.Fatalf("the folder has mistakes: %v %v", found, err)
	}
	for _, c := range []struct {
		name, to string
		uses     int
	}{{"CO-1", "CO-77", 5}, {"CO-10", "CO-1-0", 3}, {"ACME-1", "OURS", 1}, {"prefix", "start", 4}, {"limit", "most", 4}, {"sites", "places", 3}} {
		tried := 0
		for file, text := range renamedFiles {
			if strings.HasPrefix(file, "tables/") {
				continue // which has other things of these names
			}
			for i, line := range strings.Split(text, "\n") {
				code, _, _ := strings.Cut(line, " # ")
				for from := 0; ; {
					at := strings.Index(code[from:], c.name)
					if at < 0 {
						break
					}
					column := from + at + 1
					from += at + len(c.name)
					if c.name == "CO-1" && strings.HasPrefix(code[from:], "0") || strings.HasSuffix(code[:column-1], `lookup("`) || strings.HasSuffix(code[:column-1], ").") {
						continue // another rule, a table, a column
					}
					tried++
					uses, err := w.References(file, i+1, column+1)
					if err != nil || len(uses) != c.uses {
						t.Errorf("%s at %s:%d:%d is named at %v: %v", c.name, file, i+1, column, uses, err)
						continue
					}
					if tried > 1 { // it gives the same places, as the others do
						continue
					}
					again, err := w.Rename(file, i+1, column+1, c.to)
					if err != nil || !slices.Equal(again, uses) {
						t.Errorf("%s at %s:%d cannot be renamed: %v %v", c.name, file, i+1, again, err)
						continue
					}
					after := renameWorkspace()
					for _, u := range slices.Backward(again) {
						lines := strings.Split(after.Text(u.File), "\n")
						l := lines[u.Line-1]
						if l[u.Column-1:u.End-1] != c.name {
							t.Errorf("%s:%d:%d is %q", u.File, u.Line, u.Column, l[u.Column-1:u.End-1])
						}
						lines[u.Line-1] = l[:u.Column-1] + c.to + l[u.End-1:]
						after.Change(u.File, strings.Join(lines, "\n"))
					}
					if found, err := after.Check(); err != nil || mistakesIn(found) != 0 {
						t.Errorf("after renaming %s: %v %v", c.name, found, err)
					}
				}
			}
		}
		if tried < c.uses {
			t.Errorf("%s was tried at %d places", c.name, tried)
		}
	}
}

func mistakesIn(found map[string][]authoring.Mistake) (n int) {
	for _, all := range maps.All(found) {
		for _, m := range all {
			if !m.Warning {
				n++
			}
		}
	}
	return n
}

// Names that are taken, that cannot be, and that are not the folder's are refused.
func TestRenameRefuses(t *testing.T) {
	w := renameWorkspace()
	orders := renamedFiles["company/1/orders.yaml"]
	line := func(part string) (int, int) {
		before, _, _ := strings.Cut(orders, part)
		return strings.Count(before, "\n") + 1, len(before) - strings.LastIndex(before, "\n")
	}
	for _, c := range [][3]string{
		{"CO-1\n", "CO-10", "is a name already"}, {"CO-1\n", "a b", "cannot be a name"}, {"purchaseOrderReference) &&", "x", "keeps its name"}, {"BT-13", "BT-1", "nothing here"},
		{"prefix: PO", "limit", "is a name already"}, {"prefix: PO", "x-y", "cannot be a name"}, {"CO-1\n", "BR-01", "is a name already"},
	} {
		l, column := line(c[0])
		if _, err := w.Rename("company/1/orders.yaml", l, column+1, c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s to %s: %v", c[0], c[1], err)
		}
	}
	broken := renameWorkspace()
	broken.Change("overlays/broken.yaml", "overlay: [")
	ofRule, at := line("CO-1\n")
	if _, err := broken.Rename("company/1/orders.yaml", ofRule, at+1, "CO-77"); err == nil || !strings.Contains(err.Error(), "correct overlays/broken.yaml:1") {
		t.Errorf("while a file has a mistake: %v", err)
	}
	const lower = "overlay: lower\ntitle: Lower\nowner: O\non: {profiles: [xrechnung-3.0]}\nlevels:\n  - {rules: [BR-CL-23], level: information, reason: Why., until: 2099-01-01}\n"
	for _, w := range []*authoring.Workspace{renameWorkspace(), broken} { // what is published keeps its name, whatever else is wrong
		w.Change("overlays/lower.yaml", lower)
		if uses, err := w.Rename("overlays/lower.yaml", 6, strings.Index(strings.Split(lower, "\n")[5], "BR-")+2, "XX-9"); err == nil {
			t.Errorf("a published rule is renamed at %v", uses)
		}
	}
	l, column := line("purchaseOrderReference) &&")
	if uses, err := w.References("company/1/orders.yaml", l, column+1); err != nil || len(uses) != 3 {
		t.Errorf("the field is named at %v: %v", uses, err)
	}
}
