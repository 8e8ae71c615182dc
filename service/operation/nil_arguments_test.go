package operation_test

import (
	"context"
	"fmt"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/service/compare"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/parse"
	"einvoice/service/render"
	"einvoice/service/report"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// What comes far enough with its other arguments does not panic for want of one, either.
func TestNoPanicOnOneNil(t *testing.T) {
	kit, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	calls := map[string]func() error{
		"create.Find": func() error { _, err := create.Find(nil, "ubl", nil); return err },
		"write.Find":  func() error { _, err := write.Find(nil, "ubl", nil); return err },
		"transform.Document": func() error {
			_, err := transform.Document(ctx, kit.Pages, "ubl", nil, transform.Options{})
			return err
		},
		"transform without pages": func() error {
			_, err := transform.Document(ctx, nil, "ubl", nil, transform.Options{})
			return err
		},
		"Pages.Document":       func() error { _, err := kit.Pages.Document(ctx, nil, render.Options{}); return err },
		"Pages.Deliver":        func() error { _, err := kit.Pages.Deliver(ctx, nil, nil, nil); return err },
		"Pages.Report":         func() error { return kit.Pages.Report(nil, nil) },
		"render.PDF":           func() error { _, err := render.PDF(ctx, nil, page.Options{}); return err },
		"Pages.Draw":           func() error { _, err := kit.Pages.Draw(ctx, nil, &model.Invoice{}, "", page.Options{}); return err },
		"convert.Document":     func() error { _, err := convert.Document(ctx, nil, &model.Document{}, model.UBL); return err },
		"convert.Again":        func() error { _, err := convert.Again(ctx, nil, nil, model.UBL); return err },
		"report.WriteMistakes": func() error { return report.WriteMistakes(nil, "json", "", nil, nil, "", nil) },
		"compare.Document without a service": func() error {
			_, err := compare.Document(ctx, &parse.Reader{}, nil)
			return err
		},
		"Reader.Document without a service": func() error { _, err := (&parse.Reader{}).Document(ctx, nil); return err },
		"Reader.Pages without a service":    func() error { _, err := (&parse.Reader{}).Pages(ctx, nil); return err },
		"File.Single of none":               func() error { _, err := parse.File(nil).Single(); return err },
		"File.JSON of none":                 func() error { _, err := parse.File(nil).JSON(false); return err },
		"page.HTML":                         func() error { _, err := page.HTML(ctx, nil, page.Options{}); return err },
		"page.SVG":                          func() error { _, err := page.SVG(ctx, nil, page.Options{}); return err },
	}
	calls["validate.Within"] = func() error { _, err := validate.Within[int](ctx, nil, nil); return err }
	for _, o := range operation.All {
		for what, kit := range map[string]*operation.Kit{"no kit": nil, "an empty kit": {}, "a kit": kit} {
			calls[o.Name+" with "+what] = func() error { _, err := o.Run(ctx, kit, nil, nil); return err }
		}
	}
	if found, err := kit.Reader.Hidden(nil); err != nil || len(found) > 0 {
		t.Errorf("hidden in nothing are %v, %v", found, err)
	}
	for _, name := range report.Names() {
		calls["report without anything "+name] = func() error { _, err := report.Named(name).Single(&report.Outcome{}, report.Options{}); return err }
		calls["report "+name] = func() error { _, err := report.Named(name).Single(nil, report.Options{}); return err }
	}
	if parse.File(nil).Decide(0) {
		t.Error("a file without an invoice may be posted")
	}
	for name, call := range calls {
		func() {
			defer func() {
				if fault := recover(); fault != nil {
					t.Error(name, "panics:", fmt.Sprint(fault))
				}
			}()
			if err := call(); err == nil && name != "create.Find" && name != "write.Find" {
				t.Error(name, "has no error")
			}
		}()
	}
}
