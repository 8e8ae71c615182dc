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
	// left is the memory that groups may still take; full is the element for
	// which it did not suffice.
	left int
	full source.Node
	// keeper keeps the account of the document, where one is asked for.
	keeper *keeper
}

// A TooManyGroups error means that reading a document would take far more memory
// than the document itself, as thousands of empty lines would.
type TooManyGroups struct {
	Node source.Node // where reading stopped
}

func (e *TooManyGroups) Error() string {
	return "the document has more groups than one of its size can sensibly have"
}

// An honest document takes about twice its own size as an invoice, a small one
// somewhat more.
const (
	memoryAnyway  = 1 << 20
	memoryPerByte = 8
)

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

func (p *plan) read(tree *source.Tree, k *keeper) (*model.Invoice, error) {
	invoice := &model.Invoice{}
	r := reader{
		plan:     p,
		tree:     tree,
		slots:    make([]slot, p.slots),
		ruledOut: make([]ruling, p.exclusions),
		left:     memoryAnyway + memoryPerByte*len(tree.Data),
		keeper:   k,
	}
	root := tree.Root()
	r.slots[0].object = model.ObjectOf(invoice)
	r.slots[0].object.SetRef(root.Ref())
	if k != nil {
		k.entered(&r, p.root, root)
	}
	r.body(p.root.body, root)
	if r.full != 0 {
		return nil, &TooManyGroups{Node: r.full}
	}
	for _, u := range r.unclaimed {
		if u.group.Ref() == 0 {
			u.group.SetRef(u.node.Ref())
		}
	}
	return invoice, nil
}

// enter reads an element whose place is known.
func (r *reader) enter(p *place, n source.Node) {
	if r.keeper != nil {
		r.keeper.entered(r, p, n)
	}
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
	for c := n + 1; c < e.End && r.full == 0; c = r.tree.Elements[c].End {
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
	opened := slot{node: n}
	if o.kind == openAround {
		opened.waiting = o
	} else if parent := r.owner(&o.target, n); parent.Present() {
		if o.kind == openList {
			opened.object = r.appended(parent, o.field, n)
		} else if parent.Group(o.field).Ref() == 0 {
			opened.object = r.ensured(parent, o.field, n)
		}
	}
	r.slots[o.into] = opened
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
		s.object = r.ensured(parent, o.field, n)
	}
	return s.object
}

// follow goes into a group that no row opened, and makes it where it is absent.
func (r *reader) follow(object model.Object, l *link, n source.Node) model.Object {
	if l.field.Kind == model.KindList {
		if entries := object.List(l.field); entries.Len() > 0 {
			return entries.At(entries.Len() - 1)
		}
		return r.appended(object, l.field, n)
	}
	if group := object.Group(l.field); group.Present() {
		return group
	}
	group := r.ensured(object, l.field, n)
	if l.claimed {
		group.SetRef(0)
		r.unclaimed = append(r.unclaimed, unclaimed{group, n})
	}
	return group
}

// ensured makes the group that an element is, or takes one that is waiting to
// be claimed.
func (r *reader) ensured(parent model.Object, f *model.Field, n source.Node) model.Object {
	r.spend(f.Elem, n)
	group := parent.EnsureGroup(f)
	group.SetRef(n.Ref())
	return group
}

// appended makes the entry of a list that an element is.
func (r *reader) appended(parent model.Object, f *model.Field, n source.Node) model.Object {
	r.spend(f.Elem, n)
	entry := parent.AppendGroup(f)
	entry.SetRef(n.Ref())
	return entry
}

func (r *reader) spend(t *model.Type, n source.Node) {
	if r.left -= t.Size(); r.left < 0 && r.full == 0 {
		r.full = n
	}
}

// set gives a term its value, if it has none. It is the one place where an
// element or attribute becomes bound.
func (r *reader) set(l *leaf, raw string, ref source.Ref, n source.Node) {
	if l.field.Kind == model.KindDate && !r.datable(n) {
		if r.keeper != nil {
			r.keeper.undated(l, ref, &r.plan.dates)
		}
		return
	}
	object := r.owner(&l.target, n)
	if !object.Present() || object.Has(l.field) {
		if r.keeper != nil {
			r.keeper.unbound(l, raw, ref, n, object, r.plan)
		}
		return
	}
	if r.keeper != nil {
		r.keeper.bound(ref, n, &r.plan.dates, l.field)
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
	if r.keeper != nil {
		r.keeper.mark(a.Ref(), Carried)
	}
	return model.Text{Raw: r.tree.Attributes[a].Value, Ref: a.Ref(), Present: true}
}
