package expr

import (
	"strconv"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
)

// fn is a compiled expression of one Go type. ok is false when it has no value;
// the activation then knows why.
type fn[T any] func(*Activation) (value T, ok bool)

// A compiled is an expression in the form of closures: exactly one of the functions is set, the
// one of its CEL type.
type compiled struct {
	typ *types.Type

	boolean fn[bool]
	integer fn[int64]
	decimal fn[model.Decimal]
	text    fn[string]
	date    fn[*model.Date]
	binary  fn[string]
	object  fn[model.Object]
	element fn[source.Node]
	list    fn[list]

	literal any   // the value of a literal: string, int64 or model.Decimal
	term    *term // a term of the invoice, for functions that ask about the term itself
}

// A term is a leaf of the model, read from a group.
type term struct {
	of    fn[model.Object]
	field *model.Field
}

// check parses an expression and checks it against the type of this.
func check(text string, this This) (*node, error) {
	env, err := envFor(this.typ)
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, &Error{Line: first.Location.Line(), Column: first.Location.Column() + 1, Message: explain(first.Message, this)}
	}
	return nodesOf(checked.NativeRep(), checked.NativeRep().Expr())
}

// compile compiles an expression, from the store if it is there ready checked.
func (e *Environment) compile(text string, this This) (compiled, error) {
	root, ok := e.options.Store().lookUp(text, this)
	if !ok {
		var err error
		if root, err = check(text, this); err != nil {
			return compiled{}, err
		}
	}
	s := &scope{environment: e, vars: map[string]compiled{}}
	s.vars[varThis] = variable(this.typ, 0)
	s.vars[varInvoice] = compiled{typ: types.NewObjectType(model.InvoiceType().Name), object: func(act *Activation) (model.Object, bool) {
		return model.ObjectOf(act.doc.Invoice), true
	}}
	s.used[slotKind(this.typ)] = 1
	return s.compile(root)
}

// A scope is the variables that an expression sees while it is compiled.
type scope struct {
	environment *Environment
	vars        map[string]compiled
	used        [kinds]int // variables in use, by kind of slot
	depth       int        // loops around the expression
}

type kind int

const (
	kindObject kind = iota
	kindElement
	kindText
	kindDecimal
	kindInteger
	kindBoolean
	kindList
	kinds
)

func slotKind(t *types.Type) kind {
	switch {
	case t.Kind() == types.StructKind:
		return kindObject
	case t.IsExactType(elementType):
		return kindElement
	case t.IsExactType(types.StringType):
		return kindText
	case t.IsExactType(decimalType):
		return kindDecimal
	case t.IsExactType(types.IntType):
		return kindInteger
	case t.IsExactType(types.BoolType):
		return kindBoolean
	case t.Kind() == types.ListKind:
		return kindList
	}
	return kinds
}

// variable reads slot i of its type.
func variable(t *types.Type, i int) compiled {
	e := compiled{typ: t}
	switch slotKind(t) {
	case kindObject:
		e.object = func(act *Activation) (model.Object, bool) { return act.objs[i], true }
	case kindElement:
		e.element = func(act *Activation) (source.Node, bool) { return act.nodes[i], true }
	case kindText:
		e.text = func(act *Activation) (string, bool) { return act.strs[i], true }
	case kindDecimal:
		e.decimal = func(act *Activation) (model.Decimal, bool) { return act.decs[i], true }
	case kindInteger:
		e.integer = func(act *Activation) (int64, bool) { return act.ints[i], true }
	case kindBoolean:
		e.boolean = func(act *Activation) (bool, bool) { return act.bools[i] == triTrue, act.bools[i] != triError }
	case kindList:
		e.list = func(act *Activation) (list, bool) { return act.lists[i], true }
	}
	return e
}

// declare takes a free slot for a new variable.
func (s *scope) declare(at *node, name string, t *types.Type) (slot int, restore func(), err error) {
	k := slotKind(t)
	if k == kinds {
		return 0, nil, at.errorf("a variable cannot hold a %s", typeName(t))
	}
	slot = s.used[k]
	if slot >= slots {
		return 0, nil, at.errorf("more than %d nested variables of type %s", slots, typeName(t))
	}
	s.used[k]++
	shadowed, had := s.vars[name]
	s.vars[name] = variable(t, slot)
	return slot, func() {
		s.used[k]--
		delete(s.vars, name)
		if had {
			s.vars[name] = shadowed
		}
	}, nil
}

func (s *scope) compile(n *node) (compiled, error) {
	switch n.op {
	case nodeText:
		return textLiteral(n.text), nil
	case nodeInteger:
		i, err := strconv.ParseInt(n.text, 10, 64)
		return integerLiteral(i), err
	case nodeDecimal:
		d, err := model.ParseDecimal(n.text)
		return decimalLiteral(d), err
	case nodeBoolean:
		b := n.text == "true"
		return compiled{typ: types.BoolType, boolean: func(*Activation) (bool, bool) { return b, true }}, nil
	case nodeVariable:
		if v, ok := s.vars[n.name]; ok {
			return v, nil
		}
		return compiled{}, n.errorf("unknown variable %s", n.name)
	case nodeField, nodeHas:
		return s.selection(n)
	case nodeCall:
		return s.call(n)
	case nodeList:
		return s.listLiteral(n)
	case nodeLoop:
		return s.comprehension(n)
	}
	return compiled{}, n.errorf("unknown operation %d", n.op)
}

func textLiteral(s string) compiled {
	return compiled{typ: types.StringType, literal: s, text: func(*Activation) (string, bool) { return s, true }}
}

func integerLiteral(i int64) compiled {
	return compiled{typ: types.IntType, literal: i, integer: func(*Activation) (int64, bool) { return i, true }}
}

func decimalLiteral(d model.Decimal) compiled {
	return compiled{typ: decimalType, literal: d, decimal: func(*Activation) (model.Decimal, bool) { return d, true }}
}

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
	e := compiled{typ: celTypeOf(field)}
	if field.Kind.IsLeaf() {
		e.term = &term{of: of, field: field}
	}
	switch field.Kind {
	case model.KindText:
		e.text = func(act *Activation) (string, bool) {
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
		e.decimal = func(act *Activation) (model.Decimal, bool) {
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
		e.date = func(act *Activation) (*model.Date, bool) {
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
		e.binary = func(act *Activation) (string, bool) {
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
		e.object = func(act *Activation) (model.Object, bool) {
			o, ok := of(act)
			return o.Group(field), ok
		}
	case model.KindList:
		e.list = func(act *Activation) (list, bool) {
			o, ok := of(act)
			return list{groups: o.List(field)}, ok
		}
	}
	return e
}

func (act *Activation) failTerm(field *model.Field, present bool, raw string) {
	if present {
		act.fail(errInvalid, field, raw)
		return
	}
	act.fail(errAbsent, field, "")
}

func (s *scope) listLiteral(n *node) (compiled, error) {
	var texts []fn[string]
	var decimals []fn[model.Decimal]
	allTexts := true
	for _, element := range n.args {
		item, err := s.compile(element)
		if err != nil {
			return compiled{}, err
		}
		switch {
		case item.text != nil:
			texts = append(texts, item.text)
			_, isLiteral := item.literal.(string)
			allTexts = allTexts && isLiteral
		case asDecimal(item) != nil:
			decimals = append(decimals, asDecimal(item))
		default:
			return compiled{}, element.errorf("a list literal holds texts or numbers")
		}
	}
	t := n.typ
	if texts != nil && decimals != nil {
		return compiled{}, n.errorf("a list literal holds texts or numbers, not both")
	}
	if decimals != nil {
		t = types.NewListType(decimalType)
	}
	build := func(act *Activation) (list, bool) {
		var l list
		for _, text := range texts {
			s, ok := text(act)
			if !ok {
				return list{}, false
			}
			l.strs = append(l.strs, s)
		}
		for _, decimal := range decimals {
			d, ok := decimal(act)
			if !ok {
				return list{}, false
			}
			l.decs = append(l.decs, d)
		}
		return l, true
	}
	if texts != nil && allTexts { // the usual case: made once
		constant, _ := build(nil)
		return compiled{typ: t, list: func(*Activation) (list, bool) { return constant, true }}, nil
	}
	return compiled{typ: t, list: build}, nil
}

// asDecimal reads a number of either type as a decimal, nil if it is none.
func asDecimal(e compiled) fn[model.Decimal] {
	if e.decimal != nil {
		return e.decimal
	}
	if i, ok := e.literal.(int64); ok {
		return decimalLiteral(model.NewDecimal(i)).decimal
	}
	if e.integer == nil {
		return nil
	}
	return func(act *Activation) (model.Decimal, bool) {
		i, ok := e.integer(act)
		return model.NewDecimal(i), ok
	}
}
