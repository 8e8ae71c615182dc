package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
)

const constantRules = `
ruleset: r
version: 1
layer: cius
constants: {id: one, words: a|b}
rules:
  - id: R-1
    level: fatal
    context: /invoice[specificationId='${id}']
    assert: this.number.matches(r'^(${words})$')
    btCodes: []
    message: Write ${words}.
    text: t
repeat:
  - for: [{n: 2}, {n: 3}]
    rules:
      - {id: "R-${n}", level: fatal, context: /invoice, assert: 'this.number != "${id}${n}"', btCodes: [], message: m, text: t}
`

func constantLibrary(t *testing.T, more fstest.MapFS) *engine.Library {
	t.Helper()
	fsys := fstest.MapFS{
		"r/1/rules.yaml":     {Data: []byte(constantRules)},
		"r/2/rules.yaml":     {Data: []byte("ruleset: r\nversion: 2\nlayer: cius\nextends: r/1\nwithout: [R-3]\nconstants: {id: two}\n")},
		"codelists/x.txt":    {Data: []byte("ignored")},
		"examples/base.yaml": {Data: []byte("number: A1\n")},
	}
	for name, file := range more {
		fsys[name] = file
	}
	l, err := engine.Open(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A version states a constant again, and the rules it inherits follow.
func TestConstants(t *testing.T) {
	l := constantLibrary(t, nil)
	for _, c := range []struct{ ruleset, id, number, want string }{
		{"r/1", "one", "c", "R-1"}, {"r/1", "one", "a", ""}, {"r/1", "two", "c", ""}, {"r/1", "", "one2", "R-2"}, {"r/1", "", "one3", "R-3"},
		{"r/2", "two", "c", "R-1"}, {"r/2", "two", "b", ""}, {"r/2", "one", "c", ""}, {"r/2", "", "two2", "R-2"}, {"r/2", "", "one2", ""},
	} {
		v, err := l.Validator(c.ruleset)
		if err != nil {
			t.Fatal(err)
		}
		inv := &model.Invoice{SpecificationID: model.NewText(c.id), Number: model.NewText(c.number)}
		report, err := v.Validate(context.Background(), &model.Document{Invoice: inv})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range report.Findings {
			got = append(got, f.Rule)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s on %q, %q: %v, want %q", c.ruleset, c.id, c.number, got, c.want)
		}
	}
	base, _ := l.Ruleset("r/1")
	next, _ := l.Ruleset("r/2")
	if r, ok := base.Rule("R-1"); !ok || r.Message.Value != "Write a|b." {
		t.Errorf("R-1 is %+v", r)
	}
	if _, ok := next.Rule("R-3"); ok {
		t.Error("R-3 is inherited in spite of without")
	}
}

func TestConstantWithoutValueIsALoadError(t *testing.T) {
	l := constantLibrary(t, fstest.MapFS{"r/3/rules.yaml": {Data: []byte("ruleset: r\nversion: 3\nlayer: cius\nextends: r/1\nrules:\n  - {id: R-9, level: fatal, context: /invoice, assert: 'this.number != \"${nobody}\"', btCodes: [], message: m, text: t}\n")}})
	if _, err := l.Ruleset("r/3"); err == nil || !strings.Contains(err.Error(), "nothing gives ${nobody} a value") || !strings.Contains(err.Error(), "r/3/rules.yaml:6") {
		t.Errorf("got %v", err)
	}
}

// A rule may differ between the document elements of one syntax.
func TestVariantsByDocumentElement(t *testing.T) {
	l := constantLibrary(t, fstest.MapFS{"e/1/rules.yaml": {Data: []byte(`
ruleset: e
version: 1
layer: cius
rules:
  - id: E-1
    level: fatal
    context: /invoice
    assert: "false"
    btCodes: []
    message: m
    text: t
    variants:
      cn:CreditNote: {level: warning, reason: r}
  - id: E-2
    level: fatal
    context: /invoice
    assert: "false"
    btCodes: []
    message: m
    text: t
    variants:
      ubl:Invoice: {applies: false, reason: r}
`)}})
	v, err := l.Validator("e")
	if err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string]string{"Invoice": "E-1 fatal", "CreditNote": "E-1 warning, E-2 fatal"} {
		doc, err := formats.Read([]byte("<"+root+` xmlns="urn:oasis:names:specification:ubl:schema:xsd:`+root+`-2"/>`), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := v.Validate(context.Background(), doc)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range report.Findings {
			got = append(got, f.Rule+" "+string(f.Level))
		}
		if strings.Join(got, ", ") != want && strings.Join(got, ", ") != "E-2 fatal, E-1 warning" {
			t.Errorf("%s: %v, want %s", root, got, want)
		}
	}
	broken := constantLibrary(t, fstest.MapFS{"e/1/rules.yaml": {Data: []byte("ruleset: e\nversion: 1\nlayer: cius\nrules:\n  - {id: E-1, level: fatal, context: /invoice, assert: 'true', btCodes: [], message: m, text: t, variants: {cn:CreditNote: {assert: 'false', reason: r}}}\n")}})
	if _, err := broken.Ruleset("e/1"); err == nil {
		t.Error("a variant by document element took an assertion")
	}
}

// An identifier that continues a known one asks for the same version.
func TestVersionForContinuedIdentifiers(t *testing.T) {
	l := constantLibrary(t, fstest.MapFS{"profiles/p.yaml": {Data: []byte(`
profiles:
  - {id: plain, name: Plain, standard: s, default: true, specificationIds: ["urn:a"], rulesets: [e]}
  - {id: r-1, name: R 1, standard: s, specificationIds: ["urn:a#compliant#urn:r_1"], rulesets: [e, r/1]}
`)}})
	for id, want := range map[string]string{
		"urn:a#compliant#urn:r_1": "r/1", "urn:a#compliant#urn:r_1#compliant#urn:own": "r/1",
		"urn:a": "r", "urn:a#compliant#urn:r_10": "r", "urn:other": "r", "": "r", "#": "r",
	} {
		got, err := l.VersionFor("r", &model.Invoice{SpecificationID: model.NewText(id)})
		if err != nil || got != want {
			t.Errorf("%q: %s %v, want %s", id, got, err, want)
		}
	}
}
