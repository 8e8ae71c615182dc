package server

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

// routes lists everything that is served.
func (s *Server) routes() *httprouter.Router {
	r := httprouter.New()
	r.RedirectTrailingSlash, r.RedirectFixedPath = false, false
	r.NotFound = s.plain("none", func(*exchange) error {
		return problem(codeRouteUnknown, "Nothing is served under this path. /docs lists what is.")
	})
	r.MethodNotAllowed = s.plain("none", func(x *exchange) error {
		return problem(codeMethod, "This path takes %s.", x.Header().Get("Allow"))
	})
	get := func(route string, h handler) {
		r.GET(route, s.handle(route, h))
		r.HEAD(route, s.handle(route, h))
	}
	get("/", s.getHome)
	get("/health/live", s.getLive)
	get("/health/ready", s.getReady)
	get("/metrics", s.getMetrics)
	get("/openapi.json", s.getOpenAPI)
	get("/docs", s.getDocs)
	r.POST("/v1/validate/:format", s.handle("/v1/validate/:format", s.authorized(s.postValidate)))
	get("/v1/rules", s.authorized(s.getRules))
	get("/v1/rules/:id", s.authorized(s.getRule))
	get("/v1/rulesets", s.authorized(s.getRulesets))
	return r
}

// handle runs a handler of a route. The router's ResponseWriter is the exchange
// that ServeHTTP made.
func (s *Server) handle(route string, h handler) httprouter.Handle {
	return func(w http.ResponseWriter, _ *http.Request, params httprouter.Params) {
		x := w.(*exchange)
		x.route, x.params = route, params
		if err := h(x); err != nil {
			s.fail(x, err)
		}
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
