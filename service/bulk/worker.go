package bulk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// ackWait is how long a worker may be silent before its batch is given to another.
	ackWait = 30 * time.Second
	// patience is how long a worker waits for a batch before it looks whether there are any
	// more, and how long anyone waits before asking a cluster again that gave no answer.
	patience = 2 * time.Second
	// drain is how long a worker that is told to stop may go on with the batch in hand.
	drain = 20 * time.Second
)

// A worker takes one batch at a time.
type worker struct {
	job    *Job
	stream *stream
	source Source
	idle   func(context.Context) (over bool, err error) // called when there was no batch for a while; nil to go on
}

// run works until stopping ends, or nothing is left. The batch in hand is finished then,
// unless that takes long; ctx ends it at once.
func (w *worker) run(ctx, stopping context.Context) error {
	for stopping.Err() == nil && ctx.Err() == nil {
		m, err := w.stream.next(stopping)
		switch {
		case stopping.Err() != nil:
			return nil
		case errors.Is(err, errNone):
			if w.idle == nil {
				continue
			}
			if over, err := w.idle(stopping); over || err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			if err := w.take(ctx, m); err != nil {
				if ctx.Err() != nil {
					return nil //nolint:nilerr // it was told to stop; the batch is given out again
				}
				return err
			}
		}
	}
	return nil
}

// take does the batch of a message, and acknowledges it when its results last.
func (w *worker) take(ctx context.Context, m jetstream.Msg) error {
	b, err := readMessage(m.Data(), w.stream.window)
	if err != nil {
		return errors.Join(fmt.Errorf("a message that is no batch: %w", err), m.Term())
	}
	alive := time.NewTicker(ackWait / 3)
	defer alive.Stop()
	finished := make(chan struct{})
	defer close(finished)
	go func() {
		for {
			select {
			case <-alive.C:
				_ = m.InProgress() // at worst another worker does the batch as well
			case <-finished:
				return
			}
		}
	}()
	if err := w.job.do(ctx, w.source, b); err != nil {
		return errors.Join(err, m.Nak())
	}
	// The segment lasts, so that an acknowledgement that is lost costs a look at it.
	err = m.Ack()
	w.stream.acknowledges(b)
	return err
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
