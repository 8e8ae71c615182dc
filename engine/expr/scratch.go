package expr

import "einvoice/model/reuse"

// A scratch is the memory of the lists that an evaluation makes, which the next
// evaluation uses again.
type scratch struct {
	lists   []*items
	used    int // by this evaluation
	touched int // since forget
}

const (
	mostScratch      = 256 // lists; an evaluation that makes more allocates them
	mostScratchItems = 64  // what is kept of a list
)

// items are those of an empty list.
func (s *scratch) items() *items {
	if s.used == mostScratch {
		return new(items)
	}
	if s.used == len(s.lists) {
		s.lists = append(s.lists, new(items))
	}
	x := s.lists[s.used]
	x.groups, x.texts, x.decimals, x.integers, x.elements = x.groups[:0], x.texts[:0], x.decimals[:0], x.integers[:0], x.elements[:0]
	s.used++
	s.touched = max(s.touched, s.used)
	return x
}

// forget clears what refers to a document.
func (s *scratch) forget() {
	for _, x := range s.lists[:s.touched] {
		x.groups, x.texts, x.decimals = reuse.Emptied(x.groups, mostScratchItems), reuse.Emptied(x.texts, mostScratchItems), reuse.Emptied(x.decimals, mostScratchItems)
		x.integers, x.elements = reuse.Emptied(x.integers, mostScratchItems), reuse.Emptied(x.elements, mostScratchItems)
	}
	s.used, s.touched = 0, 0
}
