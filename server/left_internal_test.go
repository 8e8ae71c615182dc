package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"einvoice/server/admission"
)

// A client that goes away after its whole request is there is no client that sent half of it.
func TestClientGone(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	config := DefaultConfig()
	begun, err := newGate(&config).Enter("key")
	if err != nil {
		t.Fatal(err)
	}
	done, err := begun.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	done()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/validate/ubl", nil)
	whole := &exchange{request: r, body: &admission.Body{}, visit: begun}
	if whole.isLeft(context.Canceled) {
		t.Error("a client that is there has left")
	}
	leave()
	for _, c := range []struct {
		name string
		x    *exchange
		err  error
		left bool
	}{
		{"the whole request is there", whole, fmt.Errorf("read: %w", context.Canceled), true},
		{"no body was asked for", &exchange{request: r}, context.Canceled, true},
		{"half of the body is there", &exchange{request: r, body: &admission.Body{}, visit: &admission.Visit{}}, context.Canceled, false},
		{"the error is of the request", whole, errors.New("wrong"), false},
		{"an answer is under way", &exchange{request: r, status: http.StatusOK}, context.Canceled, false},
	} {
		if left := c.x.isLeft(c.err); left != c.left {
			t.Errorf("%s: left %v", c.name, left)
		}
	}
}

// Work in this process that goes on a second after its deadline is told, and no other.
func TestOverseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s := &Server{log: slog.New(slog.NewTextHandler(&log, nil))}
		s.metrics = newMetrics(s)
		for after, told := range map[time.Duration]bool{time.Second: false, 10*time.Second + overdueAfter/2: false, 12 * time.Second: true} {
			log.Reset()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			done := s.oversee(ctx, &exchange{route: "/v1/validate/:format"})
			time.Sleep(after)
			done()
			cancel()
			synctest.Wait()
			if strings.Contains(log.String(), "work did not stop in time") != told {
				t.Errorf("after %s the log says %q", after, log.String())
			}
		}
	})
}
