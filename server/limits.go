package server

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// limits is what bounds the server as a whole. Memory is bounded by the bytes of
// all bodies, processor time by the validations that run at a time; whoever finds
// no room is told so at once or after a short wait, never queued without end.
type limits struct {
	requests    chan struct{}
	validations chan struct{}
	buffered    atomic.Int64
	maxBuffered int64
	wait        time.Duration
}

func newLimits(c *Config) *limits {
	return &limits{
		requests: make(chan struct{}, c.MaxRequests), validations: make(chan struct{}, c.MaxValidations),
		maxBuffered: c.MaxBuffered, wait: c.QueueWait,
	}
}

func overloaded(what string) error {
	p := newProblem(codeOverloaded, "%s Try again in a moment.", what)
	p.retryAfter = 1
	return p
}

// enter takes a place for a request with a body, without waiting.
func (l *limits) enter() (leave func(), err error) {
	select {
	case l.requests <- struct{}{}:
		return func() { <-l.requests }, nil
	default:
		return nil, overloaded("As many requests are being served as this server takes at a time.")
	}
}

// turn waits a little for a place to validate.
func (l *limits) turn(ctx context.Context) (done func(), err error) {
	release := func() { <-l.validations }
	select { // most often there is room, and a timer would be a waste
	case l.validations <- struct{}{}:
		return release, nil
	default:
	}
	timer := time.NewTimer(l.wait)
	defer timer.Stop()
	select {
	case l.validations <- struct{}{}:
		return release, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, overloaded("No place to validate came free in time.")
	}
}

// A buffer is the memory that one body takes from what all share.
type buffer struct {
	limits *limits
	taken  int64
}

func (b *buffer) take(n int64) error {
	b.taken += n
	if b.limits.buffered.Add(n) > b.limits.maxBuffered {
		return overloaded("The bodies that are being served fill the memory set aside for them.")
	}
	return nil
}

func (b *buffer) release() { b.limits.buffered.Add(-b.taken) }

// readAll reads a body, paying for its memory before it is used. The hint of
// its size is believed no further than twice what has arrived.
func (b *buffer) readAll(r io.Reader, hint int64) ([]byte, error) {
	const first = 64 << 10
	size := max(min(hint, first), 0) + 512
	if err := b.take(size); err != nil {
		return nil, err
	}
	data := make([]byte, 0, size)
	for {
		if len(data) == cap(data) {
			grow := int64(cap(data))
			if hint > int64(len(data)) {
				grow = min(grow, hint+512-int64(cap(data)))
			}
			if err := b.take(grow); err != nil {
				return nil, err
			}
			larger := make([]byte, len(data), int64(cap(data))+grow)
			copy(larger, data)
			data = larger
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
