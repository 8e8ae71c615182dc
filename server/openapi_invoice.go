package server

import (
	"encoding/json"
	"fmt"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/service"
)

// addInvoice adds to the schemas of the OpenAPI document that of a request to
// create an invoice, with all terms, as the model has them; and the formats and
// languages that there are.
func addInvoice(schemas map[string]any) error {
	const base = "#/components/schemas/"
	request := model.TypeOf[service.Request]()
	// The definitions keep their order when they are written; the rest of the
	// document is plain maps.
	text, err := json.Marshal(jsoninvoice.Definitions(request, base))
	if err != nil {
		return err
	}
	var definitions map[string]any
	if err := json.Unmarshal(text, &definitions); err != nil {
		return err
	}
	// Elsewhere in the document a bare "Request" would say nothing.
	const named = "CreateInvoiceRequest"
	definitions[named] = definitions[request.Name]
	delete(definitions, request.Name)
	for name, definition := range definitions {
		if _, taken := schemas[name]; taken {
			return fmt.Errorf("openapi.yaml: %s is the name of a group of the invoice as well", name)
		}
		schemas[name] = definition
	}
	for name, values := range map[string][]string{"MadeFormat": service.FormatsToCreate(), "Language": service.Languages()} {
		schema, ok := schemas[name].(map[string]any)
		if !ok {
			return fmt.Errorf("openapi.yaml: there is no schema %s", name)
		}
		enum := make([]any, len(values))
		for i, value := range values {
			enum[i] = value
		}
		schema["enum"] = enum
	}
	return nil
}
