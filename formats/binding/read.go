package binding

import (
	"context"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A reader reads one document by a plan, and then perhaps another.
type reader struct {
	plan  *readPlan
	tree  *source.Tree
	slots []slot
	// provisional are groups that were made before the element that a row binds
	// them to was reached.
	provisional []provisionalGroup
	exclusions  []exclusionResult
	// onces are, for each row that binds one element only beside each other, the
	// element around the one that it bound last.
	onces []source.Node
	// in is where groups are made. memory is how many bytes new groups may still take.
	in     *model.Memory
	memory int
	// stopped is why nothing more is read: a *TooManyGroups, or the error of ctx. look is the
	// element at which both are looked at.
	stopped error
	ctx     context.Context
	look    source.Node
	usage   *usageRecorder // nil unless the usage is wanted
}

// A TooManyGroups error means that the invoice would take far more memory than
// the document itself, as thousands of empty lines would.
type TooManyGroups struct {
	Node source.Node // where reading stopped
}

func (e *TooManyGroups) Error() string {
	return "the document has more groups than one of its size can sensibly have"
}

// The memory that an invoice may take. An ordinary document takes about twice its
// own size as an invoice, a small one somewhat more.
const (
	memoryAnyway  = 1 << 20
	memoryPerByte = 12
)

// A slot holds an open group.
type slot struct {
	object model.Object // absent if another element is the group already
	// pending is not nil until the group is made for its first term.
	pending *readGroup
	node    source.Node
}

type provisionalGroup struct {
	group model.Object
	node  source.Node // whose term made the group
}

// mostProvisional is how many of them a reader in the pool has memory for.
const mostProvisional = 256

// An exclusionResult is the last result of an exclusion.
type exclusionResult struct {
	base     source.Node // the element inside which the exclusion was looked for
	excludes bool
}

// elementsPerLook is how many elements of a document lie between two looks at the context.
const elementsPerLook = 1 << 12

func (p *readPlan) read(ctx context.Context, tree *source.Tree, in *model.Memory, usage *usageRecorder) (*model.Invoice, error) {
	invoice := in.NewInvoice()
	r, _ := p.readers.Get().(*reader)
	if r == nil {
		r = &reader{plan: p, slots: make([]slot, p.slots), exclusions: make([]exclusionResult, p.exclusions), onces: make([]source.Node, p.onces)}
	}
	defer p.readers.Put(r)
	defer r.end()
	r.ctx, r.tree, r.in, r.memory, r.usage = ctx, tree, in, memoryAnyway+memoryPerByte*len(tree.Data), usage
	root := tree.Root()
	r.slots[0].object = model.ObjectOf(invoice)
	r.slots[0].object.SetRef(root.Ref())
	if usage != nil {
		usage.entered(r, p.root, root)
	}
	r.content(p.root.readContent, root)
	if r.stopped != nil {
		return nil, r.stopped
	}
	for _, g := range r.provisional {
		if g.group.Ref() == 0 {
			g.group.SetRef(g.node.Ref())
		}
	}
	return invoice, nil
}

// end clears everything that refers to the document or the invoice, so that a reader in
// the pool keeps neither in memory.
func (r *reader) end() {
	clear(r.slots)
	clear(r.exclusions)
	clear(r.onces)
	if clear(r.provisional); cap(r.provisional) > mostProvisional {
		r.provisional = nil
	}
	*r = reader{plan: r.plan, slots: r.slots, exclusions: r.exclusions, onces: r.onces, provisional: r.provisional[:0]}
}

// element reads an element that is known to be e.
func (r *reader) element(e *readElement, n source.Node) {
	if r.usage != nil {
		r.usage.entered(r, e, n)
	}
	if len(e.groups) == 0 {
		r.content(e.readContent, n)
		return
	}
	// A list inside itself uses one slot at several depths, so the group in it is
	// restored at the end.
	var outer [maxGroups]slot
	for i := range e.groups {
		g := &e.groups[i]
		outer[i] = r.slots[g.openSlot]
		r.open(g, n)
	}
	r.content(e.readContent, n)
	for i := range e.groups {
		r.slots[e.groups[i].openSlot] = outer[i]
	}
}

// content reads what is inside an element: its text, attributes and children.
func (r *reader) content(c *readContent, n source.Node) {
	if c.isMore {
		r.own(c, n)
	}
	if len(c.names) == 0 {
		return
	}
	next, end := 0, r.tree.Elements[n].End
	for child := n + 1; child < end && (child < r.look || r.mayGoOn(child)); child = r.tree.Elements[child].End {
		i := c.find(r.tree.Elements[child].Name, next)
		if i < 0 {
			continue
		}
		next = i
		switch s := &c.shortcuts[i]; {
		case s.field != nil && r.usage == nil:
			r.setText(s, child)
		case s.term != nil && r.usage == nil:
			r.set(s.term, r.tree.Text(child), child.Ref(), child)
		case s.only != nil:
			r.element(s.only, child)
		default:
			r.candidate(&c.children[i], child)
		}
	}
}

// own reads the text and the attributes of an element.
func (r *reader) own(c *readContent, n source.Node) {
	for i := range c.text {
		r.set(&c.text[i], r.tree.Text(n), n.Ref(), n)
	}
	if len(c.attributes) == 0 {
		return
	}
	e := &r.tree.Elements[n]
	for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
		attribute := &r.tree.Attributes[a]
		for i := range c.attributes {
			if c.attributes[i].name == attribute.Name {
				r.set(&c.attributes[i].value, attribute.Value, a.Ref(), n)
			}
		}
	}
}

// candidate reads an element that is the first candidate whose conditions it meets.
func (r *reader) candidate(of *readChild, n source.Node) {
	for _, candidate := range of.candidates {
		if !candidate.conditional() || r.meetsConditions(candidate, n) {
			r.element(candidate, n)
			return
		}
	}
}

// find returns the index of a child by name. The children of documents and tables
// are in the order of the schema, so it begins where the last child was found.
func (c *readContent) find(name source.Name, from int) int {
	if !name.Known() {
		return -1
	}
	if i := slices.Index(c.names[from:], name); i >= 0 {
		return from + i
	}
	return slices.Index(c.names[:from], name)
}

// open puts the group that an element opens into its slot.
func (r *reader) open(g *readGroup, n source.Node) {
	opened := slot{node: n}
	if g.kind == elementHoldsGroup {
		opened.pending = g
	} else if parent := r.owner(&g.fieldPath, n); parent.Present() {
		if g.kind == elementIsEntry {
			opened.object = r.newEntry(parent, g.field, n)
		} else if parent.Group(g.field).Ref() == 0 {
			opened.object = r.newGroup(parent, g.field, n)
		}
	}
	r.slots[g.openSlot] = opened
}

// owner is the group that a field belongs to; it is absent if another element is
// that group already.
func (r *reader) owner(p *fieldPath, n source.Node) model.Object {
	s := &r.slots[p.slot]
	if s.pending != nil {
		r.make(s)
	}
	object := s.object
	for i := range p.links {
		if !object.Present() {
			return object
		}
		object = r.follow(object, &p.links[i], n)
	}
	return object
}

// make makes the group of a slot in which it is pending.
func (r *reader) make(s *slot) {
	g, n := s.pending, s.node
	s.pending = nil
	if parent := r.owner(&g.fieldPath, n); parent.Present() && parent.Group(g.field).Ref() == 0 {
		s.object = r.newGroup(parent, g.field, n)
	}
}

// follow is the group that a link leads to: the group of the field, or the latest
// entry of the list. It is made if it is absent.
func (r *reader) follow(object model.Object, l *link, n source.Node) model.Object {
	if l.field.Kind == model.KindList {
		if entries := object.List(l.field); entries.Len() > 0 {
			return entries.At(entries.Len() - 1)
		}
		return r.newEntry(object, l.field, n)
	}
	if group := object.Group(l.field); group.Present() {
		return group
	}
	group := r.newGroup(object, l.field, n)
	if l.bound {
		group.SetRef(0)
		r.provisional = append(r.provisional, provisionalGroup{group, n})
	}
	return group
}

// newGroup makes the group that an element is. If the group exists provisionally,
// the element becomes its place.
func (r *reader) newGroup(parent model.Object, f *model.Field, n source.Node) model.Object {
	r.takeMemory(f.Elem, n)
	group := r.in.EnsureGroup(parent, f)
	group.SetRef(n.Ref())
	return group
}

// newEntry makes the entry of a list that an element is.
func (r *reader) newEntry(parent model.Object, f *model.Field, n source.Node) model.Object {
	r.takeMemory(f.Elem, n)
	entry := r.in.AppendGroup(parent, f)
	entry.SetRef(n.Ref())
	return entry
}

func (r *reader) takeMemory(t *model.Type, n source.Node) {
	if r.memory -= t.Size(); r.memory < 0 && r.stopped == nil {
		r.stopped, r.look = &TooManyGroups{Node: n}, 0
	}
}

// mayGoOn looks at what ends the reading, and says when to look again.
func (r *reader) mayGoOn(n source.Node) bool {
	if r.stopped == nil {
		r.stopped = r.ctx.Err()
	}
	if r.stopped != nil {
		r.look = 0
		return false
	}
	r.look = n + elementsPerLook
	return true
}

// setText is set for the term of a shortcut that has a field.
func (r *reader) setText(s *shortcut, n source.Node) {
	in := &r.slots[s.slot]
	if in.pending != nil {
		r.make(in)
	}
	if !in.object.Present() {
		return
	}
	if text := in.object.Text(s.field); !text.Present {
		*text = model.Text{Raw: r.tree.Text(n), Ref: n.Ref(), Present: true}
	}
}

// set gives a term its value, unless it has one already. No other function but setText binds
// an element or attribute to a term.
func (r *reader) set(v *termValue, raw string, ref source.Ref, n source.Node) {
	if v.field.Kind == model.KindDate && !r.hasDateFormat(n) {
		if r.usage != nil {
			r.usage.notADate(v, ref, &r.plan.dates)
		}
		return
	}
	if v.placeholder != nil && strings.EqualFold(trim(raw), *v.placeholder) {
		if r.usage != nil {
			r.usage.mark(ref, Derived)
		}
		return
	}
	object := r.owner(&v.fieldPath, n)
	if !object.Present() || object.Has(v.field) {
		if r.usage != nil {
			r.usage.notBound(v, raw, ref, n, object, r.plan)
		}
		return
	}
	if r.usage != nil {
		r.usage.bound(ref, n, &r.plan.dates, v.field)
	}
	switch v.field.Kind {
	case model.KindText:
		if v.codes != nil {
			raw = v.codes.toModel(raw)
		}
		if v.prefix != nil {
			raw = r.setPrefix(v.prefix, raw, ref, n)
		}
		*object.Text(v.field) = model.Text{Raw: raw, Ref: ref, Present: true}
	case model.KindBinary:
		*object.Binary(v.field) = model.Binary{Raw: raw, Ref: ref, Present: true}
	case model.KindNumber:
		*object.Number(v.field) = model.ReadNumber(raw, ref)
	case model.KindAmount:
		*object.Amount(v.field) = model.Amount{Number: model.ReadNumber(raw, ref), Currency: r.currency(n)}
	case model.KindDate:
		date := r.plan.dates.parse(raw)
		date.Ref = ref
		*object.Date(v.field) = date
	}
}

// setPrefix sets the term in front of a text, if there is one, and returns the
// text without it.
func (r *reader) setPrefix(p *prefixTerm, raw string, ref source.Ref, n source.Node) string {
	front, text, ok := p.split(raw)
	if !ok {
		return raw
	}
	if object := r.owner(&p.fieldPath, n); object.Present() {
		*object.Text(p.field) = model.Text{Raw: front, Ref: ref, Present: true}
	}
	return text
}

// hasDateFormat reports whether the attribute of a date says that it is written in
// the format of the table.
func (r *reader) hasDateFormat(n source.Node) bool {
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
	if r.usage != nil {
		r.usage.mark(a.Ref(), Bound)
	}
	return model.Text{Raw: r.tree.Attributes[a].Value, Ref: a.Ref(), Present: true}
}
