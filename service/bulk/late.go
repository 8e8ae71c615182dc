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
	go func() {
		var r result
		r.out, r.outcome, r.failure, r.err = j.one(limited, nil, &d)
		done <- r
	}()
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
