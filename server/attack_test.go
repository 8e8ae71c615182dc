package server_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf/pdftest"
	"einvoice/rulesets"
)

var (
	attacks      = flag.Bool("attack", false, "run TestAttack; make attack does")
	attackOnly   = flag.String("attack-only", "", "run the attacks alone whose names this regular expression matches")
	attackBinary = flag.String("attack-binary", "", "the program that TestAttack runs")
)

// What an attack may cost the service: request-timeout, with what a busy machine adds, and
// the memory of the deployments (deploy/sizes.yaml).
const (
	mostAttackTime   = 20 * time.Second
	mostAttackMemory = 1 << 30
)

// An attack is one request that is meant to hurt, or something else that is done in place of it.
type attack struct {
	name, path, contentType string
	body                    func() []byte
	do                      func(ctx context.Context, client *http.Client, p *program) (status string, err error)
}

func xmlAttack(name, path string, body func() []byte) attack {
	return attack{name: name, path: path, contentType: "application/xml", body: body}
}

// allAttacks are made here, each when it is sent. The program has no large file.
func allAttacks(t *testing.T) []attack {
	t.Helper()
	ubl := string(sample(t, "ubl-valid.xml"))
	before := func(element, inserted string) []byte {
		return []byte(strings.Replace(ubl, element, inserted+element, 1))
	}
	line := ubl[strings.Index(ubl, "<cac:InvoiceLine>"):strings.Index(ubl, "</ubl:Invoice>")]
	subtotal := ubl[strings.Index(ubl, "<cac:TaxSubtotal>"):strings.Index(ubl, "</cac:TaxTotal>")]
	attributes := func() string {
		var b strings.Builder
		b.WriteString("<a")
		for i := range 250 {
			fmt.Fprintf(&b, " a%d=''", i)
		}
		return b.String() + "/>"
	}()
	list := []attack{}
	documents := map[string]func() []byte{
		"elements within elements": func() []byte { return bytes.Repeat([]byte("<a>"), 5_000_000) },
		"a million elements":       func() []byte { return before("<cac:InvoiceLine>", strings.Repeat("<b/>", 900_000)) },
		"elements with 250 attributes": func() []byte {
			return before("<cac:InvoiceLine>", strings.Repeat(attributes, 16_800_000/len(attributes)))
		},
		"a number of 300,000 digits": func() []byte { return []byte(longNumber(t, 300_000, 1000)) },
		"a name of 20 MB":            func() []byte { return before("<cac:InvoiceLine>", "<"+strings.Repeat("n", 20<<20)+"/>") },
		"a namespace of 20 MB":       func() []byte { return before("<cac:InvoiceLine>", "<n xmlns='"+strings.Repeat("n", 20<<20)+"'/>") },
		"3 MB on one line": func() []byte {
			return []byte(strings.ReplaceAll(string(before("<cac:InvoiceLine>", strings.Repeat(line, 1100))), "\n", " "))
		},
		"lines times subtotals": func() []byte {
			return []byte(strings.Replace(string(before("<cac:InvoiceLine>", strings.Repeat(line, 2000))), subtotal, strings.Repeat(subtotal, 2000), 1))
		},
		"20,000 short lines": func() []byte {
			return before("<cac:InvoiceLine>", strings.Repeat("<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>", 20_000))
		},
		"40,000 notes": func() []byte {
			return before("<cbc:DocumentCurrencyCode>", strings.Repeat("<cbc:Note>a</cbc:Note>", 40_000))
		},
		"8 million references": func() []byte {
			return before("<cbc:DocumentCurrencyCode>", "<cbc:Note>"+strings.Repeat("&lt;", 5_000_000)+"</cbc:Note>")
		},
		"entities that expand":         func() []byte { return []byte("<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;'>]><a>&c;</a>") },
		"a text of control characters": func() []byte { return before("<cbc:DocumentCurrencyCode>", "<cbc:Note>\x1b[2J\u202e</cbc:Note>") },
		"comments":                     func() []byte { return before("<cac:InvoiceLine>", strings.Repeat("<!---->", 2_000_000)) },
		"white space":                  func() []byte { return before("<cac:InvoiceLine>", strings.Repeat(" ", 20<<20)) },
		"a sea of angle brackets":      func() []byte { return bytes.Repeat([]byte("<"), 20<<20) },
		"bytes without a meaning":      func() []byte { return bytes.Repeat([]byte{0xff, 0x00, 0x9b, '<', '%'}, 4<<20) },
		"an attachment of 15 MB": func() []byte {
			return before("<cac:AccountingSupplierParty>", `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="com¹.txt">`+strings.Repeat("QUJD", 15<<18)+`</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`)
		},
	}
	for name, body := range documents {
		for _, path := range []string{"/v1/validate/en16931", toCII, "/v1/transform/to/cii", "/v1/render/ubl/to/pdf", "/v1/extract/json", "/v1/extract/attachments"} {
			list = append(list, xmlAttack(name, path, body))
		}
	}
	for name, accept := range map[string]string{"the text report of 3 MB on one line": "text/plain", "the page about it": "text/html", "SARIF about it": "application/sarif+json"} {
		a := xmlAttack(name, "/v1/validate/en16931", func() []byte {
			return bytes.ReplaceAll(documents["3 MB on one line"](), []byte(">EUR<"), []byte(">EURO<"))
		})
		a.name += " (" + accept + ")"
		list = append(list, a)
	}
	for name, content := range map[string]func() []byte{
		"30 million digits":       func() []byte { return append(bytes.Repeat([]byte("1"), 30_000_000), " w"...) },
		"30 million brackets":     func() []byte { return bytes.Repeat([]byte("("), 30_000_000) },
		"30 million arrays":       func() []byte { return bytes.Repeat([]byte("["), 30_000_000) },
		"images without an end":   func() []byte { return bytes.Repeat([]byte("BI /W 1 /H 1 ID x"), 1_500_000) },
		"operators without a use": func() []byte { return bytes.Repeat([]byte("q Q "), 7_000_000) },
	} {
		hybrid := func() []byte { return pageOf(content()) }
		add := func(path, kind string, body func() []byte) {
			list = append(list, attack{name: "a page of " + name, path: path, contentType: kind, body: body})
		}
		add("/v1/validate/en16931", "application/pdf", hybrid)
		add("/v1/extract/xml", "application/pdf", hybrid)
		form, kind := embedForm(t, hybrid)
		add("/v1/embed/xml", kind, form)
	}
	for name, text := range map[string]func() string{
		"JSON within JSON":  func() string { return strings.Repeat(`{"a":`, 3_000_000) },
		"a million lines":   func() string { return `{"invoice": {"lines": [` + strings.Repeat("{},", 1_000_000) + "{}]}}" },
		"a number of 15 MB": func() string { return `{"invoice": {"number": ` + strings.Repeat("9", 15<<20) + "}}" },
		"a member of 15 MB": func() string { return `{"invoice": {"` + strings.Repeat("n", 15<<20) + `": 1}}` },
		"unknown members":   func() string { return `{"invoice": {` + strings.Repeat(`"x": 1,`, 1_000_000) + `"y": 1}}` },
		"half a character":  func() string { return `{"invoice": {"number": "\ud800"}}` },
		"many lines": func() string {
			return `{"invoice": {"lines": [` + strings.Repeat(`{"item": {"name": "a"}},`, 20_000) + "{}]}}"
		},
	} {
		for _, format := range []string{"ubl", "facturx"} {
			list = append(list, attack{name: name, path: "/v1/create/" + format, contentType: "application/json", body: func() []byte { return []byte(text()) }})
		}
	}
	return append(list, furtherAttacks(t)...)
}

// pageOf is a hybrid PDF whose page has this content.
func pageOf(content []byte) []byte {
	invoice, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
	if err != nil {
		panic(err) // it is part of the program
	}
	var w pdftest.Writer
	spec := w.Attach(pdftest.File{Name: "factur-x.xml", Data: invoice})
	stream := w.Stream("", content)
	pages := w.Pages(1, "/Contents "+pdftest.Ref(stream))
	root := w.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /AF [%d 0 R] /Names << /EmbeddedFiles << /Names [(factur-x.xml) %[2]d 0 R] >> >> >>", pages, spec))
	return w.Close("/Root " + pdftest.Ref(root))
}

// embedForm is a form of /v1/embed/xml.
func embedForm(t *testing.T, hybrid func() []byte) (body func() []byte, contentType string) {
	t.Helper()
	invoice, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
	if err != nil {
		t.Fatal(err)
	}
	_, contentType = embedOf(nil, nil)
	return func() []byte {
		body, _ := embedOf(hybrid(), invoice)
		return body
	}, contentType
}

// embedOf is a form of a PDF and an invoice.
func embedOf(pdf, invoice []byte) (body []byte, contentType string) {
	const boundary = "attack"
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	_ = w.SetBoundary(boundary) // it is a valid one
	for name, data := range map[string][]byte{"pdf": pdf, "xml": invoice} {
		part, _ := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + name + `"; filename="` + name + `"`}})
		_, _ = part.Write(data) // into memory
	}
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}

// A toll is what attacks of one name and path did.
type toll struct {
	tried, survived int
	longest         time.Duration // of processor time
	status          map[string]int
}

// TestAttack runs the program in the sizes of its deployments and sends it what is meant to
// hurt, with an honest client beside. Every answer is a designed one, the service lives, and
// nothing costs more than the limits.
func TestAttack(t *testing.T) {
	if !*attacks {
		t.Skip("skipped: make attack runs it")
	}
	*soakBinary = *attackBinary
	folders := attackFolders{looks: t.TempDir(), sources: t.TempDir()}
	settings := []string{
		"--rate", "0", "--max-memory", "640MiB", "--max-body", "24MiB", "--key-work", "0", "--shutdown-timeout", shutdownInAttack.String(),
		"--looks", folders.looks, "--reload-interval", "100ms", "--bulk-sources", folders.sources, "--bulk-results", t.TempDir(), "--bulk-jobs", "2",
	}
	if ocr, err := exec.LookPath("tesseract"); err == nil {
		settings = append(settings, "--ocr", ocr)
	} else {
		t.Log("Tesseract is not there: pictures are refused before they are looked at")
	}
	p := startProgram(t, settings...)
	ctx, stop := context.WithCancel(t.Context())
	p.all(t) // skips where there is no /proc
	go p.watch(ctx, t)
	honest := make(chan *load, 1)
	go func() { honest <- p.honestly(ctx, t) }()
	client := &http.Client{Timeout: 2 * time.Minute}
	only := regexp.MustCompile(*attackOnly)
	list := append(allAttacks(t), callAttacks(t)...)
	list = append(list, folders.attacks(t)...)
	for _, a := range list {
		if !only.MatchString(a.name) {
			continue
		}
		outcome := p.attack(t, client, a)
		memory := p.highWater()
		t.Logf("%-38s %-24s tried %d, survived %d, longest %6s of processor time, most memory %4d MiB; %v",
			a.name, a.path, outcome.tried, outcome.survived, outcome.longest.Round(10*time.Millisecond), memory>>20, outcome.status)
		switch {
		case outcome.survived < outcome.tried:
			t.Errorf("%s at %s: the service did not survive", a.name, a.path)
		case outcome.longest > mostAttackTime:
			t.Errorf("%s at %s took %s of processor time", a.name, a.path, outcome.longest)
		case memory > mostAttackMemory:
			t.Errorf("%s at %s: memory of %d MiB", a.name, a.path, memory>>20)
		}
	}
	stop()
	l := <-honest
	t.Logf("the honest key meanwhile: %s", l)
	for status := range l.statuses {
		if status != http.StatusOK {
			t.Errorf("the honest key got %d answers of status %d", l.statuses[status], status)
		}
	}
	if late := p.overdue(t, client); len(late) > 0 {
		t.Errorf("work outlived its time by more than a second: %v", late)
	} else {
		t.Log("no work outlived its time by more than a second (einvoice_overdue_total)")
	}
	took := p.stopsBusy(t, client, folders)
	t.Logf("with work in hand the service ended %s after SIGTERM", took.Round(10*time.Millisecond))
	if took > shutdownInAttack+time.Second {
		t.Errorf("that is more than a second after shutdown-timeout, %s", shutdownInAttack)
	}
}

// honestly sends a small valid invoice ten times a second, with a key that no attack has.
func (p *program) honestly(ctx context.Context, t *testing.T) *load {
	l := &load{statuses: map[int]int{}, codes: map[string]int{}}
	client := &http.Client{Timeout: time.Minute}
	document := sample(t, "ubl-valid.xml")
	for ctx.Err() == nil {
		began := time.Now()
		status, code, err := p.shoot(ctx, client, shot{key: p.keys[4], document: document, accept: "application/json"})
		if err == nil {
			l.add(status, code, time.Since(began))
		} else if ctx.Err() == nil {
			t.Errorf("an honest request failed: %v", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return l
}

// attack sends one attack twice.
func (p *program) attack(t *testing.T, client *http.Client, a attack) *toll {
	t.Helper()
	o := &toll{status: map[string]int{}}
	if a.do == nil {
		body := a.body()
		a.do = func(ctx context.Context, client *http.Client, p *program) (string, error) {
			return p.sendAttack(ctx, client, a, body)
		}
	}
	for range 2 {
		o.tried++
		used := p.cpu(t)
		status, err := a.do(t.Context(), client, p)
		if err != nil {
			t.Errorf("%s at %s: %v", a.name, a.path, err)
			return o
		}
		o.longest = max(o.longest, p.cpu(t)-used)
		o.status[status]++
		res, err := client.Get(p.url + "/health/live")
		if err != nil {
			return o
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode == http.StatusOK && !strings.HasPrefix(status, "500") {
			o.survived++
		}
	}
	return o
}

func (p *program) sendAttack(ctx context.Context, client *http.Client, a attack, body []byte) (status string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+a.path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+p.keys[0])
	r.Header.Set("Content-Type", a.contentType)
	if _, accept, ok := strings.Cut(strings.TrimSuffix(a.name, ")"), " ("); ok {
		r.Header.Set("Accept", accept)
	}
	res, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	n, err := io.Copy(io.Discard, res.Body)
	return fmt.Sprintf("%d with %d kB", res.StatusCode, n/1000), err
}

// watch measures the memory of all processes again and again, until the context ends.
func (p *program) watch(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		if now := int64(p.memory(t)); now > p.most.Load() {
			p.most.Store(now)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// highWater is the most memory that all processes had at one time since it was last asked for,
// in bytes.
func (p *program) highWater() int64 { return p.most.Swap(0) }
