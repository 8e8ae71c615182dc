package expr

import (
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"
)

// slots bounds how many variables of one type an expression may nest.
const slots = 8

// An Activation is what a compiled expression reads: the document, the variables
// and the budget. One activation serves all expressions of one validation, one
// after another, and may then serve another validation.
type Activation struct {
	doc        *model.Document
	evaluation *xpath.Evaluation
	objs       [slots]model.Object
	nodes      [slots]source.Node
	strs       [slots]string
	decs       [slots]model.Decimal
	ints       [slots]int64
	bools      [slots]tri
	lists      [slots]list
	loops      [slots]list // what each loop goes through, by depth

	err evalError
}

// Begin prepares for expressions about a document; e holds its source, if it
// has one, and the budget of every evaluation.
func (act *Activation) Begin(doc *model.Document, e *xpath.Evaluation) {
	act.doc, act.evaluation = doc, e
}

// End forgets the document and everything that was read from it, so that an
// activation that waits for the next one keeps nothing alive.
func (act *Activation) End() { *act = Activation{} }

// SetGroup makes a group of the model this.
func (act *Activation) SetGroup(o model.Object) { act.objs[0] = o }

// SetElement makes an element of the source document this.
func (act *Activation) SetElement(n source.Node) { act.nodes[0] = n }

// Bool evaluates a condition; ok is false when it has no value, and Err then
// says why.
func (p *Program) Bool(act *Activation) (value, ok bool) {
	act.err = evalError{}
	return p.compiled.boolean(act)
}

// Err says why the last evaluation has no value.
func (act *Activation) Err() error {
	if act.stopped() {
		return act.evaluation.Budget.Err()
	}
	if act.err.kind == errNone {
		return nil
	}
	return act.err
}

func (act *Activation) fail(kind errKind, field *model.Field, text string) {
	act.err = evalError{kind: kind, field: field, text: text}
}

// step takes one step of the budget; false stops the evaluation.
func (act *Activation) step() bool { return act.evaluation.Budget.Step() }

// stopped reports that the budget stopped the evaluation, which no operator may
// absorb.
func (act *Activation) stopped() bool { return act.evaluation.Budget.Stopped() }

// tri is a boolean that may be an error, as CEL's && and || need it.
type tri uint8

const (
	triFalse tri = iota
	triTrue
	triError
)

func triOf(v, ok bool) tri {
	switch {
	case !ok:
		return triError
	case v:
		return triTrue
	}
	return triFalse
}
