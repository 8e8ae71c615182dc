package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// openapiYAML is kept by hand; tests hold it to the code. Only the enumeration
// of error codes is filled in from the registry, so that it stands in one place.
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
	return doc, nil
})

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
