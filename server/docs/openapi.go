package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"einvoice/formats/jsoninvoice"
	"einvoice/rulesets"
	"einvoice/server/refusal"
	"einvoice/service/create"
	"einvoice/service/operation"

	"gopkg.in/yaml.v3"
)

// document is openapi.yaml as a tree. That file is kept by hand; tests hold it to the code.
// Only the error codes, the terms of an invoice and example invoices are filled in, so that
// they stand in one place.
var document = sync.OnceValues(func() (map[string]any, error) { return readOpenAPI(jsoninvoice.Usual) })

func readOpenAPI(forms jsoninvoice.Forms) (map[string]any, error) {
	data, err := text()
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	schema, ok := schemas["ErrorCode"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.yaml: there is no schema ErrorCode")
	}
	codes := make([]any, len(refusal.Codes))
	var list strings.Builder
	fmt.Fprintf(&list, "%s\n\n", schema["description"])
	for i, c := range refusal.Codes {
		codes[i] = c.Code
		fmt.Fprintf(&list, "- `%s` (%d): %s\n", c.Code, c.Status, c.Meaning)
	}
	schema["enum"], schema["description"] = codes, list.String()
	if err := addInvoice(schemas, forms); err != nil {
		return nil, err
	}
	if err := requireMembers(doc, schemas); err != nil {
		return nil, err
	}
	if paths, ok := doc["paths"].(map[string]any); ok {
		describeListed(paths)
	}
	return doc, addExamples(doc, forms)
}

// requireMembers says in the schemas of groups which members the contract requires.
func requireMembers(doc, schemas map[string]any) error {
	required, _ := doc["x-required"].(map[string]any)
	delete(doc, "x-required")
	for name, members := range required {
		schema, ok := schemas[name].(map[string]any)
		if !ok {
			return fmt.Errorf("openapi.yaml: x-required names %s, which is not a schema", name)
		}
		schema["required"] = members
	}
	return nil
}

// addExamples puts an invoice of each form beside the bodies that are taken: of
// UBL and CII those that the examples of the rules begin with.
func addExamples(doc map[string]any, forms jsoninvoice.Forms) error {
	const ubl, cii = "examples/base-ubl.xml", "examples/base-cii.xml"
	for _, e := range []struct{ path, mediaType, file string }{
		{"/v1/validate/{format}", "application/xml", ubl}, {"/v1/validate/{format}", "text/xml", cii},
		{"/v1/transform/to/{format}", "application/xml", ubl}, {"/v1/transform/to/{format}", "text/xml", cii},
		{"/v1/extract/xml", "application/xml", ubl}, {"/v1/extract/json", "application/xml", cii}, {"/v1/extract/attachments", "application/xml", ubl},
		{"/v1/convert/ubl/to/cii", "application/xml", ubl}, {"/v1/convert/cii/to/ubl", "application/xml", cii},
	} {
		media := tree(doc).sub("paths").sub(e.path).sub("post").sub("requestBody").sub("content").sub(e.mediaType)
		if media == nil {
			return fmt.Errorf("openapi.yaml: %s does not take %s", e.path, e.mediaType)
		}
		data, err := fs.ReadFile(rulesets.FS, e.file)
		if err != nil {
			return err
		}
		media["example"] = string(data)
	}
	media := tree(doc).sub("paths").sub("/v1/create/{format}").sub("post").sub("requestBody").sub("content").sub("application/json")
	if media == nil {
		return fmt.Errorf("openapi.yaml: create does not take JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(create.Example))
	if forms == jsoninvoice.Texts {
		decoder.UseNumber()
	}
	var request any
	if err := decoder.Decode(&request); err != nil {
		return err
	}
	media["example"] = inTexts(request)
	return nil
}

// inTexts is a value with the numbers that kept their digits as texts.
func inTexts(value any) any {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case map[string]any:
		for name := range v {
			v[name] = inTexts(v[name])
		}
	case []any:
		for i := range v {
			v[i] = inTexts(v[i])
		}
	}
	return value
}

// OpenAPI is the document that describes the interface to generators of clients, as JSON.
func OpenAPI() ([]byte, error) { return OpenAPIWith(string(jsoninvoice.Usual)) }

// Forms are the names of the forms of requests that the document can have, beside the usual
// ones.
func Forms() []string { return []string{string(jsoninvoice.Texts), string(jsoninvoice.Every)} }

// OpenAPIWith is OpenAPI with terms of requests in the forms of a name; nil if there are none.
func OpenAPIWith(forms string) ([]byte, error) {
	if read := handedOut[jsoninvoice.Forms(forms)]; read != nil {
		return read()
	}
	return nil, nil
}

// handedOut are the documents, each made when it is first asked for.
var handedOut = map[jsoninvoice.Forms]func() ([]byte, error){
	jsoninvoice.Usual: handOut(jsoninvoice.Usual), jsoninvoice.Texts: handOut(jsoninvoice.Texts), jsoninvoice.Every: handOut(jsoninvoice.Every),
}

func handOut(forms jsoninvoice.Forms) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		doc, err := readOpenAPI(forms) // one of its own, which is changed
		if err != nil {
			return nil, err
		}
		forClients(doc)
		return json.MarshalIndent(doc, "", "  ")
	})
}

// Whole is the document with every media type, as the page shows it.
func Whole() (map[string]any, error) { return document() }

// describeListed adds the operations of the list that the document does not describe, which
// are served under /v1/{name}/to/{to}.
func describeListed(paths map[string]any) {
	for _, of := range operation.All {
		if described(paths, of.Name) {
			continue
		}
		answers := map[string]any{"200": map[string]any{"description": "What was made."}, "default": map[string]any{"description": "A problem, as of every other operation."}}
		body := map[string]any{"required": true, "content": map[string]any{"application/octet-stream": map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}}}
		for _, to := range of.To() {
			paths["/v1/"+of.Name+"/to/"+to] = map[string]any{"post": map[string]any{"summary": of.Words, "requestBody": body, "responses": answers}}
		}
	}
}

// described reports whether there are paths of an operation.
func described(paths map[string]any, name string) bool {
	for path := range paths {
		if strings.HasPrefix(path, "/v1/"+name+"/") {
			return true
		}
	}
	return false
}
