package query_test

import (
	"context"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/xpath"
	"einvoice/engine/xpath/query"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/source"
)

// document has what rules do not see: comments, and texts beside elements.
var document = `<cac:A xmlns:cac="` + source.Prefixes["cac"] + `" xmlns:cbc="` + source.Prefixes["cbc"] + `" x="1" y="2">` +
	`<cac:B x="3"><cbc:C>5</cbc:C><!--c--><cbc:C>7</cbc:C></cac:B>` + "\n" +
	`<cac:B><cbc:D>a<cbc:C>b</cbc:C>c</cbc:D></cac:B><cbc:C y="8">9</cbc:C></cac:A>`

// queries are expressions that rules cannot have, with what libxml2 says of them. Many are
// such that antchfx/xpath answers otherwise when it is given the whole of them.
var queries = []struct{ expression, want string }{
	{"//cbc:C/ancestor::*", "/cac:A /cac:A/cac:B[1] /cac:A/cac:B[2] /cac:A/cac:B[2]/cbc:D"},
	{"//cbc:C[. = 'b']/ancestor::*[1]", "/cac:A/cac:B[2]/cbc:D"},
	{"//cbc:C[. = 'b']/ancestor::*[last()]", "/cac:A"},
	{"(//cbc:C/ancestor::*)[2]", "/cac:A/cac:B[1]"},
	{"//cac:B[1]/following::cbc:C[1]", "/cac:A/cac:B[2]/cbc:D/cbc:C"},
	{"//cbc:D/preceding::cbc:C[1]", "/cac:A/cac:B[1]/cbc:C[2]"},
	{"//cbc:D/preceding::cbc:C[position() = 2]", "/cac:A/cac:B[1]/cbc:C[1]"},
	{"//cac:B/following-sibling::*[self::cbc:C]", "/cac:A/cbc:C"},
	{"//cbc:C/preceding-sibling::cbc:*", "/cac:A/cac:B[1]/cbc:C[1]"},
	{"//*[descendant::cbc:C = 'b']/@x", "/cac:A/@x"},
	{"/cac:A/descendant-or-self::node()/self::cbc:D", "/cac:A/cac:B[2]/cbc:D"},
	{"//text()[contains(., 'c')]", "/cac:A/cac:B[2]/cbc:D/text()"},
	{"//comment()/following-sibling::cbc:C", "/cac:A/cac:B[1]/cbc:C[2]"},
	{"//@y/preceding-sibling::node() | //@x/@y", ""},
	{"(//cbc:D | //cbc:C)[last()]/..", "/cac:A"},
	{"/./.", "/"},
	{"string(//cbc:D/ancestor-or-self::cbc:D)", "abc"},
	{"count(//text())", "6"},
	{"sum(//cbc:C[. > 4]) div 2 - 1", "9.5"},
	{"-7 mod 3", "-1"},
	{"7 mod -3", "1"},
	{"1 div 0", "NaN"}, // Infinity in XPath 1.0
	{"0.1 + 0.2", "0.3"},
	{"not('') and 'a' = //cbc:D/text()", "true"},
	{"true() = //following::*", "true"},
	{"number('a') + 1", "NaN"},
	{"count(//cbc:C[2 + 0])", "1"},
}

func TestQueries(t *testing.T) {
	tree, err := xmlparse.Parse([]byte(document), xmlparse.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		if got, err := evaluate(q.expression, &model.Document{Source: tree}); err != nil || got != q.want {
			t.Errorf("%s gives %s (%v), want %s", q.expression, got, err, q.want)
		}
	}
}

// Queries over the invoice find the same as over a document.
func TestQueriesOverModel(t *testing.T) {
	inv := &model.Invoice{Number: model.NewText("1"), Lines: []model.Line{
		{Identifier: model.NewText("1")}, {Identifier: model.NewText("2"), SubLines: []model.Line{{Identifier: model.NewText("21")}}},
	}}
	for expression, want := range map[string]string{
		"/invoice/lines/identifier":                           "/invoice/lines[1]/identifier /invoice/lines[2]/identifier",
		"/invoice/lines[2]/preceding-sibling::lines":          "/invoice/lines[1]",
		"/invoice//subLines/ancestor::*[identifier]":          "/invoice/lines[2]",
		"(/invoice//identifier)[last()]":                      "/invoice/lines[2]/subLines[1]/identifier",
		"/invoice/lines[../lines[2]/subLines]/..":             "/invoice",
		"/invoice/line | /invoice/lines/@x":                   "",
		"/invoice/number/text() = 1":                          "true",
		"count(/invoice/lines) * 2 + count(/invoice//node())": "15",
	} {
		if got, err := evaluate(expression, &model.Document{Invoice: inv}); err != nil || got != want {
			t.Errorf("%s gives %s (%v), want %s", expression, got, err, want)
		}
	}
}

func evaluate(expression string, doc *model.Document) (string, error) {
	found, err := foundBy(expression, doc)
	if err != nil {
		return "", err
	}
	if !found.IsSet {
		return found.Value, nil
	}
	var paths []string
	for _, n := range found.Nodes {
		paths = append(paths, n.Path)
	}
	return strings.Join(paths, " "), nil
}

// foundBy is what an expression finds in a document.
func foundBy(expression string, doc *model.Document) (*xpath.Result, error) {
	x, err := xpath.ParseExpression(expression)
	if err != nil {
		return nil, err
	}
	e := &xpath.Evaluation{}
	e.Begin(doc.Source, budget.New(context.Background(), 1_000_000))
	return query.Evaluate(x, e, doc)
}

// Processing instructions are nodes of their own, by their target; the declaration is none.
func TestProcessingInstructions(t *testing.T) {
	const text = `<?xml version="1.0"?><?style a?><cbc:A xmlns:cbc="` + "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" + `">1<?style b?><?other c?>2<!--d--></cbc:A>`
	tree, err := xmlparse.Parse([]byte(text), xmlparse.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct{ expression, want string }{
		{"count(//processing-instruction())", "3"},
		{"count(//processing-instruction('style'))", "2"},
		{"string(/cbc:A/processing-instruction(\"other\"))", "c"},
		{"name(//cbc:A/processing-instruction()[1])", "style"},
		{"string(/cbc:A)", "12"},
		{"count(/cbc:A/node())", "5"},
		{"count(//*)", "1"},
		{"count(//processing-instruction('none'))", "0"},
	} {
		if got, err := evaluate(q.expression, &model.Document{Source: tree}); err != nil || got != q.want {
			t.Errorf("%s gives %s (%v), want %s", q.expression, got, err, q.want)
		}
	}
}
