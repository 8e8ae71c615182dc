package formats

import (
	"strconv"
	"strings"

	"einvoice/formats/binding"
)

// A movedList is a list of the invoice whose entries may have other places in a document.
type movedList struct {
	path string
	binding.Moved
}

// Place is the path in the invoice of what has this path in the document that was made of it.
// Most have the same; entries of some lists are in another order, or are several in the document.
func (c *Conversion) Place(path string) string {
	for i := range c.moved {
		m := &c.moved[i]
		after, inside := strings.CutPrefix(path, m.path+"[")
		place, rest, closed := strings.Cut(after, "]")
		index, err := strconv.Atoi(place)
		if !inside || !closed || err != nil || index >= len(m.From) {
			continue
		}
		from, earlier := m.From[index], 0
		for _, other := range m.From[:index] {
			if other == from {
				earlier++
			}
		}
		if m.Split != nil {
			if below, ok := strings.CutPrefix(rest, "."+m.Split.Name+"[0]"); ok {
				rest = "." + m.Split.Name + "[" + strconv.Itoa(earlier) + "]" + below
			}
		}
		path = m.path + "[" + strconv.Itoa(from) + "]" + rest
	}
	return path
}
