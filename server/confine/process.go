package confine

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// mostMessages is how much of what a process writes to its standard error is kept, from the
// end.
const mostMessages = 64 << 10

// stackTime is how long a process has to write its stacks before it is ended.
const stackTime = 150 * time.Millisecond

// A process does one call at a time.
type process struct {
	cmd      *exec.Cmd
	wire     *wire
	incoming chan message // closed when the process has ended
	said     *tail
	overdue  func(*Call, string)
	patience patience
	exited   chan struct{}

	era    int
	expiry *time.Timer // of an idle process
}

func start(o Options, p patience) (*process, error) {
	setup := []byte{0}
	if o.Setup != nil {
		var err error
		if setup, err = o.Setup(); err != nil {
			return nil, err
		}
	}
	cmd := o.Command()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w := &process{cmd: cmd, wire: newWire(out, in), incoming: make(chan message), said: &tail{}, overdue: o.Overdue, patience: p, exited: make(chan struct{})}
	cmd.Stderr = w.said
	if o.Messages != nil {
		cmd.Stderr = io.MultiWriter(w.said, o.Messages)
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go w.listen()
	if err := w.wire.send(message{Setup: setup}); err != nil {
		return nil, w.died()
	}
	return w, nil
}

// listen passes on what the process says, until it ends.
func (w *process) listen() {
	for {
		m, err := w.wire.receive()
		if err != nil {
			break
		}
		w.incoming <- m
	}
	w.kill() // one that says what cannot be read is of no use
	_ = w.cmd.Wait()
	close(w.exited)
	close(w.incoming)
}

// kill ends the process now. What it still says is read by nobody.
func (w *process) kill() {
	_ = w.cmd.Process.Kill() // one that has ended already
	go func() {
		for range w.incoming { //nolint:revive // so that listen comes to its end
		}
	}()
}

// do has the process do a call. The reply is nil where the process is of no further use.
func (w *process) do(ctx context.Context, call *Call, owner Owner) (*Reply, error) {
	if err := w.wire.send(message{Call: call}); err != nil {
		return nil, w.died()
	}
	var refused error
	told := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case <-told:
			told = nil
			_ = w.wire.send(message{Cancel: true}) // one that has ended is noticed below
			timer := time.NewTimer(w.patience.grace)
			defer timer.Stop()
			late = timer.C
		case <-late:
			w.tellOverdue(call)
			return nil, ctx.Err()
		case m, alive := <-w.incoming:
			switch {
			case !alive:
				return nil, w.died()
			case m.Reply != nil:
				return m.Reply, errors.Join(refused, ctx.Err())
			default:
				if err := w.answer(ctx, m, owner, &refused); err != nil {
					return nil, w.died()
				}
			}
		}
	}
}

// answer answers a question of the process. Once it was refused something, it is refused
// everything.
func (w *process) answer(ctx context.Context, m message, owner Owner, refused *error) error {
	switch {
	case *refused != nil || ctx.Err() != nil:
		return w.grant(false)
	case m.Away:
		return w.away(ctx, owner, refused)
	case m.Take > 0:
		*refused = owner.Take(m.Take)
	}
	return w.grant(*refused == nil)
}

func (w *process) grant(granted bool) error {
	return w.wire.send(message{Answer: &grant{Refused: !granted}})
}

// away gives the place to others until the process needs it back.
func (w *process) away(ctx context.Context, owner Owner, refused *error) error {
	var failed error
	isBack := false
	*refused = owner.Leave(func() {
		if failed = w.grant(true); failed != nil {
			return
		}
		select {
		case <-ctx.Done(): // what the process asks next is answered as it comes
		case _, isBack = <-w.incoming:
		}
	})
	if failed != nil || !isBack {
		return failed
	}
	return w.grant(*refused == nil)
}

// tellOverdue tells of work that does not stop, with its stacks.
func (w *process) tellOverdue(call *Call) {
	if w.overdue == nil {
		return
	}
	askForStacks(w.cmd.Process)
	select {
	case <-w.exited:
	case <-time.After(w.patience.stacks):
	}
	w.overdue(call, w.said.String())
}

func (w *process) died() error {
	w.kill()
	<-w.exited
	return &DiedError{lastWords(w.said.String(), w.cmd.ProcessState.String())}
}

// lastWords is the line in which a process said of its end, most of all what was fatal: the
// runtime may warn of other things before.
func lastWords(said, state string) string {
	for _, beginning := range []string{"fatal error", "panic:", "runtime:"} {
		for line := range strings.Lines(said) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, beginning) {
				return line + " (" + state + ")"
			}
		}
	}
	return state
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text) - mostMessages; n > mostMessages {
		t.text = append([]byte(nil), t.text[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text[max(len(t.text)-mostMessages, 0):])
}
