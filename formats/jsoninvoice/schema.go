package jsoninvoice

import (
	"encoding/json"

	"einvoice/model"
)

// decimalPattern matches a number that is written as a string.
const decimalPattern = `^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)\s*$`

// Schema is the JSON Schema (draft 2020-12) of an invoice. It requires no terms: rules
// do that, and the service computes or sets some terms itself.
func Schema() []byte {
	t := model.InvoiceType()
	root := Ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "Invoice (EN 16931-1)"},
		{"$ref", "#/$defs/" + t.Name},
		{"$defs", Definitions(t, "#/$defs/")},
	}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // texts and maps of texts can always be encoded
	}
	return append(out, '\n')
}

// Definitions are the schemas of a type and of all groups inside it, by name. base is
// the reference to them in the document that contains them, such as #/$defs/.
func Definitions(t *model.Type, base string) map[string]any {
	s := schema{defs: map[string]any{}, base: base, member: anyForm}
	s.group(t)
	return s.defs
}

// Forms are the forms of terms that definitions for OpenAPI 3.0 have.
type Forms string

// The forms. Values may be null in all of them, which is as if they were not there.
const (
	// Usual is one type for each term, which generators make clients of: numbers and booleans
	// as such. What reads requests takes the other forms as well.
	Usual Forms = ""
	// Texts is Usual with numbers as texts, for clients whose numbers lose digits.
	Texts Forms = "text"
	// Every form is what is taken, for what checks requests on their way.
	Every Forms = "all"
)

// ClientDefinitions are Definitions for OpenAPI 3.0.
func ClientDefinitions(t *model.Type, base string, forms Forms) map[string]any {
	s := schema{defs: map[string]any{}, base: base, member: clientForm}
	switch forms {
	case Texts:
		s.member = textForm
	case Every:
		s.member = everyForm
	}
	s.group(t)
	return s.defs
}

type schema struct {
	defs   map[string]any
	base   string
	member func(s *schema, f *model.Field, about Ordered) Ordered
}

func (s *schema) ref(t *model.Type) map[string]any {
	s.group(t)
	return map[string]any{"$ref": s.base + t.Name}
}

func (s *schema) group(t *model.Type) {
	if _, done := s.defs[t.Name]; done {
		return
	}
	properties := make(Ordered, len(t.Fields))
	s.defs[t.Name] = Ordered{{"type", "object"}, {"properties", &properties}, {"additionalProperties", false}}
	for i := range t.Fields {
		properties[i] = OrderedMember{t.Fields[i].Name, s.field(&t.Fields[i])}
	}
}

func (s *schema) field(f *model.Field) Ordered {
	var about Ordered
	if f.Term != "" {
		about = append(about, OrderedMember{"title", f.Term})
	}
	described := f.Class
	if f.BT != "" {
		described = f.BT + ", " + described
	}
	if f.Card != "" {
		described += ", " + f.Card
	}
	if f.Extension != "" {
		described += ", " + f.Extension
	}
	return s.member(s, f, append(about, OrderedMember{"description", described}))
}

// anyForm is every form of a term that is taken.
func anyForm(s *schema, f *model.Field, about Ordered) Ordered {
	switch f.Kind {
	case model.KindGroup:
		return append(about, OrderedMember{"anyOf", []any{s.ref(f.Elem), map[string]any{"type": "null"}}})
	case model.KindList:
		return append(about, OrderedMember{"type", []string{"array", "null"}}, OrderedMember{"items", s.ref(f.Elem)})
	case model.KindNumber, model.KindAmount:
		return append(about, OrderedMember{"type", []string{"number", "string", "null"}}, OrderedMember{"pattern", decimalPattern})
	case model.KindDate:
		return append(about, OrderedMember{"type", []string{"string", "null"}}, OrderedMember{"format", "date"})
	case model.KindBinary:
		return append(about, OrderedMember{"type", []string{"string", "null"}}, OrderedMember{"contentEncoding", "base64"})
	}
	switch f.Class {
	case model.ClassIndicator:
		return append(about, OrderedMember{"type", []string{"boolean", "string", "null"}}, OrderedMember{"enum", []any{true, false, "true", "false", "1", "0", nil}})
	case model.ClassCode:
		return append(about, OrderedMember{"type", []string{"string", "integer", "null"}}, OrderedMember{"minimum", 0})
	}
	return append(about, OrderedMember{"type", []string{"string", "null"}})
}

// clientForm is the one form of a term that clients are made with.
func clientForm(s *schema, f *model.Field, about Ordered) Ordered {
	typ, format := "string", ""
	switch f.Kind {
	case model.KindGroup:
		return append(about, OrderedMember{"allOf", []any{s.ref(f.Elem)}})
	case model.KindList:
		return append(about, OrderedMember{"type", "array"}, OrderedMember{"nullable", true}, OrderedMember{"items", s.ref(f.Elem)})
	case model.KindNumber, model.KindAmount:
		typ = "number"
	case model.KindDate:
		format = "date"
	case model.KindBinary:
		format = "byte"
	}
	if f.Class == model.ClassIndicator {
		typ = "boolean"
	}
	about = append(about, OrderedMember{"type", typ}, OrderedMember{"nullable", true})
	if format != "" {
		about = append(about, OrderedMember{"format", format})
	}
	return about
}

// textForm is clientForm with numbers as texts.
func textForm(s *schema, f *model.Field, about Ordered) Ordered {
	if f.Kind == model.KindNumber || f.Kind == model.KindAmount {
		return append(about, OrderedMember{"type", "string"}, OrderedMember{"nullable", true}, OrderedMember{"pattern", decimalPattern})
	}
	return clientForm(s, f, about)
}

// everyForm is every form of a term that is taken, as OpenAPI 3.0 says it.
func everyForm(s *schema, f *model.Field, about Ordered) Ordered {
	anyOf := func(of ...map[string]any) Ordered {
		of[0]["nullable"] = true
		all := make([]any, len(of))
		for i := range of {
			all[i] = of[i]
		}
		return append(about, OrderedMember{"anyOf", all})
	}
	switch {
	case f.Kind == model.KindGroup:
		return append(about, OrderedMember{"anyOf", []any{s.ref(f.Elem), map[string]any{"type": "object", "nullable": true, "maxProperties": 0}}})
	case f.Kind == model.KindNumber || f.Kind == model.KindAmount:
		return anyOf(map[string]any{"type": "number"}, map[string]any{"type": "string", "pattern": decimalPattern})
	case f.Class == model.ClassIndicator:
		return anyOf(map[string]any{"type": "boolean"}, map[string]any{"type": "string", "enum": []any{"true", "false", "1", "0"}})
	case f.Class == model.ClassCode:
		return anyOf(map[string]any{"type": "string"}, map[string]any{"type": "integer", "minimum": 0})
	}
	return clientForm(s, f, about)
}
