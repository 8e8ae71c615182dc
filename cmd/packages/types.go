package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/server/docs"
)

// A kind is what a member is in every language.
type kind int

const (
	text   kind = iota
	amount      // of a request: a number, or a text that keeps its digits
	number
	integer
	boolean
	anything
	list
	group
)

// A typ is the type of a member.
type typ struct {
	kind   kind
	name   string // of a group
	of     *typ   // of a list
	values []string
}

// A member is one of a group.
type member struct {
	name, about        string
	typ                *typ
	required, nullable bool
}

// A record is a group of members with a name.
type record struct {
	name, about string
	members     []member
}

// ofHTTP are the members of problems that say what HTTP says.
var ofHTTP = []string{"type", "title", "status", "requestId"}

// problems are the schemas of which the packages have one.
var problems = []string{"ProblemDetails", "RequestProblem", "ValidationProblem", "LossProblem"}

// roots are the schemas that calls take and give.
var roots = []string{"ValidationResult", "ConvertedDocument", "MadeDocument", "CreateInvoiceRequest"}

// records are the types of the packages, sorted by name: those of the OpenAPI document, but a
// validation may say that an invoice is not valid, and there is one kind of problem.
func records() ([]record, error) {
	data, err := docs.OpenAPI()
	if err != nil {
		return nil, err
	}
	var document struct {
		Components struct {
			Schemas map[string]map[string]any `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	r := &reader{schemas: document.Components.Schemas, records: map[string]*record{}}
	if err := r.oneProblem(); err != nil {
		return nil, err
	}
	for _, name := range append([]string{"Problem"}, roots...) {
		if _, err := r.named(name); err != nil {
			return nil, err
		}
	}
	valid := r.find("ValidationResult", "valid")
	if valid == nil {
		return nil, fmt.Errorf("the OpenAPI document has no ValidationResult with valid")
	}
	valid.about = "Whether the invoice violates no rule of level fatal."
	var all []record
	for _, name := range slices.Sorted(maps.Keys(r.records)) {
		all = append(all, *r.records[name])
	}
	return all, nil
}

// A reader makes records of schemas.
type reader struct {
	schemas map[string]map[string]any
	records map[string]*record
}

func (r *reader) find(name, of string) *member {
	if found := r.records[name]; found != nil {
		for i := range found.members {
			if found.members[i].name == of {
				return &found.members[i]
			}
		}
	}
	return nil
}

// oneProblem adds the schema Problem, which has the members of all problems.
func (r *reader) oneProblem() error {
	properties, errors := map[string]any{}, map[string]any{}
	for _, name := range problems {
		schema := r.schemas[name]
		if schema == nil {
			return fmt.Errorf("the OpenAPI document has no %s", name)
		}
		for name, p := range object(schema["properties"]) {
			if name == "errors" {
				maps.Copy(errors, object(object(p)["properties"]))
			} else if !slices.Contains(ofHTTP, name) {
				properties[name] = p
			}
		}
	}
	properties["errors"] = map[string]any{"type": "object", "properties": errors, "description": "The same as texts."}
	properties["errorCode"] = map[string]any{"type": "string", "description": "A stable code."}
	r.schemas["Problem"] = map[string]any{
		"type": "object", "description": "Why a call has no result.", "properties": properties, "required": []any{"errorCode", "detail"},
	}
	return nil
}

// named is the type of a schema with a name; one that has no members of its own is what it is.
func (r *reader) named(name string) (*typ, error) {
	schema := r.schemas[name]
	if schema == nil {
		return nil, fmt.Errorf("the OpenAPI document has no schema %s", name)
	}
	return r.typ(schema, name)
}

func (r *reader) typ(schema map[string]any, name string) (*typ, error) {
	if ref, ok := schema["$ref"].(string); ok {
		return r.named(ref[strings.LastIndexByte(ref, '/')+1:])
	}
	if all, ok := schema["allOf"].([]any); ok && len(all) == 1 {
		return r.typ(object(all[0]), name)
	}
	switch kind, _ := schema["type"].(string); kind {
	case "string":
		t := &typ{kind: text}
		values, _ := schema["enum"].([]any)
		for _, value := range values {
			if value != nil {
				t.values = append(t.values, fmt.Sprint(value))
			}
		}
		return t, nil
	case "number":
		if schema["nullable"] == true { // as the terms of requests are
			return &typ{kind: amount}, nil
		}
		return &typ{kind: number}, nil
	case "integer":
		return &typ{kind: integer}, nil
	case "boolean":
		return &typ{kind: boolean}, nil
	case "array":
		of, err := r.typ(object(schema["items"]), name+"Item")
		return &typ{kind: list, of: of}, err
	case "object":
		return r.group(schema, name)
	case "":
		return &typ{kind: anything}, nil
	}
	return nil, fmt.Errorf("%s: no package has a type for %v", name, schema["type"])
}

// group makes a record of a schema with members.
func (r *reader) group(schema map[string]any, name string) (*typ, error) {
	t := &typ{kind: group, name: name}
	if r.records[name] != nil {
		return t, nil
	}
	properties := object(schema["properties"])
	if len(properties) == 0 {
		return &typ{kind: anything}, nil
	}
	about, _ := schema["description"].(string)
	of := &record{name: name, about: about}
	r.records[name] = of
	required, _ := schema["required"].([]any)
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		p := object(properties[key])
		kind, err := r.typ(p, name+strings.ToUpper(key[:1])+key[1:])
		if err != nil {
			return nil, err
		}
		title, _ := p["title"].(string)
		about, _ := p["description"].(string)
		if title != "" {
			about = title + " (" + about + ")"
		}
		nullable, _ := p["nullable"].(bool)
		of.members = append(of.members, member{key, about, kind, slices.Contains(required, any(key)), nullable})
	}
	return t, nil
}

func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}
