package binding

import (
	"einvoice/model"
)

// A writePlan is a table compiled for writing documents with one root element: a
// tree of the elements to write.
type writePlan struct {
	root       *writeElement
	namespaces string // the declarations in the root element, ready to write
	slots      int
	// currency is the name of the attribute with the currency of an amount; empty
	// if there is none.
	currency string
	// everyAmount means that every amount has that attribute.
	everyAmount     bool
	invoiceCurrency fieldPath
	formatDate      func(model.Date) string
	dateAttribute   string // the attribute of every date, ready to write
}

// A writeElement is an element to write.
type writeElement struct {
	tag string
	// own means that the element belongs to one row, and rows beside it add nothing
	// to it.
	own    bool
	always bool
	// rest means that the element takes what others leave: whether a reader gives it to
	// the others depends on what is written beside it.
	rest bool
	// sealed means that all terms inside belong to the group that the element is.
	sealed bool
	groups []writeGroup
	list   *writeList // nil unless the element repeats
	// alternatives are the elements beside each other that can hold the same terms,
	// this one among them; nil if it is the only one.
	alternatives []*alternative
	// tableOnly means that neither the element nor anything inside it holds a term.
	tableOnly bool
	*writeContent
}

func newWriteElement(tag string) *writeElement {
	return &writeElement{tag: tag, writeContent: &writeContent{}}
}

// A writeContent is what is inside an element. The entries of a list and of the
// lists that are like it share one.
type writeContent struct {
	text       *writeValue
	attributes []writeAttribute
	children   []*writeElement
}

// add adds a child element.
func (c *writeContent) add(tag string) *writeElement {
	added := newWriteElement(tag)
	c.children = append(c.children, added)
	return added
}

// child is the child element that rows share, added if it is new.
func (c *writeContent) child(tag string) *writeElement {
	for _, e := range c.children {
		if e.tag == tag && !e.own {
			return e
		}
	}
	return c.add(tag)
}

type writeAttribute struct {
	name string
	writeValue
}

// A writeValue is what text or an attribute holds: a term, or a value that the
// table provides.
type writeValue struct {
	termValue
	kind      valueKind
	fixed     string
	otherwise *substitute
	// first is the list whose entries have the term once where it is the same; nil for none.
	first *enclosingList
	// unlessSame is a term whose text makes this one superfluous; nil for none.
	unlessSame *fieldPath
	enclosing  []enclosingList
}

type valueKind uint8

const (
	valueTerm  valueKind = iota
	valueFixed           // always the same
	valueEqual           // that of a term which belongs elsewhere
)

// A writeGroup is a group of the model that an element is, or whose terms it
// holds.
type writeGroup struct {
	fieldPath
	around    bool // the element only holds its terms
	openSlot  int
	enclosing []enclosingList
}

// A writeList is the list of the model for whose entries an element repeats.
type writeList struct {
	fieldPath
	openSlot int
	limit    int
	split    *model.Field // the inner list of which one element holds one entry only
	like     bool         // the content is that of another list
	// splits means that the list around is split by this one. An entry without terms
	// is then known by what is beside its element.
	splits    bool
	enclosing []enclosingList
}

// An enclosingList is a list around something that does not belong to it, and is
// therefore written in one of its entries only.
type enclosingList struct {
	list      fieldPath
	entrySlot int
	// prefer and codes choose the entry; without prefer it is the first.
	prefer *model.Field
	codes  []string
}

// An alternative is one of several elements that can hold the same terms.
type alternative struct {
	element *writeElement
	// group is the path to the group with the fields. If the element opens that group
	// itself, opens is true.
	group  fieldPath
	opens  bool
	fields []*model.Field
	shape  string
}

// A substitute is what is written for an absent term.
type substitute struct {
	text        string
	placeholder bool      // the text says nothing, so that it is not a difference
	list        fieldPath // the list whose field is added up
	total       *model.Field
	operands    []fieldPath
	minus       bool
}
