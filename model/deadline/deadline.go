// Package deadline asks the clock whether a context is over.
package deadline

import (
	"context"
	"time"
)

// Err returns the error of a context that is over, and nil before its end. A context hears of
// its deadline by a timer, which may be late on a busy machine: code that was given the deadline
// as a time can notice it first, and its own error would blame what it read.
func Err(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if end, limited := ctx.Deadline(); limited && !time.Now().Before(end) {
		return context.DeadlineExceeded
	}
	return nil
}
