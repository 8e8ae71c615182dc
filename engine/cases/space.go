package cases

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"einvoice/model"
)

// Terms are what is known of the terms that conditions are about.
type Terms struct {
	// Closed are those that have one of some values, and always one.
	Closed map[string][]string
	// Always reports whether every document has a term; nil for no term.
	Always func(term string) bool
	// Texts remembers what conditions with the same expressions ask for again; nil for nothing.
	Texts *Texts
}

// days are terms that are days; a document has each of them.
const days = "day "

// Day is the term of a day that decides: the one of issue, receipt or validation.
func Day(by string) string { return days + cmp.Or(by, "issue") }

func isDay(term string) bool { return strings.HasPrefix(term, days) }

// A space is the values that conditions tell apart, of each term that they are about.
type space struct {
	of      map[string][]Value
	numeric map[string]bool // terms that are compared as numbers
	unknown bool            // there is a term of which not all texts that matter are known
}

func (t Terms) space(c *Condition) space {
	s := space{of: map[string][]Value{}, numeric: map[string]bool{}}
	numbers, expressions := map[string][]model.Decimal{}, map[string][]string{}
	add := func(term string, texts ...string) {
		for _, text := range texts {
			if v := (Value{Text: text}); !slices.Contains(s.of[term], v) {
				s.of[term] = append(s.of[term], v)
			}
		}
	}
	c.each(func(c *Condition) {
		if _, is := t.Closed[c.term]; !is {
			add(c.term, c.texts...)
		}
		if n := model.NewNumber(c.number); n.Valid {
			numbers[c.term] = append(numbers[c.term], n.Value)
			s.numeric[c.term] = true
		}
		if c.expression != "" {
			expressions[c.term] = append(expressions[c.term], c.expression)
		}
		if s.of[c.term] == nil {
			s.of[c.term] = []Value{}
		}
	})
	for term, all := range expressions {
		s.unknown = !s.addDiffering(t.Texts, term, all) || s.unknown
	}
	for _, term := range slices.Collect(maps.Keys(s.of)) {
		values, closed := t.Closed[term]
		switch {
		case closed:
			add(term, values...)
		case isDay(term):
			slices.SortFunc(s.of[term], func(a, b Value) int { return cmp.Compare(a.Text, b.Text) })
		default:
			if all := numbers[term]; all != nil {
				add(term, around(all)...)
			}
			add(term, Other)
			s.of[term] = append(s.of[term], Value{Absent: true})
		}
	}
	return s
}

// A set tells of each value of a term whether it is in it.
type set []bool

func (s set) isEmpty() bool { return !slices.Contains(s, true) }
func (s set) isAll() bool   { return !slices.Contains(s, false) }

func (s set) and(other set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] && other[i]
	}
	return out
}

// A box is documents: of each term that is in it, one of some values.
type box map[string]set

// and is what is in both.
func (b box) and(other box) box {
	out := maps.Clone(b)
	for term, s := range other {
		if have, is := out[term]; is {
			s = have.and(s)
		}
		out[term] = s
	}
	return out
}

// holds reports whether there is a document in the box: one that has something in a group has
// the group.
func (s space) holds(b box) bool {
	for term, values := range b {
		if values.isEmpty() {
			return false
		}
		if s.has(term, values) && s.lacksGroupOf(term, b) {
			return false
		}
	}
	return true
}

// has reports whether the document must have the term.
func (s space) has(term string, values set) bool {
	i := slices.Index(s.of[term], Value{Absent: true})
	return i >= 0 && !values[i]
}

func (s space) lacksGroupOf(term string, b box) bool {
	for end := strings.LastIndexByte(term, '/'); end > 0; end = strings.LastIndexByte(term[:end], '/') {
		group := term[:end]
		values, is := b[group]
		if i := slices.Index(s.of[group], Value{Absent: true}); is && i >= 0 && values[i] && slices.Index(values[:i], true) < 0 && !slices.Contains(values[i+1:], true) {
			return true
		}
	}
	return false
}

// mostBoxes bounds how many ways to meet conditions are looked at.
const mostBoxes = 2048

// boxes are the documents that meet a condition, or do not; ok is false where there are too
// many of them to look at.
func (s space) boxes(c *Condition, negated bool) (out []box, ok bool) {
	switch {
	case c.op == part:
		values := make(set, len(s.of[c.term]))
		for i, v := range s.of[c.term] {
			values[i] = c.holds(v) != negated
		}
		if values.isAll() {
			return []box{{}}, true
		}
		return []box{{c.term: values}}, true
	case c.op == not:
		return s.boxes(c.parts[0], !negated)
	case (c.op == any) != negated:
		for _, p := range c.parts {
			more, ok := s.boxes(p, negated)
			if out = append(out, more...); !ok || len(out) > mostBoxes {
				return nil, false
			}
		}
		return out, true
	}
	out = []box{{}}
	for _, p := range c.parts {
		more, ok := s.boxes(p, negated)
		if !ok || len(out)*len(more) > mostBoxes {
			return nil, false
		}
		var both []box
		for _, x := range out {
			for _, y := range more {
				if b := x.and(y); s.holds(b) {
					both = append(both, b)
				}
			}
		}
		out = both
	}
	return out, true
}
