package growth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Limits of a search. What is beyond is a finding, and is not doubled further.
const (
	mostBytes    = 1 << 20 // of a document
	enough       = 400 * time.Millisecond
	mostExponent = 1.25 // over the last two doublings
	mostPerMB    = 3.0  // seconds
	longestRun   = 30 * time.Second
)

// reliable is the least processor time that an exponent is computed from.
const reliable = 60 * time.Millisecond

// A recipe makes a document of some size out of a number.
type recipe struct {
	name string // what there is n of
	file string // name of the document, with its ending; of rules, its path in their folder
	make func(n int) []byte
	// beside are further files of a folder of rules; nil for none.
	beside func(n int) map[string][]byte
}

// An operation is a command of the program on a document.
type operation struct {
	name    string
	args    []string // FILE stands for the document, FOLDER for that of rules, OUT for a file to write
	accepts func(file string) bool
}

// A point is what a document of one size costs.
type point struct {
	n, bytes int
	cpu      time.Duration
	stopped  bool // after longestRun
	refused  bool // it is no input of the operation, by the exit status
}

// A growth is how the cost of an operation grows with a recipe.
type growth struct {
	operation, recipe string
	points            []point
}

// last is the largest document that was tried.
func (g *growth) last() point { return g.points[len(g.points)-1] }

// exponent is that of the cost over the last two doublings for which there are reliable
// times; 0 where there are none.
func (g *growth) exponent() float64 {
	var from []point
	for _, p := range g.points {
		if p.cpu >= reliable {
			from = append(from, p)
		}
	}
	if len(from) < 2 {
		return 0
	}
	a, b := from[max(len(from)-3, 0)], from[len(from)-1]
	return math.Log(float64(b.cpu)/float64(a.cpu)) / math.Log(float64(b.bytes)/float64(a.bytes))
}

// isRefused reports whether the operation took none of the documents, so that little was
// measured.
func (g *growth) isRefused() bool {
	return !slices.ContainsFunc(g.points, func(p point) bool { return !p.refused })
}

// perMB is the processor time of the last document in seconds a megabyte.
func (g *growth) perMB() float64 {
	return g.last().cpu.Seconds() / (float64(g.last().bytes) / 1e6)
}

// isFinding reports whether the cost grows faster than the input, or is too high. Documents
// of a few kilobytes are no measure of the cost of a megabyte.
func (g *growth) isFinding() bool {
	return g.last().stopped || g.exponent() > mostExponent || g.perMB() > mostPerMB && g.last().cpu > enough
}

func (g *growth) String() string {
	p := g.last()
	stopped := ""
	if p.stopped {
		stopped = ", ended by the test"
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %.2f | %.2f | %.1f%s |", g.operation, g.recipe, p.n, p.bytes/1000, p.cpu.Seconds(), g.exponent(), g.perMB(), stopped)
}

// A bench runs the program in a folder of its own.
type bench struct {
	testing.TB
	program string
	folder  string
	start   time.Duration // what the program takes for a small document
}

func newBench(t testing.TB, program string) *bench {
	b := &bench{TB: t, program: program, folder: t.TempDir()}
	var times []time.Duration
	for range 5 {
		times = append(times, b.run(operation{args: []string{"terms", "BT-1"}}, "").cpu)
	}
	b.start = slices.Min(times)
	return b
}

// write writes a document, and what is beside it.
func (b *bench) write(r recipe, n int) (path string, bytes int) {
	b.Helper()
	files := map[string][]byte{}
	if r.beside != nil {
		files = r.beside(n)
	}
	files[r.file] = r.make(n)
	if err := os.RemoveAll(filepath.Join(b.folder, "rules")); err != nil {
		b.Fatal(err)
	}
	for name, data := range files {
		bytes += len(data)
		path := b.path(name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, data, 0o600)); err != nil {
			b.Fatal(err)
		}
	}
	return b.path(r.file), bytes
}

// path is where a document is: rules in a folder of their own.
func (b *bench) path(file string) string {
	if filepath.Ext(file) == ".yaml" {
		return filepath.Join(b.folder, "rules", filepath.FromSlash(file))
	}
	return filepath.Join(b.folder, file)
}

// run gives a document of a size to an operation. Whether the operation succeeds does not
// matter.
func (b *bench) run(o operation, path string) point {
	b.Helper()
	args := slices.Clone(o.args)
	for i, arg := range args {
		switch arg {
		case "FILE":
			args[i] = path
		case "FOLDER":
			args[i] = filepath.Join(b.folder, "rules")
		case "OUT":
			args[i] = filepath.Join(b.folder, "out")
		}
	}
	ctx, cancel := context.WithTimeout(b.Context(), longestRun)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var messages bytes.Buffer
	cmd.Stderr = &messages
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() > 2) && ctx.Err() == nil {
		b.Errorf("%v broke off: %v\n%.2000s", args, err, messages.String())
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return point{cpu: max(used-b.start, 0), stopped: ctx.Err() != nil, refused: cmd.ProcessState.ExitCode() == 2}
}

// grow doubles a size until the cost can be told or the document is large.
func (b *bench) grow(o operation, r recipe) *growth {
	b.Helper()
	g := &growth{operation: o.name, recipe: r.name}
	for n := 64; ; n *= 2 {
		path, bytes := b.write(r, n)
		if bytes > mostBytes && len(g.points) > 0 {
			return g
		}
		p := b.run(o, path)
		p.n, p.bytes = n, bytes
		g.points = append(g.points, p)
		// One that looks suspicious is doubled until that is certain.
		if p.stopped || p.cpu > enough && g.exponent() < mostExponent || p.cpu > 8*enough {
			return g
		}
		if len(g.points) > 1 && p.bytes < g.points[len(g.points)-2].bytes*11/10 {
			return g // the size does not grow
		}
	}
}

// output is what the program writes for arguments.
func (b *bench) output(args ...string) []byte {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), b.program, args...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %v\n%s", args, err, messages.String())
	}
	return out
}
