package cases

import (
	"maps"
	"slices"

	"einvoice/model"
)

// Gaps are cases that none of some conditions is for, of a set that looks meant to be
// complete. Its conditions are a table: each term that they are about divides it by the
// values that they name,
//
//   - the days between the first and the last,
//   - the numbers between the lowest and the highest,
//   - all values of a term, where all are named but one, or where one condition is for all
//     others than those of another,
//   - all values of a term that has these values alone, such as the profile, where one condition
//     is for all of them and another for a few.
//
// The set looks complete where conditions are for more than half of the table's cells; the
// others are gaps. Nil is returned for tables that are too large to look at.
func (t Terms) Gaps(conditions ...*Condition) (gaps []Case) {
	s := t.space(Any(conditions...))
	if s.unknown {
		return nil
	}
	var filled []box
	for _, c := range conditions {
		boxes, ok := s.boxes(c, false)
		if !ok {
			return nil
		}
		filled = append(filled, boxes...)
	}
	spans, size, apart := map[string][]int{}, 1, false
	for term := range s.of {
		_, told := setsOf(term, filled)
		apart = apart || told
	}
	for term := range s.of {
		if values := t.span(s, term, filled, apart); len(values) > 0 {
			spans[term] = values
			if size *= len(values); size > mostBoxes {
				return nil
			}
		}
	}
	terms := slices.Sorted(maps.Keys(spans))
	empty, cells := []box{}, 0
	eachCell(s, terms, spans, box{}, func(cell box) {
		if !s.holds(cell) {
			return
		}
		cells++
		if !slices.ContainsFunc(filled, func(b box) bool { return s.holds(cell.and(b)) }) {
			empty = append(empty, maps.Clone(cell))
		}
	})
	if 2*len(empty) >= cells {
		return nil
	}
	var told []box
	for _, cell := range empty {
		if slices.ContainsFunc(told, func(b box) bool { return s.holds(cell.and(b)) }) {
			continue
		}
		wide := s.widened(cell, terms, spans, filled)
		told = append(told, wide)
		gaps = append(gaps, s.caseOf(wide))
	}
	return gaps
}

// eachCell passes each cell of the table below some terms.
func eachCell(s space, terms []string, spans map[string][]int, cell box, visit func(box)) {
	if len(terms) == 0 {
		visit(cell)
		return
	}
	for _, i := range spans[terms[0]] {
		cell[terms[0]] = s.only(terms[0], i)
		eachCell(s, terms[1:], spans, cell, visit)
	}
	delete(cell, terms[0])
}

func (s space) only(term string, values ...int) set {
	out := make(set, len(s.of[term]))
	for _, i := range values {
		out[i] = true
	}
	return out
}

// widened is a cell without the terms that do not matter: whatever they are, no condition is
// for it.
func (s space) widened(cell box, terms []string, spans map[string][]int, filled []box) box {
	cell = maps.Clone(cell)
	for _, term := range terms {
		wide := maps.Clone(cell)
		wide[term] = s.only(term, spans[term]...)
		if !slices.ContainsFunc(filled, func(b box) bool { return s.holds(wide.and(b)) }) {
			delete(cell, term)
		}
	}
	return cell
}

// setsOf are the values of a term that the boxes which do not take all of them have. They are
// apart if they are not all alike.
func setsOf(term string, filled []box) (sets []set, apart bool) {
	for _, b := range filled {
		if values, is := b[term]; is && !values.isAll() {
			sets = append(sets, values)
			apart = apart || !slices.Equal(values, sets[0])
		}
	}
	return sets, apart
}

// span are the values of a term by which it divides the table, one of those that every
// condition takes alike. There are none where conditions do not tell it apart. Where the table
// is divided, and one condition is for all values of a closed term and another for a few, the
// table has all of them.
func (t Terms) span(s space, term string, filled []box, divided bool) []int {
	named := make(set, len(s.of[term]))
	sets, apart := setsOf(term, filled)
	for _, values := range sets {
		for i := range values {
			named[i] = named[i] || values[i]
		}
	}
	if _, closed := t.Closed[term]; closed && divided && len(sets) > 0 && len(sets) < len(filled) {
		fill(named, nil)
	} else if apart {
		t.complete(s, term, named)
	}
	var out []int
	for i := range named {
		alike := func(j int) bool {
			return !slices.ContainsFunc(sets, func(values set) bool { return values[i] != values[j] })
		}
		if named[i] && !slices.ContainsFunc(out, alike) {
			out = append(out, i)
		}
	}
	return out
}

// complete adds the values that the ones which are named leave, if these look like all.
func (t Terms) complete(s space, term string, named set) {
	values := s.of[term]
	_, closed := t.Closed[term]
	first, last := slices.Index(named, true), lastIndex(named)
	numbers := s.numbersOf(term)
	switch {
	case closed:
		if count(named) == len(named)-1 {
			fill(named, nil)
		}
	case isDay(term):
		fill(named[first:last+1], nil)
	case numbers != nil:
		low, high := slices.IndexFunc(numbers, func(i int) bool { return named[i] }), 0
		for at, i := range numbers {
			if named[i] {
				high = at
			}
		}
		if low < 0 {
			return
		}
		for _, i := range numbers[low : high+1] {
			named[i] = true
		}
		if absent := slices.Index(values, Value{Absent: true}); low == 0 && high == len(numbers)-1 && !t.always(term) {
			named[absent] = true
		}
	case named[slices.Index(values, Value{Text: Other})]:
		fill(named, func(i int) bool { return !values[i].Absent || !t.always(term) })
	}
}

func (t Terms) always(term string) bool { return t.Always != nil && t.Always(term) }

// numbersOf are the values of a term that are numbers, in order; nil where it is not compared
// as one.
func (s space) numbersOf(term string) (out []int) {
	number := func(i int) model.Number { return model.NewNumber(s.of[term][i].Text) }
	for i := range s.of[term] {
		if s.numeric[term] && number(i).Valid {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int { return number(i).Value.Cmp(number(j).Value) })
	return out
}

func fill(s set, which func(i int) bool) {
	for i := range s {
		s[i] = s[i] || which == nil || which(i)
	}
}

func count(s set) (n int) {
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}

func lastIndex(s set) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] {
			return i
		}
	}
	return -1
}
