package budget_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"einvoice/engine/budget"
)

// A loop ends at its time though nothing beside it runs, and so does one whose parent has ended.
func TestUntil(t *testing.T) {
	ctx := budget.Until(context.Background(), time.Now().Add(20*time.Millisecond))
	if err := ctx.Err(); err != nil {
		t.Fatalf("it ended before its time: %v", err)
	}
	b := budget.New(ctx, 1<<62)
	for b.Step() {
	}
	if !errors.Is(b.Err(), context.DeadlineExceeded) {
		t.Errorf("the loop ended with %v", b.Err())
	}
	parent, cancel := context.WithCancel(context.Background())
	child := budget.Until(parent, time.Now().Add(time.Hour))
	cancel()
	if !errors.Is(child.Err(), context.Canceled) {
		t.Errorf("its parent ended, and it says %v", child.Err())
	}
	early, stop := context.WithDeadline(context.Background(), time.Now().Add(time.Minute))
	defer stop()
	want, _ := early.Deadline()
	if at, ok := budget.Until(early, time.Now().Add(time.Hour)).Deadline(); !ok || !at.Equal(want) {
		t.Errorf("the deadline is %v, want that of the parent", at)
	}
}
