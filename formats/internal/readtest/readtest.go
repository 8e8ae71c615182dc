// Package readtest tests how a format reads the content of documents.
//
//	readtest.Run(t, format, "ubl:Invoice", []readtest.Case{
//		{"number", `<cbc:ID>1</cbc:ID>`, `{"number":"1"}`},
//	})
package readtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/binding"
	"einvoice/formats/xmlparse"
	"einvoice/model"
	"einvoice/model/source"
)

// A Case is the content of a root element and the invoice, as JSON, that it must be
// read as. It is a type alias, so that tables need no field names.
type Case = struct {
	Name    string
	Content string
	Want    string
}

// Run runs cases with the given root element.
func Run(t *testing.T, f *binding.Format, root string, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			got, err := json.Marshal(Read(t, f, root, c.Content))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.Want {
				t.Errorf("\n got %s\nwant %s", got, c.Want)
			}
		})
	}
}

// Read reads one document with the given root element and content.
func Read(t *testing.T, f *binding.Format, root, content string) *model.Invoice {
	t.Helper()
	invoice, err := f.Read(Parse(t, f, root, content))
	if err != nil {
		t.Fatal(err)
	}
	return invoice
}

// Parse parses one document with the given root element and content.
func Parse(t *testing.T, f *binding.Format, root, content string) *source.Tree {
	t.Helper()
	f.InternNames()
	var namespaces strings.Builder
	for prefix, uri := range source.Prefixes {
		if prefix != "xml" {
			fmt.Fprintf(&namespaces, " xmlns:%s=%q", prefix, uri)
		}
	}
	tree, err := xmlparse.Parse(fmt.Appendf(nil, "<%s%s>%s</%[1]s>", root, &namespaces, content), xmlparse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !f.Reads(tree.Name(tree.Root())) {
		t.Fatalf("%s does not read %s", f.Name, root)
	}
	return tree
}
