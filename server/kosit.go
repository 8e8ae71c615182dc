package server

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"einvoice/model/template"
	"einvoice/server/admission"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/kosit"

	"github.com/julienschmidt/httprouter"
)

// Kosit is the HTTP of KoSIT's validator: a document is posted to any path, and the answer
// is its report. There are no keys, as there are none in the validator.
type Kosit struct {
	Configuration *kosit.Configuration
	Page          bool // answer GET / with a page that says how to use it
}

// NewKosit makes a Server that serves what the daemon of KoSIT's validator does. Keys and
// rates in the settings have no effect.
func NewKosit(config Config, k Kosit, log *slog.Logger) (*Server, error) {
	config.Rate, config.KeyWork = 0, 0
	s, err := New(config, log)
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(config.Listen) // New has checked it
	s.unguarded = isOfThisMachine(host)
	d := &kositDaemon{Server: s, Kosit: k}
	s.router = httprouter.New()
	s.router.NotFound = s.plain("kosit", func(x *exchange) error { return d.plainError(x, d.answer(x)) })
	return s, nil
}

// A kositDaemon answers as the daemon does.
type kositDaemon struct {
	*Server
	Kosit
	unnamed atomic.Int64 // documents that came without a name
}

// xmlType is the media type of reports.
const xmlType = "application/xml"

// answer serves one request by its path and method.
func (d *kositDaemon) answer(x *exchange) error {
	switch x.request.URL.Path {
	case "/server/health":
		return d.health(x)
	case "/server/config":
		return x.send(http.StatusOK, xmlType, d.Configuration.Source)
	}
	switch method := x.request.Method; {
	case method == http.MethodPost:
		return d.check(x)
	case d.Page && method == http.MethodGet && x.request.URL.Path == "/":
		return x.send(http.StatusOK, "text/html; charset=utf-8", kositPage)
	case d.Page && method == http.MethodGet:
		return newProblem(refusal.RouteUnknown, "Nothing is served under this path. POST a document to any path, or GET /.")
	}
	x.Header().Set("Allow", http.MethodPost)
	return newProblem(refusal.Method, "POST the document as the body of the request.")
}

//go:embed pages/kosit.html
var kositPage []byte

// plainError answers with an error as plain text, as the daemon does.
func (d *kositDaemon) plainError(x *exchange, err error) error {
	if err == nil {
		return nil
	}
	d.fail(x, err)
	if x.reply == nil {
		return nil
	}
	p := d.problemOf(err)
	return x.send(p.Status, "text/plain; charset=utf-8", fmt.Appendf(nil, "%s (%s, request %s)\n", p.Detail, p.ErrorCode, x.id))
}

// check checks the document in the body.
func (d *kositDaemon) check(x *exchange) error {
	r := x.request
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); strings.HasPrefix(kind, "multipart/") {
		return newProblem(refusal.FileMissing, "No document was supplied, but a form: send the document as the body itself.")
	}
	return d.withBody(x, func(v *admission.Visit) error {
		body, err := d.limitedBody(x)
		if err != nil {
			return err
		}
		data, err := v.ReadAll(body, r.ContentLength)
		if err != nil {
			return err
		}
		if len(data) == 0 {
			return newProblem(refusal.FileMissing, "No document was supplied: the body is empty.")
		}
		var result *kosit.Result
		err = d.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
			result, err = d.Configuration.Check(ctx, book.Service.Service, kosit.Input{Name: d.nameOf(r.URL.Path), Data: data})
			return err
		})
		if err != nil {
			return err
		}
		return d.send(x, result)
	})
}

// isSecond reports whether a path is one of version 2 of the validator's server.
func isSecond(requested string) bool {
	return requested == "/api/validate" || requested == "/api/validate/minimal"
}

// nameOf is what a document is called: the last part of the path.
func (d *kositDaemon) nameOf(requested string) string {
	if name := cleanName(path.Base(requested)); name != "" && !strings.HasSuffix(requested, "/") && !isSecond(requested) {
		return name
	}
	return fmt.Sprintf("supplied_instance_%d", d.unnamed.Add(1))
}

// send answers with the report, in the way of the path.
func (d *kositDaemon) send(x *exchange, result *kosit.Result) error {
	x.outcome = "invalid"
	if result.Accepted() {
		x.outcome = "valid"
	}
	switch {
	case isSecond(x.request.URL.Path):
		return d.sendSecond(x, result)
	case !result.Processed:
		return x.send(http.StatusUnprocessableEntity, xmlType, result.Report)
	case !result.Accepted():
		return x.send(http.StatusNotAcceptable, xmlType, result.Report)
	}
	return x.send(http.StatusOK, xmlType, result.Report)
}

//go:embed pages/kosit-health.xml.tmpl
var kositHealthTemplate string

var kositHealth = sync.OnceValue(func() *template.Template {
	return template.Text(kositHealthTemplate, nil)
})

// health says that the daemon is up, and the memory of the process in bytes.
func (d *kositDaemon) health(x *exchange) error {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	most := debug.SetMemoryLimit(-1) // negative: only asks
	var out bytes.Buffer
	err := kositHealth().Execute(&out, "", map[string]any{
		"Up": !d.stopping.Load(), "Version": Version, "Free": m.HeapIdle, "Most": most, "Total": m.Sys,
	})
	if err != nil {
		return err
	}
	return x.send(http.StatusOK, xmlType, out.Bytes())
}
