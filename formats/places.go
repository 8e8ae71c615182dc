package formats

import (
	"strconv"
	"strings"
)

// Place is the path in the invoice of what has this path in the document that was made of it.
// Most have the same; entries of some lists are in another order, or are several in the document.
func (c *Conversion) Place(path string) string {
	if c.moved == nil {
		return path
	}
	for open := 0; open < len(path); open++ {
		m := c.moved[path[:open]]
		if path[open] != '[' || m == nil {
			continue
		}
		number, rest, _ := strings.Cut(path[open+1:], "]")
		at, err := strconv.Atoi(number)
		if err != nil || at >= len(m.From) {
			return path
		}
		from := m.From[at]
		if m.Split != nil {
			if below, ok := strings.CutPrefix(rest, "."+m.Split.Name+"[0]"); ok {
				rest = "." + m.Split.Name + "[" + strconv.Itoa(from.Inner) + "]" + below
			}
		}
		path = path[:open] + "[" + strconv.Itoa(from.Entry) + "]" + rest
	}
	return path
}
