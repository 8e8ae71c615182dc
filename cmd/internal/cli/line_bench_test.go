//go:build machines

package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/service/watch"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	lineBinary = flag.String("line-bench", "", "the program, to be measured as the line of an access point")
	lineTime   = flag.Duration("line-time", 3*time.Minute, "how long the hour takes")
	lineADay   = flag.Int("line-a-day", 1_000_000, "documents of a day, of which the rush hour has ten times the mean")
)

// rush is how much more comes in a rush hour than in an hour on average.
const rush = 10

// memoryParts are the parts of the time for which the memory is stated.
const memoryParts = 12

// A lineWorker is one of the programs that share the subject.
type lineWorker struct {
	mu      sync.Mutex
	program *exec.Cmd
	memory  []int64       // bytes, by time
	worked  time.Duration // processors, of those that ended
	running sync.WaitGroup
}

func (w *lineWorker) start(t *testing.T, address string) {
	t.Helper()
	program := exec.Command(*lineBinary, "watch", "--in", "nats:in.>", "--out", "nats:out", "--nats", address, "--jobs", "1")
	program.Stderr = os.Stderr
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	w.running.Go(func() {
		_ = program.Wait()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.worked += program.ProcessState.UserTime() + program.ProcessState.SystemTime()
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.program = program
}

func (w *lineWorker) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.program.Process.Kill()
}

// look notes how much memory a worker has.
func (w *lineWorker) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", w.program.Process.Pid))
	if fields := strings.Fields(string(data)); err == nil && len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		w.memory = append(w.memory, pages*int64(os.Getpagesize()))
	}
}

// TestLineBench is an hour of an access point, as long as it is told to take: the middle third is a
// rush hour. Two programs share a subject, of which the first is killed every sixth of the time; the
// memory of the second shows whether it grows. Each document has one result; how long that took, and the
// memory, are stated.
func TestLineBench(t *testing.T) {
	if *lineBinary == "" {
		t.Skip("not asked for: make line-bench")
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("NATS is not ready")
	}
	c, err := client.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, subject := range map[string]string{"DOCS": "in.>", "RESULTS": "out.>"} {
		if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: name, Subjects: []string{subject}}); err != nil {
			t.Fatal(err)
		}
	}
	invoice, err := os.ReadFile(filepath.Join("..", "..", "einvoice", "samples", "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	workers := []*lineWorker{{}, {}}
	for _, w := range workers {
		w.start(t, s.ClientURL())
	}
	ended := make(chan struct{})
	var around sync.WaitGroup
	around.Go(func() {
		kill, look := time.NewTicker(*lineTime/6), time.NewTicker(max(*lineTime/120, time.Second))
		for {
			select {
			case <-kill.C:
				workers[0].kill()
				workers[0].start(t, s.ClientURL())
			case <-look.C:
				for _, w := range workers {
					w.look()
				}
			case <-ended:
				return
			}
		}
	})
	mean := float64(*lineADay) / (24 * 3600)
	began, published := time.Now(), 0
	for next := began; time.Since(began) < *lineTime; {
		part := time.Since(began) * 3 / *lineTime
		rate := mean
		if part == 1 {
			rate = mean * rush
		}
		copyOf := bytes.Replace(invoice, []byte("<cbc:ID>"), fmt.Appendf(nil, "<cbc:ID>%d-", published), 1)
		if _, err := js.Publish(t.Context(), "in.usual", copyOf); err != nil {
			t.Fatal(err)
		}
		published++
		next = next.Add(time.Duration(float64(time.Second) / rate))
		time.Sleep(time.Until(next))
	}
	results, err := js.Stream(t.Context(), "RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	until(t, "all have their result", func() bool {
		info, err := results.Info(t.Context(), jetstream.WithSubjectFilter("out.begun.>")) // which are no results
		all := uint64(0)
		if err == nil {
			for _, n := range info.State.Subjects {
				all += n
			}
		}
		return err == nil && info.State.Msgs-all >= uint64(published)
	})
	close(ended)
	around.Wait()
	for _, w := range workers {
		w.kill()
		w.running.Wait()
	}
	came := timesIn(t, js, "DOCS", func(_ jetstream.Msg, number uint64) string { return fmt.Sprint("DOCS/", number) })
	done := timesIn(t, js, "RESULTS", func(m jetstream.Msg, _ uint64) string {
		if strings.HasPrefix(m.Subject(), "out.begun.") {
			return ""
		}
		if !strings.HasPrefix(m.Subject(), "out."+watch.Places[0]+".") {
			t.Errorf("a result on %s", m.Subject())
		}
		return m.Headers().Get("Einvoice-Document")
	})
	var took []time.Duration
	for at, when := range came {
		times := done[at]
		if len(times) != 1 {
			t.Errorf("%s has %d results", at, len(times))
			continue
		}
		took = append(took, times[0].Sub(when[0]))
	}
	slices.Sort(took)
	t.Logf("%d documents in %s, rush %.0f/s, mean %.1f/s, a kill every %s, load %s", published, *lineTime, mean*rush, mean, *lineTime/6, load())
	at := func(share float64) time.Duration {
		return took[int(share*float64(len(took)-1))].Round(time.Millisecond)
	}
	t.Logf("from intake to verdict: p50 %s, p90 %s, p99 %s, p99.9 %s, most %s", at(.5), at(.9), at(.99), at(.999), at(1))
	for i, w := range workers {
		var parts []string
		for n := range memoryParts {
			part := w.memory[n*len(w.memory)/memoryParts : (n+1)*len(w.memory)/memoryParts]
			if len(part) > 0 {
				parts = append(parts, fmt.Sprint(slices.Max(part)>>20))
			}
		}
		t.Logf("worker %d: %.1f s of processors with all starts; most memory in each twelfth of the time, in MiB: %s", i, w.worked.Seconds(), strings.Join(parts, " "))
	}
}

// timesIn are when the messages of a stream came, by what they are.
func timesIn(t *testing.T, js jetstream.JetStream, stream string, name func(jetstream.Msg, uint64) string) map[string][]time.Time {
	t.Helper()
	of, err := js.OrderedConsumer(t.Context(), stream, jetstream.OrderedConsumerConfig{HeadersOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	times := map[string][]time.Time{}
	for {
		batch, err := of.Fetch(1000, jetstream.FetchMaxWait(2*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for m := range batch.Messages() {
			n++
			about, err := m.Metadata()
			if err != nil {
				t.Fatal(err)
			}
			if key := name(m, about.Sequence.Stream); key != "" {
				times[key] = append(times[key], about.Timestamp)
			}
		}
		if n == 0 {
			return times
		}
	}
}
