package formats

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/embedded"
	"einvoice/model/syntax"

	"gopkg.in/yaml.v3"
)

// All are the formats that can be read and written, in the order in which they are
// listed.
var All = formatsOf(syntax.Current())

// Legacy are the formats that are older than EN 16931. They are read only if
// Options.Legacy is set; otherwise an error names them.
var Legacy = formatsOf(syntax.Legacy())

func formatsOf(syntaxes []*syntax.Syntax) []*binding.Format {
	all := make([]*binding.Format, len(syntaxes))
	for i, s := range syntaxes {
		all[i] = binding.New(s, func() (*yaml.Node, error) { return tableOf(s.ID) })
	}
	return all
}

// tableOf is the table of bindings of a syntax.
func tableOf(syntax string) (*yaml.Node, error) {
	text, err := tableText(syntax)
	if err != nil {
		return nil, err
	}
	return embedded.Node("formats/"+syntax+"/bindings.yaml", text)
}

// For is the format of a syntax that can be written.
func For(id model.Syntax) (*binding.Format, error) {
	if f := find(All, id); f != nil {
		return f, nil
	}
	return nil, noFormat(id)
}

// readableAs is the format of a syntax that can be read.
func readableAs(id model.Syntax) (*binding.Format, error) {
	if f := find(Legacy, id); f != nil {
		return f, nil
	}
	return For(id)
}

func noFormat(id model.Syntax) error {
	ids := make([]string, len(All))
	for i, f := range All {
		ids[i] = string(f.Syntax)
	}
	return fmt.Errorf("there is no format %q; there are %s", id, strings.Join(ids, " and "))
}

// LegacyName is the name of a document's format if that is one of Legacy; empty
// for others.
func LegacyName(doc *model.Document) string {
	if f := find(Legacy, doc.Syntax); f != nil {
		return f.Name
	}
	return ""
}

func find(list []*binding.Format, id model.Syntax) *binding.Format {
	if i := slices.IndexFunc(list, func(f *binding.Format) bool { return f.Syntax == id }); i >= 0 {
		return list[i]
	}
	return nil
}
