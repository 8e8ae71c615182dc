package lines

import (
	"maps"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// subPosition matches the number of a sub line, as 1.2 below 1.
var subPosition = lexicon.Pattern(`^\d{1,4}(?:\.\d{1,3}){1,3}$`)

// IsPartOf reports whether a line's number is that of a part of another line.
func (l *Line) IsPartOf(whole *Line) bool {
	number, of := strings.TrimSuffix(l.position(), "."), strings.TrimSuffix(whole.position(), ".")
	return of != "" && subPosition().MatchString(number) && strings.HasPrefix(number, of+".")
}

// position is the number of a line as it is printed; empty where it has none.
func (l *Line) position() string {
	if of := l.Texts["position"]; len(of) == 1 {
		return of[0].Text
	}
	return ""
}

// Unit is the unit of the quantity, where it is printed as one that is known.
func (l *Line) Unit() candidate.Printed {
	for _, w := range append(l.Texts["unit"], l.Texts["quantityUnit"]...) {
		if code, ok := lexicon.UnitCode(w.Text); ok {
			return candidate.Printed{Value: code, Words: []*layout.Word{w}}
		}
	}
	return candidate.Printed{}
}

// IsStray reports whether a line lacks what lines have: its amount is not quantity times
// price, and it has no number of its own.
func (l *Line) IsStray() bool {
	_, quantity := l.Numbers["quantity"]
	_, price := l.Numbers["unitPrice"]
	return !l.IsFixed && !(quantity && price) && len(l.Texts["position"]) == 0
}

// Clone is a copy that may be changed.
func (t *Table) Clone() Table {
	c := Table{slices.Clone(t.Lines), slices.Clone(t.IsLine), t.Cut}
	for i := range c.Lines {
		c.Lines[i].Numbers = maps.Clone(c.Lines[i].Numbers)
	}
	return c
}
