package expr

import (
	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
)

// A list is a list of any element type; which part is used is known when the
// expression is compiled.
type list struct {
	groups   model.List     // as the invoice has them, or
	picked   []model.Object // one by one, where pick is set
	pick     bool
	texts    []string
	decimals []model.Decimal
	integers []int64
	elements []source.Node
}

// len counts whichever part is in use; the others are empty.
func (l *list) len() int {
	return l.lenObjects() + len(l.texts) + len(l.decimals) + len(l.integers) + len(l.elements)
}

func (l *list) lenObjects() int {
	if l.pick {
		return len(l.picked)
	}
	return l.groups.Len()
}

func (l *list) object(i int) model.Object {
	if l.pick {
		return l.picked[i]
	}
	return l.groups.At(i)
}

func (s *scope) listLiteral(n *node) (compiled, error) {
	out := compiled{typ: n.typ}
	var puts []func(*Activation, *list) bool
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
		l.pick = true
		for _, put := range puts {
			if !put(act, &l) {
				return list{}, false
			}
		}
		return l, true
	}
	if !constant {
		out.list = build
		return out, nil
	}
	l, _ := build(nil) // the usual case: made once
	out.literal, out.list = l, func(*Activation) (list, bool) { return l, true }
	return out, nil
}

// putter appends the value of an expression to a list; false if it has none.
func putter(at *node, item compiled) (func(*Activation, *list) bool, error) {
	switch {
	case item.object != nil:
		return func(act *Activation, l *list) bool { return put(act, &l.picked, item.object) }, nil
	case item.text != nil:
		return func(act *Activation, l *list) bool { return put(act, &l.texts, item.text) }, nil
	case item.decimal != nil:
		return func(act *Activation, l *list) bool { return put(act, &l.decimals, item.decimal) }, nil
	case item.integer != nil:
		return func(act *Activation, l *list) bool { return put(act, &l.integers, item.integer) }, nil
	case item.element != nil:
		return func(act *Activation, l *list) bool { return put(act, &l.elements, item.element) }, nil
	}
	return nil, at.errorf("a list cannot hold a %s: it holds groups, elements, texts or numbers", typeName(item.typ))
}

func put[T any](act *Activation, to *[]T, value fn[T]) bool {
	v, ok := value(act)
	if ok {
		*to = append(*to, v)
	}
	return ok
}
