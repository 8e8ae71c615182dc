// Package nats hands out the documents of jobs over a NATS with JetStream, so that workers on
// several machines share them. The results are safe without it: a batch that NATS loses has
// no segment, and is handed out again.
package nats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/bulk"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	workers     = "workers"
	streamBytes = 16 << 20 // of references that wait; whoever fills the stream waits meanwhile
	// ackWait is how long a worker may be silent before its batch is given to another.
	ackWait = 30 * time.Second
	// patience is how long a worker waits for a batch before it looks whether there are any
	// more, and how long anyone waits before asking again that got no answer.
	patience = 2 * time.Second
	// stalled is how long nothing may be done of a stream before it is filled again. A worker
	// may hang that still tells it is alive, and servers of NATS give the batch of a dead
	// worker out again by the clock on the wall, which may have been set back.
	stalled = 30 * time.Minute
)

// A Cluster is where NATS is.
type Cluster struct {
	URL      string        // of one server or several, comma-separated
	Replicas int           // of the stream, on as many servers; 1 without it
	Stalled  time.Duration // how long nothing may be done before it is done again; half an hour without it
}

// A stream hands out the batches of a job.
type stream struct {
	Cluster
	name string
	conn *nats.Conn
	js   jetstream.JetStream
	// published counts the batches of this pass, and documents what is in them.
	published, documents atomic.Int64

	mu       sync.Mutex
	consumer jetstream.Consumer
}

func streamName(job string) string { return "EINVOICE_BULK_" + job }

func (s *stream) subject() string { return "einvoice.bulk." + s.name + ".batches" }

// Open is the bulk.Broker of a cluster. An error of NATS has the code bulk.CodeBroker.
func (c Cluster) Open(ctx context.Context, job string, coordinates bool) (bulk.Queue, error) {
	c.Replicas = max(c.Replicas, 1)
	if c.Stalled == 0 {
		c.Stalled = stalled
	}
	s := &stream{Cluster: c, name: streamName(job)}
	var err error
	s.conn, err = nats.Connect(c.URL, nats.Name("einvoice bulk"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.NoEcho(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // whoever asks is told
	if err != nil {
		return nil, failed(err)
	}
	if s.js, err = jetstream.New(s.conn); err == nil && coordinates {
		err = s.claim(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func failed(err error) error {
	return &problem.Error{Code: bulk.CodeBroker, Message: "NATS: " + quote.WithoutURL(err).Error(), Remedy: "see that --nats names servers that can be reached, with JetStream, and as many as --nats-replicas says", Cause: err}
}

// mostElections is how often a cluster is asked that gives no answer, as while it elects a
// leader.
const mostElections = 60

// Begin makes the stream and its consumer, and empties it of what is from before.
func (s *stream) Begin(ctx context.Context) (err error) {
	for range mostElections {
		if err = s.make(ctx); err == nil || ctx.Err() != nil || !isSilent(err) {
			return err
		}
		if err := sleep(ctx, patience); err != nil {
			return err
		}
	}
	return err
}

// isSilent reports whether an error is of a cluster that gave no answer.
func isSilent(err error) bool {
	if refused, ok := errors.AsType[*jetstream.APIError](err); ok && refused.Code == 503 { // no leader
		return true
	}
	return slices.ContainsFunc([]error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, jetstream.ErrNoStreamResponse, nats.ErrConnectionReconnecting, nats.ErrDisconnected},
		func(silent error) bool { return errors.Is(err, silent) })
}

func (s *stream) make(ctx context.Context) error {
	st, err := s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: s.name, Subjects: []string{s.subject()}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		MaxBytes: streamBytes, Discard: jetstream.DiscardNew, Replicas: s.Replicas,
	})
	if err != nil {
		return failed(err)
	}
	if err := st.Purge(ctx); err != nil {
		return failed(err)
	}
	s.published.Store(0)
	s.documents.Store(0)
	consumer, err := st.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.consumer = consumer
	return nil
}

// known is the consumer, which the coordinator made.
func (s *stream) known(ctx context.Context) (c jetstream.Consumer, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.consumer == nil {
		c, err = s.js.Consumer(ctx, s.name, workers)
		if err != nil {
			return nil, err
		}
		s.consumer = c
	}
	return s.consumer, nil
}

// Next takes a batch. A cluster that gives no answer has none for now: it may be electing a
// leader, or has lost its stream, which the coordinator makes again.
func (s *stream) Next(ctx context.Context) (*bulk.Batch, func(bool) error, error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	consumer, err := s.known(waiting)
	if err == nil {
		var m jetstream.Msg
		if m, err = consumer.Next(jetstream.FetchContext(waiting)); err == nil {
			return take(m)
		}
	}
	if ctx.Err() == nil {
		<-waiting.Done() // not at once again
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return nil, nil, bulk.ErrNone
}

// take reads the batch of a message, and tells NATS that a worker is at it until it is over.
func take(m jetstream.Msg) (*bulk.Batch, func(bool) error, error) {
	b, err := readMessage(m.Data())
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("a message that is not a batch: %w", err), m.Term())
	}
	finished := stayAlive(m, ackWait)
	return b, func(done bool) error {
		finished()
		if !done {
			return m.Nak()
		}
		return m.Ack() // one that is lost costs a look at the segment, which lasts
	}, nil
}

// stayAlive tells NATS that a message is being worked on, until it is over.
func stayAlive(m jetstream.Msg, wait time.Duration) (over func()) {
	alive, finished := time.NewTicker(wait/3), make(chan struct{})
	go func() {
		defer alive.Stop()
		for {
			select {
			case <-alive.C:
				_ = m.InProgress() // at worst another worker does it as well
			case <-finished:
				return
			}
		}
	}()
	return func() { close(finished) }
}

// message is a batch as the stream has it: a line with its number, and its lines.
func message(b *bulk.Batch) []byte {
	return append(fmt.Appendf(make([]byte, 0, len(b.Lines)+20), "%d\n", b.Number), b.Lines...)
}

// readMessage reads what message wrote.
func readMessage(message []byte) (*bulk.Batch, error) {
	head, lines, _ := bytes.Cut(message, []byte("\n"))
	number, err := strconv.Atoi(string(head))
	if err != nil {
		return nil, err
	}
	return bulk.ReadBatch(number, lines)
}

// errStreamFull is NATS' code of a message that a stream has no room for.
const errStreamFull = 10077

// Add adds a batch, and waits while the stream is full or a cluster gives no answer. A batch
// that is there twice is done once: whoever finds its segment does nothing.
func (s *stream) Add(ctx context.Context, b *bulk.Batch) error {
	data := message(b)
	for {
		_, err := s.js.Publish(ctx, s.subject(), data)
		if err == nil {
			s.published.Add(1)
			s.documents.Add(int64(len(b.Entries)))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		wait := 20 * time.Millisecond
		if refused, ok := errors.AsType[*jetstream.APIError](err); !ok || refused.ErrorCode != errStreamFull {
			if wait = patience; errors.Is(err, jetstream.ErrNoStreamResponse) && s.lost(ctx) {
				return bulk.ErrLost
			}
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// lost reports whether the stream, or its consumer, is not there any more.
func (s *stream) lost(ctx context.Context) bool {
	_, err := s.js.Consumer(ctx, s.name, workers)
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
}

// left counts the batches that were published and not acknowledged.
func (s *stream) left(ctx context.Context) (int64, error) {
	consumer, err := s.known(ctx)
	if err != nil {
		return 0, err
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return 0, err
	}
	return int64(info.NumPending) + int64(info.NumAckPending), nil
}

// Done counts about the documents that are done, whoever did them.
func (s *stream) Done(ctx context.Context) (int, error) {
	published, documents := s.published.Load(), s.documents.Load() // before what is left of them
	left, err := s.left(ctx)
	return int(documents * max(published-left, 0) / max(published, 1)), err
}

// Drained waits until every batch is acknowledged.
func (s *stream) Drained(ctx context.Context) error {
	began := time.Now() // of a clock that is never set
	before, since := int64(0), began
	for {
		left, err := s.left(ctx)
		if left != before {
			before, since = left, time.Now()
		}
		switch {
		case err == nil && left == 0:
			return nil
		case err == nil && time.Since(since) > s.Stalled:
			return bulk.ErrLost
		case err == nil:
		case ctx.Err() != nil:
			return err
		case s.lost(ctx):
			return bulk.ErrLost
		}
		// The servers have to count it: a hundredth of the time is waited for too long.
		if err := sleep(ctx, min(max(time.Since(began)/100, 20*time.Millisecond), time.Second)); err != nil {
			return err
		}
	}
}

// Remove removes the stream of a finished job.
func (s *stream) Remove(ctx context.Context) error {
	if err := s.js.DeleteStream(ctx, s.name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return failed(err)
	}
	return nil
}

// Close ends the connection.
func (s *stream) Close() { s.conn.Close() }

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
