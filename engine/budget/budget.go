// Package budget bounds what evaluating one rule may cost, in steps:
//
//	b := budget.New(ctx, 1_000_000)
//	for _, line := range lines {
//		if !b.Step() {
//			return b.Err() // ErrSteps, or why ctx ended
//		}
//		...
//	}
//
// Rules are written by people and documents come from strangers, so every loop
// over a document asks the budget. Counting steps instead of time makes the
// outcome of a rule the same on every machine.
package budget

import (
	"context"
	"errors"
	"math"
)

// ErrSteps is the error of a budget whose steps are used up.
var ErrSteps = errors.New("too many steps")

// stepsPerLook is how many steps pass between two looks at the context: a few
// hundred microseconds.
const stepsPerLook = 1 << 12

// A Budget is a number of steps that an evaluation may take, and the context
// that may end it earlier. Once it has stopped it allows nothing more until
// Start. It is for one goroutine at a time.
type Budget struct {
	ctx   context.Context
	limit int64
	used  int64
	look  int64 // when used reaches it, the limit and the context are looked at
	err   error
}

// New is a budget of limit steps that ends with ctx.
func New(ctx context.Context, limit int64) *Budget {
	b := &Budget{ctx: ctx, limit: limit}
	b.Start(0)
	return b
}

// Start begins an evaluation that has used so many steps before. Looks at the
// context are as far apart as if it went on with the one before.
func (b *Budget) Start(used int64) {
	left := b.look - b.used
	if left <= 0 {
		left = stepsPerLook
	}
	b.used, b.look, b.err = used, min(used+left, b.limit+1), nil
}

// Limit is how many steps are allowed.
func (b *Budget) Limit() int64 { return b.limit }

// Used counts the steps since New, or as Start was told.
func (b *Budget) Used() int64 { return b.used }

// Step takes one step; false means that the evaluation must stop.
func (b *Budget) Step() bool { return b.Spend(1) }

// Spend takes n steps at once; false means that the evaluation must stop.
func (b *Budget) Spend(n int64) bool {
	b.used += n
	return b.used < b.look || b.mayGoOn()
}

func (b *Budget) mayGoOn() bool {
	switch {
	case b.err != nil:
	case b.ctx.Err() != nil:
		b.err = b.ctx.Err()
	case b.used > b.limit:
		b.err = ErrSteps
	default:
		b.look = min(b.used+stepsPerLook, b.limit+1)
		return true
	}
	b.look = math.MinInt64 // stay stopped, whatever is spent from now on
	return false
}

// Err says why the evaluation had to stop: ErrSteps or the error of the
// context; nil if it did not.
func (b *Budget) Err() error { return b.err }

// Stopped reports whether the evaluation had to stop.
func (b *Budget) Stopped() bool { return b.err != nil }

// Context is what may end the evaluation early.
func (b *Budget) Context() context.Context { return b.ctx }
