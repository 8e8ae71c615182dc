package docs

import (
	"context"
	"fmt"
	"io/fs"
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

// ExampleNames are the names of all.
var ExampleNames = []string{exampleUBL, exampleCII, exampleJSON, exampleHybrid, exampleLetter}

// Examples are the files.
type Examples struct {
	mu    sync.Mutex
	files map[string][]byte
}

// Example is one of the files by its name, with its media type; nil where there is none. PDFs
// are made when one is asked for first.
func (e *Examples) Example(ctx context.Context, s *operation.Kit, name string) (data []byte, kind string, err error) {
	if !slices.Contains(ExampleNames, name) {
		return nil, "", nil
	}
	files, err := e.all(ctx, s)
	kind = write.MediaTypeXML
	switch {
	case strings.HasSuffix(name, ".pdf"):
		kind = write.MediaTypePDF
	case strings.HasSuffix(name, ".json"):
		kind = "application/json"
	}
	return files[name], kind, err
}

func (e *Examples) all(ctx context.Context, s *operation.Kit) (map[string][]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.files != nil {
		return e.files, nil
	}
	files := map[string][]byte{exampleJSON: create.Example}
	for name, base := range map[string]string{exampleUBL: "examples/base-ubl.xml", exampleCII: "examples/base-cii.xml"} {
		data, err := fs.ReadFile(rulesets.FS, base)
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	request, err := create.ReadRequest(ctx, create.Example)
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
