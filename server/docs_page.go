package server

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"einvoice/model/template"
	"einvoice/service/report"
)

// docsPage is the OpenAPI document as a template wants it.
type docsPage struct {
	Style, Script               template.Safe
	Address, Examples           string
	Title, Version, Description string
	Operations                  []docsOperation
	Schemas                     []docsSchema
}

type docsOperation struct {
	ID, Method, Path, Summary, Description string
	Open                                   bool // needs no key
	Curl                                   string
	Fields                                 []docsField
	Parameters                             []docsParameter
	Bodies                                 []docsBody
	Responses                              []docsResponse
}

type docsParameter struct {
	Name, In, Description string
	Type                  docsType
}

type docsBody struct {
	MediaType string
	Type      docsType
}

type docsResponse struct {
	Status, Description string
	Bodies              []docsBody
}

type docsSchema struct {
	Name, Description string
	Type              docsType
	Properties        []docsProperty
}

type docsProperty struct {
	Name, Description string
	Required          bool
	Type              docsType
}

// A docsType is a text with links to schemas in it.
type docsType []docsPiece

type docsPiece struct{ Text, Ref string }

func (s *Server) getDocs(x *exchange) error {
	doc, err := openapiDocument()
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := docsPages().Execute(&page, "", docsOf(doc, addressOfPage(x.request))); err != nil {
		return err
	}
	if err := x.sendPage(http.StatusOK, page.Bytes()); err != nil {
		return err
	}
	x.Header().Set("Content-Security-Policy", tryPolicy())
	return nil
}

// A docsTree reads the document's nested maps; what is absent is empty.
type docsTree map[string]any

func (t docsTree) sub(key string) docsTree {
	m, _ := t[key].(map[string]any)
	return m
}

func (t docsTree) text(key string) string {
	if t[key] == nil {
		return ""
	}
	return fmt.Sprint(t[key])
}

func (t docsTree) keys() []string {
	return slices.Sorted(maps.Keys(t))
}

// resolve follows a reference within the document.
func (t docsTree) resolve(node docsTree) docsTree {
	ref, ok := strings.CutPrefix(node.text("$ref"), "#/")
	if !ok {
		return node
	}
	at := t
	for step := range strings.SplitSeq(ref, "/") {
		at = at.sub(step)
	}
	return at
}

func docsOf(doc docsTree, address string) *docsPage {
	info := doc.sub("info")
	p := &docsPage{Style: report.Style, Script: template.Safe(tryScript), Address: address, Examples: strings.Join(exampleNames, ","), Title: info.text("title"), Version: info.text("version"), Description: info.text("description")}
	tags, _ := doc["tags"].([]any)
	for _, tag := range tags {
		m, _ := tag.(map[string]any)
		p.addOperations(doc, docsTree(m).text("name"))
	}
	schemas := doc.sub("components").sub("schemas")
	for _, name := range schemas.keys() {
		p.Schemas = append(p.Schemas, schemaOf(name, schemas.sub(name)))
	}
	return p
}

func (p *docsPage) addOperations(doc docsTree, tag string) {
	paths := doc.sub("paths")
	for _, path := range paths.keys() {
		for _, method := range paths.sub(path).keys() {
			o := paths.sub(path).sub(method)
			tags, _ := o["tags"].([]any)
			if !slices.Contains(tags, any(tag)) {
				continue
			}
			op := docsOperation{ID: o.text("operationId"), Method: strings.ToUpper(method), Path: path, Summary: o.text("summary"), Description: o.text("description")}
			security, given := o["security"].([]any)
			op.Open = given && len(security) == 0
			parameters, _ := o["parameters"].([]any)
			for _, node := range parameters {
				m, _ := node.(map[string]any)
				q := doc.resolve(m)
				op.Parameters = append(op.Parameters, docsParameter{q.text("name"), q.text("in"), q.text("description"), typeOfSchema(q.sub("schema"))})
			}
			op.Bodies = bodiesOf(o.sub("requestBody"))
			op.Curl, op.Fields = curlOf(op.ID, p.Address, op.Open), tryFields(doc, o)
			responses := o.sub("responses")
			for _, status := range responses.keys() {
				r := doc.resolve(responses.sub(status))
				op.Responses = append(op.Responses, docsResponse{status, r.text("description"), bodiesOf(r)})
			}
			p.Operations = append(p.Operations, op)
		}
	}
}

func bodiesOf(node docsTree) (bodies []docsBody) {
	content := node.sub("content")
	for _, mediaType := range content.keys() {
		bodies = append(bodies, docsBody{mediaType, typeOfSchema(content.sub(mediaType).sub("schema"))})
	}
	return bodies
}

func schemaOf(name string, schema docsTree) docsSchema {
	s := docsSchema{Name: name, Description: schema.text("description"), Type: typeOfSchema(schema)}
	required, _ := schema["required"].([]any)
	properties := schema.sub("properties")
	for _, key := range properties.keys() {
		q := properties.sub(key)
		s.Properties = append(s.Properties, docsProperty{key, q.text("description"), slices.Contains(required, any(key)), typeOfSchema(q)})
	}
	return s
}

// typeOfSchema says in words what a schema allows.
func typeOfSchema(schema docsTree) docsType {
	if ref := schema.text("$ref"); ref != "" {
		return docsType{{Ref: ref[strings.LastIndex(ref, "/")+1:]}}
	}
	if all, ok := schema["anyOf"].([]any); ok {
		var out docsType
		for i, one := range all {
			if i > 0 {
				out = append(out, docsPiece{Text: " or "})
			}
			m, _ := one.(map[string]any)
			out = append(out, typeOfSchema(m)...)
		}
		return out
	}
	if c, ok := schema["const"]; ok {
		return docsType{{Text: fmt.Sprintf("%v", c)}}
	}
	if enum, ok := schema["enum"].([]any); ok {
		const most = 8 // longer ones are told in the description
		if len(enum) > most {
			return docsType{{Text: "one of the codes below"}}
		}
		return docsType{{Text: "one of " + joined(enum, ", ")}}
	}
	kind := schema.text("type")
	if kinds, ok := schema["type"].([]any); ok {
		kind = joined(kinds, " or ")
	}
	if items := schema.sub("items"); items != nil && strings.HasPrefix(kind, "array") {
		return append(docsType{{Text: kind + " of "}}, typeOfSchema(items)...)
	}
	if properties := schema.sub("properties").keys(); kind == "object" && len(properties) == 1 {
		kind += " with " + properties[0]
	}
	if kind == "" {
		kind = schema.text("description")
	}
	return docsType{{Text: kind}}
}

func joined(values []any, by string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, by)
}
