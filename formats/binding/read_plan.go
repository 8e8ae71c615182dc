package binding

import (
	"slices"
	"sync"

	"einvoice/model"
	"einvoice/model/source"
)

// A readPlan is a table compiled for reading documents with one root element: a
// tree of the elements that rows bind.
type readPlan struct {
	root       *readElement
	slots      int // how many groups and list entries can be open at once
	exclusions int // how many exclusions there are
	onces      int // how many rows bind one element only beside each other
	currency   source.Name
	dates      dateFormat
	readers    sync.Pool // of *reader
}

// A dateFormat says how dates are written.
type dateFormat struct {
	parse     func(string) model.Date
	attribute source.Name // must have value; NoName if none is needed
	value     string
}

// A readElement is an element that rows bind. What reading asks of every element is apart from
// what it asks of few, so that it is in few lines of the processor's cache; so it is of what is
// inside an element.
type readElement struct {
	*readContent
	groups []readGroup
	*elementRest
}

// An elementRest is what few elements have.
type elementRest struct {
	conditions []condition
	exclusions []exclusion
	once       int // number of the row, from 1, if it binds one element only
	// unchecked are fixed values that reading does not compare. They are known here
	// so that they are not reported as unused.
	unchecked []condition
}

func newReadElement() *readElement {
	return &readElement{readContent: &readContent{contentRest: &contentRest{}}, elementRest: &elementRest{}}
}

// conditional reports whether elements of this name can be other than this one.
func (e *readElement) conditional() bool {
	return e.conditions != nil || e.exclusions != nil || e.once > 0
}

// A readContent is what is inside an element. The entries of a list and of the
// lists that are like it share one.
type readContent struct {
	names     []source.Name // of the children
	shortcuts []shortcut    // what the children are, where one look says it
	*contentRest
	isMore bool // it has a text or attributes
}

// A contentRest is what few elements have inside, and all that children can be.
type contentRest struct {
	text       []termValue
	attributes []readAttribute
	children   []readChild // in the order of the schema
}

// A readChild is a child element. Of its candidates, the first whose conditions
// hold is the one.
type readChild struct {
	candidates []*readElement
}

// A shortcut says what the candidates of a child say, where every element of its name is one
// and the same, as most are.
type shortcut struct {
	only  *readElement // the candidate
	term  *termValue   // if it is a term and nothing else
	field *model.Field // if the term is a text that stands there as it is, in a group that is open
	slot  int32        // of that group
}

// shorten sets the shortcuts here and below.
func (c *readContent) shorten(done map[*readContent]bool) {
	if done[c] {
		return // a list inside itself
	}
	done[c] = true
	c.isMore = len(c.text)+len(c.attributes) > 0
	c.shortcuts = make([]shortcut, len(c.children))
	for i, child := range c.children {
		if e := child.candidates[0]; len(child.candidates) == 1 && !e.conditional() {
			c.shortcuts[i] = shortcutTo(e)
		}
		for _, e := range child.candidates {
			e.shorten(done)
		}
	}
}

func shortcutTo(e *readElement) shortcut {
	s := shortcut{only: e}
	if len(e.groups)+len(e.attributes)+len(e.children) > 0 || len(e.text) != 1 {
		return s
	}
	s.term = &e.text[0]
	if v := s.term; v.field.Kind == model.KindText && len(v.links) == 0 && v.codes == nil && v.prefix == nil && v.placeholder == nil {
		s.field, s.slot = v.field, int32(v.slot)
	}
	return s
}

type readAttribute struct {
	name  source.Name
	value termValue
}

// child is the child element of the given name, added if it is new.
func (c *readContent) child(name source.Name) *readChild {
	if i := slices.Index(c.names, name); i >= 0 {
		return &c.children[i]
	}
	c.names, c.children = append(c.names, name), append(c.children, readChild{})
	return &c.children[len(c.children)-1]
}

// shared is the unconditional candidate, which all rows without conditions share.
// It is added if it is new.
func (c *readChild) shared() *readElement {
	if last := len(c.candidates) - 1; last >= 0 && !c.candidates[last].conditional() {
		return c.candidates[last]
	}
	e := newReadElement()
	c.candidates = append(c.candidates, e)
	return e
}

// A readGroup is a group, or a list entry, that an element opens.
type readGroup struct {
	fieldPath
	kind     groupKind
	openSlot int
}

// A groupKind says what an element is to the group that it opens.
type groupKind uint8

const (
	elementIsGroup    groupKind = iota // the key group
	elementIsEntry                     // the key list
	elementHoldsGroup                  // the key around: the group exists as soon as one of its terms does
)

// maxGroups is how many groups one element can open.
const maxGroups = 2

// A condition must hold inside an element for a row to bind it.
type condition struct {
	path  []source.Name // child elements below the element
	attr  source.Name   // NoName if the text of the element is compared
	kind  conditionKind
	value string
	truth bool
	term  fieldPath // of the invoice, whose value is compared with
}

type conditionKind uint8

const (
	conditionExists conditionKind = iota
	conditionExact
	conditionCaseless
	conditionBoolean
	conditionTerm
)

// An exclusion must not hold beside an element for a row to bind it. The result
// is the same for all elements beside each other, so it is computed once for them.
type exclusion struct {
	condition
	up     int // steps from the element up to the element around its row
	number int // of the exclusion in the plan
}
