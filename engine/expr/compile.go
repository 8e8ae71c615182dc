package expr

import (
	"strconv"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/types"
)

// fn is an expression of one Go type in the form of a closure. ok is false when
// it has no value; the activation then knows why.
type fn[T any] func(*Activation) (value T, ok bool)

// A compiled is an expression in the form of closures: exactly one is set, that
// of its CEL type.
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

	literal any   // the value of a literal: string, int64, model.Decimal or list
	term    *term // for functions that ask about the term itself
}

// A term is a leaf of the model, read from a group.
type term struct {
	of    fn[model.Object]
	field *model.Field
}

// compile compiles an expression, from the store if it is there ready checked.
func (e *Environment) compile(text string, this This) (*Program, error) {
	this.env = e
	root, err := e.checked(text, this)
	if err != nil {
		return nil, err
	}
	s := &scope{environment: e, vars: map[string]compiled{}, lifetimes: newLifetimes()}
	s.vars[varThis] = variable(this.typ, 0)
	s.vars[varInvoice] = compiled{typ: types.NewObjectType(model.InvoiceType().Name), object: func(act *Activation) (model.Object, bool) {
		return act.invoice, true
	}}
	s.used[slotKind(this.typ)] = 1
	s.lifetimes.mark(root, nil)
	c, err := s.compile(root)
	return &Program{compiled: c, price: price(root)}, err
}

// A scope is the variables that an expression sees while it is compiled.
type scope struct {
	environment *Environment
	vars        map[string]compiled
	used        [kinds]int // variables in use, by kind of slot
	depth       int        // loops around the expression
	lifetimes   lifetimes
	until       *node // how long the value of the part around the expression is kept; nil if it is not
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
	c := compiled{typ: t}
	switch slotKind(t) {
	case kindObject:
		c.object = func(act *Activation) (model.Object, bool) { return act.objects[i], true }
	case kindElement:
		c.element = func(act *Activation) (source.Node, bool) { return act.elements[i], true }
	case kindText:
		c.text = func(act *Activation) (string, bool) { return act.texts[i], true }
	case kindDecimal:
		c.decimal = func(act *Activation) (model.Decimal, bool) { return act.decimals[i], true }
	case kindInteger:
		c.integer = func(act *Activation) (int64, bool) { return act.integers[i], true }
	case kindBoolean:
		c.boolean = func(act *Activation) (bool, bool) { return act.booleans[i] == triTrue, act.booleans[i] != triError }
	case kindList:
		c.list = func(act *Activation) (list, bool) { return act.lists[i], true }
	}
	return c
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
	until := s.lifetimes.until[n]
	if until == nil || until == s.until { // or it is kept with what is around it
		return s.compileAlways(n)
	}
	around := s.until
	s.until = until
	c, err := s.compileAlways(n)
	s.until = around
	return once(n, c), err
}

// compileAlways compiles an expression that is evaluated wherever it is asked for.
func (s *scope) compileAlways(n *node) (compiled, error) {
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
		c, err := s.comprehension(n)
		return s.lifetimes.beginning(n, c), err
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

// asDecimal reads a number of either type as a decimal, nil if it is none.
func asDecimal(c compiled) fn[model.Decimal] {
	if c.decimal != nil {
		return c.decimal
	}
	if i, ok := c.literal.(int64); ok {
		return decimalLiteral(model.NewDecimal(i)).decimal
	}
	if c.integer == nil {
		return nil
	}
	return func(act *Activation) (model.Decimal, bool) {
		i, ok := c.integer(act)
		return model.NewDecimal(i), ok
	}
}
