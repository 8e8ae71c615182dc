package confine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/server/confine"
)

// underRace is set where the race detector is on, which takes more memory than is allowed and
// has words of its own for the end.
var underRace bool

// inProcess is the variable that makes the test program a process of a pool.
const inProcess = "CONFINE_TEST_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(inProcess) == "" {
		os.Exit(m.Run())
	}
	debug.SetMemoryLimit(128 << 20)
	limit := uint64(512 << 20)
	if underRace {
		limit = 0
	}
	if err := errors.Join(confine.Limit(limit), confine.Serve(os.Stdin, os.Stdout, func([]byte) (confine.Handler, error) { return work, nil })); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// work is what the process does, by the path of the call.
func work(ctx context.Context, c *confine.Call, owner confine.Owner) *confine.Reply {
	reply := &confine.Reply{Status: http.StatusOK, Header: http.Header{"X-Pid": {fmt.Sprint(os.Getpid())}}, Body: c.Body}
	switch c.URL {
	case "/spin":
		spinForEver()
	case "/wait":
		<-ctx.Done()
		reply.Status = http.StatusServiceUnavailable
	case "/crash":
		reply.Status = deeper(make([]int, 1))
	case "/memory":
		for all := []byte{1}; ; {
			all = append(all, all...)
			reply.Body = all
		}
	case "/take":
		for _, n := range []int64{10, 20, 30} {
			if err := owner.Take(n); err != nil {
				reply.Body = []byte(err.Error())
			}
		}
	case "/leave":
		waited := false
		if err := owner.Leave(func() { waited = true }); err != nil || !waited {
			reply.Body = []byte(fmt.Sprint(waited, err))
		}
	}
	return reply
}

func spinForEver() {
	for i := 0; ; i++ {
		if i < 0 {
			fmt.Println(i)
		}
	}
}

// deeper overflows the stack, which nothing recovers from.
func deeper(levels []int) int {
	if len(levels) == 0 {
		return 0
	}
	levels[0]++
	return deeper(levels) + levels[0]
}

// An owner counts what is asked of it.
type owner struct {
	mu     sync.Mutex
	room   int64
	taken  int64
	left   int
	crowds bool // no place comes free after leaving
}

var errFull = errors.New("there is no room")

func (o *owner) Take(n int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.taken+n > o.room {
		return errFull
	}
	o.taken += n
	return nil
}

func (o *owner) Leave(wait func()) error {
	o.left++
	wait()
	if o.crowds {
		return errFull
	}
	return nil
}

// overdue collects what a pool tells.
type overdue struct {
	mu     sync.Mutex
	stacks []string
}

func pool(t *testing.T) (*confine.Pool, *overdue) {
	t.Helper()
	return poolOf(t, confine.Options{})
}

// poolOf is a pool with some options.
func poolOf(t *testing.T, o confine.Options) (*confine.Pool, *overdue) {
	t.Helper()
	told := &overdue{}
	p := confine.New(confine.Options{
		Most: o.Most, Changed: o.Changed,
		Command: func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), inProcess+"=1")
			return cmd
		},
		Overdue: func(_ *confine.Call, stacks string) {
			told.mu.Lock()
			defer told.mu.Unlock()
			told.stacks = append(told.stacks, stacks)
		},
	})
	t.Cleanup(p.Close)
	return p, told
}

func TestReplies(t *testing.T) {
	p, _ := pool(t)
	pid := ""
	for i := range 20 {
		body := bytes.Repeat([]byte{byte(i)}, i*100_000)
		reply, err := p.Do(t.Context(), &confine.Call{URL: "/echo", Body: body}, &owner{})
		if err != nil || reply.Status != http.StatusOK || !bytes.Equal(reply.Body, body) {
			t.Fatalf("call %d: %v", i, err)
		}
		if now := reply.Header.Get("X-Pid"); pid != "" && now != pid {
			t.Errorf("call %d is done by another process", i)
		}
		pid = reply.Header.Get("X-Pid")
	}
	p.Retire()
	reply, err := p.Do(t.Context(), &confine.Call{URL: "/echo"}, &owner{})
	if err != nil || reply.Header.Get("X-Pid") == pid {
		t.Errorf("after Retire the same process works (%v)", err)
	}
}

// A pool has at most as many processes as it may; the other calls wait, or end with their context.
func TestMost(t *testing.T) {
	var there, highest atomic.Int64
	p, _ := poolOf(t, confine.Options{Most: 2, Changed: func(more int) {
		if now := there.Add(int64(more)); now > highest.Load() {
			highest.Store(now)
		}
	}})
	var all sync.WaitGroup
	for range 9 {
		all.Go(func() {
			if _, err := p.Do(t.Context(), &confine.Call{URL: "/echo"}, &owner{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if highest.Load() > 2 || int64(p.Processes()) != there.Load() {
		t.Errorf("there were %d processes at a time, want 2 at most; %d are left, %d counted", highest.Load(), p.Processes(), there.Load())
	}
	stuck, end := context.WithCancel(t.Context())
	for range 2 {
		all.Go(func() { _, _ = p.Do(stuck, &confine.Call{URL: "/spin"}, &owner{}) })
	}
	for p.Processes() < 2 || p.Idle() > 0 {
		time.Sleep(time.Millisecond)
	}
	waiting, leave := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer leave()
	if _, err := p.Do(waiting, &confine.Call{URL: "/echo"}, &owner{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while all processes work a call gets %v", err)
	}
	end()
	all.Wait()
	if _, err := p.Do(t.Context(), &confine.Call{URL: "/echo"}, &owner{}); err != nil || there.Load() != int64(p.Processes()) {
		t.Errorf("afterwards %v, and %d of %d processes are counted", err, there.Load(), p.Processes())
	}
}

func TestManyAtOnce(t *testing.T) {
	p, _ := pool(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			body := []byte(strings.Repeat("x", i))
			if reply, err := p.Do(t.Context(), &confine.Call{URL: "/echo", Body: body}, &owner{}); err != nil || !bytes.Equal(reply.Body, body) {
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if n := p.Processes(); n < 1 || n > 8 {
		t.Errorf("there are %d processes", n)
	}
}

// Work that hears of the end keeps its process; work that does not is ended with it, and its
// stacks are told. How busy the machine is does not matter: each has the patience that it needs.
func TestTimeIsOver(t *testing.T) {
	const long = 3 * time.Minute
	ended := func(p *confine.Pool, url string) (*confine.Reply, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		return p.Do(ctx, &confine.Call{URL: url}, &owner{})
	}
	p, told := pool(t)
	p.Patience(long, long)
	reply, err := ended(p, "/wait")
	if !errors.Is(err, context.DeadlineExceeded) || reply == nil || p.Processes() != 1 || len(told.stacks) != 0 {
		t.Errorf("work that hears: %v, %v, %d processes, %d told", reply, err, p.Processes(), len(told.stacks))
	}
	p, told = pool(t)
	p.Patience(time.Second, long)
	if _, err := ended(p, "/spin"); !errors.Is(err, context.DeadlineExceeded) || p.Processes() != 0 {
		t.Errorf("work that does not hear: %v, %d processes", err, p.Processes())
	}
	if len(told.stacks) != 1 || !strings.Contains(told.stacks[0], "einvoice/server/confine") {
		t.Errorf("the stacks that are told are %.2000q", told.stacks)
	}
	if _, err := p.Do(t.Context(), &confine.Call{URL: "/echo"}, &owner{}); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// A process that ends takes nothing but its own work with it.
func TestDies(t *testing.T) {
	if underRace {
		t.Skip("skipped: with the race detector a process cannot be held to its memory")
	}
	p, _ := pool(t)
	// Without memory the runtime does not always find words for its end.
	for path, word := range map[string]string{"/crash": "stack", "/memory": ""} {
		_, err := p.Do(t.Context(), &confine.Call{URL: path}, &owner{})
		died, ok := errors.AsType[*confine.DiedError](err)
		if !ok || !strings.Contains(died.Messages, word) {
			t.Errorf("%s: %v", path, err)
		}
		if reply, err := p.Do(t.Context(), &confine.Call{URL: "/echo", Body: []byte("a")}, &owner{}); err != nil || string(reply.Body) != "a" {
			t.Errorf("after %s: %v", path, err)
		}
	}
}

func TestMemoryIsAsked(t *testing.T) {
	p, _ := pool(t)
	o := &owner{room: 60}
	if reply, err := p.Do(t.Context(), &confine.Call{URL: "/take"}, o); err != nil || string(reply.Body) != "" || o.taken != 60 {
		t.Errorf("with room: %v, %d taken", err, o.taken)
	}
	o = &owner{room: 35}
	reply, err := p.Do(t.Context(), &confine.Call{URL: "/take"}, o)
	if !errors.Is(err, errFull) || reply == nil || string(reply.Body) != confine.ErrRefused.Error() || o.taken != 30 {
		t.Errorf("without room: %v, %d taken", err, o.taken)
	}
}

func TestPlaceIsLeft(t *testing.T) {
	p, _ := pool(t)
	o := &owner{}
	if reply, err := p.Do(t.Context(), &confine.Call{URL: "/leave"}, o); err != nil || len(reply.Body) != 0 || o.left != 1 {
		t.Errorf("%v, left %d times", err, o.left)
	}
	if _, err := p.Do(t.Context(), &confine.Call{URL: "/leave"}, &owner{crowds: true}); !errors.Is(err, errFull) {
		t.Errorf("where no place comes free: %v", err)
	}
}

// A process ends with its owner.
func TestEndsWithOwner(t *testing.T) {
	in, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), inProcess+"=1")
	cmd.Stdin = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.Close(), hold.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
}
