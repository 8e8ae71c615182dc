// Package cases says of conditions whether a document can meet several of them, which one
// does, and which of the documents that they divide among them none is for. It looks at
// conditions whose parts compare one term of a document with values; any other part is
// something that a document has or has not.
//
//	c, ok := terms.Meet(a, b)  // ok: some document meets both, such as c
//	gaps := terms.Gaps(a, b)   // cases that neither is for
package cases

import (
	"slices"
	"strings"
	"time"

	"einvoice/model"
)

// A Value is what a document has of a term: a text, or nothing.
type Value struct {
	Text   string
	Absent bool
}

// A Condition is what is asked of a document.
type Condition struct {
	op    operation
	parts []*Condition // of all, any and not

	term       string
	texts      []string // which the term is compared with
	number     string   // likewise, as a number
	expression string   // a regular one, which matches in it
	unread     bool
	holds      func(Value) bool
}

type operation byte

const (
	all operation = iota
	any
	not
	part // about one term
)

// All holds where each of some conditions does; without any, everywhere.
func All(parts ...*Condition) *Condition { return &Condition{op: all, parts: parts} }

// Any holds where one of some conditions does; without any, nowhere.
func Any(parts ...*Condition) *Condition { return &Condition{op: any, parts: parts} }

// Not holds where a condition does not.
func Not(c *Condition) *Condition { return &Condition{op: not, parts: []*Condition{c}} }

// Is holds where the term has one of some texts.
func Is(term string, texts ...string) *Condition {
	return &Condition{op: part, term: term, texts: texts, holds: func(v Value) bool { return !v.Absent && slices.Contains(texts, v.Text) }}
}

// IsOther holds where the term has another text.
func IsOther(term, text string) *Condition {
	return &Condition{op: part, term: term, texts: []string{text}, holds: func(v Value) bool { return !v.Absent && v.Text != text }}
}

// Has holds where the document has the term, or what else is named so.
func Has(term string) *Condition {
	return &Condition{op: part, term: term, holds: func(v Value) bool { return !v.Absent }}
}

// Unread holds where something is so that package cases does not read: it may exclude other
// conditions, or follow from them.
func Unread(name string) *Condition {
	c := Has(name)
	c.unread = true
	return c
}

// IsRead reports whether no part of the condition is Unread.
func (c *Condition) IsRead() bool {
	read := true
	c.each(func(p *Condition) { read = read && !p.unread })
	return read
}

// Compared holds where the term is a number that compares with another one as wanted says.
func Compared(term, number string, wanted func(sign int) bool) *Condition {
	n := model.NewNumber(number)
	return &Condition{op: part, term: term, number: number, holds: func(v Value) bool {
		have := model.NewNumber(v.Text)
		return !v.Absent && n.Valid && have.Valid && wanted(have.Value.Cmp(n.Value))
	}}
}

// IsNumber holds where the term is a number.
func IsNumber(term string) *Condition { return Compared(term, "0", func(int) bool { return true }) }

// Filled holds where the term has more than white space.
func Filled(term string) *Condition {
	return &Condition{op: part, term: term, texts: []string{" "}, holds: func(v Value) bool { return !v.Absent && strings.TrimSpace(v.Text) != "" }}
}

// Within holds on days from one until another; "" sets no limit.
func Within(term, from, until string) *Condition {
	return &Condition{op: part, term: term, texts: nearDays(from, until), holds: func(v Value) bool {
		return v.Text >= from && (until == "" || v.Text <= until)
	}}
}

// nearDays are days and those before and behind them.
func nearDays(all ...string) (near []string) {
	for _, day := range all {
		if t, err := time.Parse(time.DateOnly, day); err == nil {
			near = append(near, t.AddDate(0, 0, -1).Format(time.DateOnly), day, t.AddDate(0, 0, 1).Format(time.DateOnly))
		}
	}
	return near
}

// Terms are those that the condition is about, sorted.
func (c *Condition) Terms() (terms []string) {
	c.each(func(c *Condition) { terms = append(terms, c.term) })
	slices.Sort(terms)
	return slices.Compact(terms)
}

// each passes the parts that are about one term.
func (c *Condition) each(visit func(*Condition)) {
	if c.op == part {
		visit(c)
	}
	for _, p := range c.parts {
		p.each(visit)
	}
}

// Other stands in a Value for any text that no condition names.
const Other = "\x00other"

// around are numbers, what is between them, below and above; each also written otherwise, as
// a text that is compared with one way of writing it is not with another.
func around(all []model.Decimal) (texts []string) {
	slices.SortFunc(all, model.Decimal.Cmp)
	one, two := model.NewDecimal(1), model.NewDecimal(2)
	add := func(d model.Decimal) { texts = append(texts, d.String()) }
	add(all[0].Sub(one))
	for i, d := range all {
		add(d)
		other := d.String()
		if !strings.Contains(other, ".") {
			other += "."
		}
		texts = append(texts, other+"0")
		if i+1 < len(all) && d.Cmp(all[i+1]) != 0 {
			if between, err := d.Add(all[i+1]).Div(two); err == nil {
				add(between)
			}
		}
	}
	add(all[len(all)-1].Add(one))
	return texts
}
