package bulk

import (
	"context"
	"errors"

	"einvoice/model/problem"

	"github.com/nats-io/nats.go"
)

// claim refuses to coordinate a job that another process coordinates over the same NATS,
// from wherever: it asks, and answers from then on. Two that ask at the same moment are both
// refused. The lock of the target is taken as well; this is for file systems of a network
// that do not know locks.
func (s *stream) claim(ctx context.Context, self string) error {
	subject := "einvoice.bulk." + s.name + ".coordinator"
	_, err := s.conn.Subscribe(subject, func(m *nats.Msg) {
		if string(m.Data) != self && m.Reply != "" {
			_ = m.Respond([]byte(self)) // whoever asked gives up waiting
		}
	})
	if err != nil {
		return brokerError(err)
	}
	answers, err := s.conn.SubscribeSync(s.conn.NewInbox())
	if err != nil {
		return brokerError(err)
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := s.conn.PublishRequest(subject, answers.Subject, []byte(self)); err != nil {
		return brokerError(err)
	}
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err = answers.NextMsgWithContext(asking)
	switch {
	case err == nil:
		return &problem.Error{Code: CodeBusy, Message: "another process coordinates this job over the same NATS", Remedy: "wait for it, or end it with bulk cancel; to help it, start bulk worker"}
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrNoResponders):
		return nil
	}
	return brokerError(err)
}
