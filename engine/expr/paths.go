package expr

import "errors"

// Paths follows the paths in an expression, from the elements that each begins at. start
// are those that this may be, nil where that is not known; follow says where a path leads.
// A mistake that it finds, with its place in the path, is an *Error with its place in the
// expression.
func Paths[P any](text string, this This, start *P, follow func(from *P, path string) (to *P, column int, err error)) error {
	root, err := check(text, this)
	if err != nil {
		return err
	}
	w := pathWalker[P]{follow: follow}
	w.at(root, map[string]*P{varThis: start})
	return errors.Join(w.err)
}

type pathWalker[P any] struct {
	follow func(from *P, path string) (to *P, column int, err error)
	err    error
}

// at visits an expression; it returns the elements that its value is of, nil where that is
// not known.
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
	if n.op != nodeCall || len(of) == 0 {
		return nil
	}
	if n.name == "_[_]" {
		return of[0]
	}
	if len(n.args) != 2 || n.args[1].op != nodeText || !takesPath(n.name) {
		return nil
	}
	to, column, err := w.follow(of[0], n.args[1].text)
	if err != nil {
		if w.err == nil {
			w.err = &Error{Line: n.args[1].line, Column: n.args[1].column + column, Message: err.Error()}
		}
		return nil
	}
	if n.name != "elements" {
		return nil
	}
	return to
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

// takesPath tells whether the argument of a function is a path from the element before it.
func takesPath(name string) bool {
	switch name {
	case "text", "has", "count", "elements", "texts", "total":
		return true
	}
	return false
}
