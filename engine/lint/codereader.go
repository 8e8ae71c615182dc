package lint

import (
	"cmp"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
)

// A reached is what a path leads to: groups and terms of the model, or an element of documents by
// its name and that of the one around it, or an attribute.
type reached struct {
	groups []*model.Type
	terms  []*model.Field

	parent, element, attribute string
	source                     bool
}

// name is what a path leads to, for people.
func (r reached) name() string {
	var names []string
	for _, f := range r.terms {
		names = append(names, cmp.Or(f.BT, f.Name))
	}
	if r.source {
		return strings.Trim(r.parent+"/"+r.element+"/"+r.attribute, "/")
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// A codeReader finds in rules what is compared with literals, and asked of code lists.
type codeReader struct {
	compared func(of reached, code string, mistake func(error) engine.LoadError)
	listed   func(of reached, list string, folded bool)
}

// rule reads all forms of a rule.
func (c *codeReader) rule(r *engine.Rule) {
	for _, form := range r.Forms() {
		c.form(r, form)
	}
}

func (c *codeReader) form(r *engine.Rule, form engine.Form) {
	for _, at := range c.context(form.Context.Value, func(err error) engine.LoadError { return form.Context.Mistake(r.File(), err) }) {
		c.assertion(form.Assert.Value, at, func(err error) engine.LoadError { return form.Assert.Mistake(r.File(), err) })
	}
}

// context reads a context, and is what each of its paths leads to.
func (c *codeReader) context(text string, mistake func(error) engine.LoadError) (all []reached) {
	u, err := xpath.Parse(text)
	if text == "" || err != nil {
		return nil // told by Check
	}
	for i := range u.Paths {
		all = append(all, c.path(reached{}, &u.Paths[i], mistake))
	}
	return all
}

// assertion reads an assertion about one of some groups, or about an element.
func (c *codeReader) assertion(text string, at reached, mistake func(error) engine.LoadError) {
	reader := expr.Reader[reached]{
		Invoice: &reached{groups: []*model.Type{model.InvoiceType()}},
		Field:   func(from *reached, name string) *reached { to := from.field(name); return &to },
		Path: func(from *reached, path string) (*reached, int, error) {
			u, err := xpath.ParseRelative(path)
			if err != nil || from == nil || len(u.Paths) != 1 {
				return nil, 0, nil
			}
			to := c.path(*from, &u.Paths[0], mistake)
			return &to, 0, nil
		},
		Compared: func(of *reached, code string, at *expr.Error) {
			c.compared(*of, code, func(err error) engine.LoadError { at.Message = err.Error(); return mistake(at) })
		},
		Listed: func(of *reached, list string, folded bool) {
			if c.listed != nil {
				c.listed(*of, list, folded)
			}
		},
	}
	if at.source {
		reader.This = &at
		_ = expr.ReadBy(text, expr.Element(), reader) // mistakes are told by Check
	}
	for _, group := range at.groups {
		reader.This = &reached{groups: []*model.Type{group}}
		_ = expr.ReadBy(text, expr.Group(group), reader)
	}
}

// field is where a field of groups leads.
func (r reached) field(name string) (to reached) {
	for _, t := range r.groups {
		if f, ok := t.Field(name); ok {
			to.add(f)
		}
	}
	return to
}

func (r *reached) add(f *model.Field) {
	if f.Elem != nil {
		r.groups = append(r.groups, f.Elem)
	} else {
		r.terms = append(r.terms, f)
	}
}

// path follows a path, and reads the predicates on its way.
func (c *codeReader) path(from reached, p *xpath.LocationPath, mistake func(error) engine.LoadError) (at reached) {
	at = from
	for i := range p.Steps {
		step := &p.Steps[i]
		at = at.step(step, p.Absolute && i == 0)
		for j := range step.Predicates {
			c.predicate(at, &step.Predicates[j], mistake)
		}
	}
	return at
}

// step is where one step leads; nowhere where that is not known.
func (r reached) step(step *xpath.Step, first bool) reached {
	if first && !step.Descendant {
		for _, root := range xpath.Roots() {
			if root.Name == step.Name {
				return reached{groups: []*model.Type{root.Type}}
			}
		}
	}
	switch {
	case step.Axis == xpath.Self && step.Name == "node()":
		return r
	case len(r.groups) > 0 && step.Axis == xpath.Child && !step.Descendant:
		return r.field(step.Name)
	case len(r.groups)+len(r.terms) > 0 || !first && !r.source:
		return reached{}
	case step.Axis == xpath.Attribute:
		r.attribute = step.Name
		return r
	case step.Axis != xpath.Child:
		return reached{source: true}
	case step.Descendant:
		return reached{source: true, element: step.Name}
	}
	return reached{source: true, parent: r.element, element: step.Name}
}

// predicate reads what a predicate compares.
func (c *codeReader) predicate(at reached, x *xpath.Expr, mistake func(error) engine.LoadError) {
	if x.Op == xpath.Path {
		c.path(at, &x.Path, mistake)
		return
	}
	for i := range x.Args {
		c.predicate(at, &x.Args[i], mistake)
	}
	if x.Op != xpath.Equal && x.Op != xpath.NotEqual {
		return
	}
	silent := &codeReader{compared: func(reached, string, func(error) engine.LoadError) {}} // predicates are read above
	for i := range x.Args {
		path, value := &x.Args[i], &x.Args[1-i]
		if path.Op == xpath.Call && path.Name == "normalize-space" && len(path.Args) == 1 {
			path = &path.Args[0]
		}
		if path.Op == xpath.Path && (value.Op == xpath.Literal || value.Op == xpath.Number) {
			c.compared(silent.path(at, &path.Path, nil), value.Value, func(err error) engine.LoadError {
				return mistake(&xpath.Error{Column: value.Column, Message: err.Error()})
			})
		}
	}
}
