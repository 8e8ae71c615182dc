// Package reserve lets work ask for memory before it takes it, of whoever bounds the memory
// of all work together.
//
//	ctx = reserve.With(ctx, visit.Take)
//	err := reserve.AtOnce(ctx, "pictures", bytes)
package reserve

import (
	"context"
	"sync"
)

// A Refused is the error of work that gets no memory. Whoever reads files must not take it
// for a fault of the file.
type Refused struct{ Err error }

func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap is why there is none.
func (r *Refused) Unwrap() error { return r.Err }

type key struct{}

// A pool is what one piece of work has.
type pool struct {
	mu   sync.Mutex
	take func(int64) error
	has  map[string]int64
}

// With is a context whose work asks for memory: take reserves bytes, or says why not.
func With(ctx context.Context, take func(bytes int64) error) context.Context {
	return context.WithValue(ctx, key{}, &pool{take: take, has: map[string]int64{}})
}

// AtOnce asks for memory for a use of which no more is needed at a time: it is free again
// before the next call for that use, so that the largest one counts. Without With there is no
// bound.
func AtOnce(ctx context.Context, use string, bytes int64) error {
	p, ok := ctx.Value(key{}).(*pool)
	if !ok {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if bytes <= p.has[use] {
		return nil
	}
	if err := p.take(bytes - p.has[use]); err != nil {
		return &Refused{err}
	}
	p.has[use] = bytes
	return nil
}
