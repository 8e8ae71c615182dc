package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// However many jobs an owner has, however long its documents take and however many places there
// are: owners that always have documents waiting get the same time of the places, but for one
// document each, and so do the jobs of one owner. The clock is the test's own.
func TestFairShares(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 1))
		places, owners := 1+chance.IntN(4), 2+chance.IntN(3)
		var now time.Duration
		s := newShares(100, places)
		type doc struct {
			turn *turn
			ends time.Duration
		}
		var all []*share
		cost := map[*share]time.Duration{}
		for o := range owners {
			for range 1 + chance.IntN(4) {
				one, err := s.join(t.Context(), fmt.Sprint(o), wishes{})
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, one)
				cost[one] = time.Duration(1+chance.IntN(20)) * time.Millisecond
			}
		}
		var waiting, inHand []*doc
		for _, one := range all {
			for range places { // workers of the job
				waiting = append(waiting, &doc{turn: one.ask(false)})
			}
		}
		had := map[string]time.Duration{}
		byJob := map[*share]time.Duration{}
		for range 400 {
			for len(inHand) < places {
				at := slices.IndexFunc(waiting, func(d *doc) bool { return isClosed(d.turn.come) })
				if at < 0 {
					t.Fatalf("seed %d: a place is free while documents wait", seed)
				}
				d := waiting[at]
				d.ends = now + cost[d.turn.share]
				inHand = append(inHand, d)
				waiting = slices.Delete(waiting, at, at+1)
			}
			first := 0
			for i := range inHand {
				if inHand[i].ends < inHand[first].ends {
					first = i
				}
			}
			d := inHand[first]
			inHand = slices.Delete(inHand, first, first+1)
			now = d.ends
			one := d.turn.share
			had[one.owner] += cost[one]
			byJob[one] += cost[one]
			waiting = append(waiting, &doc{turn: one.ask(false)}) // before the other ends, as further workers of the job would
			one.end(cost[one])
		}
		// With more places than owners, or places that owners cannot share evenly at each
		// moment, the places in hand are even and not the time: then no owner has less than
		// its whole places.
		most, least := time.Duration(0), time.Hour
		for _, used := range had {
			most, least = max(most, used), min(least, used)
		}
		if slack := 2 * 20 * time.Millisecond * time.Duration(places); places%owners == 0 || places == 1 {
			if most-least > slack {
				t.Errorf("seed %d: %d places, owners have %v", seed, places, had)
			}
		}
		if places == 1 {
			for _, a := range all {
				for _, b := range all {
					if a.owner == b.owner && byJob[a]-byJob[b] > 40*time.Millisecond {
						t.Errorf("seed %d: jobs of one owner have %v and %v", seed, byJob[a], byJob[b])
					}
				}
			}
		}
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// A document that has to be alone is, others wait for it no longer than it takes, and jobs that
// end while they wait leave nothing behind.
func TestAloneAmongShares(t *testing.T) {
	s := newShares(2, 3)
	var busy, alone atomic.Int32
	var workers sync.WaitGroup
	for i := range 12 {
		workers.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			one, err := s.join(ctx, fmt.Sprint(i%3), wishes{})
			if err != nil {
				t.Error(err)
				return
			}
			defer one.leave()
			for k := range 50 {
				chance := (i*50 + k) % 7
				if chance == 0 {
					gone, leave := context.WithCancel(ctx)
					leave()
					if over, err := one.Take(gone, true); err == nil {
						over()
					}
				}
				over, err := one.Take(ctx, chance == 1)
				if err != nil {
					t.Error(err)
					return
				}
				n := busy.Add(1)
				if chance == 1 {
					alone.Add(1)
				}
				if n > 3 || alone.Load() > 0 && n > 1 {
					t.Errorf("%d documents in hand, %d that have to be alone", n, alone.Load())
				}
				time.Sleep(10 * time.Microsecond)
				if chance == 1 {
					alone.Add(-1)
				}
				busy.Add(-1)
				over()
			}
		})
	}
	workers.Wait()
	if running, waiting := s.counts(); running != 0 || waiting != 0 || len(s.owners) != 0 || s.busy != 0 || len(s.waiting) != 0 {
		t.Errorf("left are %d, %d, %v, %d, %d", running, waiting, s.owners, s.busy, len(s.waiting))
	}
}

// Of the jobs that wait, the one begins first whose owner has none that runs.
func TestJobsOfOthersFirst(t *testing.T) {
	s := newShares(2, 1)
	a1, _ := s.join(t.Context(), "a", wishes{})
	a2, _ := s.join(t.Context(), "a", wishes{})
	came := make(chan string, 3)
	for i, owner := range []string{"a", "a", "b"} {
		go func() {
			if one, err := s.join(t.Context(), owner, wishes{}); err == nil {
				came <- one.owner
			}
		}()
		for {
			if _, waiting := s.counts(); waiting == i+1 {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	a1.leave()
	if first := <-came; first != "b" {
		t.Errorf("%s began first", first)
	}
	a2.leave()
	if second := <-came; second != "a" {
		t.Errorf("%s began second", second)
	}
}

// Of the jobs of one owner, the one that is wished for most has the places; those of others have
// what they had.
func TestWishes(t *testing.T) {
	s := newShares(10, 1)
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	ordered := []wishes{{0, day}, {0, time.Time{}}, {1, day}, {1, day.Add(time.Hour)}, {1, time.Time{}}, {2, day}}
	for i, a := range ordered {
		for j, b := range ordered {
			if a.before(b) != (i < j) {
				t.Errorf("%v before %v is %v", a, b, a.before(b))
			}
		}
	}
	other, err := s.join(t.Context(), "other", wishes{0, day})
	if err != nil {
		t.Fatal(err)
	}
	over, err := other.Take(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []*share
	var turns []*turn
	for _, at := range []int{4, 1, 5, 0, 3, 2} {
		one, err := s.join(t.Context(), "owner", ordered[at])
		if err != nil {
			t.Fatal(err)
		}
		jobs, turns = append(jobs, one), append(turns, one.ask(false))
	}
	others := other.ask(false)
	over()
	came := func(at *turn) bool {
		select {
		case <-at.come:
			return true
		default:
			return false
		}
	}
	for _, want := range []int{3, 1, 5, 4, 0, 2} { // the places of turns in the order of wishes
		if !came(turns[want]) && came(others) { // its owner had less
			other.end(0)
		}
		if !came(turns[want]) {
			t.Fatalf("turn %d has not come", want)
		}
		jobs[want].end(time.Second)
		jobs[want].leave() // it has no other document
	}
}

// A job that is wished for more has the places while it has documents: its worker asks for the next one only when the last has
// ended. One that has none for a while does not keep a place from others.
func TestNextDocumentOfWishes(t *testing.T) {
	for _, w := range []struct{ high, low wishes }{{wishes{priority: 0}, wishes{priority: 2}}, {wishes{1, time.Unix(1, 0)}, wishes{1, time.Unix(2, 0)}}} {
		s := newShares(4, 1)
		high, err := s.join(t.Context(), "a", w.high)
		if err != nil {
			t.Fatal(err)
		}
		low, err := s.join(t.Context(), "a", w.low)
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Int32 // documents of the other
		ended := make(chan struct{})
		over, err := high.Take(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer close(ended)
			for range 50 {
				over, err := low.Take(t.Context(), false)
				if err != nil {
					t.Error(err)
					return
				}
				done.Add(1)
				over()
			}
			low.leave()
		}()
		for range 200 {
			time.Sleep(10 * time.Microsecond)
			over()
			if over, err = high.Take(t.Context(), false); err != nil {
				t.Fatal(err)
			}
		}
		if n := done.Load(); n > 10 { // where the machine held a worker up
			t.Errorf("%v: %d documents of the other job were done beside 200", w, n)
		}
		over()
		<-ended // while the job that is wished for more has no document
		high.leave()
		if n := done.Load(); n != 50 {
			t.Errorf("%v: the other job did %d documents", w, n)
		}
	}
}
