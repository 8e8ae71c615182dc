// Package admission shares out what the service has: places, memory and processors.
package admission

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"einvoice/server/confine"
	"einvoice/server/refusal"

	"golang.org/x/time/rate"
)

// A Gate decides what is served at a time. It bounds requests with a body, the memory
// that they take and the work on them, and shares each out among the keys. Whoever finds
// no room is told so at once or after a short wait, never queued without end.
//
// Memory is that of bodies, of the work on documents by their estimated cost, and of
// Answers until they are sent. Places are for work alone: nobody holds one while a
// network is waited for.
type Gate struct {
	limits Limits

	mu       sync.Mutex
	requests int64 // that are being served
	memory   int64 // in bytes
	running  int   // works that hold a place
	long     int   // works that ran so long that they gave their place back
	accounts map[string]*account
	waiting  []*ticket        // in the order of their coming
	arriving map[*Visit]*Body // requests whose bodies are not there yet
}

// An account is what one key has of everything.
type account struct {
	requests, memory int64
	running, long    int
	used             float64 // seconds of work; halved with every halfLife
	usedAt           time.Time
	work             *rate.Limiter // of milliseconds of work
}

// A ticket is a work that waits for a place.
type ticket struct {
	account *account
	granted chan struct{}
}

const (
	// halfLife is how fast the past of a key is forgotten when places are given.
	halfLife = 10 * time.Second
	// longWork is after how long a work gives its place back, so that short ones find
	// places. The processor is then shared by the scheduler of Go.
	longWork = 10 * time.Millisecond
	// mostLong is how many long works there are for each place, of all keys together.
	mostLong = 1
)

// Limits are what a Gate shares out. What they mean stands with the settings of the server.
type Limits struct {
	MaxRequests, MaxValidations int
	MaxMemory                   int64
	QueueWait                   time.Duration
	KeyWork                     float64 // processors for one key; 0 for no bound
}

// New makes a Gate.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, accounts: map[string]*account{}, arriving: map[*Visit]*Body{}}
}

func overloaded(what string) error {
	return refusal.New(refusal.Overloaded, "%s Try again in a moment.", what).After(1)
}

// account is that of a key, which was verified: there are as many accounts as keys.
func (a *Gate) account(key string) *account {
	of := a.accounts[key]
	if of == nil {
		of = &account{work: rate.NewLimiter(rate.Inf, 0)}
		if share := a.limits.KeyWork; share > 0 {
			const burst = 60 // seconds
			of.work = rate.NewLimiter(rate.Limit(share*1000), int(share*1000*burst))
		}
		a.accounts[key] = of
	}
	return of
}

// shares reports whether one account may take n more of what all share: not more than it
// leaves to others. So a single key gets half, two a third each, and a newcomer always
// finds room.
func shares(own, taken, total, n int64) bool { return taken+n <= total && own+n <= total-taken-n }

// Enter takes a place for a request with a body, without waiting.
func (a *Gate) Enter(key string) (*Visit, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.account(key)
	if tokens := of.work.Tokens(); tokens < 0 {
		wait := max(int(math.Ceil(-tokens/float64(of.work.Limit()))), 1)
		return nil, refusal.New(refusal.RateLimited, "This key has used up its share of %g processors. Try again after %d s.", a.limits.KeyWork, wait).After(wait)
	}
	switch total := int64(a.limits.MaxRequests); {
	case a.requests >= total && !a.turnOut(of):
		return nil, overloaded("As many requests are being served as this server takes at a time.")
	case total > 1 && !shares(of.requests, a.requests, total, 1) && !a.turnOut(of):
		return nil, overloaded("As many requests of this key are being served as its share is.")
	}
	a.requests++
	of.requests++
	return &Visit{admission: a, account: of, working: true}, nil
}

// patience is how long a body may be on its way before it has to give its place to another
// request where there is no other.
const patience = 100 * time.Millisecond

// turnOut ends the request whose body arrives most slowly, of an account itself or of one with
// more requests, so that the account finds a place. It is false where all bodies are there or
// have just begun.
func (a *Gate) turnOut(of *account) bool {
	var slowest *Visit
	least := math.Inf(1)
	for v, body := range a.arriving {
		age := time.Since(body.began)
		if rate := float64(body.read.Load()) / age.Seconds(); (v.account == of || v.account.requests > of.requests+1) && age > patience && rate < least {
			slowest, least = v, rate
		}
	}
	if slowest == nil {
		return false
	}
	a.arriving[slowest].turnOut()
	delete(a.arriving, slowest)
	slowest.working = false
	a.requests--
	slowest.account.requests--
	return true
}

// Awaits has a request give its place to another where its body arrives too slowly.
func (v *Visit) Awaits(body *Body) {
	v.admission.mu.Lock()
	defer v.admission.mu.Unlock()
	v.admission.arriving[v] = body
}

// A Visit is one request with a body: what it holds until it leaves.
type Visit struct {
	admission *Gate
	account   *account
	memory    int64
	owner     confine.Owner // of work that another process asked for, which answers in place of the admission
	working   bool          // it counts as a request
	began     bool          // its body is there, and work on it was begun
}

// Owned is the visit of work that another process asked for.
func (a *Gate) Owned(owner confine.Owner) *Visit {
	return &Visit{admission: a, owner: owner, account: &account{}}
}

// Job is the visit of a document of a job. All of them have the share of one key.
func (a *Gate) Job() *Visit {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &Visit{admission: a, account: a.account(jobsAccount)}
}

// jobsAccount is the account of jobs. No key has this id.
const jobsAccount = "\x00jobs"

// Owner is who asked for the work; nil where this process was asked.
func (v *Visit) Owner() confine.Owner { return v.owner }

// Began reports whether the body is there, and work on it was begun.
func (v *Visit) Began() bool { return v.began }

// Take reserves memory.
func (v *Visit) Take(n int64) error {
	if v.owner != nil {
		return v.owner.Take(n)
	}
	a := v.admission
	a.mu.Lock()
	defer a.mu.Unlock()
	if all := v.memory + n; all > a.limits.MaxMemory/2 { // however long it waited
		return refusal.New(refusal.BodyTooLarge, "The work on the document would take about %d MiB of memory, and the most for one document is %d MiB. Split it, or send pictures with fewer pixels.", all>>20, a.limits.MaxMemory>>21)
	}
	if !shares(v.account.memory, a.memory, a.limits.MaxMemory, n) {
		return overloaded("The requests that are being served fill the memory set aside for them, or this key's share of it.")
	}
	a.memory += n
	v.account.memory += n
	v.memory += n
	return nil
}

// Answers gives back what the work took, and holds n bytes of an answer, which were
// part of it, until they are sent.
func (v *Visit) Answers(n int64) {
	v.admission.mu.Lock()
	defer v.admission.mu.Unlock()
	v.give(v.memory - n)
	v.end()
}

// end gives the place of the request back. Calling it again does nothing.
func (v *Visit) end() {
	delete(v.admission.arriving, v)
	if v.working {
		v.working = false
		v.admission.requests--
		v.account.requests--
	}
}

func (v *Visit) give(n int64) {
	v.admission.memory -= n
	v.account.memory -= n
	v.memory -= n
}

// Leave gives everything back. Calling it again does nothing.
func (v *Visit) Leave() {
	v.admission.mu.Lock()
	defer v.admission.mu.Unlock()
	v.give(v.memory)
	v.end()
}

// Turn waits a little for a place to work. Done gives it back, and counts the time
// towards the work of the key.
func (v *Visit) Turn(ctx context.Context) (done func(), err error) {
	a := v.admission
	t := &ticket{v.account, make(chan struct{})}
	a.mu.Lock()
	v.began = true
	delete(a.arriving, v)
	a.waiting = append(a.waiting, t)
	a.assign()
	a.mu.Unlock()
	select { // most often there is room, and a timer would be a waste
	case <-t.granted:
		return a.work(v.account), nil
	default:
	}
	timer := time.NewTimer(a.limits.QueueWait)
	defer timer.Stop()
	select {
	case <-t.granted:
		return a.work(v.account), nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = overloaded("No place to work on the document came free in time.")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.waiting, t); i >= 0 {
		a.waiting = slices.Delete(a.waiting, i, i+1)
		return nil, err
	}
	a.running-- // it was granted at the same moment
	v.account.running--
	a.assign()
	return nil, err
}

// assign gives free places to those who wait, first to the key that worked least.
func (a *Gate) assign() {
	now := time.Now()
	for a.running < a.limits.MaxValidations {
		next := -1
		for i, t := range a.waiting {
			if !a.mayRun(t.account) {
				continue
			}
			if next < 0 || t.account.before(a.waiting[next].account, now) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		t := a.waiting[next]
		a.waiting = slices.Delete(a.waiting, next, next+1)
		a.running++
		t.account.running++
		close(t.granted)
	}
}

// mayRun reports whether an account may begin another work. One without long works always
// may; of the long ones, a key has as many as half of the places.
func (a *Gate) mayRun(of *account) bool {
	places := a.limits.MaxValidations
	return of.long == 0 || of.long < (places+1)/2 && a.long < mostLong*places
}

// before tells who is first: the one with less running, then the one that worked less.
func (of *account) before(other *account, now time.Time) bool {
	if of.running+of.long != other.running+other.long {
		return of.running+of.long < other.running+other.long
	}
	return of.recent(now) < other.recent(now)
}

// recent is how much an account worked of late, in seconds.
func (of *account) recent(now time.Time) float64 {
	return of.used * math.Exp2(-now.Sub(of.usedAt).Seconds()/halfLife.Seconds())
}

// chargeEvery is how often work is charged to its key while it goes on, so that one that
// does not end is paid for.
const chargeEvery = 250 * time.Millisecond

// A job is work in a place that was granted.
type job struct {
	admission *Gate
	account   *account
	charged   time.Time // until when it is charged
	isLong    bool
	timer     *time.Timer
}

// work begins a work in a place that was granted.
func (a *Gate) work(of *account) (done func()) {
	a.mu.Lock() // the timer may be over before it is noted
	defer a.mu.Unlock()
	j := &job{admission: a, account: of, charged: time.Now()}
	j.timer = time.AfterFunc(longWork, j.goesOn)
	return j.done
}

// goesOn gives the place of a long work to others, and charges what it has worked so far.
func (j *job) goesOn() {
	a := j.admission
	a.mu.Lock()
	defer a.mu.Unlock()
	if j.account == nil {
		return // done at the same moment
	}
	if !j.isLong {
		j.isLong = true
		a.running--
		j.account.running--
		a.long++
		j.account.long++
		a.assign()
	}
	j.charge()
	j.timer.Reset(chargeEvery)
}

// charge adds the work since the last time to that of the account.
func (j *job) charge() {
	now := time.Now()
	of, took := j.account, now.Sub(j.charged)
	of.used, of.usedAt = of.recent(now)+took.Seconds(), now
	of.work.ReserveN(now, min(int(took.Milliseconds()), of.work.Burst()))
	j.charged = now
}

func (j *job) done() {
	a := j.admission
	a.mu.Lock()
	defer a.mu.Unlock()
	if j.account == nil {
		return
	}
	j.timer.Stop()
	if j.isLong {
		a.long--
		j.account.long--
	} else {
		a.running--
		j.account.running--
	}
	j.charge()
	j.account = nil
	a.assign()
}

// Taken is how much memory is reserved.
func (a *Gate) Taken() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.memory
}
