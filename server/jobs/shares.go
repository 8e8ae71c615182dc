package jobs

import (
	"context"
	"slices"
	"sync"
	"time"
)

// shares parts the places for documents between the jobs that run side by side: each owner has
// as much of them as each other, however many jobs it has, and its jobs have that in equal parts.
type shares struct {
	now    func() time.Time
	most   int // jobs at a time
	places int // documents at a time

	mu      sync.Mutex
	jobs    []*share        // that run
	owners  map[string]*use // of jobs that run
	queue   []*share        // that wait to run, in the order of their coming
	waiting []*turn         // documents, in the order of their coming
	busy    int             // documents in hand
	alone   bool            // the one in hand has to be alone
}

// A share is what one job has. It is the job's bulk.Turns.
type share struct {
	of     *shares
	owner  string
	wishes wishes
	begins chan struct{} // closes when the job may run
	comes  int           // documents that it is about to have wait, as others have ended
	ended  time.Time     // the last of them
	use
}

// soon is how long a place is kept for the next document of a job, rather than given to one of its owner that is wished for less.
const soon = 100 * time.Millisecond

// A use is what a job or an owner has of the places.
type use struct {
	inHand int           // documents
	used   time.Duration // by those before
}

// before reports whether the next place is rather for u than for v.
func (u *use) before(v *use) bool {
	return u.inHand < v.inHand || u.inHand == v.inHand && u.used < v.used
}

// A turn is a document that waits for its place.
type turn struct {
	share *share
	alone bool
	come  chan struct{}
}

func newShares(most, places int) *shares {
	return &shares{now: time.Now, most: most, places: places, owners: map[string]*use{}}
}

// join waits until a job of an owner may run. Of those that wait, the one runs first whose owner
// has the fewest that run, and of these the one that is wished for most.
func (s *shares) join(ctx context.Context, owner string, w wishes) (*share, error) {
	one := &share{of: s, owner: owner, wishes: w, begins: make(chan struct{})}
	s.mu.Lock()
	s.queue = append(s.queue, one)
	s.admit()
	s.mu.Unlock()
	select {
	case <-one.begins:
		return one, nil
	case <-ctx.Done():
		one.leave()
		return nil, ctx.Err()
	}
}

// leave gives the place of a job back.
func (one *share) leave() {
	s := one.of
	s.mu.Lock()
	defer s.mu.Unlock()
	is := func(other *share) bool { return other == one }
	s.queue, s.jobs = slices.DeleteFunc(s.queue, is), slices.DeleteFunc(s.jobs, is)
	if s.running(one.owner) == 0 {
		delete(s.owners, one.owner)
	}
	s.admit()
	s.grant() // what waited behind the next document of the job
}

// admit begins jobs while there is room.
func (s *shares) admit() {
	for len(s.jobs) < s.most && len(s.queue) > 0 {
		best, fewest := 0, 0
		for i, one := range s.queue {
			if n := s.running(one.owner); i == 0 || n < fewest || s.queue[best].owner == one.owner && one.wishes.before(s.queue[best].wishes) {
				best, fewest = i, n
			}
		}
		one := s.queue[best]
		s.queue = slices.Delete(s.queue, best, best+1)
		s.enter(one)
		close(one.begins)
	}
}

func (s *shares) running(owner string) (n int) {
	for _, one := range s.jobs {
		if one.owner == owner {
			n++
		}
	}
	return n
}

// enter has a job run. It begins to count where the others are: what it did not use before it
// came is not a claim.
func (s *shares) enter(one *share) {
	first := true
	for _, other := range s.jobs {
		if other.owner == one.owner && (first || other.used < one.used) {
			one.used, first = other.used, false
		}
	}
	if s.owners[one.owner] == nil {
		own := &use{}
		first := true
		for _, other := range s.owners {
			if first || other.used < own.used {
				own.used, first = other.used, false
			}
		}
		s.owners[one.owner] = own
	}
	s.jobs = append(s.jobs, one)
}

// counts are how many jobs run and wait.
func (s *shares) counts() (running, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.jobs), len(s.queue)
}

// Take waits for a place.
func (one *share) Take(ctx context.Context, alone bool) (over func(), err error) {
	s, t := one.of, one.ask(alone)
	select {
	case <-t.come:
	case <-ctx.Done():
		s.mu.Lock()
		at := slices.Index(s.waiting, t)
		if at >= 0 {
			s.waiting = slices.Delete(s.waiting, at, at+1)
			s.grant() // it may have been one that had to be alone
		}
		s.mu.Unlock()
		if at >= 0 {
			return nil, ctx.Err()
		}
	}
	began := s.now()
	return func() { one.end(s.now().Sub(began)) }, nil
}

// ask has a document wait for its place.
func (one *share) ask(alone bool) *turn {
	s, t := one.of, &turn{one, alone, make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, t)
	one.comes = max(one.comes-1, 0)
	s.grant()
	return t
}

// end gives a place back that was used for so long.
func (one *share) end(took time.Duration) {
	s := one.of
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range []*use{&one.use, s.owners[one.owner]} {
		u.used += took
		u.inHand--
	}
	s.busy--
	s.alone = false
	if slices.ContainsFunc(s.jobs, func(other *share) bool { return other.owner == one.owner && one.wishes.before(other.wishes) }) {
		one.comes++
		one.ended = s.now()
		time.AfterFunc(soon, one.expect)
	}
	s.grant()
}

// expect gives up to keep a place for documents of a job that did not come.
func (one *share) expect() {
	s := one.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.comes > 0 && s.now().Sub(one.ended) >= soon {
		one.comes = 0
		s.grant()
	}
}

// isKept reports whether a place is kept for the next document of another job of the owner, which is wished for more.
func (s *shares) isKept(from *share) bool {
	return slices.ContainsFunc(s.jobs, func(other *share) bool {
		return other.comes > 0 && other.owner == from.owner && other.wishes.before(from.wishes)
	})
}

// grant gives out places. The next one is for the owner that has the fewest in hand, of these for
// the one whose jobs have used the least, and so on between its jobs that are wished for alike.
func (s *shares) grant() {
	for s.busy < s.places && !s.alone && len(s.waiting) > 0 {
		best := -1
		for i, t := range s.waiting {
			if !s.isKept(t.share) && (best < 0 || s.before(t.share, s.waiting[best].share)) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		t := s.waiting[best]
		if t.alone && s.busy > 0 {
			return // when the others have ended
		}
		s.waiting = slices.Delete(s.waiting, best, best+1)
		s.alone = t.alone
		s.busy++
		t.share.inHand++
		s.owners[t.share.owner].inHand++
		close(t.come)
	}
}

func (s *shares) before(a, b *share) bool {
	if a.owner != b.owner {
		return s.owners[a.owner].before(s.owners[b.owner])
	}
	if a.wishes != b.wishes {
		return a.wishes.before(b.wishes)
	}
	return a.use.before(&b.use)
}
