package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"einvoice/engine/words"
	"einvoice/formats/parse"
	"einvoice/model/pattern"
	"einvoice/server/admission"
	"einvoice/server/encoding"
	"einvoice/server/keys"
	"einvoice/server/refusal"
	"einvoice/server/tenants"

	"github.com/julienschmidt/httprouter"
)

// An exchange is one request and its answer, with what the log and the metrics
// want to know of it. It is the ResponseWriter that the router sees.
type exchange struct {
	http.ResponseWriter
	request *http.Request
	params  httprouter.Params
	query   url.Values // the parameters, where they are all in the query

	id        string          // of the request
	route     string          // template, such as /v1/validate/:format
	key       string          // id of the API key, never the key
	keyName   string          // what the key is called
	owner     string          // whose work it is: of the tenant of the key, or of the key
	tenant    *tenants.Tenant // of the key; nil for none
	body      *admission.Body
	stranger  bool     // it sent a wrong key
	mandatory []string // overlays that the key has always
	mayOmit   []string // mandatory overlays that the key may leave out
	pictures  bool     // a body may be a picture
	errorCode string
	outcome   string // of a validation
	status    int
	written   int64

	words   *words.Language  // of the answer; nil for English
	reply   *reply           // what is sent when the work is done
	raw     []byte           // the body as it came, where the work may be done in another process
	counted []counted        // for the metrics
	visit   *admission.Visit // what a request with a body holds
}

// A reply is an answer before it is sent.
type reply struct {
	status      int
	contentType string
	body        []byte
}

// A handler answers an exchange, or says why it cannot.
type handler func(*exchange) error

// WriteHeader notes the status.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (x *exchange) Write(data []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(data)
	x.written += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController find the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// send makes a whole body the answer. It is sent when the handler has returned, and with
// it the places that the work took.
func (x *exchange) send(status int, contentType string, body []byte) error {
	x.reply = &reply{status, contentType, body}
	return nil
}

// answerGrace is how long an answer may be taken more slowly than the least rate.
const answerGrace = 10 * time.Second

// deliver sends the answer. Meanwhile the request holds the memory of its answer alone,
// and for no longer than the least rate allows.
func (s *Server) deliver(x *exchange) {
	r := x.reply
	if r == nil || x.status != 0 {
		return
	}
	if x.visit != nil {
		x.visit.Answers(int64(len(r.body)))
	}
	h := x.Header()
	if h.Get("Content-Encoding") == "" { // else it is compressed already
		if name, body := encoding.Compress(x.request.Header.Get("Accept-Encoding"), r.contentType, r.body); name != "" {
			r.body = body
			h.Set("Content-Encoding", name)
		}
	}
	h.Add("Vary", "Accept-Encoding")
	if r.contentType != "" {
		h.Set("Content-Type", r.contentType)
	}
	h.Set("Content-Length", strconv.Itoa(len(r.body)))
	taking := answerGrace + time.Duration(float64(len(r.body))/float64(s.config.LeastRate)*float64(time.Second))
	_ = http.NewResponseController(x.ResponseWriter).SetWriteDeadline(time.Now().Add(taking)) // tests have writers without
	x.WriteHeader(r.status)
	_, _ = x.Write(r.body) // a client that went away is not our error
}

// sendJSON writes a value as JSON.
func (x *exchange) sendJSON(status int, contentType string, value any) error {
	body, err := asJSON(value)
	if err != nil {
		return err
	}
	return x.send(status, contentType, body)
}

// asJSON is a value as answers have it.
func asJSON(value any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // rules are full of && and <; the type and nosniff keep browsers from mistaking it
	err := encoder.Encode(value)
	return body.Bytes(), err
}

var goodRequestID = pattern.Later(`^[A-Za-z0-9._-]{1,64}$`)

// requestID takes over the id that a proxy gave, so that its log and ours tell
// of the same request.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); goodRequestID().MatchString(id) {
		return id
	}
	return rand.Text()
}

// ServeHTTP answers every request: it wraps the router with what all of them
// need.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.router) }

func (s *Server) serve(w http.ResponseWriter, r *http.Request, router *httprouter.Router) {
	started := time.Now()
	x := &exchange{ResponseWriter: w, request: r, id: requestID(r), route: "none"}
	_ = x.choose(s.rules.Current().Library, "") // only a named language can be wrong
	h := w.Header()
	h.Set("X-Request-Id", x.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	s.metrics.inFlight.Inc()
	defer func() {
		s.metrics.inFlight.Dec()
		if fault := recover(); fault != nil {
			if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(fault)
			}
			s.log.Error("panic", "requestId", x.id, "route", x.route, "panic", fault, "stack", string(debug.Stack()))
			s.fail(x, newProblem(refusal.Internal, "Something went wrong here. Whoever runs the server finds it in the log by the id of this request."))
			s.deliver(x)
		}
		if x.visit != nil {
			x.visit.Leave()
		}
		s.finish(x, time.Since(started))
	}()
	err := s.framed(x)
	if err == nil {
		err = s.isLocal(r)
	}
	if err != nil {
		s.fail(x, err)
		s.deliver(x)
		return
	}
	s.forOrigins(router).ServeHTTP(x, r)
}

// readsPages reports whether the request is to read the pages of a document.
func (x *exchange) readsPages() bool {
	return strings.HasPrefix(x.route, "/v1/parse/") || x.params.ByName("call") == "parse"
}

// fail answers with an error, unless an answer is under way already.
func (s *Server) fail(x *exchange, err error) {
	if x.isLeft(err) {
		x.status, x.errorCode, x.outcome = statusClientGone, clientGone, "left"
		return
	}
	if errors.Is(err, context.DeadlineExceeded) && x.readsPages() {
		err = parse.TooSlow()
	}
	p := s.problemOf(err)
	if p.ErrorCode == refusal.Internal {
		if _, told := errors.AsType[*Problem](err); !told {
			s.log.Error("request failed", "requestId", x.id, "route", x.route, "error", err.Error())
		}
	}
	x.errorCode = p.ErrorCode
	if x.status != 0 {
		return
	}
	shown := p.in(x.words)
	x.tellLanguage()
	shown.RequestID = x.id
	h := x.Header()
	if shown.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(shown.retryAfter))
	}
	if shown.Status == http.StatusUnauthorized {
		challenge := `Bearer realm="einvoice"`
		if shown.ErrorCode == refusal.KeyInvalid {
			challenge += `, error="invalid_token"`
		}
		h.Set("WWW-Authenticate", challenge)
	}
	if shown.Status == http.StatusRequestTimeout || shown.Status == http.StatusRequestEntityTooLarge || x.body != nil && x.body.Failed() {
		h.Set("Connection", "close") // the rest of the body is not waited for
	}
	_ = x.sendJSON(shown.Status, "application/problem+json", shown)
}

// A client that leaves after it has sent everything is told nothing any more. The log and
// the metrics know it by a status that is not a status of HTTP, as other servers have it.
const (
	statusClientGone = 499
	clientGone       = "CLIENT-GONE"
)

// isLeft reports whether an error comes of a client that went away after its whole request
// was there.
func (x *exchange) isLeft(err error) bool {
	complete := x.body == nil || x.visit != nil && x.visit.Began()
	return x.status == 0 && complete && errors.Is(err, context.Canceled) && x.request.Context().Err() != nil
}

// received is how many bytes of the body were read.
func (x *exchange) received() int64 {
	if x.body == nil {
		return 0
	}
	return x.body.Received()
}

// finish tells log, metrics and trace of an exchange: who, what and how long,
// never what was in it.
func (s *Server) finish(x *exchange, took time.Duration) {
	if x.status == 0 { // nothing was written, as for OPTIONS; net/http then says 200
		x.status = http.StatusOK
	}
	s.metrics.request(x, took)
	if x.received()+x.written > largeExchange {
		s.giveBack()
	}
	level := slog.LevelInfo
	if x.status >= http.StatusInternalServerError && x.errorCode == refusal.Internal {
		level = slog.LevelError
	}
	attributes := []slog.Attr{
		slog.String("requestId", x.id), slog.String("method", x.request.Method), slog.String("route", x.route),
		slog.Int("status", x.status), slog.String("address", keys.AddressOf(x.request.RemoteAddr).String()),
		slog.Int64("received", x.received()), slog.Int64("bytes", x.written), slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	for _, a := range []struct{ name, value string }{{"key", x.key}, {"errorCode", x.errorCode}, {"outcome", x.outcome}} {
		if a.value != "" {
			attributes = append(attributes, slog.String(a.name, a.value))
		}
	}
	if client := keys.ForwardedFor(x.request); client.IsValid() {
		attributes = append(attributes, slog.String("forwardedFor", client.String()))
	}
	if id := x.trace(); id != "" {
		attributes = append(attributes, slog.String("traceId", id))
	}
	s.log.LogAttrs(x.request.Context(), level, "request", attributes...)
}
