package server

import (
	"net/http"
	"time"

	"github.com/rs/cors"
)

// forOrigins lets pages of the origins that are set call a handler.
func (s *Server) forOrigins(h http.Handler) http.Handler {
	if s.cors == nil {
		return h
	}
	return s.cors.Handler(h)
}

// preflightAge is how long a browser may remember the answer to a preflight request.
const preflightAge = 10 * time.Minute

// newCORS lets pages of these origins call the service (CORS, the Fetch standard); nil for
// none. Keys are sent in a header by the page, so that cookies and other credentials of
// the browser are not asked for.
func newCORS(origins []string) *cors.Cors {
	if len(origins) == 0 {
		return nil
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete},
		AllowedHeaders: []string{"Authorization", "Content-Type", "Content-Encoding", "Accept", "Accept-Language", "X-Request-Id", "Idempotency-Key", "If-None-Match", "Traceparent"},
		ExposedHeaders: []string{
			"X-Request-Id", "Content-Disposition", "Content-Language", "Retry-After", "RateLimit", "RateLimit-Policy", "Allow",
			"ETag", "Link", "Location", "WWW-Authenticate", "Bulk-State",
			"Invoice-Profile", "Invoice-Rulesets", "Invoice-Warnings", "Invoice-Losses", "Invoice-Legacy",
		},
		MaxAge: int(preflightAge / time.Second),
	})
}
