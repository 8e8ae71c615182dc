package create_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"

	"pgregory.net/rapid"
)

// Document leaves a request as it is, so that the next call computes again; and leaves that a
// Go program put together without their constructors are written like those that it made by
// them.
func TestRequestStaysAndBareLeavesCount(t *testing.T) {
	kit := kittest.Kit(t)
	data := smallest(t, map[string]any{"invoice.typeCode": "380"})
	rapid.Check(t, func(t *rapid.T) {
		request, err := create.ReadRequest(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, request.Invoice)
		bare := &create.Request{Invoice: model.Copy(request.Invoice), Options: request.Options}
		strip(model.ObjectOf(bare.Invoice))
		before := model.Copy(request.Invoice)
		for _, format := range []string{"ubl", "cii"} {
			made, err := create.Document(t.Context(), kit.Pages, format, request)
			if !reflect.DeepEqual(before, request.Invoice) {
				t.Fatalf("%s: the request was changed", format)
			}
			again, errAgain := create.Document(t.Context(), kit.Pages, format, bare)
			if (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error() {
				t.Fatalf("%s: %v, and with bare leaves %v", format, err, errAgain)
			}
			if err != nil {
				if refused, ok := errors.AsType[*write.Refused](err); ok && refused.Invoice == nil {
					t.Fatalf("%s: the completed invoice is not in what was refused", format)
				}
				continue
			}
			if !bytes.Equal(made.Data, again.Data) {
				t.Fatalf("%s: bare leaves give another document:\n%s\n%s", format, made.Data, again.Data)
			}
		}
	})
}

// strip makes leaves as those that a program writes as Text{Raw: "x"}.
func strip(o model.Object) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch f.Kind {
		case model.KindText:
			*o.Text(f) = model.Text{Raw: o.Raw(f)}
		case model.KindBinary:
			*o.Binary(f) = model.Binary{Raw: o.Raw(f)}
		case model.KindNumber, model.KindAmount:
			*o.Number(f) = model.Number{Raw: o.Raw(f)}
		case model.KindDate:
			*o.Date(f) = model.Date{Raw: o.Raw(f)}
		case model.KindGroup:
			if group := o.Group(f); group.Present() {
				strip(group)
			}
		default:
			for i := range o.List(f).Len() {
				strip(o.List(f).At(i))
			}
		}
	}
}

// What is missing is an error with a code, and no panic.
func TestNoRequest(t *testing.T) {
	kit := kittest.Kit(t)
	for name, request := range map[string]*create.Request{"nil": nil, "empty": {}} {
		_, err := create.Document(t.Context(), kit.Pages, "ubl", request)
		if p, ok := errors.AsType[*problem.Error](err); !ok || p.Code != problem.CodeRequest || p.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := create.Document(t.Context(), nil, "ubl", &create.Request{}); err == nil {
		t.Error("pages that are not there were used")
	}
}
