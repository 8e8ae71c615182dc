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
	Jobs   int    // batches at a time; 0 leaves all of them to workers elsewhere
	Broker Broker // nil for a job that this process does alone
	// Time is how long a document may take, of those of this process; 0 for as long as it takes.
	// One that outlives it twice, or once without an end, is given up.
	Time time.Duration
	// Turns shares the process with other jobs; nil for a job that has it alone.
	Turns Turns
	// Elsewhere does documents in place of the operation; nil for none.
	Elsewhere Elsewhere
	// Risky are the documents that Elsewhere does; nil for all.
	Risky func(*Document) bool
	Tell  func(Progress) // called now and then, by one goroutine at a time; may be nil
	// Wrote is called with what is counted of each segment that this process wrote, by
	// several goroutines; may be nil.
	Wrote func(*Counts)
}

// ErrCancelled is the error of a run that Cancel ended.
var ErrCancelled = errors.New("the job was cancelled; what is done stays, and it can be resumed")

// Run lists the documents, where that was not done, and does what is left of the job. Ending
// ctx stops it after the batches in hand, but after 20 seconds at the latest, and soon where all
// documents are done elsewhere: what is not done then is begun again. Run, here or in another
// process, may be called again and goes on there.
func (j *Job) Run(ctx context.Context, r Running) error {
	defer j.does(&r)()
	if r.Turns != nil {
		j.turns = r.Turns
	}
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
	var q Queue = newInside()
	if r.Broker != nil {
		if q, err = r.Broker(ctx, j.ID, true); err != nil {
			return err
		}
	}
	defer q.Close()
	err = j.passes(ctx, q, &r)
	if errors.Is(context.Cause(ctx), ErrCancelled) {
		return ErrCancelled
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// does takes how documents are done, until end.
func (j *Job) does(r *Running) (end func()) {
	j.wrote, j.time, j.elsewhere, j.risky = r.Wrote, r.Time, r.Elsewhere, r.Risky
	j.hands = newHands()
	return j.hands.end
}

// passes works until every document of the manifest is done. The first run of a job inside
// one process does documents while the manifest is written, so that they are read once;
// workers elsewhere are given those of a manifest that is whole, because they may outlive
// this process.
func (j *Job) passes(ctx context.Context, q Queue, r *Running) (err error) {
	p := newProgress(r.Tell)
	if j.Manifest == nil && r.Broker == nil {
		if err := j.first(ctx, q, r, p); err != nil {
			return err
		}
	}
	if j.Manifest == nil {
		none := func(*Batch) error { return nil }
		if j.Manifest, err = j.plan(ctx, r.Source, &planner{jobs: runtime.GOMAXPROCS(0), done: none, todo: none}); err != nil {
			return err
		}
	}
	p.expect(j.Manifest.Documents)
	for {
		if ctx.Err() != nil { // a pass that is told to stop ends without an error
			return context.Cause(ctx)
		}
		done, err := j.job().done(ctx)
		if err != nil {
			return err
		}
		n := done.len()
		p.begins(j.Manifest.documents(n))
		if n == j.Manifest.Batches {
			if err := j.together(ctx); err != nil {
				return err
			}
			return j.clean(ctx, q)
		}
		err = j.pass(ctx, q, r, p, func(ctx context.Context) error {
			return j.batches(ctx, func(b *Batch) error {
				if done.has(b.Number) {
					return nil
				}
				return q.Add(ctx, b)
			})
		})
		if err != nil && !errors.Is(err, ErrLost) {
			return err
		}
	}
}

// readersFor is how many workers a goroutine that reads and hashes has enough for.
const readersFor = 4

// first is the pass that writes the manifest.
func (j *Job) first(ctx context.Context, q Queue, r *Running, p *progress) error {
	p.begins(0)
	var manifest *manifestInfo
	err := j.pass(ctx, q, r, p, func(ctx context.Context) (err error) {
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
			done: func(b *Batch) error { p.skip(len(b.Entries)); return nil },
			todo: func(b *Batch) error { return q.Add(ctx, b) },
		})
		return err
	})
	if err == nil {
		j.Manifest = manifest
	}
	return err
}

// pass has documents handed out, and works until all of them are done. A queue that lost
// something leaves work to the next pass.
func (j *Job) pass(ctx context.Context, q Queue, r *Running, p *progress, hand func(context.Context) error) error {
	if err := q.Begin(ctx); err != nil {
		return err
	}
	stopping, stop := context.WithCancel(ctx)
	defer stop()
	after := drain
	if r.Elsewhere != nil && r.Risky == nil {
		after = drainElsewhere
	}
	working, abandon := draining(ctx, after)
	defer abandon()
	group, working := errgroup.WithContext(working)
	for range r.Jobs {
		w := &worker{job: j, queue: q, source: r.Source}
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
			err = q.Drained(stopping)
		}
		if errors.Is(err, context.Canceled) {
			return nil // a worker failed, or all are to stop
		}
		return err
	})
	group.Go(func() error {
		for sleep(stopping, time.Second) == nil {
			if documents, err := q.Done(stopping); err == nil {
				p.tell(documents)
			}
		}
		return nil
	})
	return group.Wait()
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
func (j *Job) clean(ctx context.Context, q Queue) error {
	if err := q.Remove(ctx); err != nil {
		return err
	}
	var notes []string
	err := j.target.Each(ctx, begunFolder, func(name string) error {
		notes = append(notes, name)
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range notes {
		if err := j.target.Remove(ctx, name); err != nil {
			return err
		}
	}
	for _, name := range []string{UnpackedFile, listFile} {
		_ = os.Remove(filepath.Join(j.target.Work(), name)) // there is none, or it is in use
	}
	return nil
}

// Work takes part in a job that another process coordinates. It ends when the job is
// complete, or when ctx ends, after the batches in hand as Run does. A job that was opened has the
// operation and the rules of this process, so that no other rules take part.
func (j *Job) Work(ctx context.Context, r Running) error {
	defer j.does(&r)()
	q, err := r.Broker(ctx, j.ID, false)
	if err != nil {
		return err
	}
	defer q.Close()
	working, abandon := draining(ctx, drain)
	defer abandon()
	group, working := errgroup.WithContext(working)
	for range max(r.Jobs, 1) {
		w := &worker{job: j, queue: q, source: r.Source, idle: j.isComplete}
		group.Go(func() error { return w.run(working, ctx) })
	}
	return group.Wait()
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isComplete reports whether every batch has its segment.
func (j *Job) isComplete(ctx context.Context) (bool, error) {
	info, err := existing(ctx, j.target)
	if err != nil || info.Manifest == nil {
		return false, err
	}
	done, err := j.job().done(ctx)
	return done.len() == info.Manifest.Batches, err
}
