package server

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"einvoice/server/refusal"
)

// isLocal refuses what a page of another origin could have a browser of this machine send
// where there are no keys: a request under the page's own name, which leads to this address
// by DNS (rebinding), and one that changes something and is of another origin.
func (s *Server) isLocal(r *http.Request) error {
	if !s.unguarded {
		return nil
	}
	host := (&url.URL{Host: r.Host}).Hostname()
	if !isOfThisMachine(host) && !slices.ContainsFunc(s.config.Hosts, func(known string) bool { return strings.EqualFold(known, host) }) {
		return newProblem(refusal.OriginForbidden, "The request is for the host %.60q, and without keys this server answers for this machine alone. Use 127.0.0.1, or name the host in the setting hosts.", host)
	}
	if err := s.origins.Check(r); err != nil && !slices.Contains(s.config.CORSOrigins, "*") {
		return newProblem(refusal.OriginForbidden, "The request comes from a page of another origin. Without keys this server takes none but from pages of its own and of the setting cors-origins.")
	}
	return nil
}

// isOfThisMachine reports whether the name of a host always leads to this machine (RFC 6761,
// 6.3, for localhost).
func isOfThisMachine(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// newOrigins knows the pages that may have a browser send requests that change something.
func newOrigins(trusted []string) *http.CrossOriginProtection {
	origins := http.NewCrossOriginProtection()
	for _, origin := range trusted {
		_ = origins.AddTrustedOrigin(origin) // * is not an origin, and the others were checked
	}
	return origins
}
