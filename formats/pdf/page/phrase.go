package page

import (
	"slices"
	"strings"
)

// A phrase is a text, with the terms of the invoice that parts of it show.
type phrase struct {
	text  string
	marks []mark // in the order of the text; parts without one are words of the language
	// rightToLeft says that a line is of a paragraph that runs from right to left, whatever
	// the line begins with.
	rightToLeft bool
}

// A mark says which term a part of a phrase shows.
type mark struct {
	from, to int // bytes of the text
	leaf     any // the pointer to the leaf, which identifies it
}

// words is a phrase that shows no term.
func words(s string) phrase { return phrase{text: s} }

func (p phrase) empty() bool { return p.text == "" }

// plus is the phrase with another one behind it.
func (p phrase) plus(q phrase) phrase {
	if p.text == "" {
		return q
	}
	if q.text == "" {
		return p
	}
	sum := phrase{text: p.text + q.text, marks: p.marks}
	if len(q.marks) > 0 {
		sum.marks = append(make([]mark, 0, len(p.marks)+len(q.marks)), p.marks...)
		for _, m := range q.marks {
			sum.marks = append(sum.marks, mark{m.from + len(p.text), m.to + len(p.text), m.leaf})
		}
	}
	return sum
}

// part is the phrase of some bytes of the text.
func (p phrase) part(from, to int) phrase {
	part := phrase{text: p.text[from:to]}
	for _, m := range p.marks {
		if m.to > from && m.from < to {
			part.marks = append(part.marks, mark{max(m.from, from) - from, min(m.to, to) - from, m.leaf})
		}
	}
	return part
}

// solid is the phrase in which lines are not broken at blanks.
func (p phrase) solid() phrase {
	sum := phrase{text: solid(p.text), marks: slices.Clone(p.marks)}
	for i, m := range sum.marks { // a blank that does not break takes a byte more
		sum.marks[i].from, sum.marks[i].to = len(solid(p.text[:m.from])), len(solid(p.text[:m.to]))
	}
	return sum
}

// joined are phrases with words between them.
func joined(phrases []phrase, between string) phrase {
	var sum phrase
	for i, p := range phrases {
		if i > 0 {
			sum = sum.plus(words(between))
		}
		sum = sum.plus(p)
	}
	return sum
}

// put is a text of the language with phrases in place of names in braces; the names and
// phrases alternate as in strings.NewReplacer. A part in brackets is left out if one of
// its phrases is empty.
func put(text string, values map[string]phrase) phrase {
	var sum phrase
	for text != "" {
		at := strings.IndexAny(text, "{[")
		if at < 0 {
			return sum.plus(words(text))
		}
		sum, text = sum.plus(words(text[:at])), text[at:]
		closing := "}"
		if text[0] == '[' {
			closing = "]"
		}
		inner, rest, _ := strings.Cut(text[1:], closing)
		if text[0] == '{' {
			sum = sum.plus(values[inner])
		} else if all := put(inner, values); !lacks(inner, values) {
			sum = sum.plus(all)
		}
		text = rest
	}
	return sum
}

// lacks tells whether a text names a phrase that is empty.
func lacks(text string, values map[string]phrase) bool {
	for {
		_, rest, found := strings.Cut(text, "{")
		if !found {
			return false
		}
		name, after, _ := strings.Cut(rest, "}")
		if values[name].empty() {
			return true
		}
		text = after
	}
}
