package xpath

import (
	"strings"
	"sync"

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

// roots are read when they are first needed: types are read by reflection.
var roots = sync.OnceValue(func() []*Root {
	return []*Root{
		{"invoice", model.InvoiceType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Invoice) }},
		{"container", model.ContainerType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Container) }},
		{"batch", model.BatchType(), func(d *model.Document) model.Object { return model.ObjectOf(d.Batch) }},
	}
})

// Roots are the roots of the model.
func Roots() []*Root { return roots() }

func rootNamed(name string) *Root {
	for _, r := range roots() {
		if r.Name == name {
			return r
		}
	}
	return nil
}

func rootOfType(t *model.Type) *Root {
	for _, r := range roots() {
		if r.Type == t {
			return r
		}
	}
	return nil
}

// SelectsInSource tells the two kinds of contexts apart: those over the model
// begin with one of its roots.
func SelectsInSource(context string) bool {
	for _, r := range roots() {
		rest, found := strings.CutPrefix(strings.TrimLeft(context, white), "/"+r.Name)
		if found && nameLength(rest) == 0 && !strings.HasPrefix(rest, ":") {
			return false
		}
	}
	return true
}
