// Package deadline asks the clock whether a context is over, for work that does not ask the
// context itself.
package deadline

import (
	"context"
	"io"
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

// Left returns the time that a context leaves, more than 0 even after its end, for what takes 0
// as no limit. It returns standard for a context without a deadline.
func Left(ctx context.Context, standard time.Duration) time.Duration {
	if end, limited := ctx.Deadline(); limited {
		return max(time.Until(end), 1)
	}
	return standard
}

// Writer returns a writer to w whose Write fails with the context's error after its end.
func Writer(ctx context.Context, w io.Writer) io.Writer { return &writer{ctx, w} }

type writer struct {
	ctx context.Context
	w   io.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	if err := Err(w.ctx); err != nil {
		return 0, err
	}
	return w.w.Write(p)
}

// Reader returns a reader of r whose Read fails with the context's error after its end.
func Reader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx, r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := Err(r.ctx); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
