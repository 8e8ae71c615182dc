package server_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"einvoice/formats/pdf/pdftest"
	"einvoice/server"
	"einvoice/server/keys"
	"einvoice/service/create"
)

var (
	soak       = flag.Duration("soak", 0, "how long TestSoak loads a server; make soak runs it")
	soakBinary = flag.String("soak-binary", "", "the program that TestSoak runs")
)

// A load counts what came back.
type load struct {
	mu       sync.Mutex
	statuses map[int]int
	codes    map[string]int
	took     []time.Duration // of the answers that were not refusals
}

func (l *load) add(status int, code string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statuses[status]++
	l.codes[code]++
	if status < http.StatusTooManyRequests {
		l.took = append(l.took, took)
	}
}

func (l *load) String() string {
	slices.Sort(l.took)
	at := func(part float64) time.Duration {
		return l.took[min(int(part*float64(len(l.took))), len(l.took)-1)].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("%d answers %v, %v; median %s, 99 of 100 within %s", len(l.took), l.statuses, l.codes, at(.5), at(.99))
}

// TestSoak runs the program as its users do and keeps it at its limits: the only
// errors are the designed ones, and memory does not grow. It also measures what
// a processor serves, by the processor time of the server, which other load on
// the machine does not change much.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("skipped: make soak runs it")
	}
	p := startProgram(t, "--rate", "0")
	typical := sample(t, "ubl-valid.xml")
	used, l := p.cpu(t), p.press(t, 15*time.Second, 4, func(int) shot { return shot{key: p.keys[0], document: typical, accept: "application/json"} })
	spent := p.cpu(t) - used
	t.Logf("typical: %s of %d bytes", l, len(typical))
	t.Logf("typical: %.0f requests per second of processor time (%.2f ms each), memory %d MiB", float64(len(l.took))/spent.Seconds(), spent.Seconds()*1000/float64(len(l.took)), p.memory(t)>>20)
	if l.statuses[200] == 0 || len(l.statuses) != 1 {
		t.Errorf("got %v, want 200 alone", l.statuses)
	}
	p.stop(t)

	p = startProgram(t, "--max-requests", "16", "--max-memory", "640MiB", "--queue-wait", "100ms", "--rate", "40", "--burst", "20")
	shots := mixture(t, p)
	var watch sync.WaitGroup
	var memory []int
	ctx, stop := context.WithCancel(t.Context())
	watch.Go(func() {
		for ctx.Err() == nil {
			memory = append(memory, p.memory(t))
			time.Sleep(time.Second)
		}
	})
	l = p.press(t, *soak, 24, func(i int) shot { return shots[i%len(shots)] })
	stop()
	watch.Wait()
	t.Logf("at the limit for %s: %s", *soak, l)
	for status := range l.statuses {
		if !slices.Contains([]int{200, 400, 422, 429, 503}, status) {
			t.Errorf("%d answers of status %d", l.statuses[status], status)
		}
	}
	for _, code := range []string{"", "VALIDATION-FAILED", "XML-SYNTAX", "OVERLOADED", "RATE-LIMITED"} {
		if l.codes[code] == 0 {
			t.Errorf("no answer %q: the load was not at the limit", code)
		}
	}
	early, late := highest(memory[len(memory)/4:len(memory)/2]), highest(memory[3*len(memory)/4:])
	t.Logf("memory: %d MiB at most in the second quarter, %d MiB in the last, %d MiB over all", early>>20, late>>20, highest(memory)>>20)
	if late > early+early/5 {
		t.Errorf("memory grew from %d to %d MiB", early>>20, late>>20)
	}
	if most := highest(memory); most > mostAttackMemory {
		t.Errorf("memory of %d MiB, more than that of the deployments", most>>20)
	}
	p.stop(t)
}

func highest(values []int) int { return slices.Max(values) }

// A shot is one request.
type shot struct {
	key      string
	document []byte
	accept   string
	path     string // "" for /v1/validate/en16931
	kind     string // the type of the document; "" for XML
}

// mixture is what the soak sends: small and large, valid and not, in each form.
func mixture(t *testing.T, p *program) []shot {
	valid, faulty := sample(t, "ubl-valid.xml"), sample(t, "cii-faulty.xml")
	truncated := bytes.Replace(valid, []byte("</ubl:Invoice>"), nil, 1)
	large := bytes.Replace(valid, []byte("<cac:AccountingSupplierParty>"), []byte(`<cac:AdditionalDocumentReference><cbc:ID>large</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="large.pdf">`+strings.Repeat("QUJD", 500_000)+`</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>`), 1)
	cii := sample(t, "cii-valid.xml")
	hybrid := pdftest.Hybrid(pdftest.File{Name: "factur-x.xml", Data: cii})
	form, kind := embedForm(t, func() []byte { return hybrid })
	shots := []shot{
		{document: valid, accept: "application/json"}, {document: faulty, accept: "application/json"}, {document: faulty, accept: "text/html"},
		{document: valid, accept: "application/json"}, {document: truncated, accept: "application/json"}, {document: faulty, accept: "application/sarif+json"},
		{document: large, accept: "application/json"}, {document: faulty, accept: "application/xml"},
		{document: valid, path: toCII}, {document: cii, path: toUBL}, {document: valid, path: "/v1/transform/to/cii"}, {document: cii, path: "/v1/transform/to/zugferd"},
		{document: valid, path: "/v1/render/ubl/to/pdf"}, {document: []byte(create.Example), path: "/v1/create/ubl", kind: "application/json"},
		{document: []byte(create.Example), path: "/v1/create/facturx", kind: "application/json"}, {document: form(), path: "/v1/embed/xml", kind: kind},
		{document: hybrid, path: "/v1/extract/xml", kind: "application/pdf"}, {document: large, path: "/v1/extract/attachments"}, {document: cii, path: "/v1/extract/json"},
	}
	var mixed []shot
	for _, key := range p.keys {
		for _, s := range shots {
			s.key = key
			mixed = append(mixed, s)
		}
	}
	return mixed
}

// A program is a running einvoice serve.
type program struct {
	command *exec.Cmd
	url     string
	keys    []string
	most    atomic.Int64 // memory that watch has seen, in bytes
}

func startProgram(t *testing.T, settings ...string) *program {
	t.Helper()
	keyFile := filepath.Join(t.TempDir(), "keys")
	p := &program{}
	for i := range 5 {
		key, _, err := keys.Add(keyFile, fmt.Sprintf("client %d", i), keys.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p.keys = append(p.keys, key)
	}
	t.Setenv("GOMEMLIMIT", "900MiB") // deploy/sizes.yaml
	p.command = exec.CommandContext(t.Context(), *soakBinary, append([]string{"serve", "--listen", "127.0.0.1:0", "--keys", keyFile}, settings...)...)
	log, err := p.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(log)
	for p.url == "" {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("the server did not start: %v %s", err, line)
		}
		var entry struct{ Msg, Address string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "serving" {
			p.url = "http://" + entry.Address
		}
	}
	go func() {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if strings.Contains(line, "work did not stop in time") {
				t.Log(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(line))
			}
		}
	}()
	return p
}

func (p *program) stop(t *testing.T) {
	t.Helper()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.command.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// all are the ids of the process and of those that work for it.
func (p *program) all(t *testing.T) []string {
	own := strconv.Itoa(p.command.Process.Pid)
	tasks, err := filepath.Glob("/proc/" + own + "/task/*/children")
	if err != nil || len(tasks) == 0 {
		t.Skip("skipped: there is no /proc here that names children")
	}
	ids := []string{own}
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // one that has ended has none
		ids = append(ids, strings.Fields(string(children))...)
	}
	return ids
}

// memory is the resident memory of all processes in bytes. The pages of the program's file, which
// they share, count once.
func (p *program) memory(t *testing.T) (bytes int) {
	shared := 0
	for _, id := range p.all(t) {
		status, _ := os.ReadFile("/proc/" + id + "/status") // one that has ended has none
		of := func(line string) int {
			_, rest, ok := strings.Cut(string(status), line+":")
			if !ok {
				return 0
			}
			kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kilobytes << 10
		}
		bytes += of("RssAnon") + of("RssShmem")
		shared = max(shared, of("RssFile"))
	}
	return bytes + shared
}

// cpu is the processor time that the processes have used, with those that have ended.
func (p *program) cpu(t *testing.T) time.Duration {
	ticks := 0
	for _, id := range p.all(t) {
		stat, _ := os.ReadFile("/proc/" + id + "/stat")
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 14 {
			for _, used := range fields[11:15] { // of its own and of its children, user and system
				n, _ := strconv.Atoi(used)
				ticks += n
			}
		}
	}
	const perSecond = 100 // on every Linux of today
	return time.Duration(ticks) * time.Second / perSecond
}

// press sends requests from several clients for a time. A client that is refused
// waits a little, as it should.
func (p *program) press(t *testing.T, long time.Duration, clients int, next func(int) shot) *load {
	t.Helper()
	l := &load{statuses: map[int]int{}, codes: map[string]int{}}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	end := time.Now().Add(long)
	var wait sync.WaitGroup
	for c := range clients {
		wait.Go(func() {
			for i := c; time.Now().Before(end); i++ {
				began := time.Now()
				status, code, err := p.shoot(t.Context(), client, next(i))
				if err != nil {
					t.Errorf("a request failed: %v", err)
					return
				}
				l.add(status, code, time.Since(began))
				if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	wait.Wait()
	return l
}

func (p *program) shoot(ctx context.Context, client *http.Client, s shot) (status int, code string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+cmp.Or(s.path, "/v1/validate/en16931"), bytes.NewReader(s.document))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", cmp.Or(s.kind, "application/xml"))
	r.Header.Set("Accept", s.accept)
	res, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, "", err
	}
	var problem server.Problem
	if strings.HasSuffix(res.Header.Get("Content-Type"), "problem+json") {
		err = json.Unmarshal(body, &problem)
	}
	return res.StatusCode, problem.ErrorCode, err
}
