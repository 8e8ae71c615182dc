package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// label is the name of what is allowed at a position.
func (m *contentModel) label(at int) string {
	switch {
	case m.element(at) != nil:
		return m.element(at).name.String()
	case m.wildcards[at].except != "":
		return "an element of another namespace"
	}
	return "any element"
}

// expected are the names of what may come next in a state.
func (m *contentModel) expected(state int) []string {
	var out []string
	s := m.states[state]
	for i := s.from; i < s.to; i++ {
		if name := m.label(m.position(i)); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// expectedText describes what may come next, for messages.
func (m *contentModel) expectedText(state int) string {
	expected := m.expected(state)
	switch {
	case len(expected) == 0:
		return "no further element"
	case m.states[state].final:
		return anyOf(expected) + ", or no further element"
	}
	return anyOf(expected)
}

// maxOccurs is how often the element at a position of a plain model may occur.
func (m *contentModel) maxOccurs(at int) int {
	n := 0
	for i, name := range m.names {
		if name != m.names[at] {
			continue
		}
		if int(m.states[i+1].from) == i { // it may follow itself
			return math.MaxInt
		}
		n++
	}
	return n
}

// anyOf lists names for a message; of many, the first few.
func anyOf(names []string) string {
	const few = 8
	switch {
	case len(names) == 0:
		return "none"
	case len(names) == 1:
		return names[0]
	case len(names) > few:
		return fmt.Sprintf("one of %s, ... (%d more)", strings.Join(names[:few], ", "), len(names)-few)
	}
	return "one of " + strings.Join(names, ", ")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// occurs writes a range of numbers.
func occurs(low, high int) string {
	if low == high {
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d..%d", low, high)
}
