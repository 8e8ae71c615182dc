package engine

import (
	"context"
	"io/fs"
	"path"
	"testing"

	"einvoice/model"
	"einvoice/rulesets"

	"gopkg.in/yaml.v3"
)

// The invoices that examples start from violate no rule of EN 16931, as an
// invoice without a document and as either syntax has the rules.
func TestBaseInvoicesViolateNothing(t *testing.T) {
	l, err := Open(rulesets.FS)
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
		data, err := fs.ReadFile(rulesets.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		var n yaml.Node
		if err := yaml.Unmarshal(data, &n); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		invoice, err := buildInvoice(n.Content[0])
		if err != nil {
			t.Fatalf("%s: %v", file, err)
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
