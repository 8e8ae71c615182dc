package jsoninvoice

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/source"
)

// A Mistake is one thing that is wrong in a JSON text.
type Mistake struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901) to the value
	Field   string `json:"field"`   // the same as a path in the model: lines[0].vat.rate
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// An Error is the mistakes in a JSON text, and how many there are beyond those.
type Error struct {
	Mistakes []Mistake
	Omitted  int
}

// Count is how many mistakes there are.
func (e *Error) Count() int { return len(e.Mistakes) + e.Omitted }

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
	if e.Omitted > 0 {
		fmt.Fprintf(&b, "\nand %d more", e.Omitted)
	}
	return b.String()
}

// maxMistakes bounds the report on one JSON text.
const maxMistakes = 100

// mistakes collects the mistakes in one JSON text.
type mistakes struct {
	data    string
	all     []Mistake
	omitted int
}

// full reports whether no more mistakes are collected, and counts the one that is not.
func (m *mistakes) full() bool {
	if len(m.all) < maxMistakes {
		return false
	}
	m.omitted++
	return true
}

// add adds a mistake in the value at a path.
func (m *mistakes) add(v *Value, at valuePath, format string, args ...any) {
	if m.full() {
		return
	}
	p := source.PositionIn(m.data, v.Offset)
	m.all = append(m.all, Mistake{
		Pointer: at.pointer(), Field: at.field(), Line: p.Line, Column: p.Column, Message: fmt.Sprintf(format, args...),
	})
}

// MistakeAt is a mistake in the value that a JSON Pointer leads to in a text that was parsed,
// by the names of members alone; it has no place where there is no such value.
func MistakeAt(data []byte, v *Value, pointer, field, message string) Mistake {
	m := Mistake{Pointer: pointer, Field: field, Message: message}
	for _, name := range strings.Split(pointer, "/")[1:] {
		i := slices.IndexFunc(v.Members, func(m Member) bool { return m.Name == name })
		if i < 0 {
			return m
		}
		v = v.Members[i].Value
	}
	p := source.PositionIn(string(bytes.TrimPrefix(data, byteOrderMark)), v.Offset)
	m.Line, m.Column = p.Line, p.Column
	return m
}

// err is an *Error with all mistakes; nil if there are none.
func (m *mistakes) err() error {
	if m.all == nil {
		return nil
	}
	return &Error{m.all, m.omitted}
}

// A valuePath leads to a value, by member names and indices of array items.
type valuePath struct {
	outer *valuePath
	name  string
	index int // -1 for a member
}

// member is the path of a member.
func (p *valuePath) member(name string) valuePath { return valuePath{p, name, -1} }

// item is the path of an array item.
func (p *valuePath) item(i int) valuePath { return valuePath{p, "", i} }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer is the path as a JSON pointer.
func (p *valuePath) pointer() string {
	switch {
	case p.outer == nil:
		return ""
	case p.index >= 0:
		return p.outer.pointer() + "/" + strconv.Itoa(p.index)
	}
	return p.outer.pointer() + "/" + pointerEscapes.Replace(p.name)
}

// field is the path as findings have it.
func (p *valuePath) field() string {
	if p.outer == nil {
		return ""
	}
	before := p.outer.field()
	switch {
	case p.index >= 0:
		return before + "[" + strconv.Itoa(p.index) + "]"
	case before == "":
		return p.name
	}
	return before + "." + p.name
}
