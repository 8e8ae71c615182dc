//go:build machines

package bulk_test

import (
	"context"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/service/bulk"
	"einvoice/service/bulk/nats"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// broker is a NATS with JetStream on a port of this machine, and that port.
func broker(t *testing.T, store string, port int) (*server.Server, int) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true, JetStream: true, StoreDir: store})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(5 * time.Minute) {
		t.Fatal("NATS is not ready")
	}
	t.Cleanup(s.Shutdown)
	return s, s.Addr().(*net.TCPAddr).Port
}

// planned is a job with a manifest.
func planned(t *testing.T, folder string, n int, operation bulk.Operation) *bulk.Job {
	t.Helper()
	job, err := open(t.Context(), folder, operation)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Plan(t.Context(), numbers(n), 1); err != nil {
		t.Fatal(err)
	}
	return job
}

// A coordinator that works on nothing itself, and two workers, come to the results of one
// process.
func TestWorkers(t *testing.T) {
	t.Parallel()
	s, _ := broker(t, t.TempDir(), -1)
	cluster := nats.Cluster{URL: s.ClientURL()}
	folder := filepath.Join(t.TempDir(), "out")
	const n = 3000
	coordinator := planned(t, folder, n, &echo{})
	group, ctx := errgroup.WithContext(t.Context())
	group.Go(func() error { return coordinator.Run(ctx, bulk.Running{Source: numbers(n), Broker: cluster.Open}) })
	for range 2 {
		worker, err := open(t.Context(), folder, &echo{slow: 100 * time.Microsecond})
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() error {
			return worker.Work(ctx, bulk.Running{Source: numbers(n), Jobs: 2, Broker: cluster.Open})
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(n) {
		t.Error("the results are others")
	}
	if _, err := open(t.Context(), folder, &echo{digest: "of other rules"}); codeOf(err) != bulk.CodeOther {
		t.Errorf("a worker with other rules: %v", err)
	}
}

// A stream that is lost, and a broker that ends and comes back, cost time alone; meanwhile a
// second coordinator is refused, also where file locks do not help.
func TestLostStream(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	s, port := broker(t, store, -1)
	cluster := nats.Cluster{URL: s.ClientURL()}
	folder := filepath.Join(t.TempDir(), "out")
	const n = 3000
	// Nothing is done behind these documents before what is to happen meanwhile has happened.
	first, second := make(chan struct{}), make(chan struct{})
	var waiting atomic.Int64
	job := planned(t, folder, n, &echo{begins: func(at string) {
		if at >= key(600) {
			<-first
		}
		if at >= key(2000) {
			waiting.Add(1)
			<-second
		}
	}})
	ended := make(chan error, 1)
	go func() { ended <- job.Run(t.Context(), bulk.Running{Source: numbers(n), Jobs: 2, Broker: cluster.Open}) }()
	until(t, hasDone(t, folder, 1))
	unlocked, err := bulk.Open(t.Context(), bulk.Order{Target: noLock{bulk.Folder(folder)}, Source: "numbers", Operation: &echo{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := unlocked.Run(t.Context(), bulk.Running{Source: numbers(n), Jobs: 1, Broker: cluster.Open}); codeOf(err) != bulk.CodeBusy {
		t.Errorf("a second coordinator: %v", err)
	}
	js := streamsOf(t, s)
	names := js.StreamNames(t.Context())
	for name := range names.Name() {
		if err := js.DeleteStream(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	close(first)
	until(t, func() bool { return waiting.Load() == 2 }) // of both that work
	s.Shutdown()
	s.WaitForShutdown()
	broker(t, store, port)
	close(second)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(n) {
		t.Error("the results are others")
	}
}

// streamsOf are the streams of a broker, over a connection that the test's end closes.
func streamsOf(t *testing.T, s *server.Server) jetstream.JetStream {
	t.Helper()
	c, err := client.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// A worker that hangs and tells all the time that it is alive keeps its batch for a while, and
// then others do it.
func TestHangingWorker(t *testing.T) {
	t.Parallel()
	s, _ := broker(t, t.TempDir(), -1)
	cluster := nats.Cluster{URL: s.ClientURL(), Stalled: 3 * time.Second}
	folder := filepath.Join(t.TempDir(), "out")
	const n = 1000
	coordinator := planned(t, folder, n, &echo{})
	ended := make(chan error, 1)
	go func() { ended <- coordinator.Run(t.Context(), bulk.Running{Source: numbers(n), Broker: cluster.Open}) }()
	js := streamsOf(t, s)
	var hangs jetstream.Msg
	until(t, func() bool {
		for name := range js.StreamNames(t.Context()).Name() {
			if consumer, err := js.Consumer(t.Context(), name, "workers"); err == nil {
				hangs, _ = consumer.Next(jetstream.FetchMaxWait(time.Second)) // asked for again
			}
		}
		return hangs != nil
	})
	go func() {
		for t.Context().Err() == nil && hangs.InProgress() == nil {
			time.Sleep(100 * time.Millisecond)
		}
	}()
	worker, err := open(t.Context(), folder, &echo{})
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Work(t.Context(), bulk.Running{Source: numbers(n), Jobs: 1, Broker: cluster.Open}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || results(t, folder) != want(n) {
		t.Errorf("the results are others: %v", err)
	}
}

// noLock is a folder on a file system that does not know locks.
type noLock struct{ bulk.Folder }

func (noLock) Lock(ctx context.Context) (context.Context, func(), error) { return ctx, func() {}, nil }

// No broker is an error that says so.
func TestNoBroker(t *testing.T) {
	job := planned(t, filepath.Join(t.TempDir(), "out"), 10, &echo{})
	err := job.Run(t.Context(), bulk.Running{Source: numbers(10), Broker: nats.Cluster{URL: "nats://127.0.0.1:1"}.Open})
	if codeOf(err) != bulk.CodeBroker {
		t.Errorf("got %v", err)
	}
}
