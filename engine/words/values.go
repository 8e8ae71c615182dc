package words

import (
	"strings"

	"einvoice/model"
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

// Value writes a value in the form of the language. What is no number or day stays as it
// is written: the message is about just that.
func (l *Language) Value(v Value) string {
	switch v.Kind {
	case Number:
		if number := model.NewNumber(v.Text); number.Valid {
			return l.number(number.Value.String())
		}
	case Day:
		if day := model.NewDate(v.Text); day.Valid {
			return day.Time().Format(l.Date)
		}
	}
	return v.Text
}

func (l *Language) number(digits string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		sign, digits = "-", rest
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(whole) >= grouping {
		whole = grouped(whole, l.Group)
	}
	if fraction != "" {
		whole += l.Decimal + fraction
	}
	return sign + whole
}

func grouped(digits, separator string) string {
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(separator)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}
