package engine

import (
	"context"
	"fmt"

	"einvoice/model"
	"einvoice/model/source"
)

const (
	// maxSteps bounds one evaluation of one rule: list elements visited.
	maxSteps = 20_000_000
	// stepsPerCheck is how often a long evaluation looks whether it was cancelled.
	stepsPerCheck = 1 << 12
	// slots bounds how many variables of one type an expression may nest.
	slots = 8
)

// A frame is what a compiled expression reads: the document, its variables and
// the budget. One frame serves all rules of one validation, one after another.
type frame struct {
	doc   *model.Document
	objs  [slots]model.Object
	nodes [slots]source.Node
	strs  [slots]string
	decs  [slots]model.Decimal
	ints  [slots]int64
	bools [slots]tri
	lists [slots]list
	loops [slots]list // what each loop goes through, by depth

	tallies []tally // of rows that must be unique

	ctx   context.Context
	steps int
	err   evalError
}

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

// evalError says why an evaluation has no value. It is a struct in the frame,
// so that an error that && or || absorbs costs nothing.
type evalError struct {
	kind  errKind
	field *model.Field
	text  string
}

type errKind uint8

const (
	errNone    errKind = iota
	errAbsent          // a term was read that the invoice does not have
	errInvalid         // a term's text is no value of its type
	errBudget          // too many steps
	errCancelled
	errOther
)

func (e evalError) Error() string {
	switch e.kind {
	case errAbsent:
		return fmt.Sprintf("%s is not there", fieldLabel(e.field))
	case errInvalid:
		return fmt.Sprintf("%s is %q, which is no %s", fieldLabel(e.field), e.text, e.field.Class)
	case errBudget:
		return fmt.Sprintf("the expression visited more than %d list elements", maxSteps)
	case errCancelled:
		return "the validation was stopped: " + e.text
	}
	return e.text
}

func fieldLabel(f *model.Field) string {
	if f.BT == "" {
		return f.Name
	}
	return f.BT + " (" + f.Name + ")"
}

// count makes room for n tallies, all at nothing.
func (f *frame) count(n int) {
	if cap(f.tallies) < n {
		f.tallies = make([]tally, n)
	}
	f.tallies = f.tallies[:n]
	clear(f.tallies)
}

func (f *frame) fail(kind errKind, field *model.Field, text string) {
	f.err = evalError{kind: kind, field: field, text: text}
}

// step counts one list element; false stops the evaluation.
func (f *frame) step() bool {
	f.steps++
	if f.steps%stepsPerCheck != 0 {
		return true
	}
	if f.steps > maxSteps {
		f.fail(errBudget, nil, "")
		return false
	}
	if err := f.ctx.Err(); err != nil {
		f.fail(errCancelled, nil, err.Error())
		return false
	}
	return true
}

// stopped reports an error that no operator may absorb.
func (f *frame) stopped() bool { return f.err.kind == errBudget || f.err.kind == errCancelled }

// A list is a list of any element type; which part is used is known when the
// expression is compiled.
type list struct {
	groups model.List     // of groups, as they stand in the invoice
	objs   []model.Object // of groups, picked
	picked bool
	strs   []string
	decs   []model.Decimal
	nodes  []source.Node
}

func (l *list) lenObjs() int {
	if l.picked {
		return len(l.objs)
	}
	return l.groups.Len()
}

func (l *list) objAt(i int) model.Object {
	if l.picked {
		return l.objs[i]
	}
	return l.groups.At(i)
}
