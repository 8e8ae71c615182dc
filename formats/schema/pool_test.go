package schema

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"einvoice/formats/xmlparse"
	"einvoice/model/source"
)

// A checker that goes back to the pool keeps nothing of its last document, and only
// little memory after a large one.
func TestCheckerForgetsDocument(t *testing.T) {
	schema, err := load("test", `prefix a urn:a
prefix xs http://www.w3.org/2001/XMLSchema
element a:root a:RootType
type a:RootType
	0..n a:x a:XType
type a:XType
	text xs:string
	0..1 @id xs:ID
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, children := range map[string]int{"small": 10, "large": 5000} {
		t.Run(name, func(t *testing.T) {
			c := new(checker)
			text, tree := checkAndReset(t, c, schema, children)
			runtime.GC()
			if text.Value() != nil || tree.Value() != nil {
				t.Error("the document is still in memory")
			}
			if c.schema != nil || c.faults != nil || len(c.open)+len(c.ids)+len(c.known) > 0 {
				t.Errorf("the checker is not empty: %+v", c)
			}
			if name == "large" && (c.ids != nil || cap(c.known) > 0) {
				t.Error("the working memory for a large document is kept")
			}
			runtime.KeepAlive(c)
		})
	}
}

// checkAndReset checks a document and returns weak pointers to its text and tree.
func checkAndReset(t *testing.T, c *checker, s *Schema, children int) (weak.Pointer[byte], weak.Pointer[source.Tree]) {
	t.Helper()
	var doc strings.Builder
	doc.WriteString(`<root xmlns="urn:a">`)
	for i := range children {
		fmt.Fprintf(&doc, `<x id="i%d"/><y%d/>`, i, i)
	}
	doc.WriteString(`</root>`)
	data := []byte(doc.String())
	tree, err := xmlparse.Parse(data, xmlparse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c.check(s, tree, 1_000_000)
	if len(c.ids) != children || len(c.known) < children {
		t.Errorf("%d identifiers and %d names are noted, want %d", len(c.ids), len(c.known), children)
	}
	c.reset()
	return weak.Make(&data[0]), weak.Make(tree)
}
