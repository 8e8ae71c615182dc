package server

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"einvoice/model/nearest"
	"einvoice/server/refusal"
)

// asked wraps the handlers of /v1 whose parameters are all in the query: it takes these, each
// once, and refuses all others. Handlers find them in x.query.
func (s *Server) asked(h handler, parameters ...string) handler {
	return s.authorized(func(x *exchange) error {
		if err := x.readQuery(parameters...); err != nil {
			return err
		}
		return h(x)
	})
}

// readQuery reads the parameters of a request that takes these.
func (x *exchange) readQuery(parameters ...string) (err error) {
	if x.query, err = parseQuery(x.request.URL.RawQuery); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(x.query)) {
		if !slices.Contains(parameters, name) {
			return notTaken(refusal.Query, name, parameters, false)
		}
		if len(x.query[name]) > 1 {
			return newProblem(refusal.Query, "Give the parameter %q once.", name)
		}
	}
	return nil
}

func parseQuery(raw string) (url.Values, error) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, newProblem(refusal.Query, "The query cannot be taken apart. Write it as name=value&name=value, with what is special percent-encoded.")
	}
	return query, nil
}

// notTaken is the problem of a parameter, or a part of a form, that a request has and its
// endpoint does not take: most are misspelt, and would be missed without a word. terms says that
// any term of the invoice is taken too.
func notTaken(code, name string, taken []string, terms bool) *Problem {
	name, near, these := fmt.Sprintf("%.40s", name), nearest.Of(name, taken), strings.Join(taken, ", ")
	switch {
	case terms && near != "":
		return newProblem(code, "The request has %q, which this endpoint does not take. Did you mean %q? It takes %s, and terms of the invoice such as seller.contact.name.", name, near, these)
	case terms:
		return newProblem(code, "The request has %q, which this endpoint does not take. It takes %s, and terms of the invoice such as seller.contact.name.", name, these)
	case near != "":
		return newProblem(code, "The request has %q, which this endpoint does not take. Did you mean %q? It takes %s.", name, near, these)
	case these != "":
		return newProblem(code, "The request has %q, which this endpoint does not take. It takes %s.", name, these)
	}
	return newProblem(code, "The request has the parameter %q. This endpoint takes none: leave it out.", name)
}
