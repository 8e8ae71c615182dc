package binding

import (
	"einvoice/model"
)

// A layout is a table made ready for writing documents with one root.
type layout struct {
	root       *outline
	namespaces string // declarations, as they stand in the root element
	slots      int
	currency   string // name of the attribute, "" without one
	always     bool   // whether every amount has it
	ownCode    target // the invoice's currency code
	date       func(model.Date) string
	dateAttr   string // what stands at every date, ready to write
}

// An outline is one element to write.
type outline struct {
	tag    string
	own    bool // nothing but its row may add to it
	always bool
	opens  []group
	list   *entries // nil unless the element repeats
	// alternatives are all elements beside each other that have a place for what
	// this one holds, itself among them; nil where it is the only one.
	alternatives []*alternative
	// tableOnly means that no term stands in it or anywhere inside.
	tableOnly bool
	*content
}

// content is what is inside an element; entries of a list and of those like it
// share one.
type content struct {
	text       *value
	attributes []attributeValue
	children   []*outline
}

type attributeValue struct {
	name string
	value
}

// A value is what text or an attribute holds: a term, or what the table says.
type value struct {
	target
	kind      valueKind
	fixed     string
	codes     *codes
	prefix    *prefixed
	otherwise *substitute
	outside   []outside
}

type valueKind uint8

const (
	valueTerm  valueKind = iota
	valueFixed           // always the same
	valueEqual           // that of a term which stands elsewhere
)

// A group is a group of the model that an element is or holds.
type group struct {
	target
	around  bool
	into    int // slot
	outside []outside
}

// entries is the list of the model that an element repeats for.
type entries struct {
	target
	into  int // slot
	limit int
	split *model.Field // of the entries; the element holds one of that list
	like  bool         // the content is another list's
	// part means that entries may be known by what stands beside their element.
	part    bool
	outside []outside
}

// outside is a list around a term that is none of its own: the term is written
// in one entry only.
type outside struct {
	list   target
	into   int // slot of the entry
	prefer *model.Field
	codes  []string
}

// An alternative is a place for terms that others have a place for as well.
type alternative struct {
	outline *outline
	// owner is the group with the fields; the outline opens it itself if opened.
	owner  target
	opened bool
	fields []*model.Field
	shape  string
}

// A substitute stands in for an absent term.
type substitute struct {
	text     string
	list     target // whose field is added up
	total    *model.Field
	operands []target
	minus    bool
}
