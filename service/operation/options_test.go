package operation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/create"
	"einvoice/service/embed"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// A date that is not a day is an error of every operation that makes a PDF. It was taken, and
// the PDF had the issue date.
func TestDateIsADay(t *testing.T) {
	ctx := context.Background()
	kit := kittest.Kit(t)
	request, err := create.ReadRequest(ctx, create.Example)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := kit.Read(ctx, data, validate.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := model.NewDate("2026-13-01")
	request.Options = &write.Options{Date: wrong}
	_, created := create.Document(ctx, kit.Pages, "zugferd", request)
	_, transformed := transform.Document(ctx, kit.Pages, "zugferd", doc, transform.Options{Options: write.Options{Date: wrong}})
	_, rendered := kit.Pages.Document(ctx, doc, render.Options{Date: wrong})
	_, embedded := embed.Document(ctx, kit.Service, nil, data, embed.Options{Date: wrong})
	for name, err := range map[string]error{"create": created, "transform": transformed, "render": rendered, "embed": embedded} {
		e, ok := errors.AsType[*problem.Error](err)
		if !ok || e.Code != problem.CodeOption || e.Field != "options.date" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A request that says strict makes nothing that lacks anything of the invoice.
func TestCreateHeedsStrictOfTheRequest(t *testing.T) {
	kit := kittest.Kit(t)
	var request map[string]any
	if err := json.Unmarshal(create.Example, &request); err != nil {
		t.Fatal(err)
	}
	request["options"] = map[string]any{"profile": "minimum", "strict": true}
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	result, err := operation.Named("create").Run(context.Background(), kit, data, &operation.Values{To: "facturx"})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != operation.CodeLoss || len(result.Data) > 0 {
		t.Errorf("it is made: %v", err)
	}
}

// A PDF without a subject gets none where its invoice is attached again. The description of a
// property in its PDF/A extension schema was taken for one.
func TestEmbedKeepsSubject(t *testing.T) {
	ctx := context.Background()
	kit := kittest.Kit(t)
	request, err := create.ReadRequest(ctx, create.Example)
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := create.Document(ctx, kit.Pages, "zugferd", request)
	if err != nil {
		t.Fatal(err)
	}
	cii, err := create.Document(ctx, kit.Pages, "cii", request)
	if err != nil {
		t.Fatal(err)
	}
	again, err := embed.Document(ctx, kit.Service, hybrid.Data, cii.Data, embed.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(again.Data, []byte("<dc:title>")) || bytes.Contains(again.Data, []byte("<dc:description>")) {
		t.Error("the title is lost, or there is a subject")
	}
}

// An option of pages is an error where a format has none: what it asks for would not happen, and
// nobody would be told. The look and the date of XML were ignored, and so was the date of HTML.
func TestNoOptionIsIgnored(t *testing.T) {
	ctx := context.Background()
	kit := kittest.Kit(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]transform.Options{
		operation.OptionLook: {Options: write.Options{Look: model.NewText("general")}},
		operation.OptionDate: {Options: write.Options{Date: model.NewDate("2031-02-03")}},
	}
	for _, o := range operation.All {
		for name, asked := range options {
			if !slices.Contains(o.Options, name) {
				continue
			}
			for _, to := range o.To() {
				result := func(options transform.Options) ([]byte, error) {
					if slices.Contains(o.Options, operation.OptionBuyerReference) {
						options.BuyerReference = "04011000-12345-39"
					}
					r, err := o.Run(ctx, kit, data, &operation.Values{To: to, Transform: options})
					if err != nil {
						return nil, err
					}
					return r.Data, nil
				}
				plain, err := result(transform.Options{})
				if err != nil || len(plain) == 0 {
					t.Fatalf("%s to %s: %v", o.Name, to, err)
				}
				made, err := result(asked)
				if e, ok := errors.AsType[*problem.Error](err); err != nil && (!ok || e.Code != problem.CodeOption || e.Field != "options."+name) {
					t.Errorf("%s to %s with %s: %v", o.Name, to, name, err)
				}
				if err == nil && bytes.Equal(made, plain) {
					t.Errorf("%s to %s ignores %s", o.Name, to, name)
				}
			}
		}
	}
}
