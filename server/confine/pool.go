package confine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// Grace is how long work may go on after it was told to stop. Then its process is ended.
const Grace = 600 * time.Millisecond

// patience is how long a process that was told to stop has, and then for its stacks.
type patience struct{ grace, stacks time.Duration }

// Lateness is how long after its deadline a process may still answer by itself: it knows the
// deadline, and says so if it can.
const Lateness = 150 * time.Millisecond

// idleTime is how long a process waits for its next call before it is ended.
const idleTime = time.Minute

// Options say how a Pool works.
type Options struct {
	// Command makes the command of a process, which calls Serve.
	Command func() *exec.Cmd
	// Setup is what a process is told first; nil for nothing.
	Setup func() ([]byte, error)
	// Messages takes what processes write to their standard error; nil for nowhere.
	Messages io.Writer
	// Most is how many processes there are at one time. A call waits for one to come free; 0 for
	// no such limit.
	Most int
	// Changed is told how many processes there are more, or less; nil for nobody.
	Changed func(more int)
	// Overdue is told of work that did not stop within Grace, with the stacks of its
	// process; nil for nobody.
	Overdue func(call *Call, stacks string)
}

// A DiedError is the error of work whose process ended in the midst of it.
type DiedError struct{ Messages string }

func (e *DiedError) Error() string {
	return "the process that did the work ended: " + e.Messages
}

// A Pool has the processes that work. Any number of goroutines may use it.
type Pool struct {
	options  Options
	patience patience
	places   chan struct{} // of Options.Most; nil for no limit

	mu     sync.Mutex
	idle   []*process
	all    map[*process]bool
	era    int // counts Retire
	closed bool
}

// New makes a Pool without processes.
func New(options Options) *Pool {
	p := &Pool{options: options, patience: patience{Grace, stackTime}, all: map[*process]bool{}}
	if options.Most > 0 {
		p.places = make(chan struct{}, options.Most)
	}
	return p
}

// errClosed is the error of a pool that was closed.
var errClosed = errors.New("the pool of processes is closed")

// Do does a piece of work in a process. When the context ends, the work is told to stop; one
// that does not within Grace is ended with its process. The error is then that of the
// context, a *DiedError where the process ended by itself, or what the owner refused with.
func (p *Pool) Do(ctx context.Context, call *Call, owner Owner) (*Reply, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.places != nil {
		select {
		case p.places <- struct{}{}:
			defer func() { <-p.places }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	w, err := p.take()
	if err != nil {
		return nil, err
	}
	reply, err := w.do(ctx, call, owner)
	if reply == nil {
		p.end(w)
	} else {
		p.give(w)
	}
	return reply, err
}

// take finds a process that is idle, or starts one.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		w.expiry.Stop()
		return w, nil
	}
	w, err := start(p.options, p.patience)
	if err != nil {
		return nil, fmt.Errorf("start a process to work in: %w", err)
	}
	w.era = p.era
	p.all[w] = true
	p.changed(1)
	return w, nil
}

// give takes a process back for the next call.
func (p *Pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || w.era != p.era {
		p.drop(w)
		return
	}
	p.idle = append(p.idle, w)
	w.expiry = time.AfterFunc(idleTime, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if i := slices.Index(p.idle, w); i >= 0 {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.drop(w)
		}
	})
}

func (p *Pool) end(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(w)
}

// drop ends a process. The pool is locked.
func (p *Pool) drop(w *process) {
	if p.all[w] {
		delete(p.all, w)
		p.changed(-1)
	}
	w.kill()
}

func (p *Pool) changed(more int) {
	if p.options.Changed != nil {
		p.options.Changed(more)
	}
}

// Retire ends the processes as soon as they are idle, so that the next calls find new ones:
// what they know has changed.
func (p *Pool) Retire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.era++
	for _, w := range p.idle {
		w.expiry.Stop()
		p.drop(w)
	}
	p.idle = nil
}

// Processes counts the processes that are there.
func (p *Pool) Processes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}

// Close ends all processes, whatever they do.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for w := range p.all {
		p.drop(w)
	}
	p.idle = nil
}
