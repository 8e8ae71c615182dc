package budget

import (
	"context"
	"time"
)

// Until is a context that ends at a time by looking at the clock when it is asked. One of
// package context hears of its end by a timer, which does not run in WebAssembly while
// anything else does. It has no channel that tells of its end.
func Until(parent context.Context, at time.Time) context.Context {
	return &until{parent, at}
}

type until struct {
	context.Context
	at time.Time
}

// Deadline is the earlier one of the context and of its parent.
func (u *until) Deadline() (time.Time, bool) {
	if at, ok := u.Context.Deadline(); ok && at.Before(u.at) {
		return at, true
	}
	return u.at, true
}

// Err looks at the clock.
func (u *until) Err() error {
	if err := u.Context.Err(); err != nil {
		return err
	}
	if time.Now().Before(u.at) {
		return nil
	}
	return context.DeadlineExceeded
}
