package server_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"einvoice/server/confine"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// stretches is a context that measures how much processor time the program takes without asking
// it, and ends after a time. Time on the wall would measure what else the machine does.
type stretches struct {
	context.Context
	mu      sync.Mutex
	began   time.Time
	asked   time.Duration // processor time of the last question
	longest time.Duration
	at      string // who asked after the longest
}

// stretchesEnd is how long work goes on until its context ends.
const stretchesEnd = 2 * time.Second

func measured() *stretches {
	return &stretches{Context: context.Background(), began: time.Now(), asked: processorTime()}
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // it cannot fail for the process itself
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func (s *stretches) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := processorTime()
	if d := now - s.asked; d > s.longest {
		s.longest, s.at = d, ""
		if d > confine.Grace/2 {
			stack := make([]byte, 8<<10)
			s.at = string(stack[:runtime.Stack(stack, false)])
		}
	}
	s.asked = now
	if time.Since(s.began) > stretchesEnd {
		return context.DeadlineExceeded
	}
	return nil
}

// TestStretches measures for each operation and call of the workbench, on documents of attackers,
// how much processor time it takes without asking its context: not more than the time that a
// process is given to end.
func TestStretches(t *testing.T) {
	if !*attacks {
		t.Skip("skipped: make attack runs it")
	}
	families := hostileFamilies(t)
	kit, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	works := map[string]func(ctx context.Context, file string, data []byte) error{}
	for _, path := range endpoints(t) {
		if call, isCall := strings.CutPrefix(path, "/v1/workbench/"); isCall {
			works[path] = func(ctx context.Context, file string, data []byte) error {
				body, _ := lawBody(t, path, file, data)
				_, err := workbench.New(kit, workbench.Config{}).Call(ctx, call, body)
				return err
			}
		}
	}
	for _, o := range operation.All {
		for _, to := range o.To() {
			works[o.Name+" "+to] = func(ctx context.Context, _ string, data []byte) error {
				_, err := o.Run(ctx, kit, data, &operation.Values{To: to})
				return err
			}
		}
	}
	var longest time.Duration
	of, pairs := "", 0
	only := regexp.MustCompile(*attackOnly)
	for name, work := range works {
		if !only.MatchString(name) {
			continue
		}
		for file, data := range families {
			if !strings.HasPrefix(name, "/") && filepath.Ext(file) == ".yaml" {
				continue
			}
			pairs++
			var least time.Duration
			at := ""
			for i := range lawTries { // the machine may be busy
				ctx := measured()
				err := work(ctx, file, data)
				_ = ctx.Err() // the stretch until the end counts
				if i == 0 || ctx.longest < least {
					least, at = ctx.longest, fmt.Sprintf("%v, before\n%s", err, ctx.at)
				}
				if least < confine.Grace/2 {
					break
				}
			}
			if least > longest {
				longest, of = least, name+" of "+file
			}
			if least > confine.Grace {
				t.Errorf("%s of %s does not ask its context for %s: %s", name, file, least.Round(time.Millisecond), at)
			}
		}
	}
	t.Logf("%d pairs of work and document: %s for %s without a question", pairs, of, longest.Round(time.Millisecond))
}
