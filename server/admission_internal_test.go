package server

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func admissionOf(change func(*Config)) *admission {
	c := DefaultConfig()
	c.MaxRequests, c.MaxMemory, c.MaxValidations, c.KeyWork = 8, 1000, 2, 0
	if change != nil {
		change(&c)
	}
	return newAdmission(&c)
}

func (a *admission) mustEnter(t *testing.T, key string) *visit {
	t.Helper()
	v, err := a.enter(key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// However much one key asks for, others find room; and two hostile keys leave a third.
func TestShares(t *testing.T) {
	a := admissionOf(nil)
	for _, key := range []string{"first", "second", "third"} {
		requests := 0
		for {
			v, err := a.enter(key)
			if err != nil {
				break
			}
			requests++
			for v.take(10) == nil {
			}
		}
		if of := a.accounts[key]; requests == 0 || of.memory == 0 {
			t.Errorf("key %s has %d requests and %d bytes", key, requests, of.memory)
		}
	}
	if first := a.accounts["first"]; first.requests != 4 || first.memory != 500 {
		t.Errorf("the first key has %d requests and %d bytes", first.requests, first.memory)
	}
}

// Everything that is taken is given back, in whatever order.
func TestVisit(t *testing.T) {
	a := admissionOf(nil)
	v := a.mustEnter(t, "key")
	for _, n := range []int64{100, 200} {
		if err := v.take(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.take(501); err == nil {
		t.Error("more than half of all memory was given for one document")
	}
	v.answers(50)
	if a.requests != 0 || a.memory != 50 {
		t.Errorf("while its answer is sent, a request takes %d places and %d bytes", a.requests, a.memory)
	}
	v.leave()
	v.leave()
	if of := a.accounts["key"]; a.requests != 0 || a.memory != 0 || of.requests != 0 || of.memory != 0 {
		t.Errorf("left are %+v", of)
	}
}

// Places go to the key that worked least; a long work gives its place back; a wait ends
// with its context.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := admissionOf(func(c *Config) { c.MaxValidations, c.QueueWait = 1, time.Second })
		busy, honest := a.mustEnter(t, "busy"), a.mustEnter(t, "honest")
		done, err := busy.turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		order := make(chan string, 2)
		for _, v := range []*visit{busy, honest} {
			go func() {
				done, err := v.turn(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				order <- map[*visit]string{busy: "busy", honest: "honest"}[v]
				time.Sleep(time.Millisecond)
				done()
			}()
			synctest.Wait() // the busy key asks first
		}
		time.Sleep(longWork / 2)
		done()
		if first := <-order; first != "honest" {
			t.Errorf("the first place is for the %s key", first)
		}
		<-order

		done, err = busy.turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * longWork)
		other, err := honest.turn(t.Context())
		if err != nil {
			t.Fatalf("beside a long work there is no place: %v", err)
		}
		if _, err := busy.turn(t.Context()); err == nil {
			t.Error("a key has two long works and one place")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := honest.turn(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		other()
		done()
		if a.running != 0 || a.long != 0 || len(a.waiting) != 0 {
			t.Errorf("left are %d, %d and %d", a.running, a.long, len(a.waiting))
		}
	})
}

// A key that keeps more processors busy than its share waits until it has paid.
func TestKeyWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := admissionOf(func(c *Config) { c.KeyWork = 0.5 })
		v := a.mustEnter(t, "busy")
		for range 40 { // seconds: the burst is 30
			done, err := v.turn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			done()
		}
		if _, err := a.enter("busy"); err != nil {
			t.Errorf("after 40 seconds of work in 40: %v", err)
		}
		for range 80 {
			done, err := v.turn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			done()
		}
		_, err := a.enter("busy")
		if p, ok := errors.AsType[*Problem](err); !ok || p.ErrorCode != codeRateLimited || p.retryAfter < 1 {
			t.Fatalf("after 120 seconds of work in 120: %v", err)
		}
		a.mustEnter(t, "honest")
		time.Sleep(2 * time.Minute)
		a.mustEnter(t, "busy")
	})
}
