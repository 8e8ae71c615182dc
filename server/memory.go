package server

import (
	"math"
	"runtime/debug"
	"sync"

	"einvoice/server/confine"
)

const (
	// leastOwnMemory is what part of the whole the service has for itself in any case.
	leastOwnMemory = 4
	// memoryStep is how much the limit of the garbage collector is off before it is set again,
	// because all of the program waits for that.
	memoryStep = 16 << 20
)

// A memoryShare keeps the service and its processes together to one limit: the garbage collector
// of the service leaves the processes what they were granted.
type memoryShare struct {
	whole int64 // bytes

	mu        sync.Mutex
	elsewhere int64 // bytes that processes have for themselves and for their work
	set       int64 // the limit of this process
}

// newMemoryShare shares out the limit of the program; it is nil where there is none.
func newMemoryShare() *memoryShare {
	whole := goMemLimit()
	if whole == math.MaxInt64 {
		return nil
	}
	return &memoryShare{whole: whole, set: whole}
}

// goMemLimit is the limit that the program was started with.
var goMemLimit = sync.OnceValue(func() int64 { return debug.SetMemoryLimit(-1) }) // negative: only asks

// move notes that processes have n bytes more, or less. A nil share notes nothing.
func (m *memoryShare) move(n int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.elsewhere += n
	if limit := max(m.whole-m.elsewhere, m.whole/leastOwnMemory); max(limit-m.set, m.set-limit) >= memoryStep {
		m.set = limit
		debug.SetMemoryLimit(limit)
	}
}

// A boundedOwner has the garbage collector of a process keep to what its owner has granted.
type boundedOwner struct {
	confine.Owner
	mu      sync.Mutex
	granted int64
}

// bounded is the owner of a call with a body of n bytes.
func bounded(owner confine.Owner, n int) *boundedOwner {
	b := &boundedOwner{Owner: owner, granted: memoryBesides + copiesOfBody*int64(n)}
	debug.SetMemoryLimit(b.granted)
	return b
}

// Take asks the owner for memory.
func (b *boundedOwner) Take(n int64) error {
	if err := b.Owner.Take(n); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.granted += n
	debug.SetMemoryLimit(b.granted)
	return nil
}
