package cases

import (
	"maps"
	"slices"
	"strings"
)

// A Case is documents that are alike in some terms.
type Case map[string]Value

// Meet finds a case of which documents meet all of some conditions. Its case is nil where
// nothing is asked, or where there are too many to look at: then documents may meet them.
func (t Terms) Meet(conditions ...*Condition) (c Case, ok bool) {
	both := All(conditions...)
	s := t.space(both)
	s.reduce(both)
	boxes, looked := s.boxes(both, false)
	if s.unknown || !looked {
		return nil, true
	}
	if len(boxes) == 0 {
		return nil, false
	}
	return s.caseOf(boxes[0]), true
}

// reduce leaves one of the values of each term that the condition does not tell apart.
func (s space) reduce(c *Condition) {
	about := map[string][]*Condition{}
	c.each(func(c *Condition) { about[c.term] = append(about[c.term], c) })
	for term, parts := range about {
		seen := map[string]bool{}
		s.of[term] = slices.DeleteFunc(s.of[term], func(v Value) bool {
			held := make([]byte, len(parts))
			for i, p := range parts {
				if p.holds(v) {
					held[i] = 1
				}
			}
			known := seen[string(held)]
			seen[string(held)] = true
			return known && !v.Absent
		})
	}
}

// caseOf is a case in a box: of each term one of its values.
func (s space) caseOf(b box) Case {
	c := Case{}
	for _, term := range slices.Sorted(maps.Keys(b)) {
		values := b[term]
		if values.isAll() {
			continue
		}
		absent := slices.Index(s.of[term], Value{Absent: true})
		i := slices.Index(values, true)
		if absent >= 0 && values[absent] && s.lacksGroupOf(term, b) {
			i = absent
		}
		c[term] = s.of[term][i]
	}
	return c
}

// String says what documents of the case have, on one line; "" for all documents.
func (c Case) String() string {
	parts := make([]string, 0, len(c))
	for _, term := range slices.Sorted(maps.Keys(c)) {
		switch v := c[term]; {
		case isDay(term):
			parts = append(parts, saidDays[term]+" "+v.Text)
		case v.Absent:
			parts = append(parts, "no "+term)
		case v.Text == Other && isThing(term):
			parts = append(parts, term)
		case v.Text == Other:
			parts = append(parts, "any other "+term)
		default:
			parts = append(parts, term+" "+v.Text)
		}
	}
	return strings.Join(parts, ", ")
}

var saidDays = map[string]string{Day("issue"): "issued on", Day("receipt"): "received on", Day("validation"): "validated on"}

// isThing reports whether a term is something that a document has or has not: a path with what
// is asked of it.
func isThing(term string) bool {
	return strings.ContainsAny(term, "[(=<>") || strings.HasPrefix(term, "/")
}
