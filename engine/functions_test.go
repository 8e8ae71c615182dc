package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
)

func read(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

func baseDocument(t *testing.T) *model.Document {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Every function's example is true for the root element of the base invoice.
func TestFunctionExamplesHold(t *testing.T) {
	doc := baseDocument(t)
	for _, f := range engine.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			if !strings.Contains(f.Example, f.Name) {
				t.Fatalf("the example %s does not call the function", f.Example)
			}
			l, err := engine.Open(ruleset(strings.Replace(one("/*", f.Example), "level:", "on: ubl\n    level:", 1)))
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Check(false); err != nil {
				t.Fatal(err)
			}
			v, err := l.Validator("r")
			if err != nil {
				t.Fatal(err)
			}
			report, err := v.Validate(context.Background(), doc)
			if err != nil || !report.Valid {
				t.Errorf("%s: %v %+v", f.Example, err, report.Findings)
			}
		})
	}
}

// The table in the documentation is the table in the code.
func TestFunctionsAreDocumented(t *testing.T) {
	var b strings.Builder
	for _, f := range engine.Functions() {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", strings.Join(f.Signatures, "`<br>`"), f.Doc, strings.ReplaceAll(f.Example, "|", "\\|"))
	}
	const page = "../docs/rule-language.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- functions -->\n", "<!-- end of functions -->"
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, okEnd := strings.Cut(rest, end)
	if !ok || !okEnd {
		t.Fatalf("%s lacks the marks around the table of functions", page)
	}
	want := "| function | what it does | example |\n| --- | --- | --- |\n" + b.String()
	if table == want {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("the table in %s is not the one in the code; UPDATE_DOCS=1 go test ./engine writes it", page)
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every example beside a shipped rule comes out as it says.
func TestExamplesOfShippedRules(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	run := 0
	for family, all := range versions {
		for _, version := range all {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range l.Examples(s, read) {
				run++
				if !r.OK() {
					t.Errorf("%s:%d: %s: %s", r.File, r.Line, r.Rule, r.Error)
				}
			}
		}
	}
	if run < 100 {
		t.Errorf("only %d examples ran", run)
	}
}

// The base invoice and its two documents say the same.
func TestBaseDocumentsAgree(t *testing.T) {
	for _, name := range []string{"base-ubl.xml", "base-cii.xml"} {
		data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := read(data)
		if err != nil {
			t.Fatal(err)
		}
		if doc.Invoice.Totals.AmountDueForPayment.Raw != "119.00" || len(doc.Invoice.Lines) != 1 || doc.Invoice.Seller.Name.Raw != "Example Seller Ltd" {
			t.Errorf("%s: %+v", name, doc.Invoice)
		}
	}
}
