package binding

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A writeCompiler compiles a table for writing documents with one root element.
type writeCompiler struct {
	resolver
	plan     *writePlan
	lists    map[string]compiledWriteList // by model path
	prefixes map[string]bool              // of elements
	shapes   map[*writeElement]string
}

// A compiledWriteList is a list whose rows are compiled, or are being compiled.
type compiledWriteList struct {
	content *writeContent
	scope   scope
}

// A nesting is what is around a row: the open group, and the lists.
type nesting struct {
	*scope
	lists []openList
}

// An openList is a list around a row.
type openList struct {
	path  string
	split *model.Field
	enclosingList
}

func compileWritePlan(t *table, syntax model.Syntax, root string) (*writePlan, error) {
	c := &writeCompiler{
		resolver: newResolver(syntax, root),
		plan: &writePlan{
			root: newWriteElement(root), formatDate: model.Date.ISO,
			everyAmount: t.amounts.always, currency: strings.TrimPrefix(t.amounts.currency, "@"),
		},
		lists:    map[string]compiledWriteList{},
		prefixes: map[string]bool{},
		shapes:   map[*writeElement]string{},
	}
	if t.dates.layout == compactDates {
		c.plan.formatDate = model.Date.Compact
	}
	if t.dates.attribute != "" {
		c.plan.dateAttribute = " " + strings.TrimPrefix(t.dates.attribute, "@") + `="` + t.dates.value + `"`
	}
	invoice := nesting{scope: invoiceScope()}
	var err error
	if c.plan.invoiceCurrency, err = c.resolve("currencyCode", invoice.scope); err != nil {
		return nil, err
	}
	if err := c.rows(t.rows, c.plan.root.writeContent, invoice); err != nil {
		return nil, err
	}
	c.plan.slots = c.resolver.slots
	markTableOnly(c.plan.root)
	c.declareNamespaces()
	return c.plan, nil
}

// declareNamespaces makes the namespace declarations of the root element. Its own
// namespace is the default one unless other elements are in it too.
func (c *writeCompiler) declareNamespaces() {
	prefix, local, _ := strings.Cut(c.root, ":")
	attribute := "xmlns:" + prefix
	if !c.prefixes[prefix] {
		attribute, c.plan.root.tag = "xmlns", local
	}
	delete(c.prefixes, prefix)
	c.plan.namespaces = " " + attribute + `="` + source.Prefixes[prefix] + `"`
	for _, other := range slices.Sorted(maps.Keys(c.prefixes)) {
		c.plan.namespaces += " xmlns:" + other + `="` + source.Prefixes[other] + `"`
	}
}

func (c *writeCompiler) rows(rows []row, in *writeContent, at nesting) error {
	for i := range rows {
		r := &rows[i]
		path, ok := r.pathUnder(c.root)
		if !ok || r.readOnly {
			continue
		}
		if err := c.row(r, path, in, at); err != nil {
			return withLine(r, err)
		}
	}
	findAlternatives(in, c.shapes)
	return nil
}

func (c *writeCompiler) row(r *row, path string, in *writeContent, at nesting) error {
	tags, attribute := c.steps(path)
	if r.prefer != nil {
		var err error
		if at, err = at.preferring(r.prefer); err != nil {
			return err
		}
	}
	if r.term != "" || r.fixed != nil || r.equals != "" {
		return c.value(r, tags, attribute, in, at)
	}
	last := len(tags) - 1
	var element *writeElement
	for i, tag := range tags {
		switch {
		case r.list != "" && i == 0, r.list == "" && i == last && (r.rest || c.conditional(r)):
			element = in.add(tag)
			element.own = true
		default:
			element = in.child(tag)
			element.always = element.always || r.list != "" // an entry is written even if it has no terms
		}
		if i == 0 && r.list != "" {
			if err := c.repeat(element, r, &at); err != nil {
				return err
			}
		}
		in = element.writeContent
	}
	element.always = element.always || r.always
	element.rest = r.rest
	switch {
	case r.like != "":
		element.writeContent = c.lists[r.like].content
		return nil
	case r.group != "" || r.around != "":
		if err := c.open(element, r, &at); err != nil {
			return err
		}
		element.sealed = r.group != "" && len(element.groups) == 1 && r.sealed(r.group+".")
	case r.list != "":
		if _, again := c.lists[r.list]; !again {
			c.lists[r.list] = compiledWriteList{in, *at.scope}
		}
	}
	return c.rows(r.rows, in, at)
}

// steps splits a path and collects the prefixes of its elements.
func (c *writeCompiler) steps(path string) (tags []string, attribute string) {
	if path == "." {
		return nil, ""
	}
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "@"); ok {
			return tags, name
		}
		prefix, _, _ := strings.Cut(part, ":")
		c.prefixes[prefix] = true
		tags = append(tags, part)
	}
	return tags, ""
}

// repeat makes an element repeat for the entries of a list.
func (c *writeCompiler) repeat(element *writeElement, r *row, at *nesting) error {
	path, err := c.resolve(r.list, at.scope)
	if err != nil {
		return err
	}
	list := &writeList{fieldPath: path, limit: r.limit, enclosing: at.enclosing(r.list)}
	if list.like = r.like != ""; list.like {
		list.openSlot = c.lists[r.like].scope.slot
	} else {
		list.openSlot = c.newSlot()
	}
	if r.split != "" {
		name := strings.TrimPrefix(r.split, r.list+".")
		if list.split, _ = path.field.Elem.Field(name); list.split == nil || list.split.Kind != model.KindList {
			return fmt.Errorf("split: %q is not a list of %s", name, path.field.Elem.Name)
		}
	}
	if n := len(at.lists); n > 0 {
		list.splits = at.lists[n-1].split == path.field
	}
	element.list = list
	*at = nesting{
		scope: &scope{path: r.list, slot: list.openSlot, typ: path.field.Elem, outer: at.scope},
		lists: append(slices.Clip(at.lists), openList{r.list, list.split, enclosingList{list: path, entrySlot: list.openSlot}}),
	}
	return nil
}

// open adds the group of a row to its element.
func (c *writeCompiler) open(element *writeElement, r *row, at *nesting) error {
	name := r.group + r.around
	path, err := c.resolve(name, at.scope)
	if err != nil {
		return err
	}
	g := writeGroup{fieldPath: path, around: r.around != "", openSlot: c.newSlot(), enclosing: at.enclosing(name)}
	element.groups = append(element.groups, g)
	at.scope = &scope{path: name, slot: g.openSlot, typ: path.field.Elem, outer: at.scope}
	return nil
}

// preferring is the nesting for a row with the key prefer: it says in which entry
// of the lists around to write what does not belong to them, for all rows inside.
func (n nesting) preferring(p *preference) (nesting, error) {
	n.lists = slices.Clone(n.lists)
	for i := range n.lists {
		l := &n.lists[i]
		l.prefer, _ = l.list.field.Elem.Field(strings.TrimPrefix(p.term, l.path+"."))
		if l.prefer == nil || l.prefer.Kind != model.KindText {
			return n, fmt.Errorf("prefer: %q is not text of the list around", p.term)
		}
		l.codes = p.codes
	}
	return n, nil
}

// enclosing are the lists around that a term, group or list does not belong to.
func (n *nesting) enclosing(path string) (out []enclosingList) {
	for _, l := range n.lists {
		if !strings.HasPrefix(path, l.path+".") {
			out = append(out, l.enclosingList)
		}
	}
	return out
}

// value adds the term or value of a row to its element or attribute.
func (c *writeCompiler) value(r *row, tags []string, attribute string, in *writeContent, at nesting) error {
	v := writeValue{enclosing: at.enclosing(r.term)}
	if n := len(at.lists); r.first && n > 0 {
		v.first = &at.lists[n-1].enclosingList
	}
	var err error
	switch {
	case r.fixed != nil:
		v.kind, v.fixed = valueFixed, *r.fixed
	case r.equals != "":
		v.kind = valueEqual
		v.fieldPath, err = c.resolve(r.equals, invoiceScope())
	default:
		if v.termValue, err = c.termValue(r, at.scope); err == nil && r.otherwise != nil {
			v.otherwise, err = c.substitute(r.otherwise, at)
		}
		if err == nil && r.unlessSame != "" {
			v.unlessSame = new(fieldPath)
			*v.unlessSame, err = c.resolve(r.unlessSame, invoiceScope())
		}
	}
	if err != nil {
		return err
	}
	var element *writeElement
	for _, tag := range tags {
		element = in.child(tag)
		in = element.writeContent
	}
	if r.shape != "" {
		c.shapes[element] = r.shape
	}
	switch {
	case attribute != "":
		in.attributes = append(in.attributes, writeAttribute{attribute, v})
	case in.text != nil:
		return errors.New("a writer has two values for one element; mark one row readOnly")
	default:
		in.text = &v
	}
	return nil
}

func (c *writeCompiler) substitute(o *otherwise, at nesting) (*substitute, error) {
	s := &substitute{text: cmp.Or(o.placeholder, o.text), placeholder: o.placeholder != "", minus: o.difference != nil}
	if n := len(o.sum) + len(o.difference); n != 0 && n != 2 {
		return nil, errors.New("sum and difference are of two terms")
	}
	for _, path := range slices.Concat(o.sum, o.difference) {
		p, err := c.resolve(path, at.scope)
		if err != nil {
			return nil, err
		}
		s.operands = append(s.operands, p)
	}
	if o.total != "" {
		dot := strings.LastIndexByte(o.total, '.')
		var err error
		if s.list, err = c.resolve(o.total[:max(dot, 0)], at.scope); err == nil && s.list.field.Kind == model.KindList {
			s.total, _ = s.list.field.Elem.Field(o.total[dot+1:])
		}
		if s.total == nil {
			return nil, fmt.Errorf("%q is not a term to add up", o.total)
		}
	}
	return s, nil
}

// markTableOnly finds the elements that hold nothing but what the table provides.
func markTableOnly(e *writeElement) bool {
	e.tableOnly = e.list == nil && e.groups == nil && (e.text == nil || e.text.kind != valueTerm)
	for i := range e.attributes {
		e.tableOnly = e.tableOnly && e.attributes[i].kind != valueTerm
	}
	if e.list == nil || !e.list.like {
		for _, child := range e.children {
			e.tableOnly = markTableOnly(child) && e.tableOnly
		}
	}
	return e.tableOnly
}
