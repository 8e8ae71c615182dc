package binding

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// outliner makes the layout for one root out of a table.
type outliner struct {
	compiler
	layout   *layout
	made     map[string]listed // lists by model path
	prefixes map[string]bool   // that elements have
	shapes   map[*outline]string
}

type listed struct {
	content *content
	scope   scope
}

// A nesting is where a row stands: the group that is open, and the lists around
// with the row's own wish which entry to be written in.
type nesting struct {
	*scope
	lists []listAround
}

type listAround struct {
	path  string
	split *model.Field
	outside
}

func lay(t *table, syntax model.Syntax, root string) (*layout, error) {
	o := &outliner{
		compiler: compiler{plan: &plan{slots: 1}, syntax: syntax, root: root, opened: map[string]bool{}},
		layout:   &layout{root: newOutline(root), always: t.amounts.always, currency: strings.TrimPrefix(t.amounts.currency, "@")},
		made:     map[string]listed{},
		prefixes: map[string]bool{},
		shapes:   map[*outline]string{},
	}
	o.layout.date = model.Date.ISO
	if t.dates.layout == "20060102" {
		o.layout.date = model.Date.Compact
	}
	if t.dates.attribute != "" {
		o.layout.dateAttr = " " + strings.TrimPrefix(t.dates.attribute, "@") + `="` + t.dates.value + `"`
	}
	invoice := nesting{scope: &scope{typ: model.InvoiceType()}}
	var err error
	if o.layout.ownCode, err = o.resolve("currencyCode", invoice.scope); err != nil {
		return nil, err
	}
	if err := o.rows(t.rows, o.layout.root.content, invoice); err != nil {
		return nil, err
	}
	o.layout.slots = o.plan.slots
	markTableOnly(o.layout.root)
	o.declare(root)
	return o.layout, nil
}

// declare writes the namespaces of the root element. Its own is the default one
// unless other elements are in it too.
func (o *outliner) declare(root string) {
	prefix, local, _ := strings.Cut(root, ":")
	attribute := "xmlns:" + prefix
	if !o.prefixes[prefix] {
		attribute, o.layout.root.tag = "xmlns", local
	}
	delete(o.prefixes, prefix)
	o.layout.namespaces = " " + attribute + `="` + source.Prefixes[prefix] + `"`
	for _, other := range slices.Sorted(maps.Keys(o.prefixes)) {
		o.layout.namespaces += " xmlns:" + other + `="` + source.Prefixes[other] + `"`
	}
}

func newOutline(tag string) *outline { return &outline{tag: tag, content: &content{}} }

func (o *outliner) rows(rows []row, in *content, at nesting) error {
	for i := range rows {
		r := &rows[i]
		path, ok := r.pathUnder(o.root)
		if !ok || r.readOnly {
			continue
		}
		if err := o.row(r, path, in, at); err != nil {
			return located(r, err)
		}
	}
	alternate(in, o.shapes)
	return nil
}

func (o *outliner) row(r *row, path string, in *content, at nesting) error {
	steps, attribute := o.steps(path)
	if r.prefer != nil {
		var err error
		if at, err = at.preferring(r.prefer); err != nil {
			return err
		}
	}
	if r.term != "" || r.fixed != nil || r.equals != "" {
		return o.leaf(r, steps, attribute, in, at)
	}
	last := len(steps) - 1
	var element *outline
	for i, tag := range steps {
		switch {
		case r.list != "" && i == 0, r.list == "" && i == last && o.conditional(r):
			element = in.add(tag)
			element.own = true
		default:
			element = in.child(tag)
			element.always = element.always || r.list != "" // an entry is there even if it is empty
		}
		if i == 0 && r.list != "" {
			if err := o.repeat(element, r, &at); err != nil {
				return err
			}
		}
		in = element.content
	}
	element.always = element.always || r.always
	switch {
	case r.like != "":
		element.content = o.made[r.like].content
		return nil
	case r.group != "" || r.around != "":
		if err := o.opening(element, r, &at); err != nil {
			return err
		}
	case r.list != "":
		if _, again := o.made[r.list]; !again {
			o.made[r.list] = listed{in, *at.scope}
		}
	}
	return o.rows(r.rows, in, at)
}

// steps takes a path apart and notes the prefixes of its elements.
func (o *outliner) steps(path string) (tags []string, attribute string) {
	if path == "." {
		return nil, ""
	}
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "@"); ok {
			return tags, name
		}
		prefix, _, _ := strings.Cut(part, ":")
		o.prefixes[prefix] = true
		tags = append(tags, part)
	}
	return tags, ""
}

// add makes a child element.
func (c *content) add(tag string) *outline {
	made := newOutline(tag)
	c.children = append(c.children, made)
	return made
}

// child is the child element that rows share, made where there is none.
func (c *content) child(tag string) *outline {
	for _, o := range c.children {
		if o.tag == tag && !o.own {
			return o
		}
	}
	return c.add(tag)
}

// repeat makes an element stand for the entries of a list.
func (o *outliner) repeat(element *outline, r *row, at *nesting) error {
	list, err := o.resolve(r.list, at.scope)
	if err != nil {
		return err
	}
	e := &entries{target: list, limit: r.limit, outside: at.outsideOf(r.list)}
	if e.like = r.like != ""; e.like {
		e.into = o.made[r.like].scope.slot
	} else {
		e.into = o.plan.slots
		o.plan.slots++
	}
	if r.split != "" {
		name := strings.TrimPrefix(r.split, r.list+".")
		if e.split, _ = list.field.Elem.Field(name); e.split == nil || e.split.Kind != model.KindList {
			return fmt.Errorf("split: %q is no list of %s", name, list.field.Elem.Name)
		}
	}
	if n := len(at.lists); n > 0 {
		e.part = at.lists[n-1].split == list.field
	}
	element.list = e
	*at = nesting{
		scope: &scope{path: r.list, slot: e.into, typ: list.field.Elem, out: at.scope},
		lists: append(slices.Clip(at.lists), listAround{r.list, e.split, outside{list: list, into: e.into}}),
	}
	return nil
}

// opening makes an element stand for a group, or hold its terms.
func (o *outliner) opening(element *outline, r *row, at *nesting) error {
	path := r.group + r.around
	t, err := o.resolve(path, at.scope)
	if err != nil {
		return err
	}
	g := group{target: t, around: r.around != "", into: o.plan.slots, outside: at.outsideOf(path)}
	o.plan.slots++
	element.opens = append(element.opens, g)
	at.scope = &scope{path: path, slot: g.into, typ: t.field.Elem, out: at.scope}
	return nil
}

// preferring is the nesting with a wish which entry of the lists around what
// belongs to none of them is written in; it holds for all rows inside.
func (n nesting) preferring(p *preference) (nesting, error) {
	n.lists = slices.Clone(n.lists)
	for i := range n.lists {
		l := &n.lists[i]
		l.prefer, _ = l.list.field.Elem.Field(strings.TrimPrefix(p.term, l.path+"."))
		if l.prefer == nil || l.prefer.Kind != model.KindText {
			return n, fmt.Errorf("prefer: %q is no text of the list around", p.term)
		}
		l.codes = p.codes
	}
	return n, nil
}

// outsideOf are the lists around that a term, group or list is none of.
func (n *nesting) outsideOf(path string) (out []outside) {
	for _, l := range n.lists {
		if !strings.HasPrefix(path, l.path+".") {
			out = append(out, l.outside)
		}
	}
	return out
}

// leaf adds a term or value to the element or attribute that holds it.
func (o *outliner) leaf(r *row, steps []string, attribute string, in *content, at nesting) error {
	v := value{outside: at.outsideOf(r.term)}
	var err error
	switch {
	case r.fixed != nil:
		v.kind, v.fixed = valueFixed, *r.fixed
	case r.equals != "":
		v.kind = valueEqual
		v.target, err = o.resolve(r.equals, &scope{typ: model.InvoiceType()})
	default:
		err = o.value(&v, r, at)
	}
	if err != nil {
		return err
	}
	var element *outline
	for _, tag := range steps {
		element = in.child(tag)
		in = element.content
	}
	if r.shape != "" {
		o.shapes[element] = r.shape
	}
	switch {
	case attribute != "":
		in.attributes = append(in.attributes, attributeValue{attribute, v})
	case in.text != nil:
		return fmt.Errorf("a writer has two values for one element; mark one row readOnly")
	default:
		in.text = &v
	}
	return nil
}

func (o *outliner) value(v *value, r *row, at nesting) (err error) {
	if v.target, err = o.resolve(r.term, at.scope); err != nil {
		return err
	}
	if r.codes != nil {
		v.codes = &codes{syntax: o.syntax}
		for document, code := range r.codes {
			v.codes.pairs = append(v.codes.pairs, codePair{document, code})
		}
	}
	if r.prefix != nil {
		front, err := o.resolve(r.prefix.term, at.scope)
		if err != nil {
			return err
		}
		v.prefix = &prefixed{target: front, mark: r.prefix.mark, length: r.prefix.length}
	}
	if r.otherwise != nil {
		v.otherwise, err = o.substitute(r.otherwise, at)
	}
	return err
}

func (o *outliner) substitute(w *otherwise, at nesting) (*substitute, error) {
	s := &substitute{text: w.text, minus: w.difference != nil}
	if n := len(w.sum) + len(w.difference); n != 0 && n != 2 {
		return nil, errors.New("sum and difference are of two terms")
	}
	for _, path := range slices.Concat(w.sum, w.difference) {
		t, err := o.resolve(path, at.scope)
		if err != nil {
			return nil, err
		}
		s.operands = append(s.operands, t)
	}
	if w.total != "" {
		list, term := cutLast(w.total)
		var err error
		if s.list, err = o.resolve(list, at.scope); err == nil && s.list.field.Kind == model.KindList {
			s.total, _ = s.list.field.Elem.Field(term)
		}
		if s.total == nil {
			return nil, fmt.Errorf("%q is no term to add up", w.total)
		}
	}
	return s, nil
}

// cutLast cuts a path before its last name.
func cutLast(path string) (before, last string) {
	dot := strings.LastIndexByte(path, '.')
	return path[:max(dot, 0)], path[dot+1:]
}

// markTableOnly finds the elements that hold nothing but what the table says.
func markTableOnly(o *outline) bool {
	o.tableOnly = o.list == nil && o.opens == nil && (o.text == nil || o.text.kind != valueTerm)
	for i := range o.attributes {
		o.tableOnly = o.tableOnly && o.attributes[i].kind != valueTerm
	}
	if o.list == nil || !o.list.like {
		for _, child := range o.children {
			o.tableOnly = markTableOnly(child) && o.tableOnly
		}
	}
	return o.tableOnly
}
