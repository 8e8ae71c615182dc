package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/render"
)

// addInvoice adds to the schemas of the OpenAPI document that of a request to
// create an invoice, with all terms, as the model has them; and the formats and
// languages that there are. forms are those of the request's terms.
func addInvoice(schemas map[string]any, forms jsoninvoice.Forms) error {
	const base = "#/components/schemas/"
	request := model.TypeOf[create.Request]()
	// The definitions keep their order when they are written; the rest of the
	// document is plain maps.
	text, err := json.Marshal(jsoninvoice.ClientDefinitions(request, base, forms))
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
	if err := describeOptions(definitions, schemas); err != nil {
		return err
	}
	if definitions["InvoiceDocument"], err = invoiceDocument(definitions); err != nil {
		return err
	}
	for name, definition := range definitions {
		if _, taken := schemas[name]; taken {
			return fmt.Errorf("openapi.yaml: %s is the name of a group of the invoice as well", name)
		}
		schemas[name] = definition
	}
	for name, values := range map[string][]string{"MadeFormat": catalogue.ToCreate(), "Language": render.Languages(), "ProfileName": profileNames()} {
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

// invoiceDocument is the schema of an invoice that was read: it has the members of one that is
// made, and their values may be what their terms do not allow. A number that is none is a text
// there, so that a number has no type of its own here.
func invoiceDocument(definitions map[string]any) (map[string]any, error) {
	invoice, _ := definitions[model.InvoiceType().Name].(map[string]any)
	given, ok := invoice["properties"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.yaml: the request has no schema of the invoice")
	}
	properties := make(map[string]any, len(given))
	for i := range model.InvoiceType().Fields {
		f := &model.InvoiceType().Fields[i]
		from, _ := given[f.Name].(map[string]any)
		member := map[string]any{"title": from["title"], "description": from["description"]}
		switch f.Kind {
		case model.KindGroup:
			member["type"] = "object"
		case model.KindList:
			member["type"], member["items"] = "array", map[string]any{"type": "object"}
		case model.KindText, model.KindDate, model.KindBinary:
			member["type"] = "string"
		}
		properties[f.Name] = member
	}
	return map[string]any{
		"type": "object", "properties": properties,
		"description": "An invoice that was read, with the members that create takes. What was written is there even where it is not what its term allows: a number that is none is a text.",
	}, nil
}

// profileNames are the profiles that create and transform take, of any format.
func profileNames() (names []string) {
	for _, f := range catalogue.Formats() {
		if f.Create == nil {
			continue
		}
		for _, p := range f.Create.Profiles {
			for _, name := range []string{p.Name, p.ID} {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// describeOptions takes the options of create as the document describes them, in the place
// of their bare types; it describes the same ones.
func describeOptions(definitions, schemas map[string]any) error {
	const named = "Options"
	made, _ := definitions[named].(map[string]any)
	written, _ := schemas[named].(map[string]any)
	bare, _ := made["properties"].(map[string]any)
	described, _ := written["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(bare)) {
		if described[name] == nil {
			return fmt.Errorf("openapi.yaml: the option %s is not described", name)
		}
	}
	if len(described) != len(bare) {
		return fmt.Errorf("openapi.yaml: %d options are described, there are %d", len(described), len(bare))
	}
	delete(definitions, named)
	return nil
}
