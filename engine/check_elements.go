package engine

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model/syntax"
)

// CheckElements holds the paths in the library's own rules against what documents can
// have, which is read if there are such paths: a name that no document has at its place is
// a mistake. The library must have passed Check.
func (l *Library) CheckElements(read func() (*xpath.Structure, error)) error {
	sets, err := l.OwnRulesets()
	if err != nil {
		return err
	}
	overSource := func(r *Rule) bool {
		return r.Row != nil || slices.ContainsFunc(r.forms(), func(f Form) bool { return xpath.SelectsInSource(f.Context.Value) })
	}
	if !slices.ContainsFunc(sets, func(s *Ruleset) bool { return slices.ContainsFunc(l.OwnRules(s), overSource) }) {
		return nil
	}
	structure, err := read()
	if err != nil {
		return err
	}
	var failures LoadErrors
	_, below := l.own()
	for _, s := range sets {
		published := below != nil && isIn(below, s.Name+"/"+s.Version)
		for _, r := range l.OwnRules(s) {
			if published && r.Row != nil && r.Row.Kind == RowAtMostOnce {
				continue // artefacts restrict what their schemas do not have, too
			}
			failures = append(failures, r.checkElements(structure)...)
			if below != nil && !published {
				failures = append(failures, r.checkOwnElements(structure)...)
			}
		}
	}
	l.placeInBlocks(failures)
	slices.SortStableFunc(failures, compareErrors)
	return slices.Compact(failures).errOrNil()
}

func (r *Rule) checkElements(structure *xpath.Structure) (failures LoadErrors) {
	if r.Row != nil {
		return r.Row.checkElements(structure)
	}
	for _, form := range r.forms() {
		if !xpath.SelectsInSource(form.Context.Value) {
			continue
		}
		at, err := follow(structure, nil, form.Context.Value)
		if err != nil {
			failures = append(failures, form.Context.mistake(r.file, err))
			continue
		}
		if err := expr.Paths(form.Assert.Value, expr.Element(), places(at), func(from *xpath.Places, path string) (*xpath.Places, int, error) {
			var start xpath.Places
			if from != nil {
				start = *from
			}
			to, err := follow(structure, start, path)
			if at, is := errors.AsType[*xpath.Error](err); is {
				return nil, at.Column, err
			}
			return places(to), 0, err
		}); err != nil {
			failures = append(failures, form.Assert.mistake(r.file, err))
		}
	}
	return failures
}

// checkOwnElements checks what only published rules may name without any document having
// it: an element that must be absent, and elements in examples.
func (r *Rule) checkOwnElements(structure *xpath.Structure) (failures LoadErrors) {
	if r.Row != nil {
		if r.Row.Kind == RowAbsent && r.NeverFires == "" {
			at, err := follow(structure, nil, r.Context.Value)
			if err == nil {
				_, err = follow(structure, at, r.Row.Path)
			}
			if err != nil {
				failures = append(failures, errorAt(r.file, r.node, err))
			}
		}
		return failures
	}
	for _, e := range r.Examples() {
		of := syntax.Named(string(cmp.Or(e.Syntax, r.On)))
		if of == nil {
			continue
		}
		for _, c := range e.Changes {
			if err := checkChange(structure, of, c.Path); err != nil {
				failures = append(failures, LoadError{File: r.file, Line: c.Value.Line, Column: e.node.Column, Message: err.Error()})
			}
		}
	}
	return failures
}

// checkChange follows the path of a change in a source document, below any root of the
// syntax.
func checkChange(structure *xpath.Structure, of *syntax.Syntax, path string) (err error) {
	if !strings.Contains(path, ":") {
		return nil // of the invoice
	}
	for _, root := range of.Roots {
		at, failed := follow(structure, nil, "/"+root.Element)
		if failed == nil {
			_, failed = follow(structure, at, path)
		}
		if failed == nil {
			return nil
		}
		err = cmp.Or(err, failed)
	}
	return err
}

func places(p xpath.Places) *xpath.Places {
	if p == nil {
		return nil
	}
	return &p
}

// follow follows a path that was checked already.
func follow(structure *xpath.Structure, from xpath.Places, path string) (xpath.Places, error) {
	u, err := xpath.ParseRelative(path)
	if err != nil {
		return nil, nil //nolint:nilerr // reported by Check
	}
	return structure.Follow(from, u.Paths)
}

// checkElements checks the context, and the path where its absence is not what the row
// demands: an artefact may forbid what its schema does not have either.
func (w *Row) checkElements(structure *xpath.Structure) LoadErrors {
	r := w.rule
	at, err := follow(structure, nil, r.Context.Value)
	if err == nil && w.Kind != RowAbsent {
		_, err = follow(structure, at, w.Path)
		if err != nil {
			return LoadErrors{errorAt(r.file, r.node, err)}
		}
	}
	if err != nil {
		return LoadErrors{r.Context.mistake(r.file, err)}
	}
	return nil
}
