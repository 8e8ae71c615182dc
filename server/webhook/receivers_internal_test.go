package webhook

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"
)

// receiver answers whatever it is asked with bytes, and hangs up.
func receiver(t *testing.T, answer []byte) (host string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1<<16))
			_, _ = c.Write(answer)
			_ = c.Close()
		}
	}()
	return listener.Addr().String()
}

// Whatever a receiver does, what is told of it to the log and in the status of a job names no more
// of its address than the host: the rest may hold a token.
func TestNoTokenIsTold(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 11)) //nolint:gosec // the same answers in every run
	answers := [][]byte{nil, []byte("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n"), []byte("HTTP/1.1 500 No\r\n\r\n"), []byte("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 1<<17))}
	for range 20 {
		answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n")
		for range 1 + r.IntN(6) {
			answer[r.IntN(len(answer))] = byte(r.IntN(256))
		}
		answers = append(answers, answer[:r.IntN(len(answer))])
	}
	s, err := New(t.TempDir(), []string{"127.0.0.1"}, secretFile(t, secretLine), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	tell := func(scheme, host string) {
		m := &Message{URL: scheme + "://" + host + "/tok3n-path?key=tok3n&q=" + url.QueryEscape("tok3n ü"), ID: "msg_1", Body: json.RawMessage("{}")}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, _, err := s.send(ctx, m)
		if err != nil && strings.Contains(err.Error(), "tok3n") {
			t.Errorf("the token is told: %v", err)
		}
	}
	for _, answer := range answers {
		tell("http", receiver(t, answer))
	}
	tell("https", receiver(t, []byte("no TLS")))
	tell("http", "127.0.0.1:1")
	tell("http", "127.0.0.1:99999")
	tell("http", "elsewhere.example")
}
