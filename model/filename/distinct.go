package filename

import (
	"path"
	"strconv"
	"strings"
	"unicode"
)

// Names gives files names that differ from each other. Those that differ only in case count
// as the same, because they are on some systems. The zero value has no names yet.
type Names struct {
	taken map[string]bool
	last  map[string]int // the last number that was added, by the name without one
}

// Take returns the name, with a number before its ending if it is taken, and takes it.
// Numbers only go up, so that many files of one name cost no more than many names.
func (n *Names) Take(name string) string {
	if n.taken == nil {
		n.taken, n.last = map[string]bool{}, map[string]int{}
	}
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	of := folded(name)
	for number := max(n.last[of], 1) + 1; n.taken[folded(name)]; number++ {
		name = stem + "-" + strconv.Itoa(number) + ending
		n.last[of] = number
	}
	n.taken[folded(name)] = true
	return name
}

// folded is the same for names that differ in case alone.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, name)
}
