package expr

import (
	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
)

// A list is a list of any element type: groups as the invoice has them, or items
// that an expression selected or made. It is small because loops copy it.
type list struct {
	groups model.List
	items  *items // nil for groups of the invoice, and for a list without elements
}

// items are the elements of a list that is not the invoice's own; which part is
// used is known when the expression is compiled.
type items struct {
	groups   []model.Object
	texts    []string
	decimals []model.Decimal
	integers []int64
	elements []source.Node
}

var noItems items

// all are the items of a list, to be read.
func (l *list) all() *items {
	if l.items == nil {
		return &noItems
	}
	return l.items
}

// own are the items of a list, to be added to.
func (l *list) own(act *Activation) *items {
	if l.items == nil {
		l.items = act.scratch.items()
	}
	return l.items
}

// len counts the elements: whichever part is in use, the others are empty.
func (l *list) len() int {
	if l.items == nil {
		return l.groups.Len()
	}
	return len(l.items.groups) + len(l.items.texts) + len(l.items.decimals) + len(l.items.integers) + len(l.items.elements)
}

// lenGroups counts the groups of a list of them.
func (l *list) lenGroups() int {
	if l.items == nil {
		return l.groups.Len()
	}
	return len(l.items.groups)
}

func (l *list) group(i int) model.Object {
	if l.items == nil {
		return l.groups.At(i)
	}
	return l.items.groups[i]
}

func (s *scope) listLiteral(n *node) (compiled, error) {
	out := compiled{typ: n.typ}
	var puts []func(*Activation, *items) bool
	constant := true
	for _, arg := range n.args {
		item, err := s.compile(arg)
		if err != nil {
			return compiled{}, err
		}
		if len(puts) > 0 && !item.typ.IsExactType(out.typ.Parameters()[0]) {
			return compiled{}, arg.errorf("the elements of a list have one type: write all numbers with a point, or none")
		}
		put, err := putter(arg, item)
		if err != nil {
			return compiled{}, err
		}
		out.typ = types.NewListType(item.typ)
		puts = append(puts, put)
		constant = constant && item.literal != nil
	}
	build := func(act *Activation) (l list, ok bool) {
		for _, put := range puts {
			if !put(act, l.own(act)) {
				return list{}, false
			}
		}
		return l, true
	}
	if !constant {
		out.list = build
		return out, nil
	}
	l, _ := build(new(Activation)) // the usual case: made once
	out.literal, out.list = l, func(*Activation) (list, bool) { return l, true }
	return out, nil
}

// putter appends the value of an expression to the items of a list; false if it has none.
func putter(at *node, item compiled) (func(*Activation, *items) bool, error) {
	switch {
	case item.object != nil:
		return func(act *Activation, to *items) bool { return put(act, &to.groups, item.object) }, nil
	case item.text != nil:
		return func(act *Activation, to *items) bool { return put(act, &to.texts, item.text) }, nil
	case item.decimal != nil:
		return func(act *Activation, to *items) bool { return put(act, &to.decimals, item.decimal) }, nil
	case item.integer != nil:
		return func(act *Activation, to *items) bool { return put(act, &to.integers, item.integer) }, nil
	case item.element != nil:
		return func(act *Activation, to *items) bool { return put(act, &to.elements, item.element) }, nil
	}
	name, instead := typeName(item.typ), ""
	if name == "boolean" {
		instead = "; join conditions with && or ||"
	}
	return nil, at.errorf("a list cannot hold a %s: it holds groups, elements, texts or numbers%s", name, instead)
}

func put[T any](act *Activation, to *[]T, value fn[T]) bool {
	v, ok := value(act)
	if ok {
		*to = append(*to, v)
	}
	return ok
}
