package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	streamName  = "EINVOICE_BULK"
	subject     = "einvoice.bulk.batches"
	workers     = "workers"
	streamBytes = 64 << 20 // of references that wait; whoever fills the stream waits meanwhile
	// ackWait is how long a worker may be silent before its batch is given to another.
	ackWait = 30 * time.Second
)

// A stream hands out the batches of a job.
type stream struct {
	embedded *server.Server
	conn     *nats.Conn
	js       jetstream.JetStream
	consumer jetstream.Consumer
}

// openStream starts a server inside the process, without a port, that keeps its stream in a
// folder. What is in the folder from before is dropped: the manifest says what is to be done.
func openStream(ctx context.Context, folder string) (*stream, error) {
	if err := os.RemoveAll(folder); err != nil {
		return nil, notWritten(err)
	}
	s := &stream{}
	var err error
	s.embedded, err = server.NewServer(&server.Options{
		ServerName: "einvoice", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: folder, JetStreamMaxStore: 2 * streamBytes, JetStreamMaxMemory: streamBytes,
	})
	if err != nil {
		return nil, fmt.Errorf("start NATS: %w", err)
	}
	s.embedded.Start()
	const patience = 10 * time.Second
	if !s.embedded.ReadyForConnections(patience) {
		s.close()
		return nil, errors.New("start NATS: it is not ready after 10 s")
	}
	if s.conn, err = nats.Connect("", nats.InProcessServer(s.embedded)); err != nil {
		s.close()
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	if err := s.prepare(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// prepare makes the stream and its consumer.
func (s *stream) prepare(ctx context.Context) (err error) {
	if s.js, err = jetstream.New(s.conn); err != nil {
		return err
	}
	st, err := s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		MaxBytes: streamBytes, Discard: jetstream.DiscardNew,
	})
	if err != nil {
		return fmt.Errorf("make the stream: %w", err)
	}
	s.consumer, err = st.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1,
	})
	if err != nil {
		return fmt.Errorf("make the consumer: %w", err)
	}
	return nil
}

// publish adds a batch, and waits while the stream is full.
func (s *stream) publish(ctx context.Context, b batch) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	for {
		_, err := s.js.Publish(ctx, subject, data, jetstream.WithMsgID(fmt.Sprint(b.Number)))
		if refused, ok := errors.AsType[*jetstream.APIError](err); !ok || refused.ErrorCode != errStreamFull {
			return err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// errStreamFull is NATS' code of a message that a stream has no room for.
const errStreamFull = 10077

// left counts the batches that were published and not acknowledged.
func (s *stream) left(ctx context.Context) (int, error) {
	info, err := s.consumer.Info(ctx)
	if err != nil {
		return 0, err
	}
	return int(info.NumPending) + info.NumAckPending, nil
}

func (s *stream) close() {
	if s.conn != nil {
		s.conn.Close()
	}
	s.embedded.Shutdown()
	s.embedded.WaitForShutdown()
}
