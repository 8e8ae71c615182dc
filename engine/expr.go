package engine

import (
	"fmt"
	"strconv"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// fn is a compiled expression of one Go type. ok is false when it has no value;
// the frame then knows why.
type fn[T any] func(*frame) (value T, ok bool)

// An expr is a compiled expression: exactly one of the functions is set, the
// one of its CEL type.
type expr struct {
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
	leaf    *leaf // a term of the invoice, for functions that ask about the term itself
}

// A leaf is a term read from a group.
type leaf struct {
	of    fn[model.Object]
	field *model.Field
}

// checkCEL parses an expression and checks it against the type of this.
func checkCEL(text string, this *types.Type) (*node, error) {
	env, err := envFor(this)
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(text)
	if issues != nil && issues.Err() != nil {
		return nil, celErrors(issues, this)
	}
	return nodesOf(checked.NativeRep(), checked.NativeRep().Expr())
}

// compileCEL compiles an expression, from the library's store if it is there
// ready checked.
func (l *Library) compileCEL(text string, this *types.Type) (expr, error) {
	root, ok := l.stored(text, this)
	if !ok {
		var err error
		if root, err = checkCEL(text, this); err != nil {
			return expr{}, err
		}
	}
	c := &compiler{library: l, vars: map[string]expr{}}
	c.vars[varThis] = c.variable(this, 0)
	c.vars[varInvoice] = expr{typ: types.NewObjectType(model.InvoiceType().Name), object: func(f *frame) (model.Object, bool) {
		return model.ObjectOf(f.doc.Invoice), true
	}}
	c.used[slotKind(this)] = 1
	return c.compile(root)
}

// compileAssertion is compileCEL for an expression that must be boolean.
func (l *Library) compileAssertion(text string, this *types.Type) (fn[bool], error) {
	e, err := l.compileCEL(text, this)
	if err != nil {
		return nil, err
	}
	if e.boolean == nil {
		return nil, &exprError{column: 1, message: fmt.Sprintf("an assertion must be true or false, this one is a %s", typeName(e.typ))}
	}
	return e.boolean, nil
}

// An exprError is a mistake in an expression; line and column count within it.
type exprError struct {
	line, column int
	message      string
}

func (e *exprError) Error() string { return e.message }

func celErrors(issues *cel.Issues, this *types.Type) error {
	first := issues.Errors()[0]
	return &exprError{line: first.Location.Line(), column: first.Location.Column() + 1, message: explain(first.Message, this)}
}

// compiler turns one checked expression into closures.
type compiler struct {
	library *Library
	vars    map[string]expr
	used    [kinds]int // variables in use, by kind of slot
	depth   int        // loops around the expression
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
func (c *compiler) variable(t *types.Type, i int) expr {
	e := expr{typ: t}
	switch slotKind(t) {
	case kindObject:
		e.object = func(f *frame) (model.Object, bool) { return f.objs[i], true }
	case kindElement:
		e.element = func(f *frame) (source.Node, bool) { return f.nodes[i], true }
	case kindText:
		e.text = func(f *frame) (string, bool) { return f.strs[i], true }
	case kindDecimal:
		e.decimal = func(f *frame) (model.Decimal, bool) { return f.decs[i], true }
	case kindInteger:
		e.integer = func(f *frame) (int64, bool) { return f.ints[i], true }
	case kindBoolean:
		e.boolean = func(f *frame) (bool, bool) { return f.bools[i] == triTrue, f.bools[i] != triError }
	case kindList:
		e.list = func(f *frame) (list, bool) { return f.lists[i], true }
	}
	return e
}

// declare takes a free slot for a new variable.
func (c *compiler) declare(at *node, name string, t *types.Type) (slot int, restore func(), err error) {
	k := slotKind(t)
	if k == kinds {
		return 0, nil, at.errorf("a variable cannot hold a %s", typeName(t))
	}
	slot = c.used[k]
	if slot >= slots {
		return 0, nil, at.errorf("more than %d nested variables of type %s", slots, typeName(t))
	}
	c.used[k]++
	shadowed, had := c.vars[name]
	c.vars[name] = c.variable(t, slot)
	return slot, func() {
		c.used[k]--
		delete(c.vars, name)
		if had {
			c.vars[name] = shadowed
		}
	}, nil
}

func (c *compiler) compile(n *node) (expr, error) {
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
		return expr{typ: types.BoolType, boolean: func(*frame) (bool, bool) { return b, true }}, nil
	case nodeVariable:
		if v, ok := c.vars[n.name]; ok {
			return v, nil
		}
		return expr{}, n.errorf("unknown variable %s", n.name)
	case nodeField, nodeHas:
		return c.selection(n)
	case nodeCall:
		return c.call(n)
	case nodeList:
		return c.listLiteral(n)
	case nodeLoop:
		return c.comprehension(n)
	}
	return expr{}, n.errorf("unknown operation %d", n.op)
}

func textLiteral(s string) expr {
	return expr{typ: types.StringType, literal: s, text: func(*frame) (string, bool) { return s, true }}
}

func integerLiteral(i int64) expr {
	return expr{typ: types.IntType, literal: i, integer: func(*frame) (int64, bool) { return i, true }}
}

func decimalLiteral(d model.Decimal) expr {
	return expr{typ: decimalType, literal: d, decimal: func(*frame) (model.Decimal, bool) { return d, true }}
}

// selection compiles has(x.y) and x.y.
func (c *compiler) selection(n *node) (expr, error) {
	operand, err := c.compile(n.args[0])
	if err != nil {
		return expr{}, err
	}
	if operand.object == nil {
		return expr{}, n.errorf("a %s has no field %s", typeName(operand.typ), n.name)
	}
	field, ok := provider().byName[operand.typ.TypeName()].Field(n.name)
	if !ok {
		return expr{}, n.errorf("%s has no field %s", typeName(operand.typ), n.name)
	}
	of := operand.object
	if n.op == nodeHas {
		return expr{typ: types.BoolType, boolean: func(f *frame) (bool, bool) {
			o, ok := of(f)
			return ok && o.Has(field), ok
		}}, nil
	}
	return readField(of, field), nil
}

// readField reads a field of a group. An absent group reads as empty, so that
// paths need no test at every step; an absent term has no value: a rule that
// can meet one asks has(...) first.
func readField(of fn[model.Object], field *model.Field) expr {
	e := expr{typ: celTypeOf(field)}
	if field.Kind.IsLeaf() {
		e.leaf = &leaf{of: of, field: field}
	}
	switch field.Kind {
	case model.KindText:
		e.text = func(f *frame) (string, bool) {
			o, ok := of(f)
			if !ok {
				return "", false
			}
			t := o.Text(field)
			if !t.Present {
				f.fail(errAbsent, field, "")
			}
			return t.Raw, t.Present
		}
	case model.KindNumber, model.KindAmount:
		e.decimal = func(f *frame) (model.Decimal, bool) {
			o, ok := of(f)
			if !ok {
				return model.Decimal{}, false
			}
			n := o.Number(field)
			if !n.Valid {
				f.failLeaf(field, n.Present, n.Raw)
			}
			return n.Value, n.Valid
		}
	case model.KindDate:
		e.date = func(f *frame) (*model.Date, bool) {
			o, ok := of(f)
			if !ok {
				return nil, false
			}
			d := o.Date(field)
			if !d.Valid {
				f.failLeaf(field, d.Present, d.Raw)
			}
			return d, d.Valid
		}
	case model.KindBinary:
		e.binary = func(f *frame) (string, bool) {
			o, ok := of(f)
			if !ok {
				return "", false
			}
			b := o.Binary(field)
			if !b.Present {
				f.fail(errAbsent, field, "")
			}
			return b.Raw, b.Present
		}
	case model.KindGroup:
		e.object = func(f *frame) (model.Object, bool) {
			o, ok := of(f)
			return o.Group(field), ok
		}
	case model.KindList:
		e.list = func(f *frame) (list, bool) {
			o, ok := of(f)
			return list{groups: o.List(field)}, ok
		}
	}
	return e
}

func (f *frame) failLeaf(field *model.Field, present bool, raw string) {
	if present {
		f.fail(errInvalid, field, raw)
		return
	}
	f.fail(errAbsent, field, "")
}

func (c *compiler) listLiteral(n *node) (expr, error) {
	var texts []fn[string]
	var decimals []fn[model.Decimal]
	allTexts := true
	for _, element := range n.args {
		item, err := c.compile(element)
		if err != nil {
			return expr{}, err
		}
		switch {
		case item.text != nil:
			texts = append(texts, item.text)
			_, isLiteral := item.literal.(string)
			allTexts = allTexts && isLiteral
		case asDecimal(item) != nil:
			decimals = append(decimals, asDecimal(item))
		default:
			return expr{}, element.errorf("a list literal holds texts or numbers")
		}
	}
	t := n.typ
	if texts != nil && decimals != nil {
		return expr{}, n.errorf("a list literal holds texts or numbers, not both")
	}
	if decimals != nil {
		t = types.NewListType(decimalType)
	}
	build := func(f *frame) (list, bool) {
		var l list
		for _, text := range texts {
			s, ok := text(f)
			if !ok {
				return list{}, false
			}
			l.strs = append(l.strs, s)
		}
		for _, decimal := range decimals {
			d, ok := decimal(f)
			if !ok {
				return list{}, false
			}
			l.decs = append(l.decs, d)
		}
		return l, true
	}
	if texts != nil && allTexts { // the usual case: made once
		constant, _ := build(nil)
		return expr{typ: t, list: func(*frame) (list, bool) { return constant, true }}, nil
	}
	return expr{typ: t, list: build}, nil
}

// asDecimal reads a number of either type as a decimal, nil if it is none.
func asDecimal(e expr) fn[model.Decimal] {
	if e.decimal != nil {
		return e.decimal
	}
	if i, ok := e.literal.(int64); ok {
		return decimalLiteral(model.NewDecimal(i)).decimal
	}
	if e.integer == nil {
		return nil
	}
	return func(f *frame) (model.Decimal, bool) {
		i, ok := e.integer(f)
		return model.NewDecimal(i), ok
	}
}
