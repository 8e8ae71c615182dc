package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A worker takes one batch at a time until there is no more or its context ends.
type worker struct {
	job    *Job
	stream *stream
	source Source
	done   func(documents int)
}

// run works. It ends without an error when ctx ends, and with one when results cannot be
// written: whoever calls again goes on there.
func (w *worker) run(ctx context.Context) error {
	messages, err := w.stream.consumer.Messages(jetstream.PullMaxMessages(2))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, messages.Stop)
	defer func() {
		stop()
		messages.Stop()
	}()
	for {
		m, err := messages.Next()
		switch {
		case errors.Is(err, jetstream.ErrMsgIteratorClosed):
			return nil
		case err != nil:
			return fmt.Errorf("take a batch: %w", err)
		}
		if err := w.take(ctx, m); err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // it was told to stop; the batch is given out again
			}
			return err
		}
	}
}

// take does the batch of a message, and acknowledges it when its results last.
func (w *worker) take(ctx context.Context, m jetstream.Msg) error {
	var b batch
	if err := json.Unmarshal(m.Data(), &b); err != nil {
		return errors.Join(err, m.Term())
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
	w.done(len(b.Entries))
	return m.DoubleAck(ctx)
}
