package binding

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// compiler makes the plan for one root out of a table.
type compiler struct {
	plan   *plan
	syntax model.Syntax
	root   string
	opened map[string]bool // model paths that rows say the element of
	lists  map[string]made // lists by model path
}

// made is a list that is compiled, or being compiled.
type made struct {
	place *place
	scope scope
}

// A scope is a group that is open, and the one around it.
type scope struct {
	path string // of the model, "" for the invoice
	slot int
	typ  *model.Type
	out  *scope
}

func compile(t *table, syntax model.Syntax, root string) (*plan, error) {
	c := &compiler{
		plan:   &plan{root: newPlace(), slots: 1},
		syntax: syntax,
		root:   root,
		opened: map[string]bool{},
		lists:  map[string]made{},
	}
	if err := c.settings(t); err != nil {
		return nil, err
	}
	c.collect(t.rows)
	if err := c.rows(t.rows, c.plan.root, &scope{typ: model.InvoiceType()}); err != nil {
		return nil, err
	}
	return c.plan, nil
}

func newPlace() *place { return &place{body: &body{}} }

func (c *compiler) settings(t *table) error {
	switch t.dates.layout {
	case "2006-01-02":
		c.plan.dates.parse = model.NewDate
	case "20060102":
		c.plan.dates.parse = model.NewCompactDate
	default:
		return fmt.Errorf("dates: layout %q is unknown; use 2006-01-02 or 20060102", t.dates.layout)
	}
	c.plan.dates.value = t.dates.value
	for _, a := range []struct {
		said string
		into *source.Name
	}{{t.amounts.currency, &c.plan.currency}, {t.dates.attribute, &c.plan.dates.attribute}} {
		if a.said == "" {
			continue
		}
		_, attr, err := splitPath(a.said)
		if err != nil {
			return err
		}
		*a.into = attr
	}
	return nil
}

// collect finds the groups that some row says the element of.
func (c *compiler) collect(rows []row) {
	for i := range rows {
		r := &rows[i]
		if _, ok := r.pathUnder(c.root); ok {
			c.opened[r.group+r.around] = true
			c.collect(r.rows)
		}
	}
}

func (c *compiler) rows(rows []row, in *place, s *scope) error {
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
			return located(r, err)
		}
	}
	return nil
}

// located adds the line to an error, unless a row inside did.
func located(r *row, err error) error {
	if strings.HasPrefix(err.Error(), "line ") {
		return err
	}
	return fmt.Errorf("line %d: %w", r.line, err)
}

func (c *compiler) row(r *row, steps []source.Name, attr source.Name, in *place, s *scope) error {
	switch {
	case r.fixed != nil, r.equals != "":
		return c.condition(r, steps, attr, in)
	case r.term != "":
		return c.term(r, steps, attr, in, s)
	case attr != source.NoName || len(steps) == 0:
		return fmt.Errorf("only a term or value stands at %q", r.path)
	}
	for _, name := range steps[:len(steps)-1] {
		in = in.child(name)
	}
	p, err := c.place(r, steps, in)
	if err != nil {
		return err
	}
	inside, err := c.open(r, p, s)
	if err != nil || r.like != "" {
		return err
	}
	return c.rows(r.rows, p, inside)
}

// place finds or makes the place of a row with rows inside.
func (c *compiler) place(r *row, steps []source.Name, in *place) (*place, error) {
	name := steps[len(steps)-1]
	if !c.conditional(r) {
		return in.child(name), nil
	}
	p := newPlace()
	s := in.step(name)
	if last := len(s.places) - 1; last >= 0 && !s.places[last].conditional() {
		return nil, errors.New("an earlier row without conditions takes every such element")
	}
	s.places = append(s.places, p)
	if r.needs != "" {
		path, attr, err := splitPath(r.needs)
		if err != nil {
			return nil, err
		}
		p.when = append(p.when, condition{path: path, attr: attr, kind: conditionExists})
	}
	for _, e := range r.unless {
		path, attr, err := splitPath(e.path)
		if err != nil {
			return nil, err
		}
		x := exclusion{up: len(steps), id: c.plan.exclusions}
		x.path, x.attr, x.kind = path, attr, conditionExists
		if e.equals != "" {
			if x.kind, x.term, err = c.comparedTerm(e.equals); err != nil {
				return nil, err
			}
		}
		c.plan.exclusions++
		p.unless = append(p.unless, x)
	}
	return p, nil
}

// conditional reports whether an element must be looked into before it is known
// to be the row's.
func (c *compiler) conditional(r *row) bool {
	if r.needs != "" || r.unless != nil {
		return true
	}
	return slices.ContainsFunc(r.rows, func(r row) bool {
		_, ok := r.pathUnder(c.root)
		return ok && (r.equals != "" || r.fixed != nil && r.match != matchAny)
	})
}

func (p *place) conditional() bool { return p.when != nil || p.unless != nil }

// step is the step to a child element, made where there is none.
func (p *place) step(name source.Name) *step {
	for i := range p.steps {
		if p.steps[i].name == name {
			return &p.steps[i]
		}
	}
	p.steps = append(p.steps, step{name: name})
	return &p.steps[len(p.steps)-1]
}

// child is the place without conditions for a child element.
func (p *place) child(name source.Name) *place {
	s := p.step(name)
	if last := len(s.places) - 1; last >= 0 && !s.places[last].conditional() {
		return s.places[last]
	}
	made := newPlace()
	s.places = append(s.places, made)
	return made
}

// condition adds what a row with a value asks of the element around it.
func (c *compiler) condition(r *row, path []source.Name, attr source.Name, in *place) error {
	made := condition{path: path, attr: attr}
	switch {
	case r.equals != "":
		var err error
		if made.kind, made.term, err = c.comparedTerm(r.equals); err != nil {
			return err
		}
	case r.match == matchAny:
		made.kind, made.value = conditionCaseless, *r.fixed
		in.written = append(in.written, made)
		return nil
	case r.match == matchBoolean:
		truth, ok := parseBoolean(*r.fixed)
		if !ok {
			return fmt.Errorf("%q is not a boolean", *r.fixed)
		}
		made.kind, made.truth = conditionBoolean, truth
	case r.match == matchCaseless:
		made.kind, made.value = conditionCaseless, *r.fixed
	default:
		made.kind, made.value = conditionExact, *r.fixed
	}
	in.when = append(in.when, made)
	return nil
}

// comparedTerm is the text of the invoice as a whole that a value must equal.
func (c *compiler) comparedTerm(path string) (conditionKind, target, error) {
	t, err := c.resolve(path, &scope{typ: model.InvoiceType()})
	if err == nil && t.field.Kind != model.KindText {
		err = fmt.Errorf("%q is not a text to compare with", path)
	}
	return conditionTerm, t, err
}

func (c *compiler) term(r *row, steps []source.Name, attr source.Name, in *place, s *scope) error {
	t, err := c.resolve(r.term, s)
	if err != nil {
		return err
	}
	if !t.field.Kind.IsLeaf() {
		return fmt.Errorf("%q is a group, not a term", r.term)
	}
	l := leaf{target: t}
	if r.codes != nil {
		l.codes = &codes{syntax: c.syntax}
		for document, code := range r.codes {
			l.codes.pairs = append(l.codes.pairs, codePair{document, code})
		}
	}
	if r.prefix != nil {
		front, err := c.resolve(r.prefix.term, s)
		if err != nil {
			return err
		}
		l.prefix = &prefixed{target: front, mark: r.prefix.mark, length: r.prefix.length}
	}
	for _, name := range steps {
		in = in.child(name)
	}
	if attr != source.NoName {
		in.attributes = append(in.attributes, attribute{attr, l})
	} else {
		in.text = append(in.text, l)
	}
	return nil
}

// open compiles what the element of a row opens and returns the scope inside.
func (c *compiler) open(r *row, p *place, s *scope) (*scope, error) {
	path, kind, want := r.group, openGroup, model.KindGroup
	switch {
	case r.list != "":
		path, kind, want = r.list, openList, model.KindList
	case r.around != "":
		path, kind = r.around, openAround
	case r.group == "":
		return s, nil
	}
	t, err := c.resolve(path, s)
	if err != nil {
		return nil, err
	}
	if t.field.Kind != want {
		return nil, fmt.Errorf("%q is not a %s", path, map[model.Kind]string{model.KindGroup: "group", model.KindList: "list"}[want])
	}
	inside := &scope{path: path, slot: c.plan.slots, typ: t.field.Elem, out: s}
	if r.like != "" {
		like, ok := c.lists[r.like]
		if !ok || like.scope.typ != t.field.Elem {
			return nil, fmt.Errorf("%q is no list above whose rows could hold for %q", r.like, path)
		}
		inside.slot = like.scope.slot
		p.body = like.place.body
	} else {
		c.plan.slots++
		if _, again := c.lists[path]; kind == openList && !again {
			c.lists[path] = made{p, *inside}
		}
	}
	if len(p.opens) == maxOpens {
		return nil, fmt.Errorf("an element is at most %d groups", maxOpens)
	}
	p.opens = append(p.opens, opening{target: t, kind: kind, into: inside.slot})
	return inside, nil
}

// resolve finds a field of the model from the innermost open group that it is in.
func (c *compiler) resolve(path string, s *scope) (target, error) {
	for s.path != "" && !strings.HasPrefix(path, s.path+".") {
		s = s.out
	}
	names := strings.TrimPrefix(strings.TrimPrefix(path, s.path), ".")
	t := target{slot: s.slot}
	typ, walked := s.typ, s.path
	for name := range strings.SplitSeq(names, ".") {
		if t.field != nil {
			t.links = append(t.links, link{field: t.field, claimed: c.opened[walked]})
			typ = t.field.Elem
		}
		if typ == nil {
			return t, fmt.Errorf("%q has nothing inside", walked)
		}
		f, ok := typ.Field(name)
		if !ok {
			return t, fmt.Errorf("%q: %s has no term %q; is it %q?", path, typ.Name, name, typ.Nearest(name))
		}
		t.field = f
		walked = strings.TrimPrefix(walked+"."+name, ".")
	}
	return t, nil
}

// splitPath reads "cac:Party/cbc:ID/@schemeID"; "." has no steps.
func splitPath(path string) (steps []source.Name, attr source.Name, err error) {
	if path == "." {
		return nil, source.NoName, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if attr != source.NoName {
			return nil, attr, fmt.Errorf("%q goes on after an attribute", path)
		}
		local, isAttr := strings.CutPrefix(part, "@")
		q, err := source.ParseQName(local)
		if err != nil {
			return nil, attr, err
		}
		name := source.Intern(q)[0]
		if isAttr {
			attr = name
		} else {
			steps = append(steps, name)
		}
	}
	return steps, attr, nil
}
