package admission

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"einvoice/server/refusal"
)

func admissionOf(change func(*Limits)) *Gate {
	c := Limits{MaxRequests: 8, MaxMemory: 1000, MaxValidations: 2, QueueWait: time.Second}
	if change != nil {
		change(&c)
	}
	return New(c)
}

func (a *Gate) mustEnter(t *testing.T, key string) *Visit {
	t.Helper()
	v, err := a.Enter(key)
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
			v, err := a.Enter(key)
			if err != nil {
				break
			}
			requests++
			for v.Take(10) == nil {
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
		if err := v.Take(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.Take(501); err == nil {
		t.Error("more than half of all memory was given for one document")
	}
	v.Answers(50)
	if a.requests != 0 || a.memory != 50 {
		t.Errorf("while its answer is sent, a request takes %d places and %d bytes", a.requests, a.memory)
	}
	v.Leave()
	v.Leave()
	if of := a.accounts["key"]; a.requests != 0 || a.memory != 0 || of.requests != 0 || of.memory != 0 {
		t.Errorf("left are %+v", of)
	}
}

// Places go to the key that worked least; a long work gives its place back; a wait ends
// with its context.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := admissionOf(func(c *Limits) { c.MaxValidations, c.QueueWait = 1, time.Second })
		busy, honest := a.mustEnter(t, "busy"), a.mustEnter(t, "honest")
		done, err := busy.Turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		order := make(chan string, 2)
		for _, v := range []*Visit{busy, honest} {
			go func() {
				done, err := v.Turn(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				order <- map[*Visit]string{busy: "busy", honest: "honest"}[v]
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

		done, err = busy.Turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * longWork)
		other, err := honest.Turn(t.Context())
		if err != nil {
			t.Fatalf("beside a long work there is no place: %v", err)
		}
		if _, err := busy.Turn(t.Context()); err == nil {
			t.Error("a key has two long works and one place")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := honest.Turn(ctx); !errors.Is(err, context.Canceled) {
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
		a := admissionOf(func(c *Limits) { c.KeyWork = 0.5 })
		v := a.mustEnter(t, "busy")
		for range 40 { // seconds: the burst is 30
			done, err := v.Turn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			done()
		}
		if _, err := a.Enter("busy"); err != nil {
			t.Errorf("after 40 seconds of work in 40: %v", err)
		}
		for range 80 {
			done, err := v.Turn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			done()
		}
		_, err := a.Enter("busy")
		if p, ok := errors.AsType[*refusal.Refusal](err); !ok || p.Code != refusal.RateLimited || p.RetryAfter < 1 {
			t.Fatalf("after 120 seconds of work in 120: %v", err)
		}
		a.mustEnter(t, "honest")
		time.Sleep(2 * time.Minute)
		a.mustEnter(t, "busy")
	})
}

// Work that does not end is charged to its key while it goes on.
func TestWorkIsChargedAsItGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := admissionOf(func(c *Limits) { c.KeyWork, c.MaxRequests = 0.5, 64 })
		done, err := a.mustEnter(t, "stuck").Turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(59 * time.Second) // of a burst of 60 at half a processor
		if _, err := a.Enter("stuck"); err != nil {
			t.Errorf("within its share the key is refused: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := a.Enter("stuck"); err == nil {
			t.Error("a key whose work does not end goes on working")
		}
		if _, err := a.Enter("other"); err != nil {
			t.Errorf("another key pays for it: %v", err)
		}
		done()
		done()
		if a.running != 0 || a.long != 0 {
			t.Errorf("%d works run, %d of them long", a.running, a.long)
		}
	})
}

// A body that arrives slowly gives its place to another request where there is no other,
// first the slowest; one that has just begun or is there does not.
func TestSlowBodiesMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := admissionOf(func(c *Limits) { c.MaxRequests = 8 })
		bodies := map[*Visit]*Body{}
		arriving := func(key string, bytes int64) *Visit {
			v := a.mustEnter(t, key)
			b := &Body{began: time.Now(), control: http.NewResponseController(httptest.NewRecorder())}
			b.read.Store(bytes)
			v.Awaits(b)
			bodies[v] = b
			return v
		}
		slowest, slow, there := arriving("hostile", 1), arriving("hostile", 5), arriving("hostile", 1)
		if _, err := there.Turn(t.Context()); err != nil { // its body is there
			t.Fatal(err)
		}
		arriving("hostile", 100)
		if _, err := a.Enter("hostile"); err == nil {
			t.Error("a body that has just begun was turned out")
		}
		time.Sleep(time.Second)
		a.mustEnter(t, "hostile")
		if !bodies[slowest].out.Load() || bodies[slow].out.Load() || bodies[there].out.Load() {
			t.Error("not the slowest body was turned out")
		}
		for range 2 { // of another key, as many as its share is
			arriving("honest", 1<<20)
		}
		a.mustEnter(t, "newcomer")
		if bodies[slow].out.Load() {
			t.Error("a body was turned out where there was room")
		}
		a.mustEnter(t, "second newcomer")
		if !bodies[slow].out.Load() || a.requests != 7 {
			t.Errorf("a newcomer found no place beside slow bodies; %d requests", a.requests)
		}
		for v := range bodies {
			v.Leave()
			v.Leave()
		}
		if _, err := bodies[slow].Read(nil); !errors.Is(err, errTurnedOut) {
			t.Errorf("a body that was turned out: %v, want that the server is overloaded", err)
		}
		if a.requests != 3 || len(a.arriving) != 0 {
			t.Errorf("%d requests are left, %d bodies are waited for", a.requests, len(a.arriving))
		}
	})
}

// Who is alone is never told to try again: what does not fit then never will. A refusal leaves
// what was reserved before as it was.
func TestAloneTheAnswerIsFinal(t *testing.T) {
	for range 200 {
		a := admissionOf(nil)
		v := a.mustEnter(t, "key")
		for taken := int64(0); ; {
			n := 1 + rand.Int64N(400)
			err := v.Take(n)
			if err == nil {
				taken += n
				continue
			}
			if told, ok := errors.AsType[*refusal.Refusal](err); !ok || told.Code != refusal.BodyTooLarge || told.RetryAfter != 0 {
				t.Fatalf("after %d bytes, %d more: %v", taken, n, err)
			}
			if taken+n <= a.limits.MaxMemory/2 || a.Taken() != taken {
				t.Fatalf("%d more after %d are refused, and %d are held", n, taken, a.Taken())
			}
			break
		}
	}
}
