package growth

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	"testing"
	"time"

	"einvoice/server"
)

// asService is the variable that makes the test program a service that measures itself.
const asService = "GROWTH_SERVICE"

func TestMain(m *testing.M) {
	if os.Getenv(asService) == "" {
		os.Exit(m.Run())
	}
	if err := serve(bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A request is one to the service; Length bytes of its body follow.
type request struct {
	Path, Kind, Accept string
	Length             int
}

// An answer is what a request cost.
type answer struct {
	Status    int
	CPU       time.Duration
	Allocated int64 // bytes, in all
}

// Garbage is collected between measurements, so that its cost is nobody's: it grows with what
// was allocated, which is measured by itself. What needs more than the bound collects within.
const (
	garbage    = 512 << 20
	mostMemory = 3 << 30
)

// serve answers requests one after another with all of the service in this process, and
// measures each.
func serve(in *bufio.Reader, out *json.Encoder) error {
	config := server.DefaultConfig()
	config.NoAuth, config.Rate, config.MaxMemory, config.MaxValidations = true, 0, 64<<30, 1
	config.RequestTimeout, config.WriteTimeout = longestRun, 4*longestRun
	s, err := server.New(config, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(mostMemory)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		var q request
		if err == nil {
			err = json.Unmarshal(line, &q)
		}
		body := make([]byte, q.Length)
		if err == nil {
			_, err = io.ReadFull(in, body)
		}
		if err != nil {
			return fmt.Errorf("read the next request: %w", err)
		}
		r := httptest.NewRequest(http.MethodPost, "http://localhost"+q.Path, bytes.NewReader(body))
		r.Header.Set("Content-Type", q.Kind)
		r.Header.Set("Accept", q.Accept)
		w := httptest.NewRecorder()
		used, had := spent(), allocated()
		s.ServeHTTP(w, r)
		a := answer{w.Code, spent() - used, allocated() - had}
		if err := out.Encode(a); err != nil {
			return err
		}
		if inHeap() > garbage {
			debug.FreeOSMemory()
		}
	}
}

// spent is the processor time of this process.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it is asked for in a way that cannot fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func metric(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

func allocated() int64 { return metric("/gc/heap/allocs:bytes") }

func inHeap() int64 { return metric("/memory/classes/heap/objects:bytes") }

// A service is the test program as a process that answers requests.
type service struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// startService starts it.
func startService(t testing.TB) *service {
	t.Helper()
	s := &service{cmd: exec.Command(os.Args[0])}
	s.cmd.Env = append(os.Environ(), asService+"=1", "GOMAXPROCS=1")
	s.cmd.Stderr = os.Stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = json.NewDecoder(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// end ends the process, whatever it does.
func (s *service) end() {
	_ = s.in.Close()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// ask sends a request. It is false where the process did not answer in time, or ended.
func (s *service) ask(q request, body []byte) (a answer, ok bool) {
	q.Length = len(body)
	head, err := json.Marshal(q)
	if err != nil {
		panic(err) // it is text and numbers
	}
	late := time.AfterFunc(longestWait, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	if _, err := s.in.Write(append(append(head, '\n'), body...)); err != nil {
		return a, false
	}
	return a, s.out.Decode(&a) == nil
}
