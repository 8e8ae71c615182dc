package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"einvoice/formats/pdf/pdftest"
)

// shutdownInAttack is the setting shutdown-timeout of the service that is attacked.
const shutdownInAttack = 5 * time.Second

// attackFolders are those that the service reads.
type attackFolders struct{ looks, sources string }

// attacks are by files in the folders: looks that are dropped there while the service runs, and
// documents of jobs.
func (f attackFolders) attacks(t *testing.T) (list []attack) {
	t.Helper()
	svg := func(inner string) []byte {
		return []byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">` + inner + `</svg>`)
	}
	var uses, gradients strings.Builder
	for i := range 30 {
		fmt.Fprintf(&uses, `<g id="a%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use xlink:href="#a%d"/>`, i), 10))
		fmt.Fprintf(&gradients, `<linearGradient id="g%d" xlink:href="#g%d"/>`, i, (i+1)%30)
	}
	var huge bytes.Buffer
	if err := png.Encode(&huge, image.NewGray(image.Rect(0, 0, 20_000, 20_000))); err != nil {
		t.Fatal(err)
	}
	logos := map[string][]byte{
		"a group that uses itself":      svg(`<g id="a"><use xlink:href="#a"/></g>`),
		"30 levels of 10 uses":          svg(`<defs><path id="a0" d="M0 0L1 1"/>` + uses.String() + `</defs><use xlink:href="#a30"/>`),
		"gradients in a circle":         svg(`<defs>` + gradients.String() + `</defs><path fill="url(#g0)" d="M0 0L1 1L1 0z"/>`),
		"a path of 900,000 points":      svg(`<path d="M0 0` + strings.Repeat("L1 1", 900_000) + `"/>`),
		"a path of 900,000 arcs":        svg(`<path d="M0 0` + strings.Repeat("A1 1 0 0 1 2 2", 900_000) + `"/>`),
		"100,000 groups in each other":  svg(strings.Repeat("<g>", 100_000) + strings.Repeat("</g>", 100_000)),
		"100,000 classes":               svg("<style>" + strings.Repeat(".a{fill:red}", 100_000) + `</style><path class="a" d="M0 0L1 1"/>`),
		"a picture of 20,000 x 20,000":  huge.Bytes(),
		"numbers without an end":        svg(`<path d="M` + strings.Repeat("9", 5_000_000) + ` 0L1 1"/>`),
		"transforms of 100,000 members": svg(`<g transform="` + strings.Repeat("rotate(1) ", 100_000) + `"><path d="M0 0L1 1"/></g>`),
	}
	looks := map[string]func() map[string][]byte{
		"a look of nested lists": func() map[string][]byte { return map[string][]byte{"bad.yaml": []byte(strings.Repeat("[", 1_000_000))} },
		"a look of 16 MB": func() map[string][]byte {
			return map[string][]byte{"bad.yaml": bytes.Repeat([]byte("a: b\n"), 16<<20/5)}
		},
		"a font that is none": func() map[string][]byte {
			return map[string][]byte{"bad.yaml": []byte("name: bad\nbased: general\nfonts: {plain: bad.ttf, bold: bad.ttf}\n"), "bad.ttf": bytes.Repeat([]byte{0, 1, 0, 0, 0xff}, 3<<20)}
		},
		"paper of content for hours": func() map[string][]byte {
			return map[string][]byte{"bad.yaml": []byte("name: bad\nbased: general\npaper: {first: bad.pdf}\n"), "bad.pdf": pageOf(bytes.Repeat([]byte("q Q "), 7_000_000))}
		},
	}
	for name, data := range logos {
		looks["a logo of "+name] = func() map[string][]byte {
			file := "bad.svg"
			if bytes.HasPrefix(data, []byte("\x89PNG")) {
				file = "bad.png"
			}
			return map[string][]byte{"bad.yaml": []byte("name: bad\nbased: general\nlogo: {file: " + file + ", x: 20, y: 14, width: 60, height: 22}\n"), file: data}
		}
	}
	document := sample(t, "ubl-valid.xml")
	for name, make := range looks {
		list = append(list, attack{name: name, path: "folder of looks", do: func(ctx context.Context, client *http.Client, p *program) (string, error) {
			files := make()
			for file, data := range files {
				if err := os.WriteFile(filepath.Join(f.looks, file), data, 0o600); err != nil {
					return "", err
				}
			}
			time.Sleep(2 * time.Second) // the folder is looked at every 100 ms
			status, err := p.sendAttack(ctx, client, attack{path: "/v1/render/ubl/to/pdf?look=bad", contentType: "application/xml"}, document)
			for file := range files {
				_ = os.Remove(filepath.Join(f.looks, file))
			}
			return status, err
		}})
	}
	return append(list, f.jobs(t)...)
}

// jobs are attacks by documents of jobs.
func (f attackFolders) jobs(t *testing.T) (list []attack) {
	t.Helper()
	ubl := string(sample(t, "ubl-valid.xml"))
	names := func() []byte {
		var w pdftest.Writer
		spec := pdftest.Ref(w.Attach(pdftest.File{Name: "f.pdf", Data: []byte("a")}))
		return closed(&w, "", "/Names << /EmbeddedFiles << /Names ["+strings.Repeat("(f.pdf) "+spec+" ", 12_000)+"] >> >>")
	}
	line := ubl[strings.Index(ubl, "<cac:InvoiceLine>"):strings.Index(ubl, "</ubl:Invoice>")]
	documents := map[string][]byte{
		"names.pdf":  names(),
		"page.pdf":   pageOf(bytes.Repeat([]byte("q Q "), 5_000_000)),
		"rtl.xml":    []byte(strings.Replace(ubl, "<cbc:DocumentCurrencyCode>", "<cbc:Note>\u202e"+strings.Repeat("\u2067\u05d0 a", 100_000)+"</cbc:Note><cbc:DocumentCurrencyCode>", 1)),
		"lines.xml":  []byte(strings.Replace(ubl, line, strings.Repeat(line, 2000), 1)),
		"deep.xml":   bytes.Repeat([]byte("<a>"), 1_000_000),
		"honest.xml": []byte(ubl),
	}
	if err := writeAll(filepath.Join(f.sources, "hostile"), documents); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"operation=validate", "operation=extract&to=attachments", "operation=parse", "operation=render&to=pdf", "operation=convert&to=cii", "operation=transform&to=zugferd"} {
		list = append(list, attack{name: "a job of hostile documents", path: query, do: func(ctx context.Context, client *http.Client, p *program) (string, error) {
			return p.job(ctx, client, "source=hostile&"+query)
		}})
	}
	return list
}

// writeAll writes files into a new folder.
func writeAll(folder string, files map[string][]byte) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// call is a request with a key, and its answer as JSON.
func (p *program) call(ctx context.Context, client *http.Client, method, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+p.keys[1])
	res, err := client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(into)
}

// job runs a job to its end.
func (p *program) job(ctx context.Context, client *http.Client, query string) (string, error) {
	var job bulkJob
	if err := p.call(ctx, client, http.MethodPost, "/v1/bulk?"+query, &job); err != nil {
		return "", err
	}
	if job.ID == "" {
		return "", fmt.Errorf("no job was begun: %s", query)
	}
	for range 600 {
		if err := p.call(ctx, client, http.MethodGet, "/v1/bulk/"+job.ID, &job); err != nil {
			return "", err
		}
		if job.State != "working" {
			return fmt.Sprintf("%s: %d of %d, %d unreadable", job.State, job.Documents, job.All, job.Unreadable), nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return "", fmt.Errorf("the job did not end: %+v", job)
}

// overdue are the lines of the metrics that count work that outlived its time.
func (p *program) overdue(t *testing.T, client *http.Client) (lines []string) {
	t.Helper()
	res, err := client.Get(p.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("einvoice_reserved_bytes 0\n")) {
		t.Error("at the end some memory is still reserved")
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "einvoice_overdue_total{") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// stopsBusy is how long the service takes to end while requests and a job work.
func (p *program) stopsBusy(t *testing.T, client *http.Client, f attackFolders) time.Duration {
	t.Helper()
	for i := range 20 {
		data, err := os.ReadFile(filepath.Join(f.sources, "hostile", "rtl.xml"))
		if err == nil {
			err = os.WriteFile(filepath.Join(f.sources, "hostile", fmt.Sprintf("more%d.xml", i)), append(data, fmt.Sprintf("<!--%d-->", i)...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var job bulkJob
	if err := p.call(t.Context(), client, http.MethodPost, "/v1/bulk?source=hostile&operation=render&to=pdf", &job); err != nil {
		t.Fatal(err)
	}
	body := pageOf(bytes.Repeat([]byte("q Q "), 7_000_000))
	for range 4 {
		go func() { // it has no answer
			_, _ = p.sendAttack(context.WithoutCancel(t.Context()), client, attack{path: "/v1/parse/json", contentType: "application/pdf"}, body)
		}()
	}
	time.Sleep(time.Second)
	began := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := p.command.Wait() // it may tell of requests that were left behind
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || !exit.Exited()) {
		t.Errorf("the service ended with %v", err)
	}
	return time.Since(began)
}
