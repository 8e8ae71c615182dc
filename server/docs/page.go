// Package docs has the description of the interface, and the page of it with examples to try.
package docs

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"einvoice/model/template"
	"einvoice/service/report"
)

// wholePage is the OpenAPI document as a template wants it.
type wholePage struct {
	Style, Script               template.Safe
	Address, Examples           string
	Title, Version, Description string
	Operations                  []operationEntry
	Schemas                     []schemaEntry
}

type operationEntry struct {
	ID, Method, Path, Summary, Description string
	Open                                   bool // needs no key
	Curl                                   string
	Fields                                 []inputField
	Parameters                             []parameterEntry
	Bodies                                 []bodyEntry
	Responses                              []responseEntry
}

type parameterEntry struct {
	Name, In, Description string
	Type                  typeText
}

type bodyEntry struct {
	MediaType string
	Type      typeText
}

type responseEntry struct {
	Status, Description string
	Bodies              []bodyEntry
}

type schemaEntry struct {
	Name, Description string
	Type              typeText
	Properties        []propertyEntry
}

type propertyEntry struct {
	Name, Description string
	Required          bool
	Type              typeText
}

// A typeText is a text with links to schemas in it.
type typeText []typePiece

type typePiece struct{ Text, Ref string }

//go:embed pages/docs.html
var pageHTML string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.HTML(pageHTML, template.Functions{"text": marked})
})

// Page writes the page for who reached the service at an address. Policy is what it may run.
func Page(w io.Writer, address string) error {
	doc, err := document()
	if err != nil {
		return err
	}
	return pageTemplate().Execute(w, "", pageOf(doc, address))
}

// marked sets what is between backquotes as code.
func marked(text string) template.Safe {
	var out strings.Builder
	for i, piece := range strings.Split(text, "`") {
		piece = html.EscapeString(piece)
		if i%2 == 1 {
			piece = "<code>" + piece + "</code>"
		}
		out.WriteString(piece)
	}
	return template.Safe(out.String())
}

// A tree reads the document's nested maps; what is absent is empty.
type tree map[string]any

func (t tree) sub(key string) tree {
	m, _ := t[key].(map[string]any)
	return m
}

func (t tree) text(key string) string {
	if t[key] == nil {
		return ""
	}
	return fmt.Sprint(t[key])
}

func (t tree) keys() []string {
	return slices.Sorted(maps.Keys(t))
}

// resolve follows a reference within the document.
func (t tree) resolve(node tree) tree {
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

func pageOf(doc tree, address string) *wholePage {
	info := doc.sub("info")
	p := &wholePage{Style: report.Style, Script: template.Safe(tryScript), Address: address, Examples: strings.Join(ExampleNames, ","), Title: info.text("title"), Version: info.text("version"), Description: info.text("description")}
	tags, _ := doc["tags"].([]any)
	for _, tag := range tags {
		m, _ := tag.(map[string]any)
		p.addOperations(doc, tree(m).text("name"))
	}
	schemas := doc.sub("components").sub("schemas")
	for _, name := range schemas.keys() {
		p.Schemas = append(p.Schemas, schemaOf(name, schemas.sub(name)))
	}
	return p
}

func (p *wholePage) addOperations(doc tree, tag string) {
	paths := doc.sub("paths")
	for _, path := range paths.keys() {
		for _, method := range paths.sub(path).keys() {
			o := paths.sub(path).sub(method)
			tags, _ := o["tags"].([]any)
			if !slices.Contains(tags, any(tag)) {
				continue
			}
			op := operationEntry{ID: o.text("operationId"), Method: strings.ToUpper(method), Path: path, Summary: o.text("summary"), Description: o.text("description")}
			security, given := o["security"].([]any)
			op.Open = given && len(security) == 0
			parameters, _ := o["parameters"].([]any)
			for _, node := range parameters {
				m, _ := node.(map[string]any)
				q := doc.resolve(m)
				op.Parameters = append(op.Parameters, parameterEntry{q.text("name"), q.text("in"), q.text("description"), typeOfSchema(q.sub("schema"))})
			}
			op.Bodies = bodiesOf(o.sub("requestBody"))
			op.Curl, op.Fields = curlOf(op.ID, p.Address, op.Open), tryFields(doc, o)
			responses := o.sub("responses")
			for _, status := range responses.keys() {
				r := doc.resolve(responses.sub(status))
				op.Responses = append(op.Responses, responseEntry{status, r.text("description"), bodiesOf(r)})
			}
			p.Operations = append(p.Operations, op)
		}
	}
}

func bodiesOf(node tree) (bodies []bodyEntry) {
	content := node.sub("content")
	for _, mediaType := range content.keys() {
		bodies = append(bodies, bodyEntry{mediaType, typeOfSchema(content.sub(mediaType).sub("schema"))})
	}
	return bodies
}

func schemaOf(name string, schema tree) schemaEntry {
	s := schemaEntry{Name: name, Description: schema.text("description"), Type: typeOfSchema(schema)}
	required, _ := schema["required"].([]any)
	properties := schema.sub("properties")
	for _, key := range properties.keys() {
		q := properties.sub(key)
		s.Properties = append(s.Properties, propertyEntry{key, q.text("description"), slices.Contains(required, any(key)), typeOfSchema(q)})
	}
	return s
}

// typeOfSchema says in words what a schema allows.
func typeOfSchema(schema tree) typeText {
	if ref := schema.text("$ref"); ref != "" {
		return typeText{{Ref: ref[strings.LastIndex(ref, "/")+1:]}}
	}
	if all, ok := schema["anyOf"].([]any); ok {
		var out typeText
		for i, one := range all {
			if i > 0 {
				out = append(out, typePiece{Text: " or "})
			}
			m, _ := one.(map[string]any)
			out = append(out, typeOfSchema(m)...)
		}
		return out
	}
	if c, ok := schema["const"]; ok {
		return typeText{{Text: fmt.Sprintf("%v", c)}}
	}
	if enum, ok := schema["enum"].([]any); ok {
		const most = 8 // longer ones are told in the description
		if len(enum) > most {
			return typeText{{Text: "one of the codes below"}}
		}
		return typeText{{Text: "one of " + joined(enum, ", ")}}
	}
	kind := schema.text("type")
	if kinds, ok := schema["type"].([]any); ok {
		kind = joined(kinds, " or ")
	}
	if items := schema.sub("items"); items != nil && strings.HasPrefix(kind, "array") {
		return append(typeText{{Text: kind + " of "}}, typeOfSchema(items)...)
	}
	if properties := schema.sub("properties").keys(); kind == "object" && len(properties) == 1 {
		kind += " with " + properties[0]
	}
	if kind == "" {
		kind = schema.text("description")
	}
	return typeText{{Text: kind}}
}

func joined(values []any, by string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, by)
}
