package bulk

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

const (
	// windowBytes is how much of documents waits in memory for workers.
	windowBytes = 8 << 20
	// keptBytes is the largest document that is kept, because what is between the reader and
	// the window is counted in documents. Reading a larger one again costs little beside what
	// is done with it.
	keptBytes = 64 << 10
)

// A window has the batches whose documents were read for the manifest, until a worker of
// this process takes them, so that they are read once. Whoever fills it waits while it is
// full.
type window struct {
	room    *semaphore.Weighted
	mu      sync.Mutex
	batches map[int]*batch
}

func newWindow() *window {
	return &window{room: semaphore.NewWeighted(windowBytes), batches: map[int]*batch{}}
}

// weight is what a batch takes of the window.
func (b *batch) weight() (bytes int64) {
	for _, data := range b.Read {
		bytes += int64(len(data))
	}
	return min(bytes, windowBytes)
}

// put adds a batch, which is to be published afterwards.
func (w *window) put(ctx context.Context, b *batch) error {
	if err := w.room.Acquire(ctx, b.weight()); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.batches[b.Number] = b
	return nil
}

// take removes a batch; nil if it is not there, or there is no window.
func (w *window) take(number int) *batch {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.batches[number]
	if b != nil {
		delete(w.batches, number)
		w.room.Release(b.weight())
	}
	return b
}
