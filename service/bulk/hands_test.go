package bulk

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// Hands do everything they are given, one that does not end holds up no other, and none is left
// when the run and its work are over: the bubble would not end with one.
func TestHands(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		h := newHands()
		var done atomic.Int64
		never := make(chan struct{})
		h.do(func() { <-never })
		const documents = 1000
		for range documents {
			one := make(chan struct{})
			h.do(func() { done.Add(1); close(one) })
			<-one
		}
		synctest.Wait()
		if got := done.Load(); got != documents {
			t.Errorf("%d of %d were done", got, documents)
		}
		if waiting := len(h.idle); waiting == 0 || waiting > 2 {
			t.Errorf("%d hands wait, of one document at a time", waiting)
		}
		h.end()
		close(never)
	})
}
