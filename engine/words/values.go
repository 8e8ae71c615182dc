package words

import (
	"einvoice/model"
	"einvoice/model/numeral"
)

// A Kind is how a value in a message is written.
type Kind int

// The kinds of values.
const (
	Plain  Kind = iota // a text, as it is
	Number             // a decimal
	Day                // a date
)

// A Value is one that a message shows.
type Value struct {
	Text string // as English has it: 1234.50, 2026-11-20
	Kind Kind
}

// grouping is the number of digits from which they are grouped.
const grouping = 5

// Value writes a value in the form of the language. What is not a number or day stays as it
// is written: the message is about just that.
func (l *Language) Value(v Value) string {
	switch v.Kind {
	case Number:
		if number := model.NewNumber(v.Text); number.Valid {
			return numeral.Form{Decimal: l.Decimal, Group: l.Group, Grouped: grouping}.Write(number.Value.String(), 0)
		}
	case Day:
		if day := model.NewDate(v.Text); day.Valid {
			return day.Time().Format(l.Date)
		}
	}
	return v.Text
}
