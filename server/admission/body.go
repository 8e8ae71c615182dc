package admission

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// bodyGrace is how long a body may arrive more slowly than the least rate.
const bodyGrace = 5 * time.Second

// A Body reads a body that has to arrive at the least rate, after a little grace:
// who sends byte after byte does not keep a place.
type Body struct {
	io.Reader
	control *http.ResponseController
	rate    int64 // bytes a second
	began   time.Time
	last    time.Time // the end of the whole request
	read    atomic.Int64
	until   time.Time // the deadline that is set
	out     atomic.Bool
	failed  bool
}

// turnOut ends the reading of the body now, so that its place goes to another request.
func (p *Body) turnOut() {
	p.out.Store(true)
	_ = p.control.SetReadDeadline(time.Unix(1, 0)) // a connection without deadlines is that of a test
}

// NewBody paces a body, which has to arrive at a rate in bytes a second and within a time.
func NewBody(body io.Reader, control *http.ResponseController, rate int64, within time.Duration) *Body {
	now := time.Now()
	return &Body{Reader: body, control: control, rate: rate, began: now, last: now.Add(within)}
}

// Received is how many bytes have arrived.
func (p *Body) Received() int64 { return p.read.Load() }

// Failed reports whether the body broke off, or did not arrive in time.
func (p *Body) Failed() bool { return p.failed }

// Read reads on, within the time that the bytes so far have earned.
func (p *Body) Read(to []byte) (int, error) {
	earned := bodyGrace + time.Duration(float64(p.read.Load())/float64(p.rate)*float64(time.Second))
	until := p.began.Add(earned)
	if until.After(p.last) {
		until = p.last
	}
	if until.Sub(p.until) > time.Second || until.Equal(p.last) && !p.until.Equal(p.last) {
		p.until = until
		_ = p.control.SetReadDeadline(until) // a connection without deadlines is that of a test
	}
	if p.out.Load() { // after the deadline was set, which turnOut has changed
		p.failed = true
		return 0, errTurnedOut
	}
	n, err := p.Reader.Read(to)
	if p.read.Add(int64(n)); errors.Is(err, io.EOF) {
		// What comes next is bounded by the work, and by the wait for another request.
		_ = p.control.SetReadDeadline(time.Time{})
	}
	p.failed = err != nil && !errors.Is(err, io.EOF)
	if p.failed && p.out.Load() {
		return n, errTurnedOut
	}
	return n, brokenBody(err)
}

// errTurnedOut is not a word about the client: on a server with room the body would have been
// waited for.
var errTurnedOut = overloaded("All places are taken, and of the bodies on their way this one arrived the slowest.")

// ErrBroken is the error of a body that is not sent as HTTP lays it down.
var ErrBroken = errors.New("the body is broken")

// brokenBody tells apart the errors of the client. What net/http says of chunks has no
// type.
func brokenBody(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return fmt.Errorf("%w: %w", ErrBroken, err)
}

// ReadAll reads a body, paying for its memory before it is used. The hint of its size is
// believed no further than twice what has arrived.
func (v *Visit) ReadAll(r io.Reader, hint int64) ([]byte, error) {
	const first = 64 << 10
	size := max(min(hint, first), 0) + 512
	if err := v.Take(size); err != nil {
		return nil, err
	}
	data := make([]byte, 0, size)
	for {
		if len(data) == cap(data) {
			grow := int64(cap(data))
			if hint > int64(len(data)) {
				grow = min(grow, hint+512-int64(cap(data)))
			}
			if err := v.Take(grow); err != nil {
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
