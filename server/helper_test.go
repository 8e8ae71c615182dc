package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/refusal"
	"einvoice/service/report"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A testServer is a running server under test. Every answer is checked against
// the OpenAPI document.
type testServer struct {
	*server.Server
	url string
	log *lockedBuffer
}

// A lockedBuffer collects the log.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// slowdown is how many times as long the service has under the race detector.
var slowdown time.Duration = 1

// defaultConfig is that of the service, without a limit of requests.
func defaultConfig() server.Config {
	config := server.DefaultConfig()
	config.Rate = 0
	config.RequestTimeout *= slowdown
	config.WriteTimeout += config.RequestTimeout
	return config
}

// start runs a server whose settings a test changed.
func start(t testing.TB, change func(*server.Config)) *testServer {
	t.Helper()
	config := defaultConfig()
	if change != nil {
		change(&config)
	}
	if *confineAll {
		config.Process = process
	}
	log := &lockedBuffer{}
	s, err := server.New(config, slog.New(slog.NewJSONHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	hs := httptest.NewUnstartedServer(s)
	hs.Config.ReadTimeout = config.ReadTimeout // what Serve sets and handlers see
	hs.Config.ErrorLog = slog.NewLogLogger(slog.NewJSONHandler(log, nil), slog.LevelWarn)
	hs.Start()
	t.Cleanup(s.Close)
	t.Cleanup(hs.Close)
	return &testServer{Server: s, url: hs.URL, log: log}
}

// shared is a server with the default settings, for tests that change nothing.
var shared = sync.OnceValue(func() *testServer {
	config := defaultConfig()
	config.Process = process // in which risky work is done
	log := &lockedBuffer{}
	s, err := server.New(config, slog.New(slog.NewJSONHandler(log, nil)))
	if err != nil {
		panic(err)
	}
	return &testServer{Server: s, url: httptest.NewServer(s).URL, log: log}
})

// An answer is a response with its body read.
type answer struct {
	*http.Response
	body []byte
}

func (s *testServer) request(t testing.TB, method, path string, body io.Reader, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.StartKey())
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// do sends a request and checks the answer against the OpenAPI document.
func (s *testServer) do(t testing.TB, r *http.Request) *answer {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, r, res)
}

func read(t testing.TB, r *http.Request, res *http.Response) *answer {
	t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := &answer{res, body}
	a.conforms(t, r)
	return a
}

func (s *testServer) get(t testing.TB, path string, header ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, http.MethodGet, path, nil, header...))
}

// post sends a document as the part "file" of a form.
func (s *testServer) post(t testing.TB, format string, document []byte, header ...string) *answer {
	t.Helper()
	body, contentType := form(t, document)
	return s.do(t, s.request(t, http.MethodPost, "/v1/validate/"+format, body, append([]string{"Content-Type", contentType}, header...)...))
}

func form(t testing.TB, document []byte) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	part, err := w.CreateFormFile("file", "invoice.xml")
	if err == nil {
		_, err = part.Write(document)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return body, w.FormDataContentType()
}

// raw sends a document as the body itself.
func (s *testServer) raw(t testing.TB, format, contentType string, body io.Reader, header ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, http.MethodPost, "/v1/validate/"+format, body, append([]string{"Content-Type", contentType}, header...)...))
}

// decode reads the body as JSON.
func (a *answer) decode(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(a.body, into); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// wants fails the test unless the answer has this status and errorCode.
func (a *answer) wants(t testing.TB, status int, code string) *server.Problem {
	t.Helper()
	var p server.Problem
	if status >= http.StatusBadRequest {
		a.decode(t, &p)
	}
	if a.StatusCode != status || p.ErrorCode != code {
		t.Fatalf("got %d %s, want %d %s: %.600s", a.StatusCode, p.ErrorCode, status, code, a.body)
	}
	return &p
}

// samples are the documents that ship with the command line.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "cmd", "einvoice", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The OpenAPI document as tests use it.
var contract = sync.OnceValue(func() routers.Router {
	for _, kind := range []string{"text/html", "application/xml", "application/zip", "application/pdf", "image/svg+xml", "application/jsonl", "application/x-junit+xml"} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.FileBodyDecoder)
	}
	router, err := gorillamux.NewRouter(document())
	if err != nil {
		panic(err)
	}
	return router
})

var document = sync.OnceValue(func() *openapi3.T {
	data, err := server.WholeOpenAPI()
	if err != nil {
		panic(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		panic(err)
	}
	return doc
})

// seenCodes are the errorCodes that came in the whole run.
var (
	seenMu    sync.Mutex
	seenCodes = map[string]bool{}
)

// conforms checks an answer against the document, and what the document does not
// describe, such as unknown paths, against what is true of every error.
func (a *answer) conforms(t testing.TB, r *http.Request) {
	t.Helper()
	if a.Header.Get("X-Request-Id") == "" {
		t.Errorf("%s %s: no X-Request-Id", r.Method, r.URL.Path)
	}
	kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	if kind == "application/problem+json" {
		a.isProblem(t)
	}
	if a.StatusCode >= http.StatusBadRequest && kind != "application/problem+json" && !slices.ContainsFunc(report.Formats, func(f *report.Format) bool { return kind != "" && f.MediaType == kind && f.Name != "json" }) {
		t.Errorf("%s %s: %d as %q, want a problem", r.Method, r.URL.Path, a.StatusCode, kind)
	}
	if r.Method == http.MethodHead {
		return
	}
	asked := r.Clone(r.Context())
	asked.URL.Scheme, asked.URL.Host, asked.Host = "", "", ""
	route, params, err := contract().FindRoute(asked)
	if err != nil {
		if a.StatusCode != http.StatusNotFound && a.StatusCode != http.StatusMethodNotAllowed && !strings.HasPrefix(r.URL.Path, "/test/") && r.Method != http.MethodOptions {
			t.Errorf("%s %s: %d, and the OpenAPI document does not know it: %v", r.Method, r.URL.Path, a.StatusCode, err)
		}
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: asked, PathParams: params, Route: route},
		Status:                 a.StatusCode, Header: a.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	input.SetBodyBytes(a.body)
	if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
		t.Errorf("%s %s: %d is not what the OpenAPI document says: %v\n%.600s", r.Method, r.URL.Path, a.StatusCode, err, a.body)
	}
}

// isProblem checks what is true of every error, and notes its code.
func (a *answer) isProblem(t testing.TB) {
	t.Helper()
	var p server.Problem
	a.decode(t, &p)
	i := slices.IndexFunc(refusal.Codes, func(c refusal.ErrorCode) bool { return c.Code == p.ErrorCode })
	if i < 0 {
		t.Errorf("errorCode %q is not in the registry", p.ErrorCode)
		return
	}
	c := refusal.Codes[i]
	titled := p.Title == c.Title || p.Title != "" && a.Header.Get("Content-Language") != "en" // titles are translated
	if p.Status != a.StatusCode || c.Status != a.StatusCode || !titled || p.Type == "" || p.Detail == "" || p.RequestID != a.Header.Get("X-Request-Id") {
		t.Errorf("%d %s is inconsistent: %.400s", a.StatusCode, p.ErrorCode, a.body)
	}
	seenMu.Lock()
	seenCodes[p.ErrorCode] = true
	seenMu.Unlock()
}

// hang is after how long a test gives up what does not happen, however busy the machine.
const hang = 3 * time.Minute

// eventually waits for something that happens beside the test.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(hang); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it did not happen: %s", what)
}

// logs waits for an entry of the log: it is written after the answer.
func (s *testServer) logs(t testing.TB, want string) {
	t.Helper()
	eventually(t, "the log has "+want, func() bool { return strings.Contains(s.log.String(), want) })
}

// sorted are the keys of a set.
func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
