package expr

import (
	"fmt"

	"einvoice/model"
	"einvoice/model/source"
)

// A Program is a compiled expression, safe for concurrent use.
type Program struct {
	compiled compiled
	price    int64 // of evaluating it once, its loops aside
}

// Compile compiles an expression; mistakes in it are an *Error.
func (e *Environment) Compile(text string, this This) (*Program, error) {
	return e.compile(text, this)
}

// Condition is Compile for an expression that must be true or false.
func (e *Environment) Condition(text string, this This) (*Program, error) {
	p, err := e.compile(text, this)
	if err == nil && p.compiled.boolean == nil {
		return nil, &Error{Column: 1, Message: fmt.Sprintf("an assertion must be true or false, this one is %s", aType(p.compiled.typ.String()))}
	}
	return p, err
}

// begin prepares an evaluation and pays its price.
func (act *Activation) begin(price int64) bool {
	act.err.kind = errNone
	act.scratch.used = 0
	return act.budget.Spend(price)
}

// Bool evaluates a condition; ok is false when it has no value, and Err then
// says why.
func (p *Program) Bool(act *Activation) (value, ok bool) { return p.Assertion().Bool(act) }

// An Assertion is a condition with nothing but what evaluating it reads. The zero Assertion
// is missing, and must not be evaluated.
type Assertion struct {
	price int64
	holds fn[bool]
}

// Assertion is a condition in this form.
func (p *Program) Assertion() Assertion { return Assertion{p.price, p.compiled.boolean} }

// Missing reports whether there is no condition.
func (a Assertion) Missing() bool { return a.holds == nil }

// Bool is Program.Bool.
func (a Assertion) Bool(act *Activation) (value, ok bool) {
	if !act.begin(a.price) {
		return false, false
	}
	value, ok = a.holds(act)
	return value, ok && !act.stopped()
}

// Term is the term that the expression reads, with the group that has it; ok is false
// for an expression that is more than a term, and where there is no such group.
func (p *Program) Term(act *Activation) (t model.Term, ok bool) {
	if p.compiled.term == nil || !act.begin(p.price) {
		return model.Term{}, false
	}
	o, ok := p.compiled.term.of(act)
	return model.Term{Of: o, Field: p.compiled.term.field}, ok && o.Present()
}

// A Binary is an attached document as base64 text.
type Binary string

// Value evaluates an expression of any type. The value is a bool, an int64, a
// model.Decimal, a string, a model.Date, a Binary, a model.Object, a source.Node
// or a []any of these.
func (p *Program) Value(act *Activation) (any, error) {
	if !act.begin(p.price) {
		return nil, act.Err()
	}
	v, ok := p.compiled.value(act)
	if !ok || act.stopped() {
		return nil, act.Err()
	}
	return v, nil
}

func (c *compiled) value(act *Activation) (any, bool) {
	switch {
	case c.boolean != nil:
		return boxed(c.boolean, act)
	case c.integer != nil:
		return boxed(c.integer, act)
	case c.decimal != nil:
		return boxed(c.decimal, act)
	case c.text != nil:
		return boxed(c.text, act)
	case c.date != nil:
		d, ok := c.date(act)
		if !ok {
			return nil, false
		}
		return *d, true
	case c.binary != nil:
		b, ok := c.binary(act)
		return Binary(b), ok
	case c.object != nil:
		return boxed(c.object, act)
	case c.element != nil:
		return boxed(c.element, act)
	}
	l, ok := c.list(act)
	if !ok || !act.payElements(&l) {
		return nil, false
	}
	return l.values(), true
}

func boxed[T any](f fn[T], act *Activation) (any, bool) {
	v, ok := f(act)
	return v, ok
}

// values are the elements of a list.
func (l *list) values() []any {
	out := make([]any, 0, l.len())
	for i := range l.lenGroups() {
		out = append(out, l.group(i))
	}
	out = appendAll(out, l.all().texts)
	out = appendAll(out, l.all().decimals)
	out = appendAll(out, l.all().integers)
	return appendAll(out, l.all().elements)
}

func appendAll[T string | int64 | model.Decimal | source.Node](to []any, all []T) []any {
	for _, v := range all {
		to = append(to, v)
	}
	return to
}
