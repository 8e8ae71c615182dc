package binding

import (
	"einvoice/model"
	"einvoice/model/source"
)

// A reader reads one tree by a plan.
type reader struct {
	plan  *plan
	tree  *source.Tree
	slots []slot
	// unclaimed are the groups that were made before the element came that they
	// are, with the element that made them.
	unclaimed []unclaimed
	ruledOut  []ruling
}

// A slot is an open group: there already, absent, or waiting for its first term.
type slot struct {
	object  model.Object
	waiting *opening
	node    source.Node
}

type unclaimed struct {
	group model.Object
	node  source.Node
}

// A ruling is what an exclusion was found to say inside an element.
type ruling struct {
	base source.Node
	out  bool
}

func (p *plan) read(tree *source.Tree) *model.Invoice {
	invoice := &model.Invoice{}
	r := reader{
		plan:     p,
		tree:     tree,
		slots:    make([]slot, p.slots),
		ruledOut: make([]ruling, p.exclusions),
	}
	root := tree.Root()
	r.slots[0].object = model.ObjectOf(invoice)
	r.slots[0].object.SetRef(root.Ref())
	r.body(p.root.body, root)
	for _, u := range r.unclaimed {
		if u.group.Ref() == 0 {
			u.group.SetRef(u.node.Ref())
		}
	}
	return invoice
}

// enter reads an element whose place is known.
func (r *reader) enter(p *place, n source.Node) {
	if len(p.opens) == 0 {
		r.body(p.body, n)
		return
	}
	// A slot is taken by turns where a list is inside itself.
	var before [maxOpens]slot
	for i := range p.opens {
		o := &p.opens[i]
		before[i] = r.slots[o.into]
		r.open(o, n)
	}
	r.body(p.body, n)
	for i := range p.opens {
		r.slots[p.opens[i].into] = before[i]
	}
}

// maxOpens is how many groups one element can be.
const maxOpens = 2

// body reads what is inside an element: its text, attributes and children.
func (r *reader) body(b *body, n source.Node) {
	e := &r.tree.Elements[n]
	for i := range b.text {
		r.set(&b.text[i], e.Text, n.Ref(), n)
	}
	if len(b.attributes) > 0 {
		for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
			at := &r.tree.Attributes[a]
			for i := range b.attributes {
				if b.attributes[i].name == at.Name {
					r.set(&b.attributes[i].leaf, at.Value, a.Ref(), n)
				}
			}
		}
	}
	if len(b.steps) == 0 {
		return
	}
	next := 0
	for c := n + 1; c < e.End; c = r.tree.Elements[c].End {
		i := b.find(r.tree.Elements[c].Name, next)
		if i < 0 {
			continue
		}
		next = i
		for _, p := range b.steps[i].places {
			if !p.conditional() || r.admits(p, c) {
				r.enter(p, c)
				break
			}
		}
	}
}

// find looks for the step to a child element. Documents follow the order of the
// schema like the steps do, so that it begins where the last child was found.
func (b *body) find(name source.Name, from int) int {
	if !name.Known() {
		return -1
	}
	for i := from; i < len(b.steps); i++ {
		if b.steps[i].name == name {
			return i
		}
	}
	for i := range from {
		if b.steps[i].name == name {
			return i
		}
	}
	return -1
}

// open fills the slot of a group that begins with an element.
func (r *reader) open(o *opening, n source.Node) {
	into := &r.slots[o.into]
	*into = slot{node: n}
	if o.kind == openAround {
		into.waiting = o
		return
	}
	parent := r.owner(&o.target, n)
	if !parent.Present() {
		return
	}
	switch {
	case o.kind == openList:
		into.object = parent.AppendGroup(o.field)
		into.object.SetRef(n.Ref())
	case parent.Group(o.field).Ref() == 0:
		into.object = parent.EnsureGroup(o.field)
		into.object.SetRef(n.Ref())
	}
}

// owner is the group that a target is a field of; absent where another element
// has taken its place.
func (r *reader) owner(t *target, n source.Node) model.Object {
	object := r.group(t.slot)
	for i := range t.links {
		if !object.Present() {
			return object
		}
		object = r.follow(object, &t.links[i], n)
	}
	return object
}

// group is the group in a slot, made now if it waits for its first term.
func (r *reader) group(i int) model.Object {
	s := &r.slots[i]
	if s.waiting == nil {
		return s.object
	}
	o, n := s.waiting, s.node
	s.waiting = nil
	if parent := r.owner(&o.target, n); parent.Present() && parent.Group(o.field).Ref() == 0 {
		s.object = parent.EnsureGroup(o.field)
		s.object.SetRef(n.Ref())
	}
	return s.object
}

// follow goes into a group that no row opened, and makes it where it is absent.
func (r *reader) follow(object model.Object, l *link, n source.Node) model.Object {
	if l.field.Kind == model.KindList {
		if entries := object.List(l.field); entries.Len() > 0 {
			return entries.At(entries.Len() - 1)
		}
		entry := object.AppendGroup(l.field)
		entry.SetRef(n.Ref())
		return entry
	}
	if group := object.Group(l.field); group.Present() {
		return group
	}
	group := object.EnsureGroup(l.field)
	if l.claimed {
		r.unclaimed = append(r.unclaimed, unclaimed{group, n})
	} else {
		group.SetRef(n.Ref())
	}
	return group
}

// set gives a term its value, if it has none. It is the one place where an
// element or attribute becomes bound.
func (r *reader) set(l *leaf, raw string, ref source.Ref, n source.Node) {
	if l.field.Kind == model.KindDate && !r.datable(n) {
		return
	}
	object := r.owner(&l.target, n)
	if !object.Present() || object.Has(l.field) {
		return
	}
	switch l.field.Kind {
	case model.KindText:
		if l.codes != nil {
			raw = l.codes.toModel(raw)
		}
		if l.prefix != nil {
			raw = r.prefixed(l.prefix, raw, ref, n)
		}
		*object.Text(l.field) = model.Text{Raw: raw, Ref: ref, Present: true}
	case model.KindBinary:
		*object.Binary(l.field) = model.Binary{Raw: raw, Ref: ref, Present: true}
	case model.KindNumber:
		*object.Number(l.field) = model.ReadNumber(raw, ref)
	case model.KindAmount:
		*object.Amount(l.field) = model.Amount{Number: model.ReadNumber(raw, ref), Currency: r.currency(n)}
	case model.KindDate:
		date := r.plan.dates.parse(raw)
		date.Ref = ref
		*object.Date(l.field) = date
	}
}

// datable reports whether the element says that it is written as a date.
func (r *reader) datable(n source.Node) bool {
	d := &r.plan.dates
	if d.attribute == source.NoName {
		return true
	}
	a, ok := r.tree.Attr(n, d.attribute)
	return ok && r.tree.Attributes[a].Value == d.value
}

func (r *reader) currency(n source.Node) model.Text {
	a, ok := r.tree.Attr(n, r.plan.currency)
	if !ok {
		return model.Text{}
	}
	return model.Text{Raw: r.tree.Attributes[a].Value, Ref: a.Ref(), Present: true}
}
