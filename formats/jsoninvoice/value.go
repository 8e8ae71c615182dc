package jsoninvoice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"einvoice/model/source"
)

// A Value is a JSON value with its position.
type Value struct {
	Offset  int // of its first byte in the JSON text
	Kind    Kind
	Text    string // of a string, or of a number as written
	Truth   bool   // of a boolean
	Members []Member
	Items   []*Value
}

// A Member is a member of an object, in the order of the text.
type Member struct {
	Name  string
	Value *Value
}

// A Kind is a kind of JSON value, as it is called in messages.
type Kind string

// The kinds of values.
const (
	Null    Kind = "null"
	Boolean Kind = "a boolean"
	Number  Kind = "a number"
	String  Kind = "a string"
	Array   Kind = "an array"
	Object  Kind = "an object"
)

// maxDepth is far more than an invoice with sub invoice lines needs.
const maxDepth = 64

// maxValues is more than any invoice has. Each value takes some hundred bytes.
const maxValues = 1_000_000

// asked is after how many values the context is asked.
const asked = 256

var errTooMany = fmt.Errorf("there are more than %d values; split the invoice", maxValues)

var errTooDeep = fmt.Errorf("there are more than %d levels of arrays and objects; flatten it", maxDepth)

// Parse reads one JSON text. The error is an *Error with the position where the text is
// not JSON, or that of the context, which is asked for each few hundred values.
func Parse(ctx context.Context, data []byte) (*Value, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	p := &parser{ctx: ctx, data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	p.decoder.UseNumber()
	if !utf8.Valid(data) {
		return nil, p.asError(errors.New("this is not UTF-8; send the JSON in UTF-8"))
	}
	v, err := p.value(0)
	if err == nil {
		if _, end := p.decoder.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("something follows the JSON value; send one value only")
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, p.asError(err)
	}
	return v, nil
}

// byteOrderMark is what some programs write before a text in UTF-8 (RFC 8259, section 8.1,
// lets a reader ignore it).
var byteOrderMark = []byte("\uFEFF")

type parser struct {
	ctx     context.Context
	data    []byte
	decoder *json.Decoder
	values  int
}

// asError converts an error to an *Error with the current position.
func (p *parser) asError(err error) error {
	if _, placed := errors.AsType[*Error](err); placed {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON ends before it is complete")
	}
	offset := int(p.decoder.InputOffset())
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		message := ""
		message, offset = notJSON(p.data, offset, syntax.Error())
		err = errors.New(message)
	}
	at := source.PositionIn(string(p.data), min(max(offset, 0), len(p.data)))
	return &Error{Mistakes: []Mistake{{Line: at.Line, Column: at.Column, Message: err.Error()}}}
}

func (p *parser) value(depth int) (*Value, error) {
	if p.values++; p.values > maxValues {
		return nil, errTooMany
	}
	if p.values%asked == 0 && p.ctx.Err() != nil {
		return nil, p.ctx.Err()
	}
	// The decoder's offset is the end of the last token; white space and separators can
	// follow before the value.
	offset := int(p.decoder.InputOffset())
	for offset < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[offset]) >= 0 {
		offset++
	}
	v := &Value{Offset: offset}
	token, err := p.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case nil:
		v.Kind = Null
	case bool:
		v.Kind, v.Truth = Boolean, t
	case string:
		v.Kind, v.Text = String, t
		if err := p.loneSurrogate(offset); err != nil {
			return nil, err
		}
	case json.Number:
		v.Kind, v.Text = Number, t.String()
	case json.Delim:
		if depth == maxDepth {
			return nil, errTooDeep
		}
		return v, p.content(v, t, depth+1)
	}
	return v, nil
}

// content reads the rest of an array or object.
func (p *parser) content(v *Value, open json.Delim, depth int) error {
	v.Kind = Array
	if open == '{' {
		v.Kind = Object
	}
	for p.decoder.More() {
		name := ""
		if v.Kind == Object {
			before := int(p.decoder.InputOffset())
			token, err := p.decoder.Token()
			if err != nil {
				return err
			}
			if err := p.loneSurrogate(before); err != nil {
				return err
			}
			name, _ = token.(string)
		}
		inner, err := p.value(depth)
		if err != nil {
			return err
		}
		if v.Kind == Object {
			v.Members = append(v.Members, Member{name, inner})
		} else {
			v.Items = append(v.Items, inner)
		}
	}
	_, err := p.decoder.Token()
	return err
}
