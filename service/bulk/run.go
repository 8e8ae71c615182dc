package bulk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"
)

// Running is how a job is run.
type Running struct {
	Source Source
	Jobs   int            // batches at a time; 0 leaves all of them to workers of a cluster
	NATS   *Cluster       // nil for a stream inside the process
	Tell   func(Progress) // called now and then, by one goroutine at a time; may be nil
	// Wrote is called with what is counted of each segment that this process wrote, by
	// several goroutines; may be nil.
	Wrote func(*Counts)
}

// ErrCancelled is the error of a run that Cancel ended.
var ErrCancelled = errors.New("the job was cancelled; what is done stays, and it can be resumed")

// Run lists the documents, where that was not done, and does what is left of the job. Ending
// ctx stops it after the batches in hand; it, or another process, may be called again and goes
// on there.
func (j *Job) Run(ctx context.Context, r Running) error {
	j.wrote = r.Wrote
	ctx, unlock, err := j.target.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := j.target.Remove(ctx, cancelFile); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go j.watchCancel(ctx, cancel)
	s, err := openStream(ctx, j.ID, filepath.Join(j.target.Work(), streamFolder), r.NATS)
	if err != nil {
		return err
	}
	defer s.close()
	if r.NATS != nil {
		if err := s.claim(ctx); err != nil {
			return err
		}
	}
	err = j.passes(ctx, s, &r)
	if errors.Is(context.Cause(ctx), ErrCancelled) {
		return ErrCancelled
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// passes works until every document of the manifest is done. The first run of a job inside
// one process does documents while the manifest is written, so that they are read once;
// workers elsewhere are given those of a manifest that is whole, because they may outlive
// this process.
func (j *Job) passes(ctx context.Context, s *stream, r *Running) (err error) {
	p := newProgress(r.Tell)
	if j.Manifest == nil && s.embedded != nil {
		if err := j.first(ctx, s, r, p); err != nil {
			return err
		}
	}
	if j.Manifest == nil {
		none := func(*batch) error { return nil }
		if j.Manifest, err = j.plan(ctx, r.Source, &planner{jobs: runtime.GOMAXPROCS(0), done: none, todo: none}); err != nil {
			return err
		}
	}
	p.expect(j.Manifest.Documents)
	for {
		done, err := j.job().done(ctx)
		if err != nil {
			return err
		}
		n := done.len()
		p.begins(j.Manifest.documents(n))
		if n == j.Manifest.Batches {
			return j.clean(ctx, s)
		}
		err = j.pass(ctx, s, r, p, func(ctx context.Context) error {
			return j.batches(ctx, func(b *batch) error {
				if done.has(b.Number) {
					return nil
				}
				return s.publish(ctx, b)
			})
		})
		if err != nil && !errors.Is(err, errLost) {
			return err
		}
	}
}

// readersFor is how many workers a goroutine that reads and hashes has enough for.
const readersFor = 4

// first is the pass that writes the manifest.
func (j *Job) first(ctx context.Context, s *stream, r *Running, p *progress) error {
	s.window = newWindow()
	p.begins(0)
	var manifest *manifestInfo
	err := j.pass(ctx, s, r, p, func(ctx context.Context) (err error) {
		counting, stop := context.WithCancel(ctx)
		defer stop()
		if c, can := r.Source.(Counted); can && r.Tell != nil {
			go func() {
				if n, err := c.Count(counting); err == nil { // what is wrong with the source is found when it is listed
					p.expect(n)
				}
			}()
		}
		manifest, err = j.plan(ctx, r.Source, &planner{
			jobs: 1 + r.Jobs/readersFor, keep: true,
			done: func(b *batch) error { p.skip(len(b.Entries)); return nil },
			todo: func(b *batch) error {
				if err := s.window.put(ctx, b); err != nil {
					return err
				}
				return s.publish(ctx, b)
			},
		})
		return err
	})
	if err == nil {
		j.Manifest, s.window = manifest, nil
	}
	return err
}

// pass has documents handed out, and works until all of them are done. A stream that lost
// something leaves work to the next pass.
func (j *Job) pass(ctx context.Context, s *stream, r *Running, p *progress, hand func(context.Context) error) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	stopping, stop := context.WithCancel(ctx)
	defer stop()
	working, abandon := draining(ctx, drain)
	defer abandon()
	group, working := errgroup.WithContext(working)
	for range r.Jobs {
		w := &worker{job: j, stream: s, source: r.Source}
		group.Go(func() error {
			err := w.run(working, stopping)
			if err != nil {
				stop()
			}
			return err
		})
	}
	group.Go(func() error {
		defer stop() // the workers, whatever happened
		err := hand(stopping)
		if err == nil {
			err = s.untilEmpty(stopping)
		}
		if errors.Is(err, context.Canceled) {
			return nil // a worker failed, or all are to stop
		}
		return err
	})
	group.Go(func() error {
		for sleep(stopping, time.Second) == nil {
			if s.embedded != nil {
				p.tell(s.done())
				continue
			}
			published := int(s.published.Load()) // before what is left of them
			if left, err := s.left(stopping); err == nil {
				p.tell(j.Manifest.documents(published - left))
			}
		}
		return nil
	})
	return group.Wait()
}

// stalled is how long nothing may be done of a cluster's stream before it is filled anew. A
// worker may hang that still tells it is alive, and servers of NATS give the batch of a dead
// worker out again by the clock on the wall, which may have been set back.
var stalled = 30 * time.Minute

// untilEmpty waits until every batch is acknowledged.
func (s *stream) untilEmpty(ctx context.Context) error {
	began := time.Now() // of a clock that is never set
	before, since := 0, began
	for {
		left, err := s.left(ctx)
		if left != before {
			before, since = left, time.Now()
		}
		switch {
		case err == nil && left == 0:
			return nil
		case err == nil && s.embedded == nil && time.Since(since) > stalled:
			return errLost
		case err == nil:
		case ctx.Err() != nil || s.embedded != nil:
			return err
		case s.lost(ctx):
			return errLost
		}
		wait := 20 * time.Millisecond
		if s.embedded == nil { // whose servers have to count it: a hundredth of the time is waited for too long
			wait = min(max(time.Since(began)/100, wait), time.Second)
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// watchCancel ends the run when Cancel asks for it.
func (j *Job) watchCancel(ctx context.Context, cancel context.CancelCauseFunc) {
	for sleep(ctx, 500*time.Millisecond) == nil {
		if asked, err := j.target.Has(ctx, cancelFile); asked && err == nil {
			cancel(ErrCancelled)
		}
	}
}

// clean removes what a finished job does not need.
func (j *Job) clean(ctx context.Context, s *stream) error {
	if s.embedded != nil {
		s.close() // it writes to its folder until it has ended
	} else if err := s.remove(ctx); err != nil {
		return err
	}
	var notes []string
	err := j.target.Each(ctx, begunFolder, func(name string) error {
		notes = append(notes, name)
		return nil
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, name := range notes {
		if err := j.target.Remove(ctx, name); err != nil {
			return err
		}
	}
	for _, name := range []string{unpackedFile, listFile} {
		_ = os.Remove(filepath.Join(j.target.Work(), name)) // there is none, or it is in use
	}
	return os.RemoveAll(filepath.Join(j.target.Work(), streamFolder))
}

// Work takes part in a job that another process coordinates. It ends when the job is
// complete, or after the batches in hand when ctx ends. A job that was opened has the
// operation and the rules of this process, so that no other rules take part.
func (j *Job) Work(ctx context.Context, r Running) error {
	j.wrote = r.Wrote
	s, err := openStream(ctx, j.ID, "", r.NATS)
	if err != nil {
		return err
	}
	defer s.close()
	working, abandon := draining(ctx, drain)
	defer abandon()
	group, working := errgroup.WithContext(working)
	for range max(r.Jobs, 1) {
		own := &stream{name: s.name, js: s.js} // which looks up the consumer
		w := &worker{job: j, stream: own, source: r.Source, idle: j.isComplete}
		group.Go(func() error { return w.run(working, ctx) })
	}
	return group.Wait()
}

// isComplete tells whether every batch has its segment.
func (j *Job) isComplete(ctx context.Context) (bool, error) {
	info, err := existing(ctx, j.target)
	if err != nil || info.Manifest == nil {
		return false, err
	}
	done, err := j.job().done(ctx)
	return done.len() == info.Manifest.Batches, err
}
