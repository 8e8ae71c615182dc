package formats

import (
	"strconv"
	"strings"

	"einvoice/model"
)

// Moves reports whether Place is another path for some.
func (c *Conversion) Moves() bool { return len(c.moved) > 0 }

// Place is the path in the invoice of what has this path in the document that was made of it.
// Most have the same; entries of some lists are in another order, or are several in the document.
func (c *Conversion) Place(path string) string {
	if len(c.moved) == 0 {
		return path
	}
	place, inner, innerIndex := "", "", 0
	for step := range strings.SplitSeq(path, ".") {
		name, index, isEntry := indexed(step)
		list := model.Join(place, name)
		m, moved := c.moved[list]
		switch {
		case isEntry && name == inner:
			step = name + "[" + strconv.Itoa(innerIndex) + "]"
		case isEntry && moved && index < len(m.From):
			from := m.From[index]
			step = name + "[" + strconv.Itoa(from) + "]"
			if m.Split != nil {
				inner, innerIndex = m.Split.Name, 0
				for _, earlier := range m.From[:index] {
					if earlier == from {
						innerIndex++
					}
				}
			}
		}
		place = model.Join(place, step)
	}
	return place
}

// indexed is what a step of a path such as lines[2] is.
func indexed(step string) (name string, index int, isEntry bool) {
	name, inside, _ := strings.Cut(step, "[")
	index, err := strconv.Atoi(strings.TrimSuffix(inside, "]"))
	return name, index, err == nil
}
