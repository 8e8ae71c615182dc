package binding

import (
	"einvoice/model"
	"einvoice/model/source"
)

// A plan is a table made ready for reading documents with one root: a tree of
// the elements that the table knows.
type plan struct {
	root       *place
	slots      int // groups and list entries that can be open at once
	exclusions int
	currency   source.Name
	dates      dates
}

// dates is how dates are written.
type dates struct {
	parse     func(string) model.Date
	attribute source.Name // NoName where none is needed
	value     string
}

// A place is one element of the plan: what it opens when a document has it, and
// what is inside.
type place struct {
	when   []condition
	unless []exclusion
	opens  []opening
	// written are the values that say nothing but which a writer puts here.
	written []condition
	*body
}

// A body is what is inside an element; entries of a list and of those like it
// share one.
type body struct {
	text       []leaf
	attributes []attribute
	steps      []step // by the order of the schema
}

// A step is a child element; of its places, the first whose conditions hold is
// the one.
type step struct {
	name   source.Name
	places []*place
}

type attribute struct {
	name source.Name
	leaf leaf
}

// A target is a field of the model, reached from a group that is open.
type target struct {
	slot  int
	links []link // groups in between, which no row opens
	field *model.Field
}

// A link is a group or list on the way to a target.
type link struct {
	field *model.Field
	// claimed means that a row elsewhere says which element the group is.
	claimed bool
}

// A leaf is a term that text or an attribute holds.
type leaf struct {
	target
	codes  *codes
	prefix *prefixed
}

// prefixed is a term that stands in front of another's text.
type prefixed struct {
	target
	mark   string
	length int
}

// An opening makes a group, or an entry of a list, that terms inside belong to.
type opening struct {
	target
	kind openingKind
	into int // slot
}

type openingKind uint8

const (
	openGroup openingKind = iota
	openList
	openAround
)

// A condition is something that must hold inside an element.
type condition struct {
	path  []source.Name
	attr  source.Name // NoName compares the element's text
	kind  conditionKind
	value string
	truth bool
	term  target // of the invoice, to compare with
}

type conditionKind uint8

const (
	conditionExists conditionKind = iota
	conditionExact
	conditionCaseless
	conditionBoolean
	conditionTerm
)

// An exclusion is something that must not hold beside an element. What it says
// is the same for all elements beside each other, so it is found out once.
type exclusion struct {
	condition
	up int // from the element to the one around its row
	id int
}
