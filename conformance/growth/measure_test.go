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
	longestWait  = 4 * longestRun // on a machine that has other work as well
)

// The least processor time, and the fewest bytes, that an exponent is computed from.
const (
	reliable       = 20 * time.Millisecond
	reliableMemory = 32 << 20
)

// What a screen looks at: a document of some size, and, unless that costs nothing worth telling,
// a smaller one. It subtracts what the operation costs on the smallest document, so that a
// sixteenth of the bytes is enough.
const (
	screenBytes          = 64 << 10
	screenFactor         = 8
	screenExponent       = mostExponent
	screenPerMB          = 2.5 // seconds
	screenReliable       = 3 * time.Millisecond
	screenReliableMemory = 4 << 20
)

// A recipe makes a document of some size out of a number.
type recipe struct {
	name string // what there is n of
	kind string // what it has in common with others; "" for nothing
	file string // name of the document, with its ending; of rules, its path in their folder
	make func(n int) []byte
	// beside are further files of a folder of rules; nil for none.
	beside func(n int) map[string][]byte
}

// A point is what a document of one size costs.
type point struct {
	n, bytes  int
	cpu       time.Duration
	allocated int64 // bytes; 0 where that was not measured
	stopped   bool  // after longestRun
	died      bool  // the process ended in the midst of it
	refused   bool  // it is not an input of the operation, by the status
}

// A growth is how the cost of an operation grows with a recipe.
type growth struct {
	operation, recipe, kind string
	points                  []point
	screened                bool   // its points are those of a screen
	reason                  string // why it is accepted, of a finding
}

// last is the largest document that was tried.
func (g *growth) last() point { return g.points[len(g.points)-1] }

// exponent is that of the processor time over the last fourfold growth for which there are
// reliable times; 0 where there are none.
func (g *growth) exponent() float64 {
	of := func(p point) float64 { return float64(p.cpu) }
	if g.screened {
		return g.added(of, float64(screenReliable))
	}
	return g.slope(of, float64(reliable))
}

// memoryExponent is that of what was allocated.
func (g *growth) memoryExponent() float64 {
	of := func(p point) float64 { return float64(p.allocated) }
	if g.screened {
		return g.added(of, screenReliableMemory)
	}
	return g.slope(of, reliableMemory)
}

// added is the exponent of what the size adds to the cost, by the three points of a screen.
func (g *growth) added(of func(point) float64, least float64) float64 {
	if len(g.points) < 3 {
		return 0
	}
	base, small, large := g.points[0], g.points[1], g.points[2]
	most := of(large) - of(base)
	grown := float64(large.bytes-base.bytes) / float64(small.bytes-base.bytes)
	if most < least || grown < 2 {
		return 0
	}
	// Less than a hundredth is what the measurement varies by.
	return math.Log(most/max(of(small)-of(base), most/100)) / math.Log(grown)
}

func (g *growth) slope(of func(point) float64, least float64) float64 {
	last := g.last()
	if of(last) < least {
		return 0
	}
	from := last
	for _, p := range slices.Backward(g.points) {
		if of(p) < least {
			break
		}
		from = p
		if last.bytes >= 4*p.bytes {
			break
		}
	}
	if last.bytes < from.bytes*5/4 {
		return 0
	}
	return math.Log(of(last)/of(from)) / math.Log(float64(last.bytes)/float64(from.bytes))
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
// of a few kilobytes are not a measure of the cost of a megabyte.
func (g *growth) isFinding() bool {
	if g.screened {
		last := g.last()
		return last.stopped || last.died || g.exponent() > screenExponent || g.memoryExponent() > screenExponent || g.perMB() > screenPerMB && last.cpu > 10*screenReliable
	}
	return g.last().stopped || g.last().died || g.exponent() > mostExponent || g.memoryExponent() > mostExponent || g.perMB() > mostPerMB && g.last().cpu > enough
}

func (g *growth) String() string {
	p := g.last()
	stopped := ""
	switch {
	case p.stopped:
		stopped = ", ended by the test"
	case p.died:
		stopped = ", its process ended"
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %.2f | %.2f | %.2f | %.1f%s |", g.operation, g.recipe, p.n, p.bytes/1000, p.cpu.Seconds(), g.exponent(), g.memoryExponent(), g.perMB(), stopped)
}

// A bench measures in a folder of its own, and in a service of its own.
type bench struct {
	testing.TB
	program string
	folder  string
	start   time.Duration // what the program takes for a small document
	service *service      // nil before the first request
	warm    map[string]bool
	bases   map[string]point // what an operation costs on the smallest document of a file
}

func newBench(t testing.TB, program string) *bench {
	b := &bench{TB: t, program: program, folder: t.TempDir(), warm: map[string]bool{}, bases: map[string]point{}}
	var times []time.Duration
	for range 5 {
		times = append(times, b.run(operation{args: []string{"terms", "BT-1"}}, "").cpu)
	}
	b.start = slices.Min(times)
	t.Cleanup(b.endService)
	if p := b.ask(request{Path: "/v1/validate/en16931", Kind: kinds[".xml"]}, nil); p.died {
		t.Fatal("the service does not start")
	}
	return b
}

// endService ends the service, so that the next request starts another.
func (b *bench) endService() {
	if b.service != nil {
		b.service.end()
		b.service, b.warm = nil, map[string]bool{}
	}
}

// measure gives a document of a size to an operation.
func (b *bench) measure(o operation, r recipe, n int) point {
	b.Helper()
	if o.path == "" {
		path, bytes := b.write(r, n)
		p := b.run(o, path)
		p.n, p.bytes = n, bytes
		return p
	}
	data := r.make(n)
	body, kind := data, kinds[filepath.Ext(r.file)]
	if o.body != nil {
		body, kind = o.body(r.file, data)
	}
	q := request{Path: o.pathOf(r.file), Kind: kind, Accept: o.accept}
	if first := o.name + filepath.Ext(r.file); !b.warm[first] { // what is made once is nobody's cost
		b.warm[first] = true
		b.ask(q, body)
	}
	p := b.ask(q, body)
	p.n, p.bytes = n, len(data)
	return p
}

// ask sends a request to the service.
func (b *bench) ask(q request, body []byte) point {
	b.Helper()
	if b.service == nil {
		b.service = startService(b)
	}
	began, cmd := time.Now(), b.service.cmd
	a, ok := b.service.ask(q, body)
	if !ok {
		ended := time.Since(began) < longestWait // by itself
		b.endService()
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		// Where the machine was busy with other work, nothing was measured.
		return point{cpu: used, stopped: !ended && used > longestRun, died: ended, refused: true}
	}
	return point{cpu: a.CPU, allocated: a.Allocated, stopped: a.CPU > longestRun, refused: a.Status >= 400 && a.Status != 422}
}

// screen measures what a size adds at two sizes, and twice more where that looks like a finding:
// the least counts. What costs nothing worth telling at the larger size is measured there alone:
// were it quadratic, a document of a megabyte would take half a second.
func (b *bench) screen(o operation, r *sized) *growth {
	b.Helper()
	g := &growth{operation: o.name, recipe: r.name, kind: r.kind, screened: true}
	base, known := b.bases[o.name+r.file]
	if !known {
		for i := range 3 {
			if p := b.measure(o, r.recipe, 1); i == 0 || p.cpu < base.cpu {
				base = p
			}
		}
		b.bases[o.name+r.file] = base
	}
	base.bytes = len(r.make(1))
	large := b.measure(o, r.recipe, r.large)
	g.points = []point{base, large}
	if large.stopped || large.died || large.cpu-base.cpu < screenReliable && large.allocated-base.allocated < screenReliableMemory {
		return g
	}
	g.points = []point{base, b.measure(o, r.recipe, r.small), large}
	for range 2 {
		if !g.isFinding() {
			break
		}
		for i, n := range []int{r.small, r.large} {
			p := b.measure(o, r.recipe, n)
			g.points[i+1].cpu = min(g.points[i+1].cpu, p.cpu)
			g.points[i+1].allocated = min(g.points[i+1].allocated, p.allocated)
		}
	}
	return g
}

// A sized recipe has the counts of a screen, and keeps the documents of them.
type sized struct {
	recipe
	small, large int
}

func sizedFor(r recipe) *sized {
	kept := map[int][]byte{}
	make := r.make
	r.make = func(n int) []byte {
		if kept[n] == nil {
			kept[n] = make(n)
		}
		return kept[n]
	}
	const few, more = 2, 66
	each := max((len(make(more))-len(make(few)))/(more-few), 1)
	small := max(screenBytes/screenFactor/each, 4)
	return &sized{r, small, screenFactor * small}
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

// grow makes a size larger until the cost can be told or the document is large: fourfold,
// then, where that looks suspicious, twofold until it is certain.
func (b *bench) grow(o operation, r recipe) *growth {
	b.Helper()
	g := &growth{operation: o.name, recipe: r.name, kind: r.kind}
	for n, factor := 64, 4; ; n *= factor {
		if len(g.points) > 0 && n/64 > 1 && float64(g.last().bytes)*float64(factor) > mostBytes*11/10 {
			return g
		}
		p := b.measure(o, r, n)
		if p.bytes > mostBytes && len(g.points) > 0 && !p.stopped && !p.died && p.bytes > 2*mostBytes {
			return g
		}
		g.points = append(g.points, p)
		suspicious := g.isFinding()
		switch {
		case p.stopped || p.died || p.cpu > 8*enough || p.cpu > enough && !suspicious || p.bytes > mostBytes/2 && !suspicious:
			return g
		case suspicious && p.cpu > reliable:
			factor = 2
		}
		if len(g.points) > 1 && p.bytes < g.points[len(g.points)-2].bytes*11/10 && len(g.points) > 4 {
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
