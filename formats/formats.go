package formats

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/binding"
	"einvoice/formats/cii"
	"einvoice/formats/ubl"
	"einvoice/formats/zugferd1"
	"einvoice/model"
)

// All are the formats that can be read and written, in the order in which they are
// listed.
var All = []*binding.Format{
	ubl.Format,
	cii.Format,
}

// Legacy are the formats that are older than EN 16931. They are read only if
// Options.Legacy is set; otherwise an error names them.
var Legacy = []*binding.Format{
	zugferd1.Format,
}

// For is the format of a syntax that can be written.
func For(syntax model.Syntax) (*binding.Format, error) {
	if f := find(All, syntax); f != nil {
		return f, nil
	}
	ids := make([]string, len(All))
	for i, f := range All {
		ids[i] = string(f.Syntax)
	}
	return nil, fmt.Errorf("there is no format %q; there are %s", syntax, strings.Join(ids, " and "))
}

// LegacyName is the name of a document's format if that is one of Legacy; empty
// for others.
func LegacyName(doc *model.Document) string {
	if f := find(Legacy, doc.Syntax); f != nil {
		return f.Name
	}
	return ""
}

// Label is the name of a syntax in messages. It is the identifier if there is no
// such syntax.
func Label(syntax model.Syntax) string {
	if f := find(slices.Concat(All, Legacy), syntax); f != nil {
		return f.Label
	}
	return string(syntax)
}

func find(list []*binding.Format, syntax model.Syntax) *binding.Format {
	for _, f := range list {
		if f.Syntax == syntax {
			return f
		}
	}
	return nil
}
