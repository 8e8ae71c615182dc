package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"einvoice/engine/expr"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/source"
)

// EncodeValue returns a value as JSON without the escapes that only HTML needs; indent is that
// of package encoding/json.
func EncodeValue(value any, indent string) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, indent)
	err := encoder.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// Flatten returns a value of an expression in a form that JSON can write. An element becomes
// its path.
func Flatten(doc *model.Document, value any) any {
	switch v := value.(type) {
	case model.Decimal:
		return json.Number(v.String())
	case model.Date:
		return v.ISO()
	case expr.Binary:
		return numeral.Count(len(v), "character") + " of base64"
	case source.Node:
		position := doc.Source.Position(v.Ref())
		return fmt.Sprintf("%s (%d:%d)", doc.Source.Path(v.Ref()), position.Line, position.Column)
	case model.Object:
		return members(v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = Flatten(doc, v[i])
		}
		return all
	}
	return value
}

// members are the fields of a group that are there, in the order of the model.
func members(o model.Object) jsoninvoice.Ordered {
	out := jsoninvoice.Ordered{}
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		if !o.Has(f) {
			continue
		}
		out = append(out, jsoninvoice.OrderedMember{Name: f.Name, Value: field(o, f)})
	}
	return out
}

func field(o model.Object, f *model.Field) any {
	switch f.Kind {
	case model.KindNumber, model.KindAmount:
		return o.Number(f)
	case model.KindDate:
		return o.Date(f)
	case model.KindBinary:
		return Flatten(nil, expr.Binary(o.Raw(f)))
	case model.KindGroup:
		return members(o.Group(f))
	case model.KindList:
		list := o.List(f)
		all := make([]jsoninvoice.Ordered, list.Len())
		for i := range all {
			all[i] = members(list.At(i))
		}
		return all
	}
	return o.Raw(f)
}
