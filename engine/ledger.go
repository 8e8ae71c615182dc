package engine

import "math"

// A ledger has the steps that each rule took on a document, by its number. Most take few, so
// that the ledger of all rules is small.
type ledger struct {
	small []uint16
	large map[int32]int64 // of those that have inLarge in small
}

const (
	inLarge = math.MaxUint16
	// exhausted marks a rule that has used up its steps.
	exhausted = -1
)

// begin empties the ledger and gives it n rules.
func (l *ledger) begin(n int) {
	if n > cap(l.small) {
		l.small = make([]uint16, n)
	}
	l.small = l.small[:n]
	clear(l.small)
	clear(l.large)
}

// spent is the steps of a rule, or exhausted.
func (l *ledger) spent(rule int32) int64 {
	if steps := l.small[rule]; steps != inLarge {
		return int64(steps)
	}
	return l.large[rule]
}

// set notes the steps of a rule, or exhausted.
func (l *ledger) set(rule int32, steps int64) {
	if uint64(steps) < inLarge {
		l.small[rule] = uint16(steps)
		return
	}
	l.small[rule] = inLarge
	if l.large == nil {
		l.large = map[int32]int64{}
	}
	l.large[rule] = steps
}
