package bulk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
)

// Running is how a job is run.
type Running struct {
	Source Source
	Jobs   int                 // documents at a time
	Tell   func(done, all int) // called now and then by several goroutines; may be nil
}

// ErrCancelled is the error of a run that Cancel ended.
var ErrCancelled = errors.New("the job was cancelled; what is done stays, and it can be resumed")

// Run does what is left of the job. Ending ctx stops it after the documents in hand; it, or
// another process, may be called again and goes on there.
func (j *Job) Run(ctx context.Context, r Running) error {
	unlock, err := lock(j.folder, j.work(lockFile))
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.Remove(j.work(cancelFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := &progress{all: j.manifest.Documents, tell: r.Tell}
	for {
		left, err := j.left(ctx, p)
		if err != nil || left == 0 {
			return errors.Join(err, j.clean(left))
		}
		if err := j.pass(ctx, cancel, &r, p); err != nil {
			return err
		}
	}
}

// left counts the batches without a segment.
func (j *Job) left(ctx context.Context, p *progress) (n int, err error) {
	done := 0
	err = j.batches(ctx, func(b batch) error {
		has, err := j.isDone(b.Number)
		if has {
			done += len(b.Entries)
		} else {
			n++
		}
		return err
	})
	p.set(done)
	return n, err
}

// pass fills a stream with what is left, and works until it is empty. A stream that lost
// something leaves work to the next pass.
func (j *Job) pass(ctx context.Context, cancel context.CancelCauseFunc, r *Running, p *progress) error {
	s, err := openStream(ctx, j.work(streamFolder))
	if err != nil {
		return err
	}
	defer s.close()
	working, stop := context.WithCancel(ctx)
	defer stop()
	group, working := errgroup.WithContext(working)
	for range max(r.Jobs, 1) {
		w := &worker{job: j, stream: s, source: r.Source, done: p.add}
		group.Go(func() error { return w.run(working) })
	}
	group.Go(func() error {
		defer stop() // the workers, whatever happened
		err := j.batches(working, func(b batch) error {
			if done, err := j.isDone(b.Number); done || err != nil {
				return err
			}
			return s.publish(working, b)
		})
		if err != nil {
			return err
		}
		return s.untilEmpty(working)
	})
	group.Go(func() error { return j.watchCancel(working, cancel) })
	err = group.Wait()
	switch {
	case errors.Is(context.Cause(ctx), ErrCancelled):
		return ErrCancelled
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// untilEmpty waits until every batch is acknowledged.
func (s *stream) untilEmpty(ctx context.Context) error {
	for {
		left, err := s.left(ctx)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watchCancel ends the run when Cancel asks for it.
func (j *Job) watchCancel(ctx context.Context, cancel context.CancelCauseFunc) error {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if _, err := os.Stat(j.work(cancelFile)); err == nil {
				cancel(ErrCancelled)
			}
		}
	}
}

// clean removes what a finished job does not need.
func (j *Job) clean(left int) error {
	if left > 0 {
		return nil
	}
	return errors.Join(os.RemoveAll(j.work(streamFolder)), os.RemoveAll(j.work("begun")))
}
