package server_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"einvoice/server"
)

// Clients that ask faster than the rate, side by side, are all answered: requests wait for
// their turn. Each answer tells the rate.
func TestPace(t *testing.T) {
	s := start(t, func(c *server.Config) { c.Rate, c.Burst = 400, 20 })
	var refused atomic.Int32
	var clients sync.WaitGroup
	for range 12 {
		clients.Go(func() {
			for range 25 {
				a := s.get(t, "/v1/rulesets")
				if a.StatusCode == http.StatusTooManyRequests {
					refused.Add(1)
				}
				if policy := a.Header.Get("RateLimit-Policy"); policy != `"requests";q=20;w=1` {
					t.Errorf("RateLimit-Policy is %q", policy)
				}
				if a.Header.Get("RateLimit") == "" {
					t.Error("there is no RateLimit")
				}
			}
		})
	}
	clients.Wait()
	if n := refused.Load(); n > 0 {
		t.Errorf("%d of 300 requests were refused", n)
	}
}
