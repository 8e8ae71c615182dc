package typeset

import (
	"slices"
	"sort"
	"strings"
)

// A Phrase is a text, with the terms of the invoice that parts of it show.
type Phrase struct {
	Text  string
	Marks []Mark // in the order of the text; parts without one are words of the language
	// rightToLeft says that a line is of a paragraph that runs from right to left, whatever
	// the line begins with.
	RightToLeft bool
}

// A Mark says which term a part of a phrase shows.
type Mark struct {
	From, To int // bytes of the text
	Leaf     any // the pointer to the leaf, which identifies it
}

// Words is a phrase that shows no term.
func Words(s string) Phrase { return Phrase{Text: s} }

// Empty reports whether the phrase has no text.
func (p Phrase) Empty() bool { return p.Text == "" }

// Plus is the phrase with another one behind it.
func (p Phrase) Plus(q Phrase) Phrase {
	if p.Text == "" {
		return q
	}
	if q.Text == "" {
		return p
	}
	sum := Phrase{Text: p.Text + q.Text, Marks: p.Marks}
	if len(q.Marks) > 0 {
		sum.Marks = append(make([]Mark, 0, len(p.Marks)+len(q.Marks)), p.Marks...)
		for _, m := range q.Marks {
			sum.Marks = append(sum.Marks, Mark{m.From + len(p.Text), m.To + len(p.Text), m.Leaf})
		}
	}
	return sum
}

// Part is the phrase of some bytes of the text.
func (p Phrase) Part(from, to int) Phrase {
	part := Phrase{Text: p.Text[from:to]}
	first := sort.Search(len(p.Marks), func(i int) bool { return p.Marks[i].To > from })
	for _, m := range p.Marks[first:] {
		if m.From >= to {
			break
		}
		part.Marks = append(part.Marks, Mark{max(m.From, from) - from, min(m.To, to) - from, m.Leaf})
	}
	return part
}

// Solid is the phrase in which lines are not broken at blanks.
func (p Phrase) Solid() Phrase {
	sum := Phrase{Text: Solid(p.Text), Marks: slices.Clone(p.Marks)}
	for i, m := range sum.Marks { // a blank that does not break takes a byte more
		sum.Marks[i].From, sum.Marks[i].To = len(Solid(p.Text[:m.From])), len(Solid(p.Text[:m.To]))
	}
	return sum
}

// Joined are phrases with words between them, in time that is linear in their length, also where a
// document says how many there are.
func Joined(phrases []Phrase, between string) Phrase {
	var text strings.Builder
	var marks []Mark
	for _, p := range phrases {
		if text.Len() > 0 {
			text.WriteString(between)
		}
		for _, m := range p.Marks {
			marks = append(marks, Mark{m.From + text.Len(), m.To + text.Len(), m.Leaf})
		}
		text.WriteString(p.Text)
	}
	return Phrase{Text: text.String(), Marks: marks}
}

// Put is a text of the language with phrases in place of names in braces; the names and
// phrases alternate as in strings.NewReplacer. A part in brackets is left out if one of
// its phrases is empty.
func Put(text string, values map[string]Phrase) Phrase {
	var sum Phrase
	for text != "" {
		at := strings.IndexAny(text, "{[")
		if at < 0 {
			return sum.Plus(Words(text))
		}
		sum, text = sum.Plus(Words(text[:at])), text[at:]
		closing := "}"
		if text[0] == '[' {
			closing = "]"
		}
		inner, rest, _ := strings.Cut(text[1:], closing)
		if text[0] == '{' {
			sum = sum.Plus(values[inner])
		} else if all := Put(inner, values); !lacks(inner, values) {
			sum = sum.Plus(all)
		}
		text = rest
	}
	return sum
}

// lacks reports whether a text names a phrase that is empty.
func lacks(text string, values map[string]Phrase) bool {
	for {
		_, rest, found := strings.Cut(text, "{")
		if !found {
			return false
		}
		name, after, _ := strings.Cut(rest, "}")
		if values[name].Empty() {
			return true
		}
		text = after
	}
}
