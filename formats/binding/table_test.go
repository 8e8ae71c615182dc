package binding_test

import (
	"strings"
	"testing"

	"einvoice/formats/binding"
	"einvoice/formats/internal/readtest"
	"einvoice/model"
	"einvoice/model/syntax"

	"gopkg.in/yaml.v3"
)

const head = "amounts: {currency: \"@currencyID\"}\ndates: {layout: \"2006-01-02\"}\n"

func newFormat(table string, roots ...string) *binding.Format {
	s := &syntax.Syntax{ID: string(model.UBL), Label: "test", Name: "test 1"}
	for _, root := range roots {
		s.Roots = append(s.Roots, syntax.Root{Element: root})
	}
	return binding.New(s, func() (*yaml.Node, error) {
		doc := new(yaml.Node)
		return doc, yaml.Unmarshal([]byte(table), doc)
	})
}

// Check finds a mistake in a table, with its line, before any document is read.
func TestFaultyTables(t *testing.T) {
	for _, c := range []struct{ name, table, want string }{
		{"empty", ``, `the table is empty`},
		{"no YAML", `rows: [`, `yaml: line 1`},
		{"no mapping", `- x`, `line 1: a table of bindings must be a mapping`},
		{"unknown key above", "colour: red", `line 1: unknown key "colour"`},
		{"unknown key in a row", head + "rows:\n  - {path: cbc:ID, term: number, colour: red}", `line 4: unknown key "colour"`},
		{"key twice", head + "rows:\n  - {path: cbc:ID, path: cbc:ID, term: number}", `line 4: the key "path" is written twice`},
		{"rows no list", head + "rows: {}", `line 3: want a list of rows`},
		{"no date layout", "rows: []", `dates: layout "" is unknown; use 2006-01-02 or 20060102`},
		{"no path", head + "rows:\n  - {term: number}", `line 4: a row needs a path`},
		{"says nothing", head + "rows:\n  - {path: cbc:ID}", `line 4: a row without rows inside must say term, fixed or equals`},
		{"says two things", head + "rows:\n  - {path: cbc:ID, term: number, fixed: x}", `line 4: a row is one of`},
		{"rows inside a term", head + "rows:\n  - {path: cbc:ID, term: number, rows: []}", `line 4: a term or value has no rows inside`},
		{"match without fixed", head + "rows:\n  - {path: cbc:ID, term: number, match: any}", `line 4: match needs fixed`},
		{"unknown match", head + "rows:\n  - {path: cbc:ID, fixed: x, match: roughly}", `line 4: match "roughly" is unknown`},
		{"no boolean", head + "rows:\n  - {path: cbc:ID, fixed: x, match: boolean}", `line 4: "x" is not a boolean`},
		{"unknown shape", head + "rows:\n  - {path: cbc:ID, term: number, shape: round}", `line 4: shape "round" is unknown`},
		{"misspelt term", head + "rows:\n  - {path: cbc:ID, term: nmber}", `line 4: "nmber": Invoice has no term "nmber"; is it "number"?`},
		{"misspelt term in a group", head + "rows:\n  - {path: cbc:ID, term: seller.nme}", `Seller has no term "nme"; is it "name"?`},
		{"term inside a term", head + "rows:\n  - {path: cbc:ID, term: number.value}", `line 4: "number" has nothing inside`},
		{"group as term", head + "rows:\n  - {path: cbc:ID, term: seller}", `line 4: "seller" is a group, not a term`},
		{"term as group", head + "rows:\n  - {path: cbc:ID, group: number, rows: []}", `line 4: "number" is not a group`},
		{"group as list", head + "rows:\n  - {path: cbc:ID, list: seller, rows: []}", `line 4: "seller" is not a list`},
		{"unknown prefix", head + "rows:\n  - {path: abc:ID, term: number}", `line 4: unknown prefix "abc"`},
		{"on after an attribute", head + "rows:\n  - {path: cbc:ID/@x/cbc:ID, term: number}", `goes on after an attribute`},
		{"group at an attribute", head + "rows:\n  - {path: cbc:ID/@x, group: seller, rows: []}", `only a term or value can be at`},
		{"like without list", head + "rows:\n  - {path: cbc:ID, group: seller, like: lines}", `line 4: like needs list`},
		{"like nothing above", head + "rows:\n  - {path: cbc:ID, list: lines, like: lines}", `line 4: "lines" is not a list above`},
		{"compared with no text", head + "rows:\n  - {path: cbc:ID, equals: issueDate}", `line 4: "issueDate" is not a text to compare with`},
		{
			"unreachable row",
			head + "rows:\n  - {path: cac:Party, group: seller, rows: []}\n  - {path: cac:Party, group: buyer, needs: cbc:ID, rows: []}",
			`line 5: an earlier row without conditions takes every such element`,
		},
		{
			"three groups in one element",
			head + "rows:\n  - {path: cac:Party, group: seller, rows: []}\n  - {path: cac:Party, group: buyer, rows: []}\n  - {path: cac:Party, group: payee, rows: []}",
			`line 6: an element is at most 2 groups`,
		},
		{"otherwise without a term", head + "rows:\n  - {path: cbc:ID, fixed: x, otherwise: y}", `line 4: otherwise needs term`},
		{"limit without a list", head + "rows:\n  - {path: cac:Party, group: seller, limit: 1, rows: []}", `line 4: limit and split need list`},
		{"split by no list", head + "rows:\n  - {path: cac:Party, list: lines, split: lines.colour, rows: []}", `line 4: split: "colour" is not a list of Line`},
		{"sum of what is not there", head + "rows:\n  - {path: cbc:ID, term: number, otherwise: {sum: [x, number]}}", `line 4: "x": Invoice has no term "x"`},
		{"sum of one", head + "rows:\n  - {path: cbc:ID, term: number, otherwise: {sum: [number]}}", `line 4: sum and difference are of two terms`},
		{"total of what is not there", head + "rows:\n  - {path: cbc:ID, term: number, otherwise: {total: lines.x}}", `line 4: "lines.x" is not a term to add up`},
		{"total of no list", head + "rows:\n  - {path: cbc:ID, term: number, otherwise: {total: x}}", `line 4: "x" is not a term to add up`},
		{"unknown preference", head + "rows:\n  - path: cac:Party\n    list: lines\n    rows:\n      - {path: cbc:ID, term: number, prefer: {term: lines.x, codes: [a]}}", `line 7: prefer: "lines.x" is not text of the list around`},
		{"two values in one element", head + "rows:\n  - {path: cbc:ID, term: number}\n  - {path: cbc:ID, term: buyerReference}", `line 5: a writer has two values for one element`},
		{"another format's root", head + "rows:\n  - {path: {rsm:CrossIndustryInvoice: cbc:ID}, term: number}", `line 4: the format has no root rsm:CrossIndustryInvoice`},
		{"unknown kind", head + "rows:\n  - {path: cac:Party, group: seller, as: party}", `line 4: there is no kind "party"`},
		{"a kind inside itself", head + "kinds:\n  a:\n    - {path: cac:Party, as: b}\n  b:\n    - {path: cac:Party, as: a}\nrows:\n  - {path: cac:Party, group: seller, as: a}", `contains itself`},
		{"misspelt term of a kind", head + "kinds:\n  a:\n    - {path: cbc:Name, term: .nme}\nrows:\n  - {path: cac:Party, group: seller, as: a}", `line 5: "seller.nme": Seller has no term "nme"`},
		{"in without a kind", head + "rows:\n  - {path: cac:Party, in: seller, rows: []}", `line 4: in needs as`},
		{"first of a group", head + "rows:\n  - {path: cac:Party, group: seller, first: true, rows: []}", `line 4: first needs term`},
		{"once of a term", head + "rows:\n  - {path: cbc:ID, term: number, once: true}", `line 4: once and rest need rows`},
		{"inside another row", head + "rows:\n  - path: cac:Party\n    rows:\n      - {path: cbc:ID, term: x}", `line 6: "x": Invoice has no term "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := newFormat(c.table, "ubl:Invoice").Check()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

// The rows of a kind are about the group of the row that names it, or about another one.
// once binds the first of several elements, rest the others; a placeholder is not a term.
func TestKinds(t *testing.T) {
	f := newFormat(head+`
kinds:
  address:
    - {path: cbc:CityName, term: .city}
  party:
    - path: cbc:ID
      group: .identifier
      once: true
      rows: [{path: ., term: .identifier}]
    - path: cbc:ID
      list: .furtherIdentifiers
      rest: true
      rows: [{path: ., term: .identifier}]
    - {path: cac:PostalAddress, group: .postalAddress, as: address}
rows:
  - {path: cbc:ProfileID, term: projectName, otherwise: {placeholder: none}}
  - {path: cac:BuyerCustomerParty, group: buyer, as: party}
  - {path: cac:PayeeParty, in: payee, as: party}
`, "ubl:Invoice")
	readtest.Run(t, f, "ubl:Invoice", []readtest.Case{
		{Name: "a group", Content: `<cac:BuyerCustomerParty><cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID><cac:PostalAddress><cbc:CityName>A</cbc:CityName></cac:PostalAddress></cac:BuyerCustomerParty>`, Want: `{"buyer":{"identifier":{"identifier":"1"},"postalAddress":{"city":"A"},"furtherIdentifiers":[{"identifier":"2"}]}}`},
		{Name: "another group", Content: `<cac:PayeeParty><cbc:ID>1</cbc:ID></cac:PayeeParty>`, Want: `{"payee":{"identifier":{"identifier":"1"}}}`},
		{Name: "the group of a row that opens none", Content: `<cac:PayeeParty/>`, Want: `{}`},
		{Name: "a placeholder", Content: `<cbc:ProfileID> None</cbc:ProfileID>`, Want: `{}`},
		{Name: "no placeholder", Content: `<cbc:ProfileID>Nonesuch</cbc:ProfileID>`, Want: `{"projectName":"Nonesuch"}`},
	})
	for name, c := range map[string]struct {
		invoice model.Invoice
		rest    bool
	}{
		"the first": {model.Invoice{Buyer: &model.Buyer{Identifier: &model.BuyerIdentifier{Identifier: model.NewText("1")}}}, false},
		"a further": {model.Invoice{Buyer: &model.Buyer{FurtherIdentifiers: []model.PartyIdentifier{{Identifier: model.NewText("1")}}}}, true},
	} {
		w, err := f.Write(t.Context(), &c.invoice, "ubl:Invoice", false)
		if err != nil || w.Rest != c.rest || !strings.Contains(string(w.Data), "<cbc:ID>1</cbc:ID>") {
			t.Errorf("%s: rest is %v: %s", name, w.Rest, w.Data)
		}
		if len(w.Losses) > 0 {
			t.Errorf("%s: %+v", name, w.Losses)
		}
	}
}

// A row may have a different path for each root element.
func TestRootsDiffer(t *testing.T) {
	f := newFormat(head+`
rows:
  - {path: {ubl:Invoice: cbc:DueDate}, term: paymentDueDate}
  - {path: {ubl:Invoice: cbc:ID, cn:CreditNote: cbc:UUID}, term: number}
  - {path: cbc:BuyerReference, term: buyerReference}
`, "ubl:Invoice", "cn:CreditNote")
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"paymentDueDate": "/ubl:Invoice/cbc:DueDate",
		"number":         "/cn:CreditNote/cbc:UUID /ubl:Invoice/cbc:ID",
		"buyerReference": "cbc:BuyerReference",
	}
	terms := f.Terms()
	if len(terms) != len(want) {
		t.Errorf("%d terms, want %d", len(terms), len(want))
	}
	for _, term := range terms {
		if got := strings.Join(term.XML, " "); got != want[term.Path] {
			t.Errorf("%s is at %s, want %s", term.Path, got, want[term.Path])
		}
	}
}

func TestWithoutPredicates(t *testing.T) {
	for path, want := range map[string]string{
		"":                     "",
		"a/b":                  "a/b",
		"/a[1]/b[@c='d'][2]/e": "/a/b/e",
		"[1]a":                 "a",
		"a[b":                  "a[b",
		"a]b":                  "a]b",
		"a/b[x]":               "a/b",
	} {
		if got := binding.WithoutPredicates(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}
