package ruletest_test

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/rulesets"
)

// The invoices that examples start from violate no rule of EN 16931, as an
// invoice without a document and as either syntax has the rules.
func TestBaseInvoicesViolateNothing(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("en16931")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(rulesets.FS, "examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no base invoices: %v", err)
	}
	for _, file := range files {
		invoice, err := ruletest.ReadInvoice(rulesets.FS, strings.TrimSuffix(path.Base(file), ".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
			report, err := v.Validate(context.Background(), &model.Document{Invoice: invoice, Syntax: syntax})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				t.Errorf("%s %s: %s %s", path.Base(file), syntax, f.Rule, f.Message)
			}
		}
	}
}

// The PDF that examples of the container's rules start from violates none of them,
// and a rule that is violated says where in the PDF and what in the invoice.
func TestBaseContainerViolatesNothing(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("container")
	if err != nil {
		t.Fatal(err)
	}
	container, err := ruletest.ReadContainer(rulesets.FS, "base")
	if err != nil {
		t.Fatal(err)
	}
	doc := &model.Document{Invoice: &model.Invoice{SpecificationID: model.NewText("urn:cen.eu:en16931:2017")}, Syntax: model.CII, Container: container}
	report, err := v.Validate(context.Background(), doc)
	if err != nil || len(report.Findings) > 0 || report.RulesRun < 20 {
		t.Fatalf("%v %+v", err, report)
	}
	doc.Container.OtherFiles[0].Kind = model.NewText("cii")
	doc.Container.Metadata.ConformanceLevel = model.NewText("BASIC")
	if report, err = v.Validate(context.Background(), doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range report.Findings {
		got[f.Rule] = f.Location + " " + strings.Join(f.Fields, " ")
		if f.Line != nil || f.Layer != engine.LayerContainer {
			t.Errorf("%+v", f)
		}
	}
	want := map[string]string{
		"CONTAINER-SECOND-INVOICE": "/container/otherFiles[1]/name ",
		"CONTAINER-XMP-PROFILE":    "/container/metadata/conformanceLevel specificationId",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	doc.Container = nil
	if report, err = v.Validate(context.Background(), doc); err != nil || len(report.Findings) > 0 {
		t.Errorf("without a PDF: %v %+v", err, report)
	}
}
