package webhook

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Several senders over one folder, as where one server replaces another, send each message until it
// is taken, and never once more; what one leaves that stops the others send.
func TestSharedFolder(t *testing.T) {
	before, looks := delays, lookAgain
	delays, lookAgain = []time.Duration{5 * time.Millisecond, 5 * time.Millisecond, 5 * time.Millisecond}, 10*time.Millisecond
	defer func() { delays, lookAgain = before, looks }()
	const messages = 40
	r := rand.New(rand.NewPCG(29, 11)) //nolint:gosec // the same senders in every run
	refused := map[string]int{}
	for i := range messages {
		refused[fmt.Sprintf("/%d", i)] = r.IntN(3)
	}
	var mu sync.Mutex
	got := map[string]int{}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if got[r.URL.Path]++; got[r.URL.Path] <= refused[r.URL.Path] {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer receiver.Close()
	folder, secrets := t.TempDir(), secretFile(t, secretLine)
	open := func() (*Sender, func()) {
		s, stop := sending(t, folder, secrets)
		return s, func() {
			time.Sleep(5 * time.Millisecond) // what is on its way to the receiver would be sent again
			stop()
		}
	}
	stays, stopLast := open()
	defer stopLast()
	for i := 0; i < messages; {
		s, stop := open()
		for range 1 + r.IntN(4) {
			if name := fmt.Sprint(i); i < messages {
				if err := s.Expect(name, receiver.URL+"/"+name); err != nil {
					t.Fatal(err)
				}
				if err := s.Tell(name, name); err != nil {
					t.Fatal(err)
				}
			}
			i++
		}
		stop()
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := 0
		for i := range messages {
			if m, err := stays.About(fmt.Sprint(i)); err != nil || m.State != Delivered {
				left++
			}
		}
		if left == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d messages of senders that stopped are not delivered", left)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	more := 0
	for path, n := range got {
		if n > refused[path]+1 {
			more++
		}
	}
	if more > messages/10 { // one that is on its way when its sender stops comes again
		t.Errorf("%d messages were sent once more than they were refused", more)
	}
}
