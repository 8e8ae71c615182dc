package nats

import (
	"context"
	"errors"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"

	"github.com/nats-io/nats.go"
)

const (
	// answers is how long another coordinator may take to answer. One that takes longer has
	// lost its machine, whose connection NATS has for some minutes more.
	answers = 30 * time.Second
	// propagates is how long the servers of a cluster may take to tell each other who listens.
	propagates = 2 * time.Second
)

// claim refuses to coordinate a job that another process coordinates over the same NATS,
// from wherever: it listens from now on, and asks who else does. Where nobody does, the server
// says so at once. Each of two that ask at the same moment listens already, so that at least
// one is refused. The lock of the target is taken as well; this is for file systems of a
// network that do not know locks.
func (s *stream) claim(ctx context.Context) error {
	subject := "einvoice.bulk." + s.name + ".coordinator"
	_, err := s.conn.Subscribe(subject, func(m *nats.Msg) {
		_ = m.Respond(nil) // whoever asked gives up waiting
	})
	if err == nil {
		err = s.conn.FlushTimeout(answers) // from here on the server knows of it
	}
	if err != nil {
		return failed(err)
	}
	if s.conn.ConnectedClusterName() != "" {
		if err := sleep(ctx, propagates); err != nil {
			return err
		}
	}
	asking, cancel := context.WithTimeout(ctx, answers)
	defer cancel()
	_, err = s.conn.RequestWithContext(asking, subject, nil) // which this connection does not hear
	switch {
	case err == nil:
		return &problem.Error{Code: bulk.CodeBusy, Message: "another process coordinates this job over the same NATS", Remedy: "wait for it, or end it with bulk cancel; to help it, start bulk worker"}
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
		return nil
	}
	return failed(err)
}
