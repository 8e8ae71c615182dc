package jsoninvoice

import (
	"fmt"
	"strconv"
	"strings"

	"einvoice/model/source"
)

// A Mistake is one thing in a JSON text that is not as it must be.
type Mistake struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901) to it
	Field   string `json:"field"`   // the same as a path of fields: lines[0].vat.rate
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// An Error is everything that is wrong with a JSON text.
type Error struct{ Mistakes []Mistake }

func (e *Error) Error() string {
	var b strings.Builder
	for i, m := range e.Mistakes {
		if i > 0 {
			b.WriteByte('\n')
		}
		at := m.Pointer
		if at == "" {
			at = "the document"
		}
		fmt.Fprintf(&b, "line %d, column %d: %s: %s", m.Line, m.Column, at, m.Message)
	}
	return b.String()
}

// mostMistakes bounds a report: after so many the text is plainly something else.
const mostMistakes = 100

// mistakes collects what is wrong with one JSON text.
type mistakes struct {
	data string
	all  []Mistake
}

// full reports whether no more mistakes are noted.
func (m *mistakes) full() bool { return len(m.all) == mostMistakes }

// add notes a mistake at a value, which stands at a path.
func (m *mistakes) add(v *Value, at Path, format string, args ...any) {
	if m.full() {
		return
	}
	p := source.PositionIn(m.data, v.Offset)
	m.all = append(m.all, Mistake{
		Pointer: at.Pointer(), Field: at.Field(), Line: p.Line, Column: p.Column, Message: fmt.Sprintf(format, args...),
	})
}

// err is an *Error with all mistakes, nil if there are none.
func (m *mistakes) err() error {
	if m.all == nil {
		return nil
	}
	return &Error{m.all}
}

// A Path leads to a value: names of members and numbers of array items.
type Path struct {
	up    *Path
	name  string
	index int // -1 for a member
}

// Member is the path of a member.
func (p *Path) Member(name string) Path { return Path{p, name, -1} }

// Item is the path of an array item.
func (p *Path) Item(i int) Path { return Path{p, "", i} }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer is the path as a JSON Pointer.
func (p *Path) Pointer() string {
	switch {
	case p.up == nil:
		return ""
	case p.index >= 0:
		return p.up.Pointer() + "/" + strconv.Itoa(p.index)
	}
	return p.up.Pointer() + "/" + pointerEscapes.Replace(p.name)
}

// Field is the path as findings write it.
func (p *Path) Field() string {
	if p.up == nil {
		return ""
	}
	before := p.up.Field()
	switch {
	case p.index >= 0:
		return before + "[" + strconv.Itoa(p.index) + "]"
	case before == "":
		return p.name
	}
	return before + "." + p.name
}
