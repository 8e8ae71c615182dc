package xpath_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"einvoice/engine/xpath"
	"einvoice/model/source"
)

// refused are contexts that do not load, with the column of the mistake and a part
// of the message, which says what to write instead.
var refused = []struct {
	context string
	column  int
	message string
}{
	// what is not XPath 1.0
	{"", 1, "expected a name"},
	{"/", 1, "write /*"},
	{"//", 3, "expected a name, and the expression ends"},
	{"//cbc:ID]", 9, `unexpected "]"`},
	{"//cbc:ID[", 10, "expected a name, and the expression ends"},
	{"//cbc:ID[@]", 11, `expected a name, found "]"`},
	{"//cbc:ID['a]", 10, "no closing quote"},
	{"//cbc:ID[(1 = 1]", 16, `expected ")", found "]"`},
	{"//cbc:ID[. = ]", 14, "expected a name"},
	{"//cbc:ID[. ! 1]", 12, `unexpected character "!"`},
	{"//cbc:ID[é ; 1]", 12, `unexpected character ";"`},
	{"//cbc:ID eq 1", 10, "eq is XPath 2.0, write ="},
	{"//cbc:ID union //cbc:Note", 10, "union is XPath 2.0, write |"},
	{"//cbc:ID[. castable as xs:date]", 12, `expected "]", found "castable as xs:date]"`},
	{"for $x in //cbc:ID return $x", 5, "XPath 1.0 has no for"},
	{"some $x in //cbc:ID satisfies $x", 6, "XPath 1.0 has no for, some"},
	{"//cbc:ID[matches(., 'a')]", 10, "ask matches() in the CEL assertion"},
	{"//cbc:ID[exists(@a)]", 10, "write its argument alone"},
	{"//cbc:ID[distinct-values(a)]", 10, "unknown function distinct-values"},
	{"//cbc:ID[. = ('a', 'b')]", 18, "write a = 'b' or a = 'c'"},
	{"//cbc:ID/string()", 10, "for a/string() write string(a)"},
	{"//cbc:ID/text('a')", 15, "expected \")\""},
	{"//cbc:ID[count()]", 10, "count takes 1 argument"},
	{"//cbc:ID[count('a') = 1]", 16, "count takes a path"},
	{"//cbc:ID[substring('a') = '']", 10, "substring takes 2 to 3 arguments"},
	{"//cbc:ID[true(1)]", 10, "true takes no arguments"},
	{"//cbc:ID['a' | cbc:B]", 10, "| joins paths"},
	{"//cbc:ID['a'/cbc:B]", 13, "only a path can have predicates and steps after it"},
	{"//cbc:ID/sideways::a", 10, "unknown axis sideways"},
	{"//cbc:ID[..[cbc:B]]", 12, "write parent::*[...]"},
	{"//cbc:ID[.[1]]", 11, "write self::*[...]"},
	{"/*[" + strings.Repeat("(", 60) + "1" + strings.Repeat(")", 60) + "]", 53, "more than 50 levels"},
	{"/*[" + strings.Repeat("- ", 60) + "1]", 102, "more than 50 levels"},
	{"//a:ID", 3, `unknown prefix "a"`},
	{"//a:*", 3, `unknown prefix "a"`},
	// what rules do not have of XPath 1.0
	{"cbc:ID", 1, "a context begins with /"},
	{"//cbc:ID | cbc:ID", 12, "a context begins with /"},
	{"count(//cbc:ID)", 1, "decisions belong into the CEL assertion"},
	{"//ID", 3, "such as cbc:ID"},
	{"//cbc:ID/..", 10, "for /a/b/.. write /a[b]"},
	{"//cbc:ID/.", 10, "leave . out"},
	{"//cbc:ID/self::cbc:ID", 10, "write /a[self::b]"},
	{"//cbc:ID/@schemeID/..", 10, "for /a/@b/.. write /a[@b]"},
	{"//cbc:ID//..", 11, "// leads down to a name"},
	{"//cbc:ID/text()", 10, "leave text() out"},
	{"//cbc:ID/node()", 10, "write * for any element"},
	{"//cbc:ID/comment()", 10, "elements and attributes only"},
	{"//cbc:ID/descendant::cbc:B", 10, "write //a, and .//a below a node"},
	{"//cbc:ID[ancestor-or-self::cac:B]", 10, `write self::a | ancestor::a`},
	{"//cbc:ID[preceding::cbc:ID]", 10, "write //a"},
	{"//cbc:ID/preceding-sibling::cbc:ID", 10, "a context only goes down"},
	{"//cbc:ID[following::cbc:ID]", 10, "write //a"},
	{"//cbc:ID[namespace::a]", 10, "prefixes are fixed"},
	{"//cbc:ID[. + 1 = 2]", 10, "compute in the CEL assertion"},
	{"//cbc:ID[. mod 2 = 1]", 10, "compute in the CEL assertion"},
	{"//cbc:ID[$a = 1]", 10, "there are no variables"},
	{"(//cbc:ID)[1]", 1, "nothing can follow parentheses"},
	{"//cbc:ID[(cbc:A | cbc:B)/cbc:C]", 10, "nothing can follow parentheses"},
	{"//cbc:ID[cbc:B = true()]", 18, "a[. = 'true' or . = '1']"},
	{"//cbc:ID[false() != cbc:B]", 10, "a[. = 'false' or . = '0']"},
	{"//cbc:ID[id('a')]", 10, "//*[@id = 'a']"},
	{"//cbc:ID[. = " + strings.Repeat("1", 201) + "]", 14, "more than 200 digits"},
	{"//" + strings.Repeat("a", 100_000), 1, "at most 100000 bytes"},
	// what does not fit the invoice
	{"/invoice/line", 10, "did you mean lines?"},
	{"/invoice/lines/note", 16, "ask has(this.note)"},
	{"/invoice//nothing", 11, "has no group nothing"},
	{"/invoice/*", 10, "leads to groups by their names"},
	{"/invoice/lines/@id", 16, "leads to groups by their names"},
	{"/invoice/lines/..", 16, "for /a/b/.. write /a[b]"},
	{"/invoice/lines[@id]", 16, "the invoice has no attributes"},
	{"/invoice/lines[notes]", 16, "did you mean note?"},
	{"/invoice/lines[note/text]", 21, "note is a term and has nothing below it"},
	{"/invoice/lines[vat[rates]]", 20, "LineVat has no group rates"},
	{"/invoice/lines[../nothing]", 19, "Invoice has no group nothing"},
	{"/invoice/lines[../../nothing]", 22, "no group or term of the invoice is called nothing here"},
	{"/invoice/lines[/invoice/number/note]", 32, "number is a term and has nothing below it"},
	{"/invoice[../..]", 13, "there is nothing around the root"},
	{"/invoice/lines | /container/fonts", 19, "begin with the same root"},
	{"/invoice/lines | //cbc:ID", 20, "begins with /invoice"},
}

func TestRefusedContexts(t *testing.T) {
	for _, c := range refused {
		name := c.context[:min(len(c.context), 80)]
		mistake := new(xpath.Error)
		err := compileContext(c.context)
		switch {
		case !errors.As(err, &mistake):
			t.Errorf("%s: %v", name, err)
		case mistake.Column != c.column || !strings.Contains(mistake.Message, c.message):
			t.Errorf("%s: %d: %s\nwant %d: %s", name, mistake.Column, mistake.Message, c.column, c.message)
		case strings.Contains(mistake.Message, "not yet"):
			t.Errorf("%s: %s", name, mistake.Message)
		}
	}
}

func compileContext(text string) error {
	u, err := xpath.Parse(text)
	if err != nil {
		return err
	}
	if !xpath.SelectsInSource(text) {
		_, err := xpath.OverModel(u)
		return err
	}
	for _, path := range u.Paths {
		if _, err := xpath.ContextOverSource(path); err != nil {
			return err
		}
	}
	return nil
}

// A context selects elements, so that the path of one cannot end at attributes;
// that of a row can.
func TestSelectsElements(t *testing.T) {
	for context, elements := range map[string]bool{"//cbc:ID": true, "//cbc:ID[@a]": true, "//cbc:ID/@a": false, "//@*": false} {
		if err := contextPaths(t, context)[0].SelectsElements(); (err == nil) != elements {
			t.Errorf("%s: %v", context, err)
		}
	}
}

func TestSelectsInSource(t *testing.T) {
	for context, inSource := range map[string]bool{
		"/invoice": false, " /invoice[number]": false, "/invoice//vat": false, "/container": false, "/invoice|//a": false,
		"//cbc:ID": true, "/*": true, "/invoices": true, "/invoice:a": true, "/ubl:Invoice[cbc:ID='/invoice']": true, "/containers": true,
	} {
		if xpath.SelectsInSource(context) != inSource {
			t.Errorf("%s: %v", context, !inSource)
		}
	}
}

// Whether a name or * is an operator depends on what is before it, as XPath 1.0
// says in 3.7.
func TestOperatorNames(t *testing.T) {
	d := parseDocument(t, `<cac:A xmlns:cac="`+source.Prefixes["cac"]+`"><cac:or/><cac:and>1</cac:and><cac:div/></cac:A>`)
	for expression, want := range map[string]string{
		"count(//cac:or)":                                "1",
		"//cac:or or //cac:none":                         "true",
		"//cac:div and //cac:and and //cac:or":           "true",
		"count(/cac:A/*)":                                "3",
		"boolean(/cac:A[cac:or or cac:or and cac:none])": "true", // and before or
		"-1 < 0 = true()":                                "true", // to the left
		"- - 1":                                          "1",
		"'a' = \"a\"":                                    "true",
		"\t.5\n= 0.50 ":                                  "true",
		"5. = 5":                                         "true",
		"count(//cac:A/*[ . ]) = count( //cac:A / child :: * )": "true",
	} {
		if got := d.value(t, expression); got != want {
			t.Errorf("%s gives %s, want %s", expression, got, want)
		}
	}
}

// value is what an expression gives, as rules evaluate it.
func (d *document) value(t testing.TB, expression string) string {
	t.Helper()
	x, err := xpath.ParseExpression(expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	found, err := x.OverSourceFrom(d.evaluation(), 0)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return found.Value
}

// FuzzParse feeds the parser any text. It may refuse everything, but must not
// panic, and says where; what rules may have is evaluated alike from both sides.
func FuzzParse(f *testing.F) {
	for _, c := range contextsOverSource {
		f.Add(c.context)
	}
	for _, c := range refused {
		f.Add(c.context)
	}
	d := parseDocument(f, lines)
	f.Fuzz(func(t *testing.T, text string) {
		_, err := xpath.ParseExpression(text)
		if mistake := new(xpath.Error); errors.As(err, &mistake) && (mistake.Column < 1 || mistake.Column > len(text)+1) {
			t.Errorf("%q: column %d: %s", text, mistake.Column, mistake.Message)
		}
		if err != nil {
			return
		}
		ascii := !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) // antchfx/xpath knows fewer names
		if ascii && compileContext(text) == nil && xpath.SelectsInSource(text) {
			compareOverSource(t, d, text)
		}
	})
}
