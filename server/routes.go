package server

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/model/quote"
	"einvoice/server/jobs"
	"einvoice/server/refusal"
	"einvoice/service/catalogue"
	"einvoice/service/render"

	"github.com/julienschmidt/httprouter"
)

// A route is a method and a path template with what answers it.
type route struct {
	method, path string
	answer       handler
}

// table lists everything that is served.
func (s *Server) table() []route {
	table := []route{
		{http.MethodGet, "/", s.getHome},
		{http.MethodPost, "/v1/validate/:format", s.authorized(s.postValidate)},
		{http.MethodPost, "/v1/create/:format", s.authorized(s.postCreate)},
		{http.MethodPost, "/v1/transform/to/:format", s.authorized(s.postTransform)},
		{http.MethodPost, "/v1/embed/xml", s.authorized(s.postEmbed)},
		{http.MethodPost, "/v1/parse/json", s.authorized(s.postParse)},
		{http.MethodGet, "/v1/bulk", s.asked(s.listBulk)},
		{http.MethodPost, "/v1/bulk", s.asked(s.postBulk, jobs.Parameters()...)},
		{http.MethodGet, "/v1/bulk/:id", s.asked(s.ofJob(s.getBulk))},
		{http.MethodDelete, "/v1/bulk/:id", s.asked(s.ofJob(s.deleteBulk))},
		{http.MethodGet, "/v1/bulk/:id/report", s.asked(s.ofJob(s.getBulkReport))},
		{http.MethodGet, "/v1/bulk/:id/results", s.asked(s.ofJob(s.getBulkResults), "part", "together")},
		{http.MethodGet, "/v1/rules", s.asked(s.getRules, "ruleset", "limit", "offset")},
		{http.MethodGet, "/v1/rules/:id", s.asked(s.getRule, "ruleset")},
		{http.MethodGet, "/v1/rulesets", s.asked(s.getRulesets)},
		{http.MethodGet, "/health/live", s.getLive},
		{http.MethodGet, "/health/ready", s.getReady},
		{http.MethodGet, "/metrics", s.getMetrics},
		{http.MethodGet, "/openapi.json", s.getOpenAPI},
		{http.MethodGet, "/docs", s.getDocs},
		{http.MethodGet, "/docs/examples/:name", s.getExample},
		{http.MethodPost, "/v1/workbench/:call", s.asked(s.postWorkbench)},
		{http.MethodPost, "/v1/rules/publish", s.asked(s.postPublish)},
		{http.MethodPost, "/v1/rules/rollback", s.asked(s.postRollback)},
		{http.MethodPost, "/v1/rules/approve", s.asked(s.postApprove)},
		{http.MethodPost, "/v1/rules/reject", s.asked(s.postReject)},
		{http.MethodPost, "/v1/rules/proposals", s.asked(s.postProposals)},
		{http.MethodPost, "/v1/rules/versions", s.asked(s.postVersions)},
		{http.MethodGet, "/app", s.getApp},
		{http.MethodGet, "/app/:name", s.getAppFile},
	}
	for _, f := range catalogue.Formats() {
		if f.Render == nil {
			continue
		}
		for _, to := range render.Formats() {
			table = append(table, route{http.MethodPost, "/v1/render/" + f.Name + "/to/" + to, s.authorized(s.postRender(f, to))})
		}
	}
	for _, from := range formats.All {
		for _, to := range formats.All {
			if from != to {
				path := fmt.Sprintf("/v1/convert/%s/to/%s", from.Syntax, to.Syntax)
				table = append(table, route{http.MethodPost, path, s.authorized(s.postConvert(from.Syntax, to.Syntax))})
			}
		}
	}
	for _, e := range extracts {
		table = append(table, route{http.MethodPost, "/v1/extract/" + e.what, s.authorized(s.postExtract(e))})
	}
	return append(table, s.listedRoutes(table)...)
}

// routes puts those of the table into a router whose paths are served.
func (s *Server) routes(served func(path string) bool) *httprouter.Router {
	table := s.table()
	taken := map[string]string{}
	for _, t := range table {
		if served(t.path) {
			taken[t.path] = t.method
		}
	}
	r := httprouter.New()
	r.RedirectTrailingSlash, r.RedirectFixedPath = false, false
	r.NotFound = s.plain("none", func(x *exchange) error {
		if path, slash := strings.CutSuffix(x.request.URL.Path, "/"); slash {
			if handle, _, _ := r.Lookup(x.request.Method, path); handle != nil {
				return newProblem(refusal.RouteUnknown, "Nothing is served under this path. Leave the slash at its end out: %s.", quote.Value(path))
			}
		}
		if near := besides(taken, x.request.URL.Path); len(near) > 0 {
			return newProblem(refusal.RouteUnknown, "Nothing is served under this path. Like it are %s. /docs lists all.", strings.Join(near, ", "))
		}
		return newProblem(refusal.RouteUnknown, "Nothing is served under this path. /docs lists what is.")
	})
	r.MethodNotAllowed = s.plain("none", func(x *exchange) error {
		return newProblem(refusal.Method, "This path takes %s.", x.Header().Get("Allow"))
	})
	for _, t := range table {
		if !served(t.path) {
			continue
		}
		if strings.Contains(t.path, ":") {
			t.answer = otherwise(taken, t.answer)
		}
		r.Handle(t.method, t.path, s.handle(t.path, t.answer))
		if t.method == http.MethodGet {
			r.Handle(http.MethodHead, t.path, s.handle(t.path, t.answer))
		}
	}
	return r
}

// mostBeside is how many paths an error names.
const mostBeside = 6

// besides are served paths that begin as one that is not: those of the same operation.
func besides(served map[string]string, path string) []string {
	parts := strings.SplitN(path, "/", 4) // "", v1, convert, more
	if len(parts) < 3 {
		return nil
	}
	operation := strings.Join(parts[:3], "/")
	var near []string
	for _, p := range slices.Sorted(maps.Keys(served)) {
		if (p == operation || strings.HasPrefix(p, operation+"/")) && len(near) < mostBeside {
			near = append(near, inBraces(p))
		}
	}
	return near
}

// inBraces is the template of a route with its parameters in braces, as documents write them.
func inBraces(template string) string {
	parts := strings.Split(template, "/")
	for i, part := range parts {
		if name, is := strings.CutPrefix(part, ":"); is {
			parts[i] = "{" + name + "}"
		}
	}
	return strings.Join(parts, "/")
}

// otherwise refuses a path that is in the table by itself, with another method, where a route with
// a parameter would take its last part for a value: GET /v1/rules/versions names no rule.
func otherwise(taken map[string]string, answer handler) handler {
	return func(x *exchange) error {
		if method := taken[x.request.URL.Path]; method != "" {
			x.Header().Set("Allow", method)
			return newProblem(refusal.Method, "This path takes %s.", method)
		}
		return answer(x)
	}
}

// handle runs a handler of a route. The router's ResponseWriter is the exchange
// that ServeHTTP made.
func (s *Server) handle(route string, h handler) httprouter.Handle {
	return func(w http.ResponseWriter, _ *http.Request, params httprouter.Params) {
		x := w.(*exchange)
		x.route, x.params = route, params
		if err := h(x); err != nil && !errors.Is(err, errAnswered) {
			s.fail(x, err)
		}
		s.deliver(x)
	}
}

// plain is handle for what the router does without a route.
func (s *Server) plain(route string, h handler) http.Handler {
	handle := s.handle(route, h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(w, r, nil) })
}

func (s *Server) getHome(x *exchange) error {
	return x.sendJSON(http.StatusOK, "application/json", map[string]string{
		"service": "einvoice", "version": Version, "documentation": "/docs", "openapi": "/openapi.json",
	})
}
