package confine

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// mostStack is how much memory in bytes one stack may have: some parsers call themselves for
// each level of what they read.
const mostStack = 64 << 20

// ErrRefused is the error of a process whose owner refuses what it asks for.
var ErrRefused = errors.New("the owner refuses it")

// A Handler does calls, one at a time. The context of a call ends when the owner says so.
type Handler func(context.Context, *Call, Owner) *Reply

// Serve does the calls that arrive, until the owner is gone. The handler is made of what the
// owner's Options.Setup says.
func Serve(in io.Reader, out io.Writer, prepare func(setup []byte) (Handler, error)) error {
	var handle Handler
	s := &served{wire: newWire(in, out), answers: make(chan grant)}
	stop := context.CancelFunc(func() {})
	defer func() { stop() }()
	for {
		m, err := s.wire.receive()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read the next call: %w", err)
		}
		switch {
		case m.Setup != nil:
			if handle, err = prepare(m.Setup); err != nil {
				return err
			}
		case m.Call != nil && handle == nil:
			return errors.New("a call came before the setup")
		case m.Call != nil:
			var ctx context.Context
			ctx, stop = context.WithCancel(context.Background())
			go func() {
				defer stop()
				reply := handle(ctx, m.Call, &asking{s, ctx})
				// An owner that is gone is noticed where calls are read.
				_ = s.wire.send(message{Reply: reply})
			}()
		case m.Cancel:
			stop()
		case m.Answer != nil:
			s.answers <- *m.Answer
		}
	}
}

// A served is the process's end.
type served struct {
	wire    *wire
	answers chan grant
}

// An asking is the owner of one call, as the process sees it.
type asking struct {
	served *served
	ctx    context.Context
}

func (a *asking) ask(m message) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	if err := a.served.wire.send(m); err != nil {
		return err
	}
	if answer := <-a.served.answers; answer.Refused {
		return ErrRefused
	}
	return nil
}

func (a *asking) Take(bytes int64) error { return a.ask(message{Take: bytes}) }

func (a *asking) Leave(wait func()) error {
	if err := a.ask(message{Away: true}); err != nil {
		return err
	}
	wait()
	return a.ask(message{Back: true})
}
