package bulk

import (
	"testing"
	"time"
)

// A clock that jumps back, or far ahead, makes no nonsense of the rate and of the time left:
// no figure is better than a wrong one.
func TestProgressWithJumpingClock(t *testing.T) {
	clock := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	var told []Progress
	p := newProgress(func(now Progress) { told = append(told, now) })
	p.now = func() time.Time { return clock }
	p.expect(1000)
	p.begins(0)
	clock = clock.Add(10 * time.Second)
	p.tell(200)
	clock = clock.Add(-5 * time.Hour)
	p.tell(400)
	clock = clock.Add(5*time.Hour + 20*time.Second)
	p.tell(600)
	want := []Progress{
		{Done: 0, All: 1000},
		{Done: 200, All: 1000, Rate: 20, Left: 40 * time.Second},
		{Done: 400, All: 1000},
		{Done: 600, All: 1000, Rate: 20, Left: 20 * time.Second},
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("%d: got %+v, want %+v", i, told[i], want[i])
		}
	}
}
