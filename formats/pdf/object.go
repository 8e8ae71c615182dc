package pdf

import (
	"strings"
	"time"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

type object = types.Object

// objects follows references, and counts what that costs.
type objects struct {
	*model.XRefTable
	container *Container
	deadline  time.Time
	steps     int
}

func (c *Container) objects(deadline time.Time) *objects {
	return &objects{XRefTable: c.context.XRefTable, container: c, deadline: deadline}
}

// at is the object that o is or refers to; nil where there is none.
func (t *objects) at(o object) (object, error) {
	ref, indirect := o.(types.IndirectRef)
	if !indirect {
		return o, nil
	}
	if t.steps++; t.steps > t.container.limits.Objects {
		return nil, beyond("the PDF has more than the %d objects that are allowed", t.container.limits.Objects)
	}
	if time.Now().After(t.deadline) {
		return nil, tooSlow()
	}
	entry, found := t.FindTableEntryForIndRef(&ref)
	if !found || entry == nil || entry.Free {
		return nil, nil //nolint:nilnil // a reference to nothing is null by the standard
	}
	if lazy, ok := entry.Object.(types.LazyObjectStreamObject); ok {
		if err := t.open(entry, &lazy); err != nil {
			return nil, err
		}
	}
	target, err := t.Dereference(ref)
	if _, again := target.(types.IndirectRef); again {
		return nil, err // an object is never a mere reference; following it might not end
	}
	return target, err
}

// open decompresses an object stream when the first of its objects is needed.
// The library bounds one stream; a bomb is many of them.
func (t *objects) open(entry *model.XRefTableEntry, o *types.LazyObjectStreamObject) error {
	if entry.ObjectStream == nil || t.container.opened[*entry.ObjectStream] {
		return nil
	}
	t.container.opened[*entry.ObjectStream] = true
	text, err := o.GetData()
	if err != nil {
		return err
	}
	return t.container.charge(cap(text)) // the text is cut out of the whole, to whose end it may grow
}

func (t *objects) dict(o object) (types.Dict, error) {
	o, err := t.at(o)
	switch d := o.(type) {
	case types.Dict:
		return d, err
	case types.StreamDict:
		return d.Dict, err
	}
	return nil, err
}

func (t *objects) array(o object) (types.Array, error) {
	o, err := t.at(o)
	a, _ := o.(types.Array)
	return a, err
}

// text is a text string in whatever encoding it is; empty if there is none, or
// none that can be made out.
func (t *objects) text(o object) string {
	o, err := t.at(o)
	if err != nil || o == nil {
		return ""
	}
	s, err := model.Text(o)
	if err != nil {
		return ""
	}
	return strings.Map(printable, s)
}

// printable drops characters that do things to a terminal or a log, for which
// no name or description has a use.
func printable(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}

// bytes is a string that is no text.
func (t *objects) bytes(o object) []byte {
	o, err := t.at(o)
	if err != nil {
		return nil
	}
	var raw []byte
	switch s := o.(type) {
	case types.StringLiteral:
		raw, err = types.Unescape(s.Value())
	case types.HexLiteral:
		raw, err = s.Bytes()
	}
	if err != nil {
		return nil
	}
	return raw
}

func (t *objects) name(o object) string {
	o, err := t.at(o)
	n, ok := o.(types.Name)
	if err != nil || !ok {
		return ""
	}
	return n.Value()
}

func (t *objects) date(o object) time.Time {
	at, ok := types.DateTime(t.text(o), true)
	if _, err := at.MarshalText(); err != nil || !ok { // it cannot be told to anybody
		return time.Time{}
	}
	return at
}

func (t *objects) size(o object) int {
	o, err := t.at(o)
	n, ok := o.(types.Integer)
	if err != nil || !ok || n < 0 {
		return -1
	}
	return n.Value()
}
