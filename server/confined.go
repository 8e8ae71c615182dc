package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"einvoice/server/admission"
	"einvoice/server/bulkwork"
	"einvoice/server/confine"
	"einvoice/server/publishing"
	"einvoice/service/catalogue"
)

// errAnswered says that an exchange has its answer, which another process made.
var errAnswered = errors.New("another process has answered")

// riskyRoutes are those of operations that read or draw pages, whatever the document is.
var riskyRoutes = []string{"/v1/parse/", "/v1/embed/", "/v1/extract/", "/v1/render/", "/v1/workbench/"}

// isRisky reports whether work may not hear of its end, so that it is done in a process that
// can be ended. Publishing is not, of whatever size: keys and the folder are this process's.
func (x *exchange) isRisky() bool {
	if strings.HasPrefix(x.route, "/v1/rules/") {
		return false
	}
	if bulkwork.IsRisky(x.raw) || slices.ContainsFunc(riskyRoutes, func(of string) bool { return strings.HasPrefix(x.route, of) }) {
		return true
	}
	f := catalogue.Named(x.params.ByName("format"))
	return f != nil && f.Create != nil && f.Create.PDF
}

// A keptBody keeps a body as it comes, for another process.
type keptBody struct{ x *exchange }

func (k *keptBody) Write(p []byte) (int, error) {
	if k.x.visit != nil {
		if err := k.x.visit.Take(int64(len(p))); err != nil {
			return 0, err
		}
	}
	// What is announced is believed no further than twice what has arrived.
	if announced := int(k.x.request.ContentLength); cap(k.x.raw)-len(k.x.raw) < len(p) && announced > len(k.x.raw) {
		k.x.raw = slices.Grow(k.x.raw, min(announced, 2*len(k.x.raw)+64<<10)-len(k.x.raw)+len(p))
	}
	k.x.raw = append(k.x.raw, p...)
	return len(p), nil
}

// A setup is what a process has to know before its first call.
type setup struct {
	Config    Config
	Edited    []byte // a snapshot of edited rulesets, as a ZIP
	Published []string
	Looks     map[string][]byte // files of looks, which were tried
	// TryLooks has the process try the looks of a folder and nothing else.
	TryLooks string
}

// mostProcesses is how many processes there are for each place: long works give their place to
// others, and their processes not.
const mostProcesses = 4

// newPool makes a pool of processes. Each begins with a book of rules, such as that in force then.
func (s *Server) newPool(most int, current func() *publishing.Book) *confine.Pool {
	return confine.New(confine.Options{
		Command: s.config.Process, Messages: os.Stderr, Most: most,
		Changed: func(more int) { s.memory.move(int64(more) * memoryBesides) },
		Setup: func() ([]byte, error) {
			book := current()
			var out bytes.Buffer
			err := gob.NewEncoder(&out).Encode(setup{Config: s.config, Edited: book.Edited, Published: book.Published, Looks: s.rules.Config.Looks.Files()})
			return out.Bytes(), err
		},
		Overdue: func(call *confine.Call, stacks string) {
			s.tellOverdue(call.Header.Get(headerRoute), call.Header.Get("X-Request-Id"), call.Body, stacks)
		},
	})
}

// headerRoute is the header by which a process knows the route of a call.
const headerRoute = "Einvoice-Route"

// headerMandatory and headerMayOmit are those by which a process knows what the key of a call
// says of overlays.
const (
	headerMandatory = "Einvoice-Mandatory"
	headerMayOmit   = "Einvoice-May-Omit"
)

// copiesOfBody is how often a body is in memory while another process works on it: as it is
// sent there, as it arrives, and as it is read.
const copiesOfBody = 2

// confined has another process do the work of a request, and makes its answer ours.
func (s *Server) confined(ctx context.Context, x *exchange, leave func(wait func()) error) error {
	if err := x.visit.Take(copiesOfBody * int64(len(x.raw))); err != nil {
		return err
	}
	deadline, _ := ctx.Deadline()
	header := x.request.Header.Clone()
	header.Del("Accept-Encoding") // this process compresses the answer
	header.Set("X-Request-Id", x.id)
	header.Set(headerRoute, x.route)
	header.Set(headerMandatory, strings.Join(x.mandatory, ","))
	header.Set(headerMayOmit, strings.Join(x.mayOmit, ","))
	call := &confine.Call{Method: x.request.Method, URL: x.request.URL.RequestURI(), Header: header, Body: x.raw, Time: time.Until(deadline)}
	// The process knows the deadline, and says so by itself if it can.
	late, cancel := context.WithDeadline(x.request.Context(), deadline.Add(confine.Lateness))
	defer cancel()
	x.raw = nil
	owner := &ownerOf{visit: x.visit, leave: leave, memory: s.memory}
	defer owner.over()
	answer, err := s.pool.Do(late, call, owner)
	if err != nil {
		return err
	}
	notes := &notes{}
	if err := json.Unmarshal(answer.Notes, notes); err != nil {
		return fmt.Errorf("the notes of a process: %w", err)
	}
	for name, values := range answer.Header {
		x.Header()[name] = values
	}
	x.errorCode, x.outcome, x.counted = notes.ErrorCode, notes.Outcome, notes.Counted
	x.reply = &reply{answer.Status, answer.Header.Get("Content-Type"), answer.Body}
	return errAnswered
}

// notes are what the log and the metrics are told of work in another process.
type notes struct {
	ErrorCode, Outcome string
	Counted            []counted
}

// ownerOf answers what a process asks for the work of a visit.
type ownerOf struct {
	visit  *admission.Visit
	leave  func(wait func()) error
	memory *memoryShare
	taken  int64
}

// Take reserves memory.
func (o *ownerOf) Take(n int64) error {
	err := o.visit.Take(n)
	if err == nil {
		o.taken += n
		o.memory.move(n)
	}
	return err
}

// over notes that the process has given back what it took.
func (o *ownerOf) over() { o.memory.move(-o.taken) }

// Leave gives the place to work to others.
func (o *ownerOf) Leave(wait func()) error { return o.leave(wait) }

// largeExchange is how many bytes of a request and its answer leave garbage behind that is worth
// giving back at once: the process beside this one needs it.
const largeExchange = 4 << 20

// giveBack returns memory to the system, at most once a second.
func (s *Server) giveBack() {
	if s.pool == nil {
		return
	}
	now := time.Now().UnixNano()
	if last := s.gaveBack.Load(); now-last > int64(time.Second) && s.gaveBack.CompareAndSwap(last, now) {
		go debug.FreeOSMemory()
	}
}

// overdueAfter is how long work may go on after its deadline before that is told.
const overdueAfter = time.Second

// mostStacks is how much of the stacks is told.
const mostStacks = 32 << 10

// oversee tells of work in this process that does not stop at the end of its context. What it
// returns says that the work is done.
func (s *Server) oversee(ctx context.Context, x *exchange) (done func()) {
	finished := make(chan struct{})
	unwatched := context.AfterFunc(ctx, func() {
		select {
		case <-finished:
		case <-time.After(overdueAfter):
			stacks := make([]byte, mostStacks)
			s.tellOverdue(x.route, x.id, nil, string(stacks[:runtime.Stack(stacks, true)]))
		}
	})
	return func() {
		unwatched()
		close(finished)
	}
}

// tellOverdue tells log and metrics of work that did not stop in time. The body is nil where it
// was not kept.
func (s *Server) tellOverdue(route, id string, body []byte, stacks string) {
	s.metrics.overdue.WithLabelValues(route).Inc()
	told := []any{"route", route, "requestId", id, "stacks", stacks[:min(len(stacks), mostStacks)]}
	if body != nil {
		sum := sha256.Sum256(body)
		told = append(told, "sha256", hex.EncodeToString(sum[:]), "bytes", len(body))
	}
	s.log.Error("work did not stop in time", told...)
}
