package expr

import (
	"errors"
	"slices"

	"github.com/google/cel-go/common/operators"
)

// Paths follows the paths in an expression, from the elements that each begins at. start
// are those that this may be, nil where that is not known; follow says where a path leads.
// A mistake that it finds, with its place in the path, is an *Error with its place in the
// expression.
func Paths[P any](text string, this This, start *P, follow func(from *P, path string) (to *P, column int, err error)) error {
	return ReadBy(text, this, Reader[P]{This: start, Path: follow})
}

// A Reader is told what an expression reads. P is what values are of: elements, groups, terms.
type Reader[P any] struct {
	This, Invoice *P
	// Path is where a path in the source document leads, Field where a field of a group does.
	Path  func(from *P, path string) (to *P, column int, err error)
	Field func(from *P, name string) *P
	// Compared is told a literal that something is compared with, Listed a code list that it is
	// asked for; folded is of texts whose case does not matter.
	Compared func(of *P, text string, at *Error)
	Listed   func(of *P, list string, folded bool)
}

// ReadBy tells a reader what an expression reads.
func ReadBy[P any](text string, this This, r Reader[P]) error {
	root, err := checkOnce(text, this)
	if err != nil {
		return err
	}
	w := pathWalker[P]{Reader: r}
	w.at(root, map[string]*P{varThis: r.This, varInvoice: r.Invoice})
	return errors.Join(w.err)
}

type pathWalker[P any] struct {
	Reader[P]
	err error
}

// at visits an expression; it returns what its value is of, nil where that is not known.
func (w *pathWalker[P]) at(n *node, known map[string]*P) *P {
	switch n.op {
	case nodeVariable:
		return known[n.name]
	case nodeLoop:
		return w.loop(n, known)
	case nodeList:
		var first *P
		for i, arg := range n.args {
			if of := w.at(arg, known); i == 0 {
				first = of
			}
		}
		return first
	}
	var of []*P
	for _, arg := range n.args {
		of = append(of, w.at(arg, known))
	}
	switch {
	case len(of) == 0:
		return nil
	case n.op == nodeField && w.Field != nil && of[0] != nil:
		return w.Field(of[0], n.name)
	case n.op != nodeCall:
		return nil
	case slices.Contains(keeping, n.name), n.name == "text" && len(of) == 1:
		return of[0]
	case len(of) != 2:
		return nil
	}
	w.compare(n, of)
	if n.args[1].op != nodeText || !takesPath(n.name) {
		return nil
	}
	return w.path(n, of[0])
}

// keeping are functions whose value is of what their first argument is of.
var keeping = []string{"_[_]", "normalizeSpace", "upperCase", "lowerCase", "raw", "orElse", "nested", "distinct", "firstOr", "lastOr"}

// path follows the path in a call.
func (w *pathWalker[P]) path(n *node, from *P) *P {
	to, column, err := w.Path(from, n.args[1].text)
	switch {
	case err == nil && slices.Contains([]string{"elements", "text", "texts"}, n.name):
		return to
	case err != nil && w.err == nil:
		w.err = &Error{Line: n.args[1].line, Column: n.args[1].column + column, Message: err.Error()}
	}
	return nil
}

// compare tells of the literals that a call compares something with.
func (w *pathWalker[P]) compare(n *node, of []*P) {
	tell := func(of *P, literals ...*node) {
		for _, l := range literals {
			if of != nil && l.op == nodeText && w.Compared != nil {
				w.Compared(of, l.text, &Error{Line: l.line, Column: l.column})
			}
		}
	}
	switch n.name {
	case operators.Equals, operators.NotEquals:
		tell(of[0], n.args[1])
		tell(of[1], n.args[0])
	case operators.In:
		tell(of[0], n.args[1].args...)
	case "is":
		tell(of[0], n.args[1])
	case "isInCodeList":
		if of[0] != nil && w.Listed != nil && n.args[1].op == nodeText {
			w.Listed(of[0], n.args[1].text, n.args[0].op == nodeCall && n.args[0].name == "upperCase")
		}
	}
}

func (w *pathWalker[P]) loop(n *node, known map[string]*P) *P {
	of := w.at(n.args[0], known)
	inside := make(map[string]*P, len(known)+2)
	for name, p := range known {
		inside[name] = p
	}
	inside[n.name], inside[n.text] = of, of
	for _, arg := range n.args[1:] {
		w.at(arg, inside)
	}
	return of
}

// takesPath reports whether the argument of a function is a path from the element before it.
func takesPath(name string) bool {
	switch name {
	case "text", "has", "count", "elements", "texts", "total":
		return true
	}
	return false
}
