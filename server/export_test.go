package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
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

// Occupy takes n places to validate.
func (s *Server) Occupy(n int) (free func()) {
	s.admission.mu.Lock()
	s.admission.running += n
	s.admission.mu.Unlock()
	return func() {
		s.admission.mu.Lock()
		s.admission.running -= n
		s.admission.mu.Unlock()
	}
}

// Buffered is the memory that requests take.
func (s *Server) Buffered() int64 { return s.admission.taken() }

// Functions that tests look at by themselves.
var (
	Bearer      = bearer
	CleanName   = cleanName
	ReadOptions = readOptions
	Negotiate   = func(accept ...string) string { return negotiate(accept).MediaType }
)

// CostOf is what is reserved for an operation on a document.
func CostOf(operation string, data []byte) int64 {
	return map[string]cost{"validate": readCost, "convert": convertCost, "transform": transformCost, "render to pdf": renderCost, "render to html": markupCost, "render to svg": markupCost}[operation].ofXML(data)
}

// WholeOpenAPI is the document with every media type, as JSON.
func WholeOpenAPI() ([]byte, error) {
	doc, err := openapiDocument()
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
