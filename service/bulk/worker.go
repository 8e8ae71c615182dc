package bulk

import (
	"context"
	"errors"
	"time"
)

// drain is how long a worker that is told to stop may go on with the batch in hand.
const drain = 20 * time.Second

// drainElsewhere is the same for work that is done elsewhere, and can be ended: a batch is begun
// again after a restart.
const drainElsewhere = 250 * time.Millisecond

// A worker takes one batch at a time.
type worker struct {
	job    *Job
	queue  Queue
	source Source
	idle   func(context.Context) (over bool, err error) // called when there was no batch for a while; nil to go on
}

// run works until stopping ends, or nothing is left. The batch in hand is finished then,
// unless that takes long; ctx ends it at once.
func (w *worker) run(ctx, stopping context.Context) error {
	for stopping.Err() == nil && ctx.Err() == nil {
		b, over, err := w.queue.Next(stopping)
		switch {
		case stopping.Err() != nil && b == nil:
			return nil
		case errors.Is(err, ErrNone):
			if w.idle == nil {
				continue
			}
			if over, err := w.idle(stopping); over || err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		err = w.job.do(ctx, w.source, b)
		if err = errors.Join(err, over(err == nil)); err == nil {
			continue
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was told to stop; the batch is given out again
		}
		return err
	}
	return nil
}

// draining ends some time after ctx ends.
func draining(ctx context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(after):
			cancel()
		case <-out.Done():
		}
	})
	return out, func() { stop(); cancel() }
}
