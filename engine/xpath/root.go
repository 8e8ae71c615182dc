package xpath

import (
	"strings"

	"einvoice/model"
)

// A Root is what contexts over the model begin with: the invoice, or the PDF
// around it.
type Root struct {
	Name string
	Type *model.Type
	of   func(*model.Document) model.Object
}

// Of is the root in a document; absent where the document has none.
func (r *Root) Of(d *model.Document) model.Object { return r.of(d) }

var roots = []*Root{
	{"invoice", model.InvoiceType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Invoice) }},
	{"container", model.ContainerType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Container) }},
}

// Roots are the roots of the model.
func Roots() []*Root { return roots }

func rootNamed(name string) *Root {
	for _, r := range roots {
		if r.Name == name {
			return r
		}
	}
	return nil
}

func rootOfType(t *model.Type) *Root {
	for _, r := range roots {
		if r.Type == t {
			return r
		}
	}
	return nil
}

// SelectsInSource tells the two kinds of contexts apart: names in a document
// have prefixes, names in the model have none.
func SelectsInSource(context string) bool {
	if strings.HasPrefix(context, "/*") || strings.HasPrefix(context, "//*") {
		return true
	}
	var quote byte // what ends the text that a predicate compares with, 0 outside of one
	for i := range len(context) {
		switch c := context[i]; {
		case quote == 0 && c == ':':
			return true
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return false
}
