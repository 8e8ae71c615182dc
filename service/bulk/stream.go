package bulk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"einvoice/model/problem"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	workers     = "workers"
	streamBytes = 16 << 20 // of references that wait; whoever fills the stream waits meanwhile
	memoryBytes = 16 << 20
)

// ownPatience is how long the server inside the process may take for an answer. Nothing is lost on
// the way to it: one that takes seconds has a slow disk, or a machine with much to do.
const ownPatience = 2 * time.Minute

// CodeBroker is the error of a NATS that cannot be used.
const CodeBroker = "BULK-NATS"

// A Cluster is where NATS is.
type Cluster struct {
	URL      string // of one server or several, comma-separated
	Replicas int    // of the stream, on as many servers; 1 without it
}

// A stream hands out the batches of a job.
type stream struct {
	name     string
	embedded *server.Server // nil for a cluster
	folder   string         // of the one inside the process
	replicas int
	conn     *nats.Conn
	js       jetstream.JetStream
	consumer jetstream.Consumer
	// window has documents of batches that are published; nil where none are kept.
	window *window
	// published counts the batches of this pass.
	published atomic.Int64

	mu        sync.Mutex
	finished  batchSet // of this pass, by this process
	documents int      // of them
}

func streamName(id string) string { return "EINVOICE_BULK_" + id }

func (s *stream) subject() string { return "einvoice.bulk." + s.name + ".batches" }

// openStream connects to a cluster, or starts a server inside the process, without a port,
// that keeps its stream in a folder. What is in the folder from before is dropped: the
// manifest says what is to be done.
func openStream(ctx context.Context, id, folder string, c *Cluster) (s *stream, err error) {
	s = &stream{name: streamName(id), replicas: 1}
	if c != nil {
		s.replicas = max(c.Replicas, 1)
		s.conn, err = nats.Connect(c.URL, nats.Name("einvoice bulk"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.NoEcho(),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // whoever asks is told
		if err != nil {
			return nil, brokerError(err)
		}
	} else if err := s.embed(folder); err != nil {
		return nil, err
	}
	var options []jetstream.JetStreamOpt
	if s.embedded != nil {
		options = append(options, jetstream.WithDefaultTimeout(ownPatience))
	}
	if s.js, err = jetstream.New(s.conn, options...); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func brokerError(err error) error {
	return &problem.Error{Code: CodeBroker, Message: "NATS: " + err.Error(), Remedy: "see that --nats names servers that can be reached, with JetStream, and as many as --nats-replicas says", Cause: err}
}

// failed is the error of a stream that cannot be used. The one inside the process has trouble
// with its files alone.
func (s *stream) failed(err error) error {
	if s.embedded == nil {
		return brokerError(err)
	}
	return notWritten(fmt.Errorf("the stream in %s: %w", s.folder, err))
}

func (s *stream) embed(folder string) (err error) {
	s.folder = folder
	if err := os.RemoveAll(folder); err != nil {
		return notWritten(err)
	}
	s.embedded, err = server.NewServer(&server.Options{
		ServerName: "einvoice", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: folder, JetStreamMaxStore: 2 * streamBytes, JetStreamMaxMemory: memoryBytes,
	})
	if err != nil {
		return notWritten(fmt.Errorf("start NATS in %s: %w", folder, err))
	}
	s.embedded.Start()
	if !s.embedded.ReadyForConnections(ownPatience) {
		s.close()
		return fmt.Errorf("start NATS: it is not ready after %v", ownPatience)
	}
	if s.conn, err = nats.Connect("", nats.InProcessServer(s.embedded), nats.Timeout(ownPatience)); err != nil {
		s.close()
		return fmt.Errorf("connect to NATS: %w", err)
	}
	return nil
}

// mostElections is how often a cluster is asked that gives no answer, as while it elects a
// leader.
const mostElections = 60

// prepare makes the stream and its consumer, and empties it of what is from before.
func (s *stream) prepare(ctx context.Context) (err error) {
	for range mostElections {
		if err = s.make(ctx); err == nil || ctx.Err() != nil || s.embedded != nil || !isSilent(err) {
			return err
		}
		if err := sleep(ctx, patience); err != nil {
			return err
		}
	}
	return err
}

// isSilent tells whether an error is of a cluster that gave no answer.
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
		MaxBytes: streamBytes, Discard: jetstream.DiscardNew, Replicas: s.replicas,
	})
	if err != nil {
		return s.failed(err)
	}
	if err := st.Purge(ctx); err != nil {
		return s.failed(err)
	}
	s.published.Store(0)
	s.finished, s.documents = nil, 0
	s.consumer, err = st.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1,
		MemoryStorage: s.embedded != nil, // it does not outlast the process
	})
	if err != nil {
		return s.failed(err)
	}
	return nil
}

// errNone is the error of next when there was no batch for a while.
var errNone = errors.New("there is no batch")

// next takes a batch. A cluster that gives no answer has none for now: it may be electing a
// leader, or has lost its stream, which the coordinator makes again.
func (s *stream) next(ctx context.Context) (jetstream.Msg, error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var err error
	if s.consumer == nil {
		s.consumer, err = s.js.Consumer(waiting, s.name, workers)
	}
	if err == nil {
		var m jetstream.Msg
		if m, err = s.consumer.Next(jetstream.FetchContext(waiting)); err == nil {
			return m, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.embedded != nil && waiting.Err() == nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) {
		return nil, s.failed(err)
	}
	<-waiting.Done() // not at once again
	return nil, errNone
}

// publish adds a batch, and waits while the stream is full or a cluster gives no answer. A
// batch that is there twice is done once: whoever finds its segment does nothing.
func (s *stream) publish(ctx context.Context, b *batch) error {
	data := b.message()
	for {
		_, err := s.js.Publish(ctx, s.subject(), data)
		if err == nil {
			s.published.Add(1)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		wait := 20 * time.Millisecond
		if refused, ok := errors.AsType[*jetstream.APIError](err); !ok || refused.ErrorCode != errStreamFull {
			if s.embedded != nil {
				return s.failed(err)
			}
			if wait = patience; errors.Is(err, jetstream.ErrNoStreamResponse) && s.lost(ctx) {
				return errLost
			}
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// errLost is the error of a stream that a cluster does not have any more.
var errLost = errors.New("the stream is lost")

// lost tells whether the stream, or its consumer, is not there any more.
func (s *stream) lost(ctx context.Context) bool {
	_, err := s.js.Consumer(ctx, s.name, workers)
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errStreamFull is NATS' code of a message that a stream has no room for.
const errStreamFull = 10077

// acknowledges counts a batch that this process did. One that was given out twice counts
// once.
func (s *stream) acknowledges(b *batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.finished.has(b.Number) {
		s.finished.add(b.Number)
		s.documents += len(b.Entries)
	}
}

// done counts the documents of this pass that this process did.
func (s *stream) done() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents
}

// left counts the batches that were published and not acknowledged.
func (s *stream) left(ctx context.Context) (int, error) {
	published := int(s.published.Load()) // before what is left of them
	if s.embedded != nil {               // all of them are for this process
		s.mu.Lock()
		defer s.mu.Unlock()
		return published - s.finished.len(), ctx.Err()
	}
	info, err := s.consumer.Info(ctx)
	if err != nil {
		return 0, err
	}
	return int(info.NumPending) + info.NumAckPending, nil
}

// remove removes the stream of a finished job from a cluster.
func (s *stream) remove(ctx context.Context) error {
	if err := s.js.DeleteStream(ctx, s.name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return brokerError(err)
	}
	return nil
}

// close may be called again.
func (s *stream) close() {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.embedded != nil {
		s.embedded.Shutdown()
		s.embedded.WaitForShutdown()
	}
}
