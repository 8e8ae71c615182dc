package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"einvoice/rulesets"

	"gopkg.in/yaml.v3"
)

// openapiYAML is kept by hand; tests hold it to the code. Only the error
// codes and example invoices are filled in, so that they stand in one place.
//
//go:embed openapi.yaml
var openapiYAML []byte

// openapiDocument is the document as a tree, with the error codes.
var openapiDocument = sync.OnceValues(func() (map[string]any, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(openapiYAML, &doc); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	schema, ok := schemas["ErrorCode"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.yaml: there is no schema ErrorCode")
	}
	codes := make([]any, len(ErrorCodes))
	var list strings.Builder
	fmt.Fprintf(&list, "%s\n\n", schema["description"])
	for i, c := range ErrorCodes {
		codes[i] = c.Code
		fmt.Fprintf(&list, "- `%s` (%d): %s\n", c.Code, c.Status, c.Meaning)
	}
	schema["enum"], schema["description"] = codes, list.String()
	return doc, addExamples(doc)
})

// addExamples puts an invoice of each syntax beside the bodies that validate
// takes: those that the examples of the rules begin with.
func addExamples(doc map[string]any) error {
	body := docsTree(doc).sub("paths").sub("/v1/validate/{format}").sub("post").sub("requestBody").sub("content")
	for _, e := range []struct{ mediaType, file string }{{"application/xml", "examples/base-ubl.xml"}, {"text/xml", "examples/base-cii.xml"}} {
		media := body.sub(e.mediaType)
		if media == nil {
			return fmt.Errorf("openapi.yaml: validate does not take %s", e.mediaType)
		}
		data, err := rulesets.FS.ReadFile(e.file)
		if err != nil {
			return err
		}
		media["example"] = string(data)
	}
	return nil
}

// OpenAPI is the document that describes the interface, as JSON.
var OpenAPI = sync.OnceValues(func() ([]byte, error) {
	doc, err := openapiDocument()
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(doc, "", "  ")
})

func (s *Server) getOpenAPI(x *exchange) error {
	body, err := OpenAPI()
	if err != nil {
		return err
	}
	return x.send(http.StatusOK, "application/json", body)
}
