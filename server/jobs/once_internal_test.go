package jobs

import (
	"testing"
	"testing/synctest"
)

// A request waits for another one of its own key, and for none of other keys.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Jobs{beginning: map[string]chan struct{}{}}
		first := b.alone("a")
		b.alone("b")()
		second := false
		go func() {
			defer b.alone("a")()
			second = true
		}()
		if synctest.Wait(); second {
			t.Error("two requests of one key went side by side")
		}
		first()
		if synctest.Wait(); !second {
			t.Error("the second request still waits")
		}
		if len(b.beginning) != 0 {
			t.Errorf("left are %v", b.beginning)
		}
	})
}
