package binding

import (
	"errors"
	"fmt"

	"einvoice/model"
	"einvoice/model/source"
)

// A readCompiler compiles a table for reading documents with one root element.
type readCompiler struct {
	resolver
	plan  *readPlan
	lists map[string]compiledReadList // by model path
}

// A compiledReadList is a list whose rows are compiled, or are being compiled.
type compiledReadList struct {
	element *readElement
	scope   scope
}

func compileReadPlan(t *table, syntax model.Syntax, root string) (*readPlan, error) {
	c := &readCompiler{
		resolver: newResolver(syntax, root),
		plan:     &readPlan{root: newReadElement()},
		lists:    map[string]compiledReadList{},
	}
	if err := c.settings(t); err != nil {
		return nil, err
	}
	c.collectBound(t.rows)
	if err := c.rows(t.rows, c.plan.root, invoiceScope()); err != nil {
		return nil, err
	}
	c.plan.slots = c.resolver.slots
	c.plan.root.shorten(map[*readContent]bool{})
	return c.plan, nil
}

// settings compiles what applies to all rows.
func (c *readCompiler) settings(t *table) error {
	switch t.dates.layout {
	case isoDates:
		c.plan.dates.parse = model.NewDate
	case compactDates:
		c.plan.dates.parse = model.NewCompactDate
	default:
		return fmt.Errorf("dates: layout %q is unknown; use %s or %s", t.dates.layout, isoDates, compactDates)
	}
	c.plan.dates.value = t.dates.value
	for _, a := range []struct {
		path string
		name *source.Name
	}{{t.amounts.currency, &c.plan.currency}, {t.dates.attribute, &c.plan.dates.attribute}} {
		if a.path == "" {
			continue
		}
		_, attr, err := splitPath(a.path)
		if err != nil {
			return err
		}
		*a.name = attr
	}
	return nil
}

// collectBound collects the groups that a row binds to an element.
func (c *readCompiler) collectBound(rows []row) {
	for i := range rows {
		r := &rows[i]
		if _, ok := r.pathUnder(c.root); ok {
			if group := r.group + r.around; group != "" {
				c.bound[group] = true
			}
			c.collectBound(r.rows)
		}
	}
}

func (c *readCompiler) rows(rows []row, in *readElement, s *scope) error {
	for i := range rows {
		r := &rows[i]
		path, ok := r.pathUnder(c.root)
		if !ok {
			continue
		}
		steps, attr, err := splitPath(path)
		if err == nil {
			err = c.row(r, steps, attr, in, s)
		}
		if err != nil {
			return withLine(r, err)
		}
	}
	return nil
}

func (c *readCompiler) row(r *row, steps []source.Name, attr source.Name, in *readElement, s *scope) error {
	switch {
	case r.fixed != nil, r.equals != "":
		return c.value(r, steps, attr, in)
	case r.term != "":
		return c.term(r, steps, attr, in, s)
	case attr != source.NoName || len(steps) == 0:
		return fmt.Errorf("only a term or value can be at %q", r.path)
	}
	for _, name := range steps[:len(steps)-1] {
		in = in.child(name).shared()
	}
	e, err := c.element(r, steps, in)
	if err != nil {
		return err
	}
	inside, err := c.open(r, e, s)
	if err != nil || r.like != "" {
		return err
	}
	return c.rows(r.rows, e, inside)
}

// element is the element of a row with rows inside: a candidate of its own if the
// row has conditions, otherwise the shared one.
func (c *readCompiler) element(r *row, steps []source.Name, in *readElement) (*readElement, error) {
	child := in.child(steps[len(steps)-1])
	if !c.conditional(r) {
		return child.shared(), nil
	}
	if last := len(child.candidates) - 1; last >= 0 && !child.candidates[last].conditional() {
		return nil, errors.New("an earlier row without conditions takes every such element")
	}
	e := newReadElement()
	child.candidates = append(child.candidates, e)
	if r.once {
		c.plan.onces++
		e.once = c.plan.onces
	}
	if r.needs != "" {
		path, attr, err := splitPath(r.needs)
		if err != nil {
			return nil, err
		}
		e.conditions = append(e.conditions, condition{path: path, attr: attr, kind: conditionExists})
	}
	for i := range r.unless {
		x, err := c.exclusion(&r.unless[i])
		if err != nil {
			return nil, err
		}
		x.up = len(steps)
		e.exclusions = append(e.exclusions, x)
	}
	return e, nil
}

func (c *readCompiler) exclusion(e *unlessClause) (exclusion, error) {
	path, attr, err := splitPath(e.path)
	if err != nil {
		return exclusion{}, err
	}
	x := exclusion{condition: condition{path: path, attr: attr, kind: conditionExists}, number: c.plan.exclusions}
	if e.equals != "" {
		x.kind = conditionTerm
		if x.term, err = c.comparedTerm(e.equals); err != nil {
			return exclusion{}, err
		}
	}
	c.plan.exclusions++
	return x, nil
}

// value adds the value of a row as a condition of the element around it.
func (c *readCompiler) value(r *row, path []source.Name, attr source.Name, in *readElement) error {
	added := condition{path: path, attr: attr}
	switch {
	case r.equals != "":
		var err error
		added.kind = conditionTerm
		if added.term, err = c.comparedTerm(r.equals); err != nil {
			return err
		}
	case r.match == matchAny:
		added.kind, added.value = conditionCaseless, *r.fixed
		in.unchecked = append(in.unchecked, added)
		return nil
	case r.match == matchBoolean:
		truth, ok := parseBoolean(*r.fixed)
		if !ok {
			return fmt.Errorf("%q is not a boolean", *r.fixed)
		}
		added.kind, added.truth = conditionBoolean, truth
	case r.match == matchCaseless:
		added.kind, added.value = conditionCaseless, *r.fixed
	default:
		added.kind, added.value = conditionExact, *r.fixed
	}
	in.conditions = append(in.conditions, added)
	return nil
}

// comparedTerm is the text of the invoice that a value must equal.
func (c *readCompiler) comparedTerm(path string) (fieldPath, error) {
	p, err := c.resolve(path, invoiceScope())
	if err == nil && p.field.Kind != model.KindText {
		err = fmt.Errorf("%q is not a text to compare with", path)
	}
	return p, err
}

func (c *readCompiler) term(r *row, steps []source.Name, attr source.Name, in *readElement, s *scope) error {
	v, err := c.termValue(r, s)
	if err != nil {
		return err
	}
	for _, name := range steps {
		in = in.child(name).shared()
	}
	if attr != source.NoName {
		in.attributes = append(in.attributes, readAttribute{attr, v})
	} else {
		in.text = append(in.text, v)
	}
	return nil
}

// open adds the group that a row opens to its element, and returns the scope
// inside.
func (c *readCompiler) open(r *row, e *readElement, s *scope) (*scope, error) {
	path, kind, want := r.group, elementIsGroup, model.KindGroup
	switch {
	case r.list != "":
		path, kind, want = r.list, elementIsEntry, model.KindList
	case r.around != "":
		path, kind = r.around, elementHoldsGroup
	case r.group == "":
		return s, nil
	}
	p, err := c.resolve(path, s)
	if err != nil {
		return nil, err
	}
	if p.field.Kind != want {
		return nil, fmt.Errorf("%q is not a %s", path, map[model.Kind]string{model.KindGroup: "group", model.KindList: "list"}[want])
	}
	inside := &scope{path: path, typ: p.field.Elem, outer: s}
	if r.like != "" {
		like, ok := c.lists[r.like]
		if !ok || like.scope.typ != p.field.Elem {
			return nil, fmt.Errorf("%q is not a list above whose rows could hold for %q", r.like, path)
		}
		inside.slot = like.scope.slot
		e.readContent = like.element.readContent
	} else {
		inside.slot = c.newSlot()
		if _, again := c.lists[path]; kind == elementIsEntry && !again {
			c.lists[path] = compiledReadList{e, *inside}
		}
	}
	if len(e.groups) == maxGroups {
		return nil, fmt.Errorf("an element is at most %d groups", maxGroups)
	}
	e.groups = append(e.groups, readGroup{fieldPath: p, kind: kind, openSlot: inside.slot})
	return inside, nil
}
