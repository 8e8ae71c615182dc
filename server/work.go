package server

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"einvoice/server/bulkwork"
	"einvoice/server/confine"
	"einvoice/server/keys"
	"einvoice/service/render"
)

// memoryBesides is what a process takes besides the work on a document, with some room.
const memoryBesides = 64 << 20

// idleFor is how long a process waits before it gives its free memory back to the system.
const idleFor = 300 * time.Millisecond

// Work does the work of another Server, in a process that this one starts (Config.Process):
// calls come on standard input, and answers go to standard output, until the owner is gone.
func Work(in io.Reader, out io.Writer, stderr io.Writer) error {
	return confine.Serve(in, out, prepare(stderr))
}

// prepare makes what answers calls, of what the owner says first.
func prepare(stderr io.Writer) func(setup []byte) (confine.Handler, error) {
	return func(data []byte) (confine.Handler, error) {
		var given setup
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&given); err != nil {
			return nil, fmt.Errorf("read the settings: %w", err)
		}
		// One document takes at most half of the memory for all. What exceeds the estimate so
		// far that it would be twice as much ends the process.
		memory := given.Config.MaxMemory/2 + memoryBesides
		debug.SetMemoryLimit(memory)
		if err := confine.Limit(uint64(2 * memory)); err != nil {
			return nil, fmt.Errorf("limit the memory: %w", err)
		}
		if given.TryLooks != "" {
			return triesLooks(given.TryLooks), nil
		}
		s, err := newWorker(given, slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: given.Config.LogLevel})))
		if err != nil {
			return nil, err
		}
		return s.work, nil
	}
}

// newWorker makes a Server that serves nobody but its owner, which has asked for the key and
// tried the rules.
func newWorker(given setup, log *slog.Logger) (*Server, error) {
	config := given.Config
	config.NoAuth, config.Rate, config.Process, config.Looks = true, 0, nil, ""
	s := &Server{config: config, log: log, admission: newGate(&config), strangers: keys.NewStrangers(), anonymous: keys.NewLimiter(0, 0)}
	if err := s.openService(); err != nil {
		return nil, err
	}
	looks, err := render.LooksOf(given.Looks)
	if err != nil {
		return nil, err
	}
	s.rules.Config.Looks = looks
	book, err := s.rules.Book(given.Edited, given.Published)
	if err != nil {
		return nil, err
	}
	s.rules.Use(book)
	s.idle = time.AfterFunc(idleFor, debug.FreeOSMemory)
	s.metrics = newMetrics(s)
	s.router = s.routes(func(string) bool { return true })
	return s, nil
}

// work answers one call.
func (s *Server) work(ctx context.Context, call *confine.Call, owner confine.Owner) *confine.Reply {
	ctx, cancel := context.WithTimeout(ctx, call.Time)
	defer cancel()
	s.idle.Stop()
	defer s.idle.Reset(idleFor)
	owner = bounded(owner, len(call.Body))
	if call.URL == bulkwork.URL {
		return s.workForJob(ctx, call, owner)
	}
	answer := &recorded{header: http.Header{}}
	r, err := http.NewRequestWithContext(ctx, call.Method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return &confine.Reply{Status: http.StatusInternalServerError, Notes: []byte("{}")}
	}
	r.Header, r.RemoteAddr, r.RequestURI = call.Header, "", call.URL
	x := &exchange{ResponseWriter: answer, request: r, id: requestID(r), route: "none", visit: s.admission.Owned(owner)}
	x.mandatory, x.mayOmit = splitNames(call.Header.Get(headerMandatory)), splitNames(call.Header.Get(headerMayOmit))
	_ = x.choose(s.rules.Current().Library, "")
	s.router.ServeHTTP(x, r)
	told, err := json.Marshal(notes{x.errorCode, x.outcome, x.counted})
	if err != nil {
		s.log.Error("the notes of an answer", "error", err.Error())
	}
	return &confine.Reply{Status: x.status, Header: answer.header, Body: answer.body.Bytes(), Notes: told}
}

func splitNames(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// A recorded is an answer that is kept.
type recorded struct {
	header http.Header
	body   bytes.Buffer
}

// Header has the header of the answer.
func (r *recorded) Header() http.Header { return r.header }

// WriteHeader does nothing: the exchange has noted the status.
func (r *recorded) WriteHeader(int) {}

// Write keeps a part of the body.
func (r *recorded) Write(p []byte) (int, error) { return r.body.Write(p) }
