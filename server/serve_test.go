package server_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/server"
)

// serve runs a server as the command line does, with its timeouts and watching.
func serve(t testing.TB, change func(*server.Config)) (s *testServer, stop func()) {
	t.Helper()
	s, end := serving(t, change)
	stop = sync.OnceFunc(func() {
		if err := end(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	t.Cleanup(stop)
	return s, stop
}

// serving is serve for servers that are stopped while they work: stop gives what Serve returns, and
// fails where it does not return.
func serving(t testing.TB, change func(*server.Config)) (s *testServer, stop func() error) {
	t.Helper()
	config := server.DefaultConfig()
	config.Rate = 0
	if change != nil {
		change(&config)
	}
	log := &lockedBuffer{}
	srv, err := server.New(config, slog.New(slog.NewJSONHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ctx, listener) }()
	stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(hang):
			t.Error("the service does not stop")
			return nil
		}
	})
	t.Cleanup(func() { _ = stop() }) // who asks for its error has called it before
	return &testServer{Server: srv, url: "http://" + listener.Addr().String(), log: log}, stop
}

// TestGracefulShutdown stops a server while a request is half sent: readiness
// says so, and the request is still answered.
func TestGracefulShutdown(t *testing.T) {
	s, stop := serve(t, func(c *server.Config) { c.DrainDelay = 2 * time.Second })
	document := sample(t, "ubl-valid.xml")
	c := s.slowly(t, len(document), string(document[:1000]))
	eventually(t, "the request is being read", func() bool { return s.Buffered() > 0 })

	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	eventually(t, "readiness tells", func() bool { return s.get(t, "/health/ready").StatusCode == 503 })
	s.get(t, "/health/ready").wants(t, 503, "NOT-READY")
	s.get(t, "/health/live").wants(t, 200, "")
	eventually(t, "no request is accepted after the drain delay", func() bool {
		r, err := http.Get(s.url + "/")
		if err == nil {
			r.Body.Close()
		}
		return err != nil
	})
	if _, err := c.Write(document[1000:]); err != nil {
		t.Fatal(err)
	}
	s.answered(t, c).wants(t, 200, "")
	<-stopped
	if log := s.log.String(); !strings.Contains(log, `"msg":"stopping"`) || !strings.Contains(log, `"msg":"stopped"`) {
		t.Errorf("got log %s", log)
	}
}

// TestShutdownTimeout cuts off who does not finish.
func TestShutdownTimeout(t *testing.T) {
	s, stop := serving(t, func(c *server.Config) { c.ShutdownTimeout = 100 * time.Millisecond })
	s.slowly(t, 1000, "<a>")
	eventually(t, "the request is being read", func() bool { return s.Buffered() > 0 })
	if err := stop(); err == nil || !strings.Contains(err.Error(), "still being served after 100ms") {
		t.Errorf("got %v", err)
	}
}

// TestSlowHead drops who does not even send a head.
func TestSlowHead(t *testing.T) {
	s, _ := serve(t, func(c *server.Config) { c.HeaderTimeout = 200 * time.Millisecond })
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: te"); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(hang))
	if data, err := io.ReadAll(c); err != nil || strings.Contains(string(data), "200 OK") {
		t.Errorf("got %q, %v", data, err)
	}
}

// TestLargeHead refuses a head beyond 16 KiB and what net/http adds to it.
func TestLargeHead(t *testing.T) {
	s, _ := serve(t, nil)
	r := s.request(t, http.MethodGet, "/", nil, "X-Large", strings.Repeat("x", 40<<10))
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("got %d", res.StatusCode)
	}
	s.get(t, "/").wants(t, 200, "")
}
