package lint

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model/syntax"
)

// CheckElements holds the paths in the library's own rules against what documents can
// have, which is read if there are such paths: a name that no document has at its place is
// a mistake. The library must have passed Check.
func CheckElements(l *engine.Library, read func() (*xpath.Structure, error)) error {
	sets, err := l.OwnRulesets()
	if err != nil {
		return err
	}
	overSource := func(r *engine.Rule) bool {
		return r.Row != nil || slices.ContainsFunc(r.Forms(), func(f engine.Form) bool { return xpath.SelectsInSource(f.Context.Value) })
	}
	if !slices.ContainsFunc(sets, func(s *engine.Ruleset) bool { return slices.ContainsFunc(l.OwnRules(s), overSource) }) {
		return nil
	}
	structure, err := read()
	if err != nil {
		return err
	}
	var failures engine.LoadErrors
	_, below := l.Own()
	for _, s := range sets {
		published := below == nil || isIn(below, s.Name+"/"+s.Version)
		for _, r := range l.OwnRules(s) {
			if err := l.Ended(); err != nil {
				return err
			}
			if published && r.Row != nil && r.Row.Kind == engine.RowAtMostOnce {
				continue // artefacts restrict what their schemas do not have, too
			}
			failures = append(failures, checkElements(r, structure)...)
			if below != nil && !published {
				failures = append(failures, checkOwnElements(r, structure)...)
			}
		}
	}
	l.PlaceInBlocks(failures)
	slices.SortStableFunc(failures, compareErrors)
	return slices.Compact(failures).ErrOrNil()
}

func checkElements(r *engine.Rule, structure *xpath.Structure) (failures engine.LoadErrors) {
	if r.Row != nil {
		return checkRowElements(r.Row, structure)
	}
	for _, form := range r.Forms() {
		if !xpath.SelectsInSource(form.Context.Value) {
			continue
		}
		at, err := follow(structure, nil, form.Context.Value)
		if err != nil {
			failures = append(failures, form.Context.Mistake(r.File(), err))
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
			failures = append(failures, form.Assert.Mistake(r.File(), err))
		}
	}
	return failures
}

// checkOwnElements checks what only published rules may name without any document having
// it: an element that must be absent, and elements in examples.
func checkOwnElements(r *engine.Rule, structure *xpath.Structure) (failures engine.LoadErrors) {
	if r.Row != nil {
		if r.Row.Kind == engine.RowAbsent && r.NeverFires == "" {
			at, err := follow(structure, nil, r.Context.Value)
			if err == nil {
				_, err = follow(structure, at, r.Row.Path)
			}
			if err != nil {
				failures = append(failures, engine.ErrorAt(r.File(), r.Node, err))
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
				failures = append(failures, engine.LoadError{File: r.File(), Line: c.Value.Line, Column: e.Node.Column, Message: err.Error()})
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
func checkRowElements(w *engine.Row, structure *xpath.Structure) engine.LoadErrors {
	r := w.Rule
	at, err := follow(structure, nil, r.Context.Value)
	if err == nil && w.Kind != engine.RowAbsent {
		_, err = follow(structure, at, w.Path)
		if err != nil {
			return engine.LoadErrors{engine.ErrorAt(r.File(), r.Node, err)}
		}
	}
	if err != nil {
		return engine.LoadErrors{r.Context.Mistake(r.File(), err)}
	}
	return nil
}
