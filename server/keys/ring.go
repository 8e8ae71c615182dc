package keys

import (
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"einvoice/server/changed"

	"golang.org/x/time/rate"
)

// A Ring has the keys that are valid now. The file is read again when it changes; one
// that cannot be read leaves the keys as they are and is reported, since locking
// every client out for a slip of an editor helps nobody.
type Ring struct {
	path    string // "" for the one key made at start
	rate    float64
	burst   int
	current atomic.Pointer[keySet]

	mu    sync.Mutex // serialises refresh
	seen  changed.Stamp
	fault atomic.Pointer[string]
}

// NewRing returns the ring of a file, "" for keys that Use puts in force; each key has a rate of
// its own.
func NewRing(path string, perSecond float64, burst int) *Ring {
	return &Ring{path: path, rate: perSecond, burst: burst}
}

// A keySet never changes.
type keySet struct {
	keys     map[string]Key
	limiters map[string]*rate.Limiter
}

// nobody is compared with where a key is unknown, so that it costs the same time.
var nobody = Key{Revoked: time.Unix(0, 0)}

// Refresh reads the file if it changed, or in any case if forced.
func (k *Ring) Refresh(force bool) (isNew bool, err error) {
	if k.path == "" {
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	stamp, err := changed.StampOf("key file", k.path)
	if err == nil && stamp == k.seen && k.fault.Load() == nil && !force {
		return false, nil
	}
	var keys []Key
	if err == nil {
		keys, err = Read(k.path)
	}
	if err != nil {
		text := err.Error()
		known := k.fault.Swap(&text)
		return known == nil || *known != text, err
	}
	k.seen = stamp
	k.fault.Store(nil)
	k.Use(keys)
	return true, nil
}

// Use puts keys in force. Those that stay keep the rate they have used up.
func (k *Ring) Use(keys []Key) {
	set := &keySet{keys: map[string]Key{}, limiters: map[string]*rate.Limiter{}}
	before := k.current.Load()
	for _, key := range keys {
		if !key.Revoked.IsZero() {
			continue
		}
		set.keys[key.ID] = key
		if before != nil && before.limiters[key.ID] != nil {
			set.limiters[key.ID] = before.limiters[key.ID]
		} else {
			set.limiters[key.ID] = NewLimiter(k.rate, k.burst)
		}
	}
	k.current.Store(set)
}

// NewLimiter returns what lets so many requests a second pass, and so many at once; any number
// where the rate is 0.
func NewLimiter(perSecond float64, burst int) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), burst)
}

// Verify finds the key that a secret is.
func (k *Ring) Verify(secret string) (found Key, limiter *rate.Limiter, ok bool) {
	set := k.current.Load()
	key, known := set.keys[idOf(secret)]
	if !known {
		key = nobody
	}
	if !key.matches(secret) {
		return Key{}, nil, false
	}
	return key, set.limiters[key.ID], true
}

// Admit takes one request off a rate; otherwise it says after how many seconds
// there is room again.
func Admit(l *rate.Limiter) (wait int, ok bool) {
	delay, ok := Pace(l, 0)
	return int(math.Ceil(delay.Seconds())), ok
}

// Pace takes one request off a rate, and says how long it has to wait for its turn; it is not
// taken where that is longer than the patience.
func Pace(l *rate.Limiter, patience time.Duration) (wait time.Duration, ok bool) {
	r := l.Reserve()
	wait = r.Delay()
	if wait > patience {
		r.Cancel()
		return wait, false
	}
	return wait, true
}

// Fault is why the file could not be read the last time; nil if it could.
func (k *Ring) Fault() *string { return k.fault.Load() }

// Count counts the keys in force.
func (k *Ring) Count() int { return len(k.current.Load().keys) }

// IDs are the ids of the keys in force.
func (k *Ring) IDs() []string { return slices.Collect(maps.Keys(k.current.Load().keys)) }

// Names reports whether a key was made for an operation by name.
func (k *Ring) Names(id, operation string) bool {
	return slices.Contains(k.current.Load().keys[id].Operations, operation)
}
