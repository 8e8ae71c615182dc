package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"einvoice/formats/pdf/pdftest"
	"einvoice/service/bulk"
	"einvoice/service/operation"
)

// The deadlines of TestLawMeasured, and what the law adds to them.
const (
	lawTimeout  = 500 * time.Millisecond
	lawShutdown = time.Second
	lawGrace    = time.Second
)

// lawTries is how often a request is sent before it counts as late: the machine may be busy.
const lawTries = 3

// hostileFamilies are documents that take longer than a request may, or did once: of each kind
// that operations take, by the ending of a file.
func hostileFamilies(t *testing.T) map[string][]byte {
	t.Helper()
	ubl := string(sample(t, "ubl-valid.xml"))
	line := ubl[strings.Index(ubl, "<cac:InvoiceLine>"):strings.Index(ubl, "</ubl:Invoice>")]
	note := func(text string) []byte {
		return []byte(strings.Replace(ubl, "<cbc:DocumentCurrencyCode>", "<cbc:Note>"+text+"</cbc:Note><cbc:DocumentCurrencyCode>", 1))
	}
	names := func() []byte {
		var w pdftest.Writer
		spec := pdftest.Ref(w.Attach(pdftest.File{Name: "f.pdf", Data: []byte("a")}))
		return closed(&w, "", "/Names << /EmbeddedFiles << /Names ["+strings.Repeat("(f.pdf) "+spec+" ", 100_000)+"] >> >>")
	}
	texts := func() []byte {
		var w pdftest.Writer
		w.Add("[" + strings.Repeat("(a) ", 150_000) + "]")
		return closed(&w, "", "")
	}
	var w pdftest.Writer
	form := w.Raw(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>", w.Next()), []byte(strings.Repeat("/X Do ", 200)))
	stream := w.Raw("", []byte("/X Do"))
	itself := closed(&w, fmt.Sprintf("/Contents %s /Resources << /XObject << /X %s >> >>", pdftest.Ref(stream), pdftest.Ref(form)), "")
	object := func(name, text string) []byte {
		data, err := json.Marshal(map[string]any{"invoice": map[string]any{name: json.RawMessage(text)}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i) + ",")
		}
		return "[" + b.String() + "{}]"
	}
	all := map[string][]byte{
		"lines.xml":         []byte(strings.Replace(ubl, line, strings.Repeat(line, 5000), 1)),
		"short-lines.xml":   []byte(strings.Replace(ubl, line, strings.Repeat("<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>", 100_000), 1)),
		"right-to-left.xml": note("\u202e" + strings.Repeat("\u2067\u05d0 a", 300_000)),
		"ligatures.xml":     note(strings.Repeat("\u0644\u0627", 800_000)),
		"elements.xml":      []byte(strings.Replace(ubl, "<cac:InvoiceLine>", strings.Repeat("<b/>", 900_000)+"<cac:InvoiceLine>", 1)),
		"operators.pdf":     pageOf(bytes.Repeat([]byte("q Q "), 7_000_000)),
		"names.pdf":         names(),
		"texts.pdf":         texts(),
		"itself.pdf":        itself,
		"lines.json":        object("lines", lines(20_000, func(int) string { return `{"item": {"name": "a"}}` })),
		"rates.json": object("lines", lines(8000, func(i int) string {
			return fmt.Sprintf(`{"netAmount": 1, "vat": {"categoryCode": "S", "rate": %d.%03d}}`, 1+i/1000, i%1000)
		})),
		"right-to-left.json": object("lines", lines(1, func(int) string { return `{"item": {"name": "` + strings.Repeat("\u2067\u05d0 a", 300_000) + `"}}` })),
	}
	maps.Copy(all, hostileDrafts())
	return all
}

// lawBody is the body of a request about a document.
func lawBody(t *testing.T, path, file string, data []byte) (body []byte, kind string) {
	t.Helper()
	xml, ending := sample(t, "cii-valid.xml"), filepath.Ext(file)
	call, isCall := strings.CutPrefix(path, "/v1/workbench/")
	switch {
	case isCall:
		given := map[string]any{"name": file, "text": string(data)}
		switch ending {
		case ".pdf":
			given = map[string]any{"name": file, "file": data}
		case ".yaml":
			given = map[string]any{"text": string(sample(t, "ubl-valid.xml"))}
		}
		more := map[string]map[string]any{
			"add": {"path": "buyerReference", "value": "1"}, "explain": {"rule": "BR-CO-10"}, "make": {"what": "render", "to": "pdf"},
			"evaluate": {"kind": "xpath", "expression": "//*[//*[. = 'a']]"}, "card": {"rule": "BR-CO-10"}, "hover": {"file": "own/1/rules.yaml", "line": 5, "column": 5}, "complete": {"file": "own/1/rules.yaml", "line": 5, "column": 5},
		}[call]
		asked := map[string]any{}
		switch {
		case call == "impact":
			asked["documents"] = []any{given}
		case slices.Contains([]string{"rules", "card", "draft", "complete", "hover", "archived", "fires", "own"}, call): // no document of the request
		default:
			asked = given
		}
		for name, value := range more {
			asked[name] = value
		}
		if ending == ".yaml" && call != "own" && call != "archived" {
			asked["draft"] = map[string]string{"own/1/rules.yaml": string(data)}
		}
		body, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		return body, "application/json"
	case strings.HasPrefix(path, "/v1/embed/") && ending == ".pdf":
		return embedOf(data, xml)
	case strings.HasPrefix(path, "/v1/embed/"):
		return embedOf(pageOf([]byte("q Q")), data)
	}
	return data, map[string]string{".xml": "application/xml", ".pdf": "application/pdf", ".json": "application/json", ".yaml": "application/yaml"}[ending]
}

// TestLawMeasured is TestLaw with documents of attackers in place of work that hears nothing, on
// the program in the sizes of its deployments, and with a clock: within a second of the deadline
// there is an answer; within a second of that, or of the end of a client, nothing is reserved and
// nothing is in hand; and the service ends within a second of shutdown-timeout.
func TestLawMeasured(t *testing.T) {
	if !*attacks {
		t.Skip("skipped: make attack runs it")
	}
	*soakBinary = *attackBinary
	in := t.TempDir()
	families := hostileFamilies(t)
	settings := []string{
		"--rate", "0", "--max-memory", "640MiB", "--max-body", "24MiB", "--key-work", "0", "--request-timeout", lawTimeout.String(),
		"--shutdown-timeout", lawShutdown.String(), "--bulk-sources", in, "--bulk-results", t.TempDir(),
	}
	p := startProgram(t, settings...)
	p.all(t) // skips where there is no /proc
	client := &http.Client{Timeout: 2 * time.Minute}
	only := regexp.MustCompile(*attackOnly)
	var latest, leaving time.Duration
	pairs := 0
	for _, path := range endpoints(t) {
		if withoutWork[path] != "" || !only.MatchString(path) {
			continue
		}
		for file, data := range families {
			body, kind := lawBody(t, path, file, data)
			send := func(ctx context.Context) (status string, err error) {
				return p.sendAttack(ctx, client, attack{path: path, contentType: kind}, body)
			}
			pairs++
			took := p.least(t, path+" of "+file, func() (time.Duration, error) {
				began := time.Now()
				_, err := send(t.Context())
				return time.Since(began) - lawTimeout, err
			})
			latest = max(latest, took)
			took = p.least(t, path+" of "+file+", whose client left", func() (time.Duration, error) {
				ctx, leave := context.WithTimeout(t.Context(), lawTimeout/4)
				defer leave()
				_, _ = send(ctx) // it may be answered before
				return p.untilFree(t, client), nil
			})
			leaving = max(leaving, took)
			if status, code, err := p.shoot(t.Context(), client, shot{key: p.keys[0], document: sample(t, "ubl-valid.xml")}); err != nil || status != http.StatusOK {
				t.Errorf("%s of %s: afterwards a small invoice of the same key gets %d %s %v", path, file, status, code, err)
			}
		}
	}
	t.Logf("%d pairs of operation and document: an answer %s after the deadline at most, nothing reserved or in hand %s after the client left at most", pairs, latest.Round(time.Millisecond), leaving.Round(time.Millisecond))
	if late := p.overdue(t, client); len(late) > 0 {
		t.Errorf("work outlived its time by more than a second: %v", late)
	}
	p.stop(t)
	p.lawOfStopping(t, client, only, in, families, settings)
}

// least is the shortest of some tries of what may take as long as the law adds.
func (p *program) least(t *testing.T, what string, try func() (time.Duration, error)) time.Duration {
	t.Helper()
	var least time.Duration
	for i := range lawTries {
		took, err := try()
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return 0
		}
		if i == 0 || took < least {
			least = took
		}
		if least <= lawGrace {
			return least
		}
	}
	t.Errorf("%s: %s, more than a second, %d times", what, least.Round(time.Millisecond), lawTries)
	return least
}

// untilFree is how long it takes until nothing is reserved, and nothing but this question is
// answered.
func (p *program) untilFree(t *testing.T, client *http.Client) time.Duration {
	t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		res, err := client.Get(p.url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		if took > time.Minute || bytes.Contains(text, []byte("einvoice_reserved_bytes 0\n")) && bytes.Contains(text, []byte("einvoice_http_requests_in_flight 1\n")) {
			return took
		}
	}
}

// lawOfStopping starts the program, has it work on hostile documents by one operation, and ends
// it: for each operation, and for jobs of each.
func (p *program) lawOfStopping(t *testing.T, client *http.Client, only *regexp.Regexp, in string, families map[string][]byte, settings []string) {
	t.Helper()
	if err := writeAll(filepath.Join(in, "hostile"), families); err != nil {
		t.Fatal(err)
	}
	var longest time.Duration
	stops := 0
	stop := func(what string, begin func(p *program)) {
		if !only.MatchString(what) {
			return
		}
		stops++
		longest = max(longest, p.least(t, "SIGTERM during "+what, func() (time.Duration, error) {
			p := startProgram(t, settings...)
			begin(p)
			time.Sleep(lawTimeout / 2)
			began := time.Now()
			if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
				return 0, err
			}
			err := p.command.Wait() // it may tell of requests that were left behind
			if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
				err = nil
			}
			return time.Since(began) - lawShutdown, err
		}))
	}
	for _, path := range endpoints(t) {
		if withoutWork[path] != "" {
			continue
		}
		stop(path, func(p *program) {
			for file, data := range families {
				body, kind := lawBody(t, path, file, data)
				go func() {
					_, _ = p.sendAttack(context.WithoutCancel(t.Context()), client, attack{path: path, contentType: kind}, body)
				}()
			}
		})
	}
	for _, name := range bulk.Operations() {
		query := "source=hostile&operation=" + name
		if of := operation.Named(name); of != nil && len(of.To()) > 1 {
			query += "&to=" + of.To()[0]
		} else if name == "impact" {
			query += "&old=en16931&new=xrechnung"
		}
		stop("a job of "+name, func(p *program) {
			var job bulkJob
			if err := p.call(t.Context(), client, http.MethodPost, "/v1/bulk?"+query, &job); err != nil || job.ID == "" {
				t.Errorf("no job of %s: %v", name, err)
			}
		})
	}
	t.Logf("%d services with work in hand ended %s after shutdown-timeout at most", stops, longest.Round(time.Millisecond))
}
