package xpath_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/xpath"
	"einvoice/model/source"

	"github.com/antchfx/xmlquery"
	antchfx "github.com/antchfx/xpath"
)

// different is a document with what rules see otherwise than XPath 1.0.
const different = `<i:Invoice xmlns:i="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">` +
	`<cbc:ID>1</cbc:ID><!-- c --><cbc:Note>a<cbc:Name>b</cbc:Name>c</cbc:Note>` +
	"<cac:Item>\n  <cbc:ID>2</cbc:ID>\n  <cbc:Name>pq</cbc:Name>\n</cac:Item>" +
	`<cac:TaxTotal><cbc:Amount>0.1</cbc:Amount><cbc:Amount>0.2</cbc:Amount></cac:TaxTotal><cac:Line><cbc:ID>3</cbc:ID></cac:Line>` +
	`</i:Invoice>`

var difference = regexp.MustCompile("(?m)^\\| ([A-Z]) \\| `(.*)` \\| (.*) \\| (.*) \\|$")

// Every row of the table in docs/adr/0033-xpath.md is as it says, and every letter
// there has a row or a test of its own.
func TestDifferences(t *testing.T) {
	adr, err := os.ReadFile("../../docs/adr/0033-xpath.md")
	if err != nil {
		t.Fatal(err)
	}
	letters := map[string]bool{"M": true, "N": true} // TestContextsAreLess
	for _, row := range difference.FindAllStringSubmatch(string(adr), -1) {
		letters[row[1]] = true
		expression := strings.NewReplacer(
			`\|`, "|", "LONG", strings.Repeat("1", 201), "MANY", strings.Repeat("'', ", 100)+"0", "DEEP", strings.Repeat("(", 60)+"1"+strings.Repeat(")", 60),
		).Replace(row[2])
		if got := here(t, expression); got != row[3] {
			t.Errorf("%s: `%s` is %s here, not %s", row[1], row[2], got, row[3])
		}
		if got := byTheStandard(t, expression); got != "" && got != row[4] {
			t.Errorf("%s: `%s` is %s in XPath 1.0, not %s", row[1], row[2], got, row[4])
		}
	}
	for _, item := range regexp.MustCompile(`(?m)^- \*\*([A-Z])\. `).FindAllStringSubmatch(string(adr), -1) {
		if !letters[item[1]] {
			t.Errorf("difference %s is not tested", item[1])
		}
		delete(letters, item[1])
	}
	if len(letters) > 0 {
		t.Errorf("tested, but not described: %v", letters)
	}
}

// here is what rules make of an expression: "refused", "too many steps" or the
// value.
func here(t *testing.T, expression string) string {
	t.Helper()
	x, err := xpath.ParseExpression(expression)
	if err != nil {
		return "refused"
	}
	d := parseDocument(t, different)
	e := d.evaluation()
	e.Budget = budget.New(t.Context(), 1000)
	found, err := x.OverSourceFrom(e, 0)
	mistake := new(xpath.Error)
	switch {
	case errors.As(err, &mistake):
		return "refused"
	case errors.Is(err, budget.ErrSteps):
		return err.Error()
	case err != nil:
		t.Fatalf("%s: %v", expression, err)
	}
	return found.Value
}

// byTheStandard is what antchfx/xpath makes of an expression, with xmlquery's own
// tree, if it can be trusted with it.
func byTheStandard(t *testing.T, expression string) string {
	t.Helper()
	own := strings.ReplaceAll(expression, "i:", "ubl:") // the parser knows no other prefixes
	x, err := xpath.ParseExpression(own)
	if err != nil || x.Misread() != nil || strings.Contains(own, "ends-with") {
		return ""
	}
	prefixes := maps.Clone(source.Prefixes)
	prefixes["i"] = prefixes["ubl"]
	compiled, err := antchfx.CompileWithNS(expression, prefixes)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	root := xmlquery.CreateXPathNavigator(parseDocument(t, different).other)
	switch value := compiled.Evaluate(root).(type) {
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	default:
		return fmt.Sprint(value)
	}
}

// What a rule may select is less than what a path may lead to.
func TestContextsAreLess(t *testing.T) {
	for expression, column := range map[string]int{
		"//cbc:ID/..": 10, "//cbc:ID/self::cbc:ID": 10, "cbc:ID": 1, "//@x/..": 3, // M
		"/invoice/*": 10, "/invoice/lines[@x]": 16, "/invoice/lines[notes]": 16, "/invoice/lines[.//notice]": 19, "/invoice/lines[../../lines[vat/rate > 1]]": 22, // N
	} {
		mistake := new(xpath.Error)
		if err := compileContext(expression); !errors.As(err, &mistake) || mistake.Column != column {
			t.Errorf("%s: %v, want one in column %d", expression, err, column)
		}
	}
	for _, expression := range []string{
		"//cbc:ID[..]", "//cbc:ID[self::cbc:ID/../../*]", "//*[@*]", // M
		"/invoice/lines[* = '1']", "/invoice/lines[.//note]", // N
		"/invoice/lines[.//subLines[vat or not(note = 'a')]]", "/invoice/lines[../lines[count(vat) = 1][last()]]", "/invoice/lines[/invoice/lines[2]/vat/rate > 1]",
		"/invoice/lines[.//subLines[1]]", "/invoice[*/vat[count(rate) = 1]]", "/invoice//subLines[../../lines[vat/rate > 1]]", "/invoice/lines[//lines[1]]",
	} {
		if err := compileContext(expression); err != nil {
			t.Errorf("%s: %v", expression, err)
		}
	}
}
