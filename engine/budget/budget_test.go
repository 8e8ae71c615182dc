package budget_test

import (
	"context"
	"errors"
	"testing"

	"einvoice/engine/budget"
)

func TestStepsEnd(t *testing.T) {
	for _, limit := range []int64{0, 1, 7, 4095, 4096, 4097, 100_000} {
		b := budget.New(t.Context(), limit)
		var taken int64
		for b.Step() {
			taken++
		}
		if taken != limit || !errors.Is(b.Err(), budget.ErrSteps) || !b.Stopped() {
			t.Errorf("%d steps of %d, then %v", taken, limit, b.Err())
		}
		if b.Step() || b.Spend(0) {
			t.Errorf("limit %d: a stopped budget allows a step", limit)
		}
		b.Start(limit)
		if b.Stopped() || !b.Spend(0) || b.Step() {
			t.Errorf("limit %d: started at its limit, the budget must allow no step and no error before one", limit)
		}
	}
}

func TestSpendingMoreThanIsLeft(t *testing.T) {
	b := budget.New(t.Context(), 10)
	if !b.Spend(10) || b.Spend(1<<40) || b.Used() != 10+1<<40 || !errors.Is(b.Err(), budget.ErrSteps) {
		t.Errorf("used %d, %v", b.Used(), b.Err())
	}
}

// An ended context stops an evaluation within a few thousand steps.
func TestEndOfContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := budget.New(ctx, 1<<40)
	if !b.Step() {
		t.Fatal(b.Err())
	}
	cancel()
	steps := 0
	for b.Step() {
		steps++
	}
	if steps > 5000 || !errors.Is(b.Err(), context.Canceled) {
		t.Errorf("%d steps, %v", steps, b.Err())
	}
}
