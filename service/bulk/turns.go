package bulk

import (
	"context"
	"sync"
)

// Turns says when a job may begin a document. A process that does several jobs shares its
// processors between them by it. Several goroutines may use it at a time.
type Turns interface {
	// Take waits for the turn of a document, and gives what ends it. One that has to be alone
	// is done while no other document of the process is.
	Take(ctx context.Context, alone bool) (over func(), err error)
}

// ownTurns are those of a process that does one job: its workers are turns enough.
type ownTurns struct{ sync.RWMutex }

// NewTurns are those of a process that shares them with nobody.
func NewTurns() Turns { return &ownTurns{} }

// Take waits only for documents that have to be alone.
func (t *ownTurns) Take(_ context.Context, alone bool) (over func(), err error) {
	if alone {
		t.Lock()
		return t.Unlock, nil
	}
	t.RLock()
	return t.RUnlock, nil
}
