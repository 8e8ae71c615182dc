package engine

import (
	"math/bits"

	"einvoice/engine/xpath"
)

// Amounts, units, countries and categories are codes of few letters, of which a document has
// dozens. A shortCodes finds those of up to seven bytes: a hash table with open addressing of
// codes as numbers.
type shortCodes struct {
	slots []uint64 // 0 is none
	shift int      // of a hash, to have a slot
}

const (
	longestShort = 7
	spreadCodes  = 0x9E3779B97F4A7C15 // 2^64 by the golden ratio
)

// short is a code as a number; 0 for one that is too long.
func short(code string) (n uint64) {
	if len(code) > longestShort {
		return 0
	}
	n = uint64(len(code)) + 1
	for i := range len(code) {
		n = n<<8 | uint64(code[i])
	}
	return n
}

func newShortCodes(codes map[string]struct{}) *shortCodes {
	size := 4
	for size < 2*len(codes) {
		size *= 2
	}
	s := &shortCodes{slots: make([]uint64, size), shift: 64 - bits.TrailingZeros(uint(size))}
	for code := range codes {
		if n := short(code); n != 0 {
			s.slots[s.slot(n)] = n
		}
	}
	return s
}

// slot is where a code is, or would be.
func (s *shortCodes) slot(n uint64) int {
	for i := int(n * spreadCodes >> s.shift); ; i = (i + 1) & (len(s.slots) - 1) {
		if s.slots[i] == n || s.slots[i] == 0 {
			return i
		}
	}
}

// finder is Contains for many texts.
func (c *CodeList) finder() func(text string) bool {
	short := newShortCodes(c.codes())
	return func(text string) bool { return short.contains(c, xpath.NormalizeSpace(text)) }
}

func (s *shortCodes) contains(c *CodeList, code string) bool {
	if n := short(code); n != 0 {
		return s.slots[s.slot(n)] == n
	}
	_, ok := c.codes()[code]
	return ok
}
