package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"einvoice/rulesets"
	"einvoice/service/create"

	"gopkg.in/yaml.v3"
)

// openapiYAML is kept by hand; tests hold it to the code. Only the error codes,
// the terms of an invoice and example invoices are filled in, so that they stand
// in one place.
//
//go:embed openapi.yaml
var openapiYAML []byte

// openapiDocument is the document as a tree, with the error codes.
var openapiDocument = sync.OnceValues(readOpenAPI)

func readOpenAPI() (map[string]any, error) {
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
	if err := addInvoice(schemas); err != nil {
		return nil, err
	}
	if paths, ok := doc["paths"].(map[string]any); ok {
		describeListed(paths)
	}
	return doc, addExamples(doc)
}

// addExamples puts an invoice of each form beside the bodies that are taken: of
// UBL and CII those that the examples of the rules begin with.
func addExamples(doc map[string]any) error {
	const ubl, cii = "examples/base-ubl.xml", "examples/base-cii.xml"
	for _, e := range []struct{ path, mediaType, file string }{
		{"/v1/validate/{format}", "application/xml", ubl}, {"/v1/validate/{format}", "text/xml", cii},
		{"/v1/transform/to/{format}", "application/xml", ubl}, {"/v1/transform/to/{format}", "text/xml", cii},
		{"/v1/extract/xml", "application/xml", ubl}, {"/v1/extract/json", "application/xml", cii}, {"/v1/extract/attachments", "application/xml", ubl},
		{"/v1/convert/ubl/to/cii", "application/xml", ubl}, {"/v1/convert/cii/to/ubl", "application/xml", cii},
	} {
		media := docsTree(doc).sub("paths").sub(e.path).sub("post").sub("requestBody").sub("content").sub(e.mediaType)
		if media == nil {
			return fmt.Errorf("openapi.yaml: %s does not take %s", e.path, e.mediaType)
		}
		data, err := rulesets.FS.ReadFile(e.file)
		if err != nil {
			return err
		}
		media["example"] = string(data)
	}
	media := docsTree(doc).sub("paths").sub("/v1/create/{format}").sub("post").sub("requestBody").sub("content").sub("application/json")
	if media == nil {
		return fmt.Errorf("openapi.yaml: create does not take JSON")
	}
	var request any
	if err := json.Unmarshal(create.Example, &request); err != nil {
		return err
	}
	media["example"] = request
	return nil
}

// OpenAPI is the document that describes the interface to generators of clients, as JSON.
var OpenAPI = sync.OnceValues(func() ([]byte, error) {
	doc, err := readOpenAPI() // one of its own, which is changed
	if err != nil {
		return nil, err
	}
	forClients(doc)
	return json.MarshalIndent(doc, "", "  ")
})

func (s *Server) getOpenAPI(x *exchange) error {
	body, err := OpenAPI()
	if err != nil {
		return err
	}
	return x.send(http.StatusOK, "application/json", body)
}
