package expr

import (
	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// selection compiles has(x.y) and x.y.
func (s *scope) selection(n *node) (compiled, error) {
	operand, err := s.compile(n.args[0])
	if err != nil {
		return compiled{}, err
	}
	if operand.object == nil {
		return compiled{}, n.errorf("a %s has no field %s", typeName(operand.typ), n.name)
	}
	field, ok := provider().byName[operand.typ.TypeName()].Field(n.name)
	if !ok {
		return compiled{}, n.errorf("%s has no field %s", typeName(operand.typ), n.name)
	}
	of := operand.object
	if n.op == nodeHas {
		return compiled{typ: types.BoolType, boolean: func(act *Activation) (bool, bool) {
			o, ok := of(act)
			return ok && o.Has(field), ok
		}}, nil
	}
	return readField(of, field), nil
}

// readField reads a field of a group. An absent group reads as empty, so that
// paths need no test at every step; an absent term has no value: a rule that
// can meet one asks has(...) first.
func readField(of fn[model.Object], field *model.Field) compiled {
	c := compiled{typ: celTypeOf(field)}
	if field.Kind.IsLeaf() {
		c.term = &term{of: of, field: field}
	}
	switch field.Kind {
	case model.KindText:
		c.text = func(act *Activation) (string, bool) {
			o, ok := of(act)
			if !ok {
				return "", false
			}
			t := o.Text(field)
			if !t.Present {
				act.fail(errAbsent, field, "")
			}
			return t.Raw, t.Present
		}
	case model.KindNumber, model.KindAmount:
		c.decimal = func(act *Activation) (model.Decimal, bool) {
			o, ok := of(act)
			if !ok {
				return model.Decimal{}, false
			}
			n := o.Number(field)
			if !n.Valid {
				act.failTerm(field, n.Present, n.Raw)
			}
			return n.Value, n.Valid
		}
	case model.KindDate:
		c.date = func(act *Activation) (*model.Date, bool) {
			o, ok := of(act)
			if !ok {
				return nil, false
			}
			d := o.Date(field)
			if !d.Valid {
				act.failTerm(field, d.Present, d.Raw)
			}
			return d, d.Valid
		}
	case model.KindBinary:
		c.binary = func(act *Activation) (string, bool) {
			o, ok := of(act)
			if !ok {
				return "", false
			}
			b := o.Binary(field)
			if !b.Present {
				act.fail(errAbsent, field, "")
			}
			return b.Raw, b.Present
		}
	case model.KindGroup:
		c.object = func(act *Activation) (model.Object, bool) {
			o, ok := of(act)
			return o.Group(field), ok
		}
	case model.KindList:
		c.list = func(act *Activation) (list, bool) {
			o, ok := of(act)
			return list{groups: o.List(field)}, ok
		}
	}
	return c
}

// failTerm says why a term has no value: it is absent, or what is written is not a
// value of its type.
func (act *Activation) failTerm(field *model.Field, present bool, raw string) {
	if present {
		act.fail(errInvalid, field, raw)
		return
	}
	act.fail(errAbsent, field, "")
}
