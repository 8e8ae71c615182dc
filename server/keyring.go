package server

import (
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// A keyring has the keys that are valid now. The file is read again when it changes; one
// that cannot be read leaves the keys as they are and is reported, since locking
// every client out for a slip of an editor helps nobody.
type keyring struct {
	path    string // "" for the one key made at start
	current atomic.Pointer[keySet]

	mu    sync.Mutex // serialises refresh
	seen  fileStamp
	fault atomic.Pointer[string]
}

// A keySet never changes.
type keySet struct {
	keys     map[string]Key
	limiters map[string]*rate.Limiter
}

type fileStamp struct {
	modified time.Time
	size     int64
}

func stampOf(path string) (fileStamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}, err
	}
	if !info.Mode().IsRegular() {
		return fileStamp{}, fmt.Errorf("key file %s is no file (%s)", path, info.Mode())
	}
	return fileStamp{info.ModTime(), info.Size()}, nil
}

// nobody is compared with where a key is unknown, so that it costs the same time.
var nobody = Key{Revoked: time.Unix(0, 0)}

// refresh reads the file if it changed, or in any case if forced.
func (k *keyring) refresh(c *Config, force bool) (changed bool, err error) {
	if k.path == "" {
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	stamp, err := stampOf(k.path)
	if err == nil && stamp == k.seen && !force {
		return false, nil
	}
	var keys []Key
	if err == nil {
		keys, err = ReadKeys(k.path)
	}
	if err != nil {
		text := err.Error()
		known := k.fault.Swap(&text)
		return known == nil || *known != text, err
	}
	k.seen = stamp
	k.fault.Store(nil)
	k.use(keys, c)
	return true, nil
}

// use puts keys in force. Those that stay keep the rate they have used up.
func (k *keyring) use(keys []Key, c *Config) {
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
			set.limiters[key.ID] = newLimiter(c)
		}
	}
	k.current.Store(set)
}

func newLimiter(c *Config) *rate.Limiter {
	if c.Rate == 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(c.Rate), c.Burst)
}

// verify finds the key that a secret is.
func (k *keyring) verify(secret string) (found Key, limiter *rate.Limiter, ok bool) {
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

// admit takes one request off a rate; otherwise it says after how many seconds
// there is room again.
func admit(l *rate.Limiter) (wait int, ok bool) {
	r := l.Reserve()
	delay := r.Delay()
	if delay == 0 {
		return 0, true
	}
	r.Cancel()
	return int(math.Ceil(delay.Seconds())), false
}
