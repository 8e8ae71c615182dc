//go:build machines

package cli

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	failuresBinary    = flag.String("bulk-binary", "", "the program, to be killed while it works on many documents")
	failuresDocuments = flag.Int("bulk-documents", 100_000, "how many documents")
	failuresKills     = flag.Int("bulk-kills", 50, "how often something is killed")
	failuresSeed      = flag.Uint64("bulk-seed", 0, "of the moments; 0 for another one each time")
)

// A playground is documents, what the plain command line says of them, and processes.
type playground struct {
	*testing.T
	dir, documents string
	want           [sha256.Size]byte
	random         *rand.Rand
	log            *os.File
}

func newPlayground(t *testing.T, n int) *playground {
	t.Helper()
	if *failuresBinary == "" {
		t.Skip("skipped: make bulk-test runs this with the program")
	}
	seed := *failuresSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-bulk-seed %d", seed)
	p := &playground{T: t, dir: t.TempDir(), random: rand.New(rand.NewPCG(seed, 1))}
	p.documents = filepath.Join(p.dir, "in")
	makeCopies(t, p.documents, n)
	p.want = p.output("validate", "-o", "jsonl", p.documents)
	var err error
	if p.log, err = os.Create(filepath.Join(p.dir, "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.log.Close() })
	return p
}

// output is the hash of what the program prints; a run that cannot read something fails.
func (p *playground) output(args ...string) (sum [sha256.Size]byte) {
	p.Helper()
	cmd := exec.CommandContext(p.Context(), *failuresBinary, args...)
	hash := sha256.New()
	cmd.Stdout = hash
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != exitInvalid {
		p.Fatal(args, err)
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

// same sees that a target has the results of the plain command line.
func (p *playground) same(target string) {
	p.Helper()
	if p.output("bulk", "results", target) != p.want {
		p.Errorf("the results in %s are others than those of validate", target)
	}
	s, err := exec.CommandContext(p.Context(), *failuresBinary, "bulk", "status", target).Output()
	if err != nil || !bytes.Contains(s, []byte("complete")) {
		p.Errorf("status: %v %s", err, s)
	}
}

// A process is a part of a job, which is begun again when it is killed.
type process struct {
	p     *playground
	begin func() *exec.Cmd
	cmd   *exec.Cmd
	over  chan error
}

func (p *playground) process(environment string, args ...string) *process {
	program := *failuresBinary
	if strings.HasPrefix(environment, brokerSettings) {
		program = os.Args[0]
	}
	q := &process{p: p, begin: func() *exec.Cmd {
		cmd := exec.CommandContext(p.Context(), program, args...)
		cmd.Env = append(os.Environ(), environment)
		cmd.Stderr = p.log
		return cmd
	}}
	q.start()
	return q
}

func (q *process) start() {
	q.cmd, q.over = q.begin(), make(chan error, 1)
	if err := q.cmd.Start(); err != nil {
		q.p.Fatal(err)
	}
	go func(cmd *exec.Cmd, over chan error) { over <- cmd.Wait() }(q.cmd, q.over)
}

// kill kills the process; false if it was over before.
func (q *process) kill() bool {
	select {
	case err := <-q.over:
		q.over <- err
		return false
	default:
	}
	_ = q.cmd.Process.Kill() // it may end in this moment
	<-q.over
	return true
}

// end waits for the end of a coordinator or worker, whose verdict is that some documents are
// invalid.
func (q *process) end() {
	q.p.Helper()
	select {
	case err := <-q.over:
		q.over <- err
		if ended, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || ended.ExitCode() != exitInvalid) {
			q.p.dump()
			q.p.Fatalf("%v ended with %v", q.cmd.Args, err)
		}
	case <-time.After(20 * time.Minute):
		q.p.dump()
		q.p.Fatalf("%v goes on without end", q.cmd.Args)
	}
}

func (q *process) isOver() bool { return len(q.over) > 0 }

func (p *playground) dump() {
	data, err := os.ReadFile(p.log.Name())
	p.Logf("%s %v", data[max(0, len(data)-4000):], err)
}

// moment waits for a random time, mostly short.
func (p *playground) moment() {
	time.Sleep(time.Duration(100+p.random.ExpFloat64()*2500) * time.Millisecond)
}

// One process is killed, and again, until the job is done; and the same with a coordinator,
// two workers and a broker, of which any is killed.
func TestBulkKills(t *testing.T) {
	p := newPlayground(t, *failuresDocuments)
	kills, jobs := 0, 0
	for kills < *failuresKills*2/5 {
		jobs++
		out := filepath.Join(p.dir, fmt.Sprint("one", jobs))
		run := p.process("", "bulk", "run", "validate", "--in", p.documents, "--out", out)
		for !run.isOver() && kills < *failuresKills*2/5 {
			p.moment()
			if run.kill() {
				kills++
				run.start()
			}
		}
		run.end()
		p.same(out)
		_ = os.RemoveAll(out)
	}
	t.Logf("%d kills of one process, in %d jobs", kills, jobs)
	killed := map[string]int{}
	for kills < *failuresKills {
		jobs++
		out := filepath.Join(p.dir, fmt.Sprint("many", jobs))
		settings, address := brokers(t, out+"-brokers", 1)
		parts := map[string]*process{"broker": p.process(brokerSettings + "=" + settings[0])}
		listening(t, address)
		parts["coordinator"] = p.process("", "bulk", "run", "validate", "--in", p.documents, "--out", out, "--nats", address, "--jobs", "0")
		until(t, "the job begins", func() bool { return exists(out, "job.json") || parts["coordinator"].isOver() })
		for _, name := range []string{"worker 1", "worker 2"} {
			parts[name] = p.process("", "bulk", "worker", out, "--nats", address, "--jobs", "1")
		}
		names := []string{"coordinator", "worker 1", "worker 2", "broker"}
		for !parts["coordinator"].hasEndedWell() && kills < *failuresKills {
			p.moment()
			for _, name := range names { // what was begun while there was no broker
				if parts[name].isOver() && !parts[name].hasEndedWell() {
					parts[name].start()
				}
			}
			name := names[p.random.IntN(len(names))]
			if parts[name].kill() {
				kills++
				killed[name]++
				parts[name].start()
			}
			if name == "broker" {
				listening(t, address)
			}
		}
		for _, name := range names[:3] {
			until(t, "the "+name+" ends", func() bool {
				if parts[name].isOver() && !parts[name].hasEndedWell() { // it was begun while there was no broker
					parts[name].start()
				}
				return parts[name].hasEndedWell()
			})
		}
		p.same(out)
		parts["broker"].kill()
		_ = os.RemoveAll(out)
		_ = os.RemoveAll(out + "-brokers")
	}
	t.Logf("%d kills in %d jobs: %v", kills, jobs, killed)
}

// hasEndedWell reports whether a process is over, and did what it was to do.
func (q *process) hasEndedWell() bool {
	return q.isOver() && (q.cmd.ProcessState.Success() || q.cmd.ProcessState.ExitCode() == exitInvalid)
}

// A cluster of three brokers, of which one dies, comes back, and another dies.
func TestBulkCluster(t *testing.T) {
	p := newPlayground(t, *failuresDocuments/4)
	out := filepath.Join(p.dir, "out")
	settings, address := brokers(t, p.dir, 3)
	var all []*process
	for _, s := range settings {
		all = append(all, p.process(brokerSettings+"="+s))
	}
	listening(t, address)
	run := p.process("", "bulk", "run", "validate", "--in", p.documents, "--out", out, "--nats", address, "--nats-replicas", "3", "--jobs", "1")
	done := func(least int) {
		t.Helper()
		until(t, "some segments are written", func() bool { return segments(out) > least || run.isOver() })
	}
	worker := func() *process { return p.process("", "bulk", "worker", out, "--nats", address, "--jobs", "1") }
	done(0)
	help := worker()
	all[0].kill()
	t.Log("one of three is dead")
	done(20)
	all[0].start()
	listening(t, address)
	all[1].kill()
	t.Log("it is back, and another is dead")
	done(40)
	all[2].kill()
	t.Log("a second one is dead as well, so that the job has to wait")
	time.Sleep(5 * time.Second)
	all[1].start()
	all[2].start()
	run.end()
	help.end()
	p.same(out)
	for _, b := range all {
		b.kill()
	}
}

// A disk that is full ends the run with the reason; when there is room again, nothing is
// lost. The disk is a file system in memory, where it may be mounted; everywhere, files may
// not be longer than a limit.
func TestBulkNoRoom(t *testing.T) {
	p := newPlayground(t, 3000)
	run := func(shell, out string) (string, int) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", shell+`exec "$0" bulk run validate --in "$1" --out "$2"`, *failuresBinary, p.documents, out)
		said, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("it ended well: %s", said)
		}
		return string(said), cmd.ProcessState.ExitCode()
	}
	out := filepath.Join(p.dir, "limited")
	if said, _ := run("ulimit -f 64; ", out); !strings.Contains(said, "BULK-NOT-WRITTEN") {
		t.Errorf("with short files alone: %s", said)
	}
	if said, status := run("", out); status != exitInvalid {
		t.Errorf("afterwards: %s", said)
	}
	p.same(out)

	disk := filepath.Join(p.dir, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	mount := func(args ...string) error { return exec.CommandContext(t.Context(), "mount", args...).Run() }
	if err := mount("-t", "tmpfs", "-o", "size=3m", "tmpfs", disk); err != nil {
		t.Skip("skipped: a full disk, because no file system can be mounted here")
	}
	defer func() { _ = exec.Command("umount", disk).Run() }()
	out = filepath.Join(disk, "out")
	if said, _ := run("", out); !strings.Contains(said, "BULK-NOT-WRITTEN") {
		t.Errorf("on a full disk: %s", said)
	}
	if err := mount("-o", "remount,size=64m", disk); err != nil {
		t.Fatal(err)
	}
	if said, status := run("", out); status != exitInvalid {
		t.Errorf("with room: %s", said)
	}
	p.same(out)
}

// Two coordinators by mistake: the second is refused, and the first is not disturbed. It is
// stopped meanwhile, so that it is not over.
func TestBulkTwoCoordinators(t *testing.T) {
	p := newPlayground(t, 10_000)
	out := filepath.Join(p.dir, "out")
	first := p.process("", "bulk", "run", "validate", "--in", p.documents, "--out", out)
	until(t, "the first begins", func() bool { return segments(out) > 0 }) // which has the lock
	if err := first.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), *failuresBinary, "bulk", "run", "validate", "--in", p.documents, "--out", out).CombinedOutput()
	if err == nil || !bytes.Contains(said, []byte("BULK-BUSY")) {
		t.Errorf("the second: %v %s", err, said)
	}
	if err := first.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	first.end()
	p.same(out)
}

// exists reports whether a target has a file.
func exists(target, name string) bool {
	_, err := os.Stat(filepath.Join(target, name))
	return err == nil
}

// segments counts those of a target.
func segments(target string) int {
	names, _ := filepath.Glob(filepath.Join(target, "results", "*", "*.jsonl")) // the pattern is right
	return len(names) / 2                                                       // each has an index
}
