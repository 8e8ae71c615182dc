package xmlparse

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/model/source"
)

// A parser that has read other documents reads the next one as a new parser does:
// whatever prefixes mean there, and however many names it has.
func TestParserServesAgain(t *testing.T) {
	cbc, cac := source.Prefixes["cbc"], source.Prefixes["cac"]
	source.Intern(source.QName{URI: cbc, Local: "ID"}, source.QName{URI: cac, Local: "ID"})
	var many strings.Builder
	for i := range 700 {
		fmt.Fprintf(&many, `<p%d:ID xmlns:p%d="%s"/>`, i, i, cbc)
	}
	documents := []string{
		`<a:ID xmlns:a="` + cbc + `"><a:ID/><b:ID xmlns:b="` + cac + `"/></a:ID>`,
		`<a:ID xmlns:a="` + cac + `"><a:ID/><b:ID xmlns:b="` + cbc + `"/></a:ID>`,
		`<ID xmlns="` + cac + `"><ID xmlns="` + cbc + `" ID="x"/><other/></ID>`,
		`<ID xmlns="` + cbc + `" xmlns:a="` + cac + `"><a:ID a:ID="1"/><a:unknown/></ID>`,
		`<x>` + many.String() + `</x>`,
		`<ID/>`,
		`<a:ID/>`,
	}
	p := &parser{}
	for round := range 3 {
		for i, text := range documents {
			p.reset()
			again, errAgain := p.parse(t.Context(), text, DefaultLimits())
			fresh, errFresh := new(parser).parse(t.Context(), text, DefaultLimits())
			if fmt.Sprint(errAgain) != fmt.Sprint(errFresh) {
				t.Fatalf("round %d, document %d: %v, a new parser: %v", round, i, errAgain, errFresh)
			}
			if errFresh != nil {
				continue
			}
			if got, want := spelled(again), spelled(fresh); got != want {
				t.Errorf("round %d, document %d: %s, a new parser: %s", round, i, got, want)
			}
		}
	}
}

func spelled(t *source.Tree) string {
	var b strings.Builder
	for n := t.Root(); int(n) < len(t.Elements); n++ {
		fmt.Fprintf(&b, "%d:%s ", n, t.NameOf(t.Name(n)))
		for _, a := range t.AttrsOf(n) {
			fmt.Fprintf(&b, "@%s ", t.NameOf(t.Interned(a.Name)))
		}
	}
	return b.String()
}

// Interned names stay for the next document, others and those of large documents do not.
func TestNamesThatStay(t *testing.T) {
	source.Intern(source.QName{Local: "known"})
	p := &parser{}
	read := func(text string) {
		t.Helper()
		p.reset()
		if _, err := p.parse(t.Context(), text, DefaultLimits()); err != nil {
			t.Fatal(err)
		}
	}
	read(`<known/>`)
	if p.reset(); p.names.used != 1 {
		t.Errorf("%d names are kept of a document with one that is interned", p.names.used)
	}
	read(`<known><unknown/></known>`)
	if p.reset(); p.names.used != 0 || len(p.names.unknown) != 0 {
		t.Errorf("%d names are kept of a document with one that is unknown", p.names.used)
	}
}

// The name of an element is that which is written, also where the names of its attributes make the table grow after
// it was guessed: another name then stands in its place.
func TestNamesWhileTheTableGrows(t *testing.T) {
	for document := range 200 {
		var text strings.Builder
		var want []string
		element := func(name, attributes string) {
			fmt.Fprintf(&text, "<%s%s/>", name, attributes)
			want = append(want, name)
		}
		likely := fmt.Sprintf("likely%d", document)
		text.WriteString("<x>")
		element("before", "")
		element(likely, "")
		for i := range smallTable/2 - 20 {
			element(fmt.Sprintf("a%d", i), "")
		}
		for i := range 40 { // each with an attribute that nobody has seen
			element("before", "")
			element(likely, fmt.Sprintf(` k%d=""`, i))
		}
		text.WriteString("</x>")
		tree, err := new(parser).parse(t.Context(), text.String(), DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range want {
			if got := tree.NameOf(tree.Name(tree.Root() + 1 + source.Node(i))).Local; got != name {
				t.Fatalf("document %d: element %d is %s, not %s", document, i, got, name)
			}
		}
	}
}
