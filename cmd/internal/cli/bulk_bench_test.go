//go:build machines

package cli

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

var (
	benchBinary  = flag.String("bulk-bench", "", "the program, to be measured with many documents")
	benchLargest = flag.Int("bulk-largest", 1_000_000, "the most documents")
	benchLeast   = flag.Int("bulk-least", 1000, "the fewest documents")
	benchFiles   = flag.Int("bulk-files", 20_000, "how many documents are compared with the plain command line")
)

// A measured run is what it took.
type measured struct {
	elapsed, worked time.Duration
	memory          int64 // bytes, at most
}

func (m measured) String() string {
	return fmt.Sprintf("%.1f s, %.1f s of processors, %d MB", m.elapsed.Seconds(), m.worked.Seconds(), m.memory>>20)
}

// measure runs a program; its output is thrown away.
func measure(t *testing.T, program string, args ...string) measured {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stderr = os.Stderr
	began := time.Now()
	err := cmd.Run()
	return measurement(t, cmd, began, err)
}

func measurement(t *testing.T, cmd *exec.Cmd, began time.Time, err error) measured {
	t.Helper()
	// xargs ends with 123 where what it began ended with 1.
	if status := cmd.ProcessState.ExitCode(); err != nil && status != exitInvalid && status != 123 {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	state := cmd.ProcessState
	memory := int64(state.SysUsage().(*syscall.Rusage).Maxrss)
	return measured{time.Since(began), state.UserTime() + state.SystemTime(), memory << 10} // Linux counts in KiB
}

// load is what else the machine does.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}

func needBench(t *testing.T) string {
	t.Helper()
	if *benchBinary == "" {
		t.Skip("skipped: make bulk-bench runs this with the program")
	}
	return *benchBinary
}

// The cost of a job against the plain command line, and against the ordinary ways to use
// several processes.
func TestBenchCost(t *testing.T) {
	program := needBench(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	makeCopies(t, in, *benchFiles)
	jobs := 0
	job := func(args ...string) measured {
		jobs++
		out := filepath.Join(dir, fmt.Sprint("out", jobs))
		defer os.RemoveAll(out)
		return measure(t, program, append([]string{"bulk", "run", "validate", "--in", in, "--out", out, "--jobs", "2"}, args...)...)
	}
	ways := []struct {
		name string
		run  func() measured
	}{
		{"validate --jobs 2 -o jsonl", func() measured { return measure(t, program, "validate", "--jobs", "2", "-o", "jsonl", in) }},
		{"bulk run validate --jobs 2", func() measured { return job() }},
		{"the same, --format parquet", func() measured { return job("--format", "parquet") }},
		{"xargs -P 2 -n 500 einvoice validate --jobs 1", func() measured {
			return measure(t, "sh", "-c", `find "$1" -name '*.xml' | sort | xargs -P 2 -n 500 "$0" validate --jobs 1 -o jsonl`, program, in)
		}},
	}
	best := make([]measured, len(ways))
	for round := range 3 { // in turn, so that other programs disturb all alike
		for i, way := range ways {
			m := way.run()
			if round == 0 || m.worked < best[i].worked {
				best[i] = m
			}
		}
	}
	t.Logf("%d documents; the least of three, load %s", *benchFiles, load())
	for i, way := range ways {
		t.Logf("%-46s %v: %.2f times the processors of validate", way.name, best[i], best[i].worked.Seconds()/best[0].worked.Seconds())
	}
	const few = 300
	list := filepath.Join(dir, "list")
	small := filepath.Join(dir, "few")
	makeCopies(t, small, few)
	one := measure(t, "sh", "-c", `find "$1" -name '*.xml' | xargs -P 2 -n 1 "$0" validate -o jsonl`, program, small)
	t.Logf("%-46s %v for %d documents: %.1f ms of processors for each", "xargs -P 2 -n 1 einvoice validate", one, few, one.worked.Seconds()*1000/few)
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Log("skipped: GNU parallel, which is not there")
		return
	}
	// Up to 100, its status is how many of its processes found invalid documents.
	p := measure(t, "sh", "-c", `find "$1" -name '*.xml' | sort > "$2"; parallel -j 2 -n 500 "$0" validate --jobs 1 -o jsonl :::: "$2"; test $? -le 100`, program, in, list)
	t.Logf("%-46s %v", "parallel -j 2 -n 500 einvoice validate --jobs 1", p)
}

// nothing is an operation that does nothing, to measure what is around operations.
type nothing struct{}

func (nothing) Name() string   { return "nothing" }
func (nothing) Digest() string { return "" }
func (nothing) Do(_ context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	return fmt.Appendf(segment, `{"file":%q}`+"\n", d.Key), bulk.Outcome{Verdict: bulk.Valid}, nil
}

// How many documents a second are submitted (listed, read, hashed, written to the manifest),
// and how many go through all of it when nothing is done with them.
func TestBenchSubmission(t *testing.T) {
	needBench(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	n := 5 * *benchFiles
	makeCopies(t, in, n)
	source := &bulk.Files{Folder: in, Work: dir, Open: func(path string) ([]byte, int64, error) { return inputfile.Read(path, 1<<20) }}
	target := bulk.Folder(filepath.Join(dir, "out"))
	job, err := bulk.Open(t.Context(), bulk.Order{Target: target, Source: in, Operation: nothing{}})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := job.Plan(t.Context(), source, 2); err != nil {
		t.Fatal(err)
	}
	planned := time.Since(began)
	began = time.Now()
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents, load %s: submitted %.0f a second, done without an operation %.0f a second", n, load(), float64(n)/planned.Seconds(), float64(n)/time.Since(began).Seconds())
}

// One worker against two, each with one document and one processor at a time, over a NATS in a
// process of its own: with the operation that costs least, and with one that costs more. The
// target is 1.9 times. The manifest is written before they begin.
func TestBenchWorkers(t *testing.T) {
	program := needBench(t)
	dir := t.TempDir()
	*failuresBinary = program
	p := &playground{T: t, dir: dir}
	var err error
	if p.log, err = os.Create(filepath.Join(dir, "log")); err != nil {
		t.Fatal(err)
	}
	defer p.log.Close()
	settings, address := brokers(t, dir, 1)
	broker := p.process(brokerSettings + "=" + settings[0])
	listening(t, address)
	for _, way := range []struct {
		documents int
		operation []string
	}{
		{3 * *benchFiles, []string{"validate"}},
		{*benchFiles / 10, []string{"render", "--to", "pdf"}},
	} {
		in := filepath.Join(dir, way.operation[0])
		makeCopies(t, in, way.documents)
		var took []time.Duration
		for workers := 1; workers <= 2; workers++ {
			out := filepath.Join(dir, fmt.Sprint(way.operation[0], workers))
			took = append(took, p.work(way.operation, in, out, address, workers))
			_ = os.RemoveAll(out)
		}
		t.Logf("%s, %d documents, load %s: one worker %.1f s, two %.1f s: %.2f times as fast", strings.Join(way.operation, " "), way.documents, load(), took[0].Seconds(), took[1].Seconds(), took[0].Seconds()/took[1].Seconds())
	}
	broker.kill()
	t.Logf("the broker of all jobs: %.2f s of processors", broker.worked().Seconds())
}

// worked is the time of processors that a process took that has ended.
func (q *process) worked() time.Duration {
	return q.cmd.ProcessState.UserTime() + q.cmd.ProcessState.SystemTime()
}

// work is how long some workers take for a job, from the moment that all of them can begin.
func (p *playground) work(operation []string, in, out, address string, workers int) time.Duration {
	args := append([]string{"bulk", "run"}, operation...)
	run := p.process("", append(args, "--in", in, "--out", out, "--nats", address, "--jobs", "0")...)
	until(p, "the manifest is written", func() bool { return exists(out, "manifest.jsonl") || run.isOver() })
	before := processorsOf(run.cmd.Process.Pid)
	began := time.Now()
	var all []*process
	for range workers {
		all = append(all, p.process("GOMAXPROCS=1", "bulk", "worker", out, "--nats", address, "--jobs", "1"))
	}
	run.end()
	took := time.Since(began)
	var together time.Duration
	for _, w := range all {
		w.end()
		together += w.worked()
	}
	p.Logf("%d workers: %.1f s; processors: coordinator %.2f s and %.2f s before for the manifest, workers %.2f s", workers, took.Seconds(), (run.worked() - before).Seconds(), before.Seconds(), together.Seconds())
	return took
}

// processorsOf is the time of processors that a process took so far, as Linux tells it; 0 elsewhere.
func processorsOf(pid int) (worked time.Duration) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(after)
	for _, ticks := range fields[11:13] { // user and system, in hundredths of a second
		n, _ := strconv.Atoi(ticks)
		worked += time.Duration(n) * 10 * time.Millisecond
	}
	return worked
}

// Time and memory of 1,000 to 1,000,000 documents, then the impact of a draft on the largest
// number, and again after one rule was changed.
func TestBenchLinear(t *testing.T) {
	program := needBench(t)
	dir := t.TempDir()
	in := ""
	for n := *benchLeast; n <= *benchLargest; n *= 10 {
		if in != "" {
			_ = os.Remove(in)
		}
		in = filepath.Join(dir, fmt.Sprint(n, ".tar"))
		f, err := os.Create(in)
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriterSize(f, 1<<20)
		makeTAR(t, w, n)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, fmt.Sprint("out", n))
		m := measure(t, program, "bulk", "run", "validate", "--in", in, "--out", out, "--jobs", "2")
		t.Logf("validate %8d documents: %v; %.0f a second, %.3f ms of processors for each, load %s", n, m, float64(n)/m.elapsed.Seconds(), m.worked.Seconds()*1000/float64(n), load())
		_ = os.RemoveAll(out)
	}
	draft := func(name string, rules ...string) string {
		folder := filepath.Join(dir, name, "own", "1")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		text := "ruleset: own\nversion: 1\nlayer: cius\nextends: en16931/1.3.16\nrules:\n"
		for i, rule := range rules {
			text += fmt.Sprintf("  - {id: OWN-%d, level: fatal, %s, btCodes: [], message: m, text: t}\n", i+1, rule)
		}
		if err := os.WriteFile(filepath.Join(folder, "own.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	const vat, project = `context: /invoice/seller, assert: "filled(this.vatIdentifier)"`, `context: /invoice, assert: "!filled(this.projectReference) || this.projectReference.startsWith('P')"`
	first, second := draft("first", vat), draft("second", vat, project)
	m := measure(t, program, "bulk", "run", "impact", "--in", in, "--out", filepath.Join(dir, "impact"), "--old", "en16931", "--new", first, "--jobs", "2")
	t.Logf("impact of a draft: %v, load %s", m, load())
	m = measure(t, program, "bulk", "run", "impact", "--in", in, "--out", filepath.Join(dir, "again"), "--old", "en16931", "--new", second, "--jobs", "2", "--reuse", filepath.Join(dir, "impact"))
	t.Logf("the same after one rule was added: %v, load %s", m, load())
}
