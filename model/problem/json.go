package problem

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// errMore is the error of text behind the JSON of a request.
var errMore = errors.New("text follows")

// ReadJSON reads a request that is one JSON value, which has no members but those of into, and
// behind which nothing follows. NotJSON makes its error one for the client.
func ReadJSON(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			e.Field = written(reflect.TypeOf(into), e.Field)
		}
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}
	return nil
}

// NotJSON returns the error about a request that a decoder of JSON refused: which member is
// wrong and what it takes, or where the JSON ends.
func NotJSON(err error, remedy string) *Error {
	return &Error{Code: CodeRequest, Message: "the request is not the JSON of this call: " + aboutJSON(err), Remedy: remedy, Cause: err}
}

func aboutJSON(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		value, _, _ := strings.Cut(e.Value, " ") // a number follows, which may be long
		switch {
		case value == "bool":
			value = "boolean"
		case e.Type.Kind() == reflect.Uint8: // an entry of a list where base64 belongs
			value = "array"
		}
		if e.Field == "" {
			return fmt.Sprintf("it is of type %s, and has to be of type %s", value, typeInJSON(e.Type))
		}
		return fmt.Sprintf("%s is of type %s, and has to be of type %s", e.Field, value, typeInJSON(e.Type))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok && !strings.Contains(e.Error(), "unexpected end") {
		return fmt.Sprintf("it is not well-formed at byte %d", e.Offset)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return "there is no member " + name
	}
	if at, ok := errors.AsType[base64.CorruptInputError](err); ok {
		return fmt.Sprintf("a text that has to be base64 is not, at its byte %d", int64(at))
	}
	if errors.Is(err, io.EOF) {
		return "it is empty"
	}
	if errors.Is(err, errMore) {
		return "text follows behind its end"
	}
	return "it ends before it is complete"
}

// written is the path of a member as JSON has it. A decoder names the structs that are embedded
// in others too, which JSON does not know.
func written(t reflect.Type, path string) string {
	name, rest, more := strings.Cut(path, ".")
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !more || !strings.EqualFold(tag, name) && !(f.Anonymous && f.Name == name):
		case f.Anonymous && tag == "":
			return written(f.Type, rest)
		default:
			return name + "." + written(f.Type, rest)
		}
	}
	return path
}

// typeInJSON is what JSON calls a type.
func typeInJSON(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String, reflect.Uint8:
		return "string"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 { // base64
			return "string"
		}
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	case reflect.Pointer:
		return typeInJSON(t.Elem())
	case reflect.Float32, reflect.Float64:
		return "number"
	}
	return "integer"
}
