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
	s := schema{defs: map[string]any{}, base: base}
	s.group(t)
	return s.defs
}

type schema struct {
	defs map[string]any
	base string
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
	about = append(about, OrderedMember{"description", described})
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
	if f.Class == model.ClassIndicator {
		return append(about, OrderedMember{"type", []string{"boolean", "string", "null"}}, OrderedMember{"enum", []any{true, false, "true", "false", "1", "0", nil}})
	}
	return append(about, OrderedMember{"type", []string{"string", "null"}})
}
