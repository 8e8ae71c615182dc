package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"einvoice/rulesets"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// Example files, for trying the interface.
const (
	exampleUBL    = "invoice-ubl.xml"
	exampleCII    = "invoice-cii.xml"
	exampleJSON   = "invoice.json"
	exampleHybrid = "invoice.pdf"
	exampleLetter = "letter.pdf" // pages alone
)

var exampleNames = []string{exampleUBL, exampleCII, exampleJSON, exampleHybrid, exampleLetter}

// examples are the files; PDFs are made when one is asked for first.
type examples struct {
	mu    sync.Mutex
	files map[string][]byte
}

// getExample is GET /docs/examples/{name}.
func (s *Server) getExample(x *exchange) error {
	name := x.params.ByName("name")
	if !slices.Contains(exampleNames, name) {
		return newProblem(codeRouteUnknown, "There is no example %.40q. There are %s.", name, strings.Join(exampleNames, ", "))
	}
	files, err := s.examples.all(x.request.Context(), s.reloader.current.Load().service)
	if err != nil {
		return err
	}
	kind := write.MediaTypeXML
	switch {
	case strings.HasSuffix(name, ".pdf"):
		kind = write.MediaTypePDF
	case strings.HasSuffix(name, ".json"):
		kind = "application/json"
	}
	x.Header().Set("Content-Disposition", disposition(name))
	return x.send(http.StatusOK, kind, files[name])
}

func (e *examples) all(ctx context.Context, s *operation.Kit) (map[string][]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.files != nil {
		return e.files, nil
	}
	files := map[string][]byte{exampleJSON: create.Example}
	for name, base := range map[string]string{exampleUBL: "examples/base-ubl.xml", exampleCII: "examples/base-cii.xml"} {
		data, err := rulesets.FS.ReadFile(base)
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	request, err := create.ReadRequest(create.Example)
	if err != nil {
		return nil, err
	}
	made, err := create.Document(ctx, s.Pages, "facturx", request)
	if err != nil {
		return nil, fmt.Errorf("the example %s: %w", exampleHybrid, err)
	}
	doc, err := s.Read(ctx, files[exampleCII], validate.Accept{})
	if err != nil {
		return nil, err
	}
	pages, err := s.Pages.Document(ctx, doc, render.Options{})
	if err != nil {
		return nil, fmt.Errorf("the example %s: %w", exampleLetter, err)
	}
	files[exampleHybrid], files[exampleLetter] = made.Data, pages.Data
	e.files = files
	return files, nil
}
