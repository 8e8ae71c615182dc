package server

import (
	"bytes"
	"net/http"
	"strings"

	"einvoice/server/docs"
	"einvoice/server/refusal"
)

// sendPage sends a page. Nothing in it may load or run anything: the style is inside,
// and there are no scripts.
func (x *exchange) sendPage(status int, body []byte) error {
	h := x.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	return x.send(status, "text/html; charset=utf-8", body)
}

// getDocs is GET /docs.
func (s *Server) getDocs(x *exchange) error {
	var page bytes.Buffer
	if err := docs.Page(&page, docs.Address(x.request)); err != nil {
		return err
	}
	if err := x.sendPage(http.StatusOK, page.Bytes()); err != nil {
		return err
	}
	x.Header().Set("Content-Security-Policy", docs.Policy())
	return nil
}

// getExample is GET /docs/examples/{name}.
func (s *Server) getExample(x *exchange) error {
	name := x.params.ByName("name")
	data, kind, err := s.examples.Example(x.request.Context(), s.rules.Current().Service, name)
	switch {
	case err != nil:
		return err
	case data == nil:
		return newProblem(refusal.RouteUnknown, "There is no example %.40q. There are %s.", name, strings.Join(docs.ExampleNames, ", "))
	}
	x.Header().Set("Content-Disposition", disposition(name))
	return x.send(http.StatusOK, kind, data)
}

// getOpenAPI is GET /openapi.json.
func (s *Server) getOpenAPI(x *exchange) error {
	if err := x.readQuery("forms"); err != nil {
		return err
	}
	forms := x.query.Get("forms")
	body, err := docs.OpenAPIWith(forms)
	if err != nil {
		return err
	}
	if body == nil {
		return newProblem(refusal.Query, "There are no forms %.40q. There are %s.", forms, strings.Join(docs.Forms(), ", "))
	}
	return x.send(http.StatusOK, "application/json", body)
}
