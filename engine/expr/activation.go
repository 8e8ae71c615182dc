package expr

import (
	"einvoice/engine/budget"
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
	invoice    model.Object // of the document
	evaluation *xpath.Evaluation
	budget     *budget.Budget // that of the evaluation
	objects    [slots]model.Object
	elements   [slots]source.Node
	texts      [slots]string
	decimals   [slots]model.Decimal
	integers   [slots]int64
	booleans   [slots]tri
	lists      [slots]list
	loops      [slots]list // what each loop goes through, by depth
	scratch    scratch     // the memory of lists
	keyed      map[*keyedLoop]*keyedState
	constants  map[*node]*constant

	err evalError
}

// Begin prepares for expressions about a document; e holds its source, if it
// has one, and the budget of every evaluation.
func (act *Activation) Begin(doc *model.Document, e *xpath.Evaluation) {
	act.doc, act.invoice, act.evaluation, act.budget = doc, model.ObjectOf(doc.Invoice), e, e.Budget
}

// End forgets the document and everything that was read from it, so that an
// activation that waits for the next one keeps nothing alive.
func (act *Activation) End() {
	act.scratch.forget()
	*act = Activation{scratch: act.scratch}
}

// SetGroup makes a group of the model this.
func (act *Activation) SetGroup(o model.Object) { act.objects[0] = o }

// SetElement makes an element of the source document this.
func (act *Activation) SetElement(n source.Node) { act.elements[0] = n }

// Err says why the last evaluation has no value.
func (act *Activation) Err() error {
	if act.stopped() {
		return act.budget.Err()
	}
	if act.err.kind == errNone {
		return nil
	}
	return act.err
}

func (act *Activation) fail(kind errKind, field *model.Field, text string) {
	act.err = evalError{kind: kind, field: field, text: text}
}

// stopped reports that the budget stopped the evaluation. No operator can absorb
// that: all loops end, and the value of the evaluation is not used.
func (act *Activation) stopped() bool { return act.budget.Stopped() }

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
