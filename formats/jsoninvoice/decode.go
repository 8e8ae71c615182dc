package jsoninvoice

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"einvoice/model"
	"einvoice/model/quote"
)

// Decode reads an invoice. The error is an *Error, or that of the context.
func Decode(ctx context.Context, data []byte) (*model.Invoice, error) {
	invoice := &model.Invoice{}
	return invoice, DecodeInto(ctx, data, invoice)
}

// DecodeInto reads any struct that is built like those of package model, such as a
// request that contains an invoice. The error is an *Error, or that of the context.
func DecodeInto[T any](ctx context.Context, data []byte, into *T) error {
	data = bytes.TrimPrefix(data, byteOrderMark)
	v, err := Parse(ctx, data)
	if err != nil {
		return err
	}
	return DecodeValue(ctx, data, v, into)
}

// DecodeValue is DecodeInto for a text that Parse has read already.
func DecodeValue[T any](ctx context.Context, data []byte, v *Value, into *T) error {
	data = bytes.TrimPrefix(data, byteOrderMark)
	d := decoder{ctx: ctx, mistakes: mistakes{data: string(data)}, memory: maxGroupBytes}
	root := model.ObjectOf(into)
	d.group(v, valuePath{}, root, members(root.Type))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return d.err()
}

type decoder struct {
	mistakes
	ctx context.Context // is asked for each entry of a list
	// memory is how many bytes new groups may still take.
	memory int
}

// maxGroupBytes bounds the memory of an invoice: an empty line is three characters of
// JSON, and a hundred times as many bytes in the model. It is enough for about 50 000
// lines with all terms of EN 16931.
const maxGroupBytes = 64 << 20

// takeMemory takes the memory for another group, and reports whether there was enough.
func (d *decoder) takeMemory(v *Value, at valuePath, t *model.Type) bool {
	if d.memory < 0 {
		return false
	}
	if d.memory -= t.Size(); d.memory < 0 {
		d.add(v, at, "there are more groups than one invoice can sensibly have; split the invoice")
		return false
	}
	return true
}

// group reads a group; inside says what it has.
func (d *decoder) group(v *Value, at valuePath, into model.Object, inside string) {
	if v.Kind != Object {
		d.add(v, at, "this is %s; write an object with %s", v.Kind, inside)
		return
	}
	seen := make(map[string]bool, len(v.Members))
	for _, m := range v.Members {
		path := at.member(m.Name)
		f, ok := into.Type.Field(m.Name)
		switch {
		case !ok:
			d.unknown(m, path, into.Type)
		case seen[m.Name]:
			d.add(m.Value, path, "this member is written twice; write it once")
		case m.Value.Kind == Null:
		default:
			d.field(m.Value, path, into, f)
		}
		seen[m.Name] = true
	}
}

// members names some of what a group may have.
func members(t *model.Type) string {
	const most = 4
	var names []string
	for i := range t.Fields {
		if names = append(names, strconv.Quote(t.Fields[i].Name)); len(names) == most && len(t.Fields) > most {
			return strings.Join(names, ", ") + " and the like"
		}
	}
	return strings.Join(names, ", ")
}

func (d *decoder) unknown(m Member, at valuePath, t *model.Type) {
	if d.full() {
		return
	}
	const longest = 100 // name that is compared with the known ones, which takes time
	if len(m.Name) > longest {
		d.add(m.Value, at, "there is no such member, nor one of so long a name")
		return
	}
	longer := containing(t, m.Name)
	if near := t.Nearest(m.Name); near != "" && len(longer) < 2 {
		d.add(m.Value, at, "there is no such member; did you mean %q?", near)
		return
	}
	if longer != nil { // which of several is the author's to say: an address may be postal or legal
		d.add(m.Value, at, "there is no such member; did you mean %s?", either(longer))
		return
	}
	names := make([]string, len(t.Fields))
	for i := range t.Fields {
		names[i] = t.Fields[i].Name
	}
	d.add(m.Value, at, "there is no such member; there are %s", strings.Join(names, ", "))
}

// containing are the names of members that a name is part of, such as quantity of
// invoicedQuantity; none where these are many.
func containing(t *model.Type, name string) (names []string) {
	const least, most = 4, 3
	if len(name) < least {
		return nil
	}
	for i := range t.Fields {
		if have := t.Fields[i].Name; strings.Contains(strings.ToLower(have), strings.ToLower(name)) {
			names = append(names, strconv.Quote(have))
		}
	}
	if len(names) > most {
		return nil
	}
	return names
}

// either names one of several: a, b or c.
func either(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (d *decoder) field(v *Value, at valuePath, into model.Object, f *model.Field) {
	switch f.Kind {
	case model.KindGroup:
		if d.takeMemory(v, at, f.Elem) {
			d.group(v, at, into.EnsureGroup(f), members(f.Elem))
		}
	case model.KindList:
		if v.Kind != Array {
			d.add(v, at, "this is %s; write an array of objects with %s", v.Kind, members(f.Elem))
			return
		}
		for i, item := range v.Items {
			if d.ctx.Err() != nil || !d.takeMemory(item, at.item(i), f.Elem) {
				return
			}
			d.group(item, at.item(i), into.AppendGroup(f), members(f.Elem))
		}
	default:
		d.leaf(v, at, into, f)
	}
}

func (d *decoder) leaf(v *Value, at valuePath, into model.Object, f *model.Field) {
	switch f.Kind {
	case model.KindNumber, model.KindAmount:
		raw := v.Text
		if v.Kind == Number {
			raw = withoutExponent(raw)
		}
		number := model.NewNumber(raw)
		switch {
		case v.Kind == Number && !number.Valid, v.Kind == String && model.IsTooLong(raw): // JSON has no other numbers that are not valid
			d.add(v, at, "this number has more than 200 digits; write a shorter one")
			return
		case v.Kind != Number && v.Kind != String || !number.Valid:
			d.add(v, at, "this is not a decimal number; write one such as 12.50")
			return
		}
		*into.Number(f) = number
		return
	case model.KindDate:
		if date := model.NewDate(v.Text); v.Kind == String && date.Valid {
			*into.Date(f) = date
			return
		}
		d.add(v, at, "this is not a date; write one such as \"2026-11-20\"")
		return
	}
	switch {
	case f.Class == model.ClassIndicator:
		d.indicator(v, at, into.Text(f))
	case v.Kind == Number && f.Class == model.ClassCode && isPlainInteger(v.Text):
		*into.Text(f) = model.NewText(v.Text) // 380 is as good as "380"
	case v.Kind == Number:
		d.add(v, at, "this is a number; write it as a string: %s", quote.Value(v.Text))
	case v.Kind != String:
		d.add(v, at, "this is %s; write a string", v.Kind)
	case f.Kind == model.KindBinary:
		binary := model.Binary{Raw: v.Text, Present: true}
		if _, err := binary.Decode(); err != nil {
			d.add(v, at, "this is not base64; encode the bytes of the file")
			return
		}
		*into.Binary(f) = binary
	default:
		*into.Text(f) = model.NewText(v.Text)
	}
}

// isPlainInteger reports whether a number is written as a code of digits may be.
func isPlainInteger(number string) bool {
	return strings.Trim(number, "0123456789") == ""
}

// indicator reads a boolean, or a text that is one in XML, as which the term is kept.
func (d *decoder) indicator(v *Value, at valuePath, into *model.Text) {
	text := v.Text
	if v.Kind == Boolean {
		text = strconv.FormatBool(v.Truth)
	}
	switch text {
	case "true", "false", "1", "0":
		*into = model.NewText(text)
	default:
		d.add(v, at, "this is neither true nor false; write one of them")
	}
}

// withoutExponent writes a number without an exponent, which JSON allows and xs:decimal
// does not. A number that would become very long is returned unchanged.
func withoutExponent(number string) string {
	const most = model.MaxDigits // with more, it has too many digits, unless it is 0
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return number
	}
	exponent, err := strconv.Atoi(number[i+1:])
	if err != nil || exponent > most || exponent < -most {
		return number
	}
	digits, sign := number[:i], ""
	if digits[0] == '-' {
		digits, sign = digits[1:], "-"
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	point := len(whole) + exponent
	digits = whole + fraction
	if point <= 0 {
		digits = strings.Repeat("0", 1-point) + digits
		point = 1
	}
	if missing := point - len(digits); missing > 0 {
		digits += strings.Repeat("0", missing)
	}
	if point == len(digits) {
		return sign + digits
	}
	return sign + digits[:point] + "." + digits[point:]
}
