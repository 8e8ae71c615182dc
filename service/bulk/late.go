package bulk

import (
	"context"
	"fmt"
	"time"

	"einvoice/model/deadline"
)

// lateTries is how often a document may outlive its time before it is given up.
const lateTries = 2

// notHearing is how long after its time work may take to hear of it.
const notHearing = time.Second

// A lateError is why a document was given up that outlived its time.
type lateError struct {
	time  time.Duration
	stops bool // it ended when it was told to
}

func (e *lateError) Error() string {
	if !e.stops {
		return fmt.Sprintf("given up: the work on this document did not end after %s, and was left behind", e.time)
	}
	return fmt.Sprintf("given up: this document took longer than %s, %d times", e.time, lateTries)
}

// inTime does one document within its time, and once more where it was not enough: the machine
// may have been busy. Work that does not hear of its end is left behind, and is not begun again.
func (j *Job) inTime(ctx context.Context, data []byte, d Document) (out []byte, outcome Outcome, failure bool, err error) {
	switch {
	case j.elsewhere != nil && d.Err == nil && (j.risky == nil || j.risky(&d)):
		return j.elsewhereInTime(ctx, data, d)
	case j.time == 0:
		return j.one(ctx, data, &d)
	}
	for range lateTries {
		out, outcome, failure, err = j.limited(ctx, data, d)
		if late, ok := err.(*lateError); !ok || !late.stops { //nolint:errorlint // limited made it
			return out, outcome, failure, err
		}
	}
	return out, outcome, failure, err
}

// limited does one document within its time, apart from what was done before: work that is left
// behind goes on writing.
func (j *Job) limited(ctx context.Context, data []byte, d Document) (out []byte, outcome Outcome, failure bool, err error) {
	limited, cancel := context.WithTimeout(ctx, j.time)
	defer cancel()
	type result struct {
		out     []byte
		outcome Outcome
		failure bool
		err     error
	}
	done := make(chan result, 1)
	j.hands.do(func() {
		var r result
		r.out, r.outcome, r.failure, r.err = j.one(limited, nil, &d)
		done <- r
	})
	var r result
	select {
	case r = <-done:
	case <-limited.Done():
		select {
		case r = <-done:
		case <-time.After(notHearing):
			if ctx.Err() != nil {
				return nil, outcome, false, ctx.Err()
			}
			return nil, outcome, false, &lateError{time: j.time}
		}
	}
	if deadline.Err(limited) != nil && ctx.Err() == nil {
		return nil, outcome, false, &lateError{time: j.time, stops: true}
	}
	return append(data, r.out...), r.outcome, r.failure, r.err
}

// hands do documents apart from who waits for them. Each is a goroutine that does one after
// another, so that its stack grows once, and not for each document.
type hands struct {
	idle chan chan<- func()
	over chan struct{} // closed at the end of the run
}

// mostIdle is how many hands wait for a document.
const mostIdle = 64

func newHands() *hands {
	return &hands{idle: make(chan chan<- func(), mostIdle), over: make(chan struct{})}
}

// end lets the hands go that wait. Those that are left behind with a document go when it ends.
func (h *hands) end() { close(h.over) }

// do begins work, which nobody asks for after the end. Without hands, as outside of a run, a
// goroutine of its own does it.
func (h *hands) do(work func()) {
	if h == nil {
		go work()
		return
	}
	select {
	case hand := <-h.idle:
		hand <- work
	default:
		go h.hand(work)
	}
}

func (h *hands) hand(work func()) {
	todo := make(chan func())
	for {
		work()
		select {
		case h.idle <- todo:
		default:
			return // enough of them wait
		}
		select {
		case work = <-todo:
		case <-h.over:
			return
		}
	}
}
