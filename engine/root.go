package engine

import (
	"strings"

	"einvoice/model"
)

// A root is what contexts over the model begin with: the invoice, or the PDF
// around it.
type root struct {
	name string
	typ  *model.Type
	of   func(*model.Document) model.Object // absent where the document has none
}

var roots = []*root{
	{"invoice", model.InvoiceType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Invoice) }},
	{"container", model.ContainerType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Container) }},
}

func rootNamed(name string) *root {
	for _, r := range roots {
		if r.name == name {
			return r
		}
	}
	return nil
}

func rootWith(t *model.Type) *root {
	for _, r := range roots {
		if r.typ == t {
			return r
		}
	}
	return nil
}

// overContainer tells contexts over the PDF from those over the invoice.
func overContainer(context string) bool {
	rest, ok := strings.CutPrefix(context, "/container")
	return ok && (rest == "" || strings.ContainsRune("/[ |", rune(rest[0])))
}
