package formats

import (
	"einvoice/formats/binding"
	"einvoice/formats/cii"
	"einvoice/formats/ubl"
	"einvoice/formats/zugferd1"
	"einvoice/model"
)

// All are the formats that can be read, in the order in which they are listed.
var All = []*binding.Format{
	ubl.Format,
	cii.Format,
}

// Legacy are the formats that are older than EN 16931, which are read where
// Options.Legacy asks for it, and otherwise refused by name.
var Legacy = []*binding.Format{
	zugferd1.Format,
}

// LegacyName is what the format of a document is called, where it is one of
// Legacy; empty for others.
func LegacyName(doc *model.Document) string {
	for _, f := range Legacy {
		if f.Syntax == doc.Syntax {
			return f.Name
		}
	}
	return ""
}
