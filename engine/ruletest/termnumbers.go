package ruletest

import (
	"sync"

	"einvoice/model"
)

// termNumbers number all fields of all groups of an invoice.
type termNumbers struct {
	names []string            // as Seller.vatId
	first map[*model.Type]int // the number of a group's first field
}

var numbered = sync.OnceValue(func() *termNumbers {
	n := &termNumbers{first: map[*model.Type]int{}}
	n.add(model.InvoiceType())
	return n
})

func (n *termNumbers) add(t *model.Type) {
	if _, known := n.first[t]; known || t == nil {
		return
	}
	n.first[t] = len(n.names)
	for i := range t.Fields {
		n.names = append(n.names, t.Name+"."+t.Fields[i].Name)
	}
	for i := range t.Fields {
		if !t.Fields[i].Kind.IsLeaf() {
			n.add(t.Fields[i].Elem)
		}
	}
}

// TermNames are the names of all terms, by their numbers, such as Seller.vatId. The numbers
// are those of one version of the program.
func TermNames() []string { return numbered().names }

// TermNumber is the number of a field of a group; false for one that no invoice has.
func TermNumber(group *model.Type, f *model.Field) (int, bool) {
	first, known := numbered().first[group]
	if !known {
		return 0, false
	}
	for i := range group.Fields {
		if &group.Fields[i] == f {
			return first + i, true
		}
	}
	return 0, false
}
