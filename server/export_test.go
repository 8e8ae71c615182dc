package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"einvoice/server/docs"
	"einvoice/service/operation"
)

// Routes are the routes as the OpenAPI document writes them.
func (s *Server) Routes() []string {
	var out []string
	for _, t := range s.table() {
		path := strings.NewReplacer(":format", "{format}", ":id", "{id}", ":name", "{name}", ":call", "{call}").Replace(t.path)
		out = append(out, t.method+" "+path)
	}
	return out
}

// RemoveOldJobs removes the jobs that were kept long enough, as if it were now.
func (s *Server) RemoveOldJobs(t testing.TB, now time.Time) {
	t.Helper()
	if err := s.bulk.RemoveOld(t.Context(), now); err != nil {
		t.Error(err)
	}
}

// AddFaultyRoutes adds what only a mistake of ours would bring about.
func (s *Server) AddFaultyRoutes() {
	s.router.GET("/test/panic", s.handle("/test/panic", func(*exchange) error { panic("a fault") }))
	s.router.GET("/test/abort", s.handle("/test/abort", func(*exchange) error { panic(http.ErrAbortHandler) }))
	s.router.GET("/test/error", s.handle("/test/error", func(*exchange) error { return errors.New("a secret of the inside") }))
	s.router.GET("/test/late", s.handle("/test/late", func(x *exchange) error {
		_, _ = x.Write([]byte("half an answer"))
		return errors.New("too late")
	}))
}

// Occupy has the key of the start do long work, until no place is left that it may have.
func (s *Server) Occupy() (free func()) {
	key, _, _ := s.keys.Verify(s.secret)
	v, err := s.admission.Enter(key.ID)
	if err != nil {
		panic(err)
	}
	done, err := v.Turn(context.Background())
	if err != nil {
		panic(err)
	}
	time.Sleep(100 * time.Millisecond) // it is long by then
	return func() { done(); v.Leave() }
}

// Buffered is the memory that requests take.
func (s *Server) Buffered() int64 { return s.admission.Taken() }

// Functions that tests look at by themselves.
var (
	Bearer      = bearer
	Prepare     = prepare
	CleanName   = cleanName
	ReadOptions = readOptions
	Negotiate   = func(accept ...string) string { return negotiate(accept).MediaType }
)

// CostOf is what is reserved for an operation on a document.
func CostOf(name string, data []byte) int64 {
	return map[string]operation.Cost{"validate": readCost, "convert": convertCost, "transform": transformCost, "render to pdf": renderCost, "render to html": markupCost, "render to svg": markupCost}[name].OfXML(data)
}

// WholeOpenAPI is the document with every media type, as JSON.
func WholeOpenAPI() ([]byte, error) {
	doc, err := docs.Whole()
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(doc, "", "  ")
}

// ScriptHash is the hash of a script as a policy names it.
func ScriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Processes counts the processes that work for the server.
func (s *Server) Processes() int { return s.pool.Processes() }

// RetireProcesses has the next work done in new processes.
func (s *Server) RetireProcesses() { s.pool.Retire() }

// LookForChanges is what the server does every reload-interval.
func (s *Server) LookForChanges(ctx context.Context) { s.refresh(ctx, false) }
