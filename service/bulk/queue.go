package bulk

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A Queue hands the batches of a pass to workers. Several goroutines may use it at a time.
type Queue interface {
	// Begin empties the queue of what is from before.
	Begin(ctx context.Context) error
	// Add adds a batch, and waits while there is no room.
	Add(ctx context.Context, b *Batch) error
	// Next takes a batch. Over says whether its results last; another worker gets the batch
	// otherwise. The error is ErrNone when there was no batch for a while.
	Next(ctx context.Context) (b *Batch, over func(done bool) error, err error)
	// Done counts the documents of this pass that are done.
	Done(ctx context.Context) (documents int, err error)
	// Drained waits until all batches that were added are done. The error is ErrLost where
	// that cannot be told, so that what is missing has to be added again.
	Drained(ctx context.Context) error
	// Remove removes the queue of a job that is complete.
	Remove(ctx context.Context) error
	// Close ends the use of the queue by this process.
	Close()
}

// A Broker opens the queue of a job that workers on other machines take part in. Where this
// process is to coordinate the job, and another one does, the error is a *problem.Error of
// CodeBusy.
type Broker func(ctx context.Context, job string, coordinates bool) (Queue, error)

var (
	// ErrNone is the error of a queue that had no batch for a while.
	ErrNone = errors.New("there is no batch")
	// ErrLost is the error of a queue that lost batches.
	ErrLost = errors.New("the queue lost batches")
)

const (
	// windowBytes is how much waits in memory for workers.
	windowBytes = 8 << 20
	// windowBatches is the same in batches.
	windowBatches = 256
	// keptBytes is the largest document that is kept, because what is between the reader and
	// the queue is counted in documents. Reading a larger one again costs little beside what
	// is done with it.
	keptBytes = 64 << 10
)

// An inside is the queue of a job that one process does. It has the documents that were read
// for the manifest, so that they are read once. Nothing of it lasts: what has no segment is
// added again.
type inside struct {
	room  *semaphore.Weighted
	ready chan *Batch
	// changed has something when a batch was done since it was looked at.
	changed chan struct{}

	mu        sync.Mutex
	left      int // batches
	documents int // that are done
}

func newInside() *inside { return &inside{} }

// weight is what a batch takes of the room.
func (b *Batch) weight() (bytes int64) {
	bytes = int64(len(b.Lines))
	for _, data := range b.Read {
		bytes += int64(len(data))
	}
	return min(bytes, windowBytes)
}

func (q *inside) Begin(context.Context) error {
	*q = inside{room: semaphore.NewWeighted(windowBytes), ready: make(chan *Batch, windowBatches), changed: make(chan struct{}, 1)}
	return nil
}

func (q *inside) Add(ctx context.Context, b *Batch) error {
	if err := q.room.Acquire(ctx, b.weight()); err != nil {
		return err
	}
	q.mu.Lock()
	q.left++
	q.mu.Unlock()
	select {
	case q.ready <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *inside) Next(ctx context.Context) (*Batch, func(bool) error, error) {
	select {
	case b := <-q.ready:
		q.room.Release(b.weight())
		documents := len(b.Entries)
		return b, func(done bool) error {
			if done { // else the pass has failed
				q.did(documents)
			}
			return nil
		}, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

func (q *inside) did(documents int) {
	q.mu.Lock()
	q.left--
	q.documents += documents
	q.mu.Unlock()
	select {
	case q.changed <- struct{}{}:
	default:
	}
}

func (q *inside) Done(context.Context) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.documents, nil
}

func (q *inside) Drained(ctx context.Context) error {
	for {
		q.mu.Lock()
		left := q.left
		q.mu.Unlock()
		if left == 0 {
			return nil
		}
		select {
		case <-q.changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (q *inside) Remove(context.Context) error { return nil }

func (q *inside) Close() {}
