package engine

import (
	"math/rand/v2"
	"testing"
)

// A ledger says what was noted last, whether it is small, large or exhausted, and nothing of
// the document before.
func TestLedger(t *testing.T) {
	const rules = 50
	random := rand.New(rand.NewPCG(1, 1))
	var l ledger
	for range 20 {
		l.begin(rules)
		noted := map[int32]int64{}
		for range 1000 {
			rule := random.Int32N(rules)
			if got := l.spent(rule); got != noted[rule] {
				t.Fatalf("rule %d spent %d, want %d", rule, got, noted[rule])
			}
			steps := []int64{0, 1, inLarge - 1, inLarge, inLarge + 1, 1 << 40, exhausted}[random.IntN(7)]
			l.set(rule, steps)
			noted[rule] = steps
		}
	}
}
