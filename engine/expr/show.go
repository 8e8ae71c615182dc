package expr

import (
	"fmt"

	"einvoice/model"
	"einvoice/model/quote"
)

// Nothing is what Show calls a value that is not there.
const Nothing = "nothing"

// most is how many characters of a value are shown.
const most = 80

// Show evaluates and writes the value for people, shortened; Nothing if there is
// none.
func (p *Program) Show(act *Activation) string {
	if !act.begin(p.price) {
		return Nothing
	}
	switch c := &p.compiled; {
	case c.text != nil:
		if s, ok := c.text(act); ok && s != "" {
			return quote.Fields(s, most)
		}
	case c.decimal != nil:
		if c.term != nil { // as written, even if it is not a number
			if o, ok := c.term.of(act); ok && o.Has(c.term.field) {
				return quote.Fields(o.Raw(c.term.field), most)
			}
			return Nothing
		}
		if d, ok := c.decimal(act); ok {
			return quote.Shorten(d.String(), most)
		}
	case c.integer != nil:
		if i, ok := c.integer(act); ok {
			return fmt.Sprint(i)
		}
	case c.date != nil:
		if d, ok := c.date(act); ok {
			return d.ISO()
		}
	case c.boolean != nil:
		if v, ok := c.boolean(act); ok {
			return fmt.Sprint(v)
		}
	}
	return Nothing
}

// Shown reports whether Show can write the value: one of a group, a list, an element or an
// attachment it cannot.
func (p *Program) Shown() bool {
	c := &p.compiled
	return c.text != nil || c.decimal != nil || c.integer != nil || c.date != nil || c.boolean != nil
}

// Kind is how Show writes the value: KindNumber a decimal, KindDate a day, KindText
// anything else.
func (p *Program) Kind() model.Kind {
	switch c := &p.compiled; {
	case c.text != nil:
		return model.KindText
	case c.decimal != nil:
		return model.KindNumber
	case c.date != nil:
		return model.KindDate
	}
	return model.KindText
}
