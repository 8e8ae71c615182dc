package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine/expr"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/source"
)

// expressionError points at a mistake in an expression.
func expressionError(expression string, err error) error {
	var mistake *expr.Error
	if !errors.As(err, &mistake) || mistake.Line == 0 {
		return err
	}
	return pointAt(expression, mistake.Line, max(mistake.Column, 1), err)
}

// pointAt shows the line of an expression that an error is about.
func pointAt(expression string, line, column int, err error) error {
	lines := strings.Split(expression, "\n")
	if line > len(lines) {
		return err
	}
	return fmt.Errorf("%d:%d: %w\n  %s\n  %s^", line, column, err, lines[line-1], strings.Repeat(" ", column-1))
}

// longLine is how many bytes of a value are printed on one line.
const longLine = 100

// readable writes a value as JSON: behind two blanks on the same line, or indented
// below if that would be long. An element is its path.
func readable(doc *model.Document, value any) string {
	flat := flatten(doc, value)
	text, err := encode(flat, "")
	if _, isText := flat.(string); err == nil && len(text) > longLine && !isText {
		if text, err = encode(flat, "  "); err == nil {
			return "\n  " + text
		}
	}
	if err != nil {
		return "  error: " + err.Error()
	}
	return "  " + text
}

func encode(value any, indent string) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, indent)
	err := encoder.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// flatten makes what JSON can write of a value.
func flatten(doc *model.Document, value any) any {
	switch v := value.(type) {
	case model.Decimal:
		return json.Number(v.String())
	case model.Date:
		return v.ISO()
	case expr.Binary:
		return fmt.Sprintf("%d characters of base64", len(v))
	case source.Node:
		position := doc.Source.Position(v.Ref())
		return fmt.Sprintf("%s (%d:%d)", doc.Source.Path(v.Ref()), position.Line, position.Column)
	case model.Object:
		return members(v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = flatten(doc, v[i])
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
		return flatten(nil, expr.Binary(o.Raw(f)))
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
