package authoring_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// A function behind a term is described itself, and the term where the term is.
func TestHoverOnFunctions(t *testing.T) {
	const line = `    assert: filled(this.buyerReference) && this.buyerReference.isInCodeList("iso-4217") && this.buyerReference.upperCase().matches("^[A-Z]")`
	rule := "ruleset: company\nversion: 1\nlayer: cius\nrules:\n  - id: CO-1\n    level: fatal\n    context: /invoice\n" + line + "\n    btCodes: [BT-10]\n    fields: [buyerReference]\n    message: m\n    text: t\n"
	w := authoring.Open(fstest.MapFS{"company/1/r.yaml": {Data: []byte(rule)}}, rulesets.FS)
	for _, c := range []struct{ at, want, about string }{
		{"filled(", "filled(text) -> boolean", "filled"},
		{"isInCodeList(", "text.isInCodeList(text) -> boolean", "isInCodeList"},
		{"upperCase(", "text.upperCase() -> text", "upperCase"},
		{"matches(", "text.matches(text) -> boolean", "matches"},
		{"buyerReference.isInCodeList", "BT-10", ""},
		{"this.buyerReference.isInCodeList", "BT-10", ""},
	} {
		column := strings.Index(line, c.at) + 1
		for _, further := range []int{0, 3} {
			said, at, err := w.Hover("company/1/r.yaml", 8, column+further)
			if err != nil || !strings.Contains(said, c.want) {
				t.Errorf("at %s, %d further, is said %.60q, %v", c.at, further, said, err)
			}
			if c.about != "" && line[at.Column-1:at.End-1] != c.about {
				t.Errorf("at %s it is about %q", c.at, line[at.Column-1:at.End-1])
			}
		}
	}
}

// The code list that a rule or an overlay names is described, however its entry is written.
func TestHoverOnCodeLists(t *testing.T) {
	const overlay = "overlay: own\ntitle: t\nowner: o\nsource: s\non: {profiles: [en16931]}\ncodeLists:\n"
	for _, entry := range []string{"  - {list: iso-4217, only: EUR}", "  - {only: EUR, list: iso-4217}", "  - list: iso-4217\n    only: EUR", "  - only: EUR\n    list: iso-4217"} {
		w := authoring.Open(fstest.MapFS{"overlays/own.yaml": {Data: []byte(overlay + entry + "\n")}}, rulesets.FS)
		line, column := 0, 0
		for i, text := range strings.Split(overlay+entry, "\n") {
			if c := strings.Index(text, "iso-4217"); c >= 0 {
				line, column = i+1, c+1
			}
		}
		if said, _, err := w.Hover("overlays/own.yaml", line, column+2); err != nil || !strings.HasPrefix(said, "**iso-4217** ") {
			t.Errorf("%s: %q, %v", entry, said, err)
		}
	}
}

// A rule that two versions write differently is described, and found, as the version of the file has it.
func TestRulesOfTheVersion(t *testing.T) {
	rule := func(version, text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("ruleset: company\nversion: " + version + "\nlayer: cius\nrules:\n  - id: CO-1\n    level: fatal\n    context: /invoice\n    assert: \"true\"\n    btCodes: [BT-10]\n    fields: [buyerReference]\n    message: m\n    text: " + text + "\n")}
	}
	w := authoring.Open(fstest.MapFS{"company/1/r.yaml": rule("1", "the first"), "company/2/r.yaml": rule("2", "the second")}, rulesets.FS)
	for name, want := range map[string]string{"company/1/r.yaml": "the first", "company/2/r.yaml": "the second"} {
		if said, _, err := w.Hover(name, 5, 10); err != nil || !strings.Contains(said, want) {
			t.Errorf("%s: %q, %v", name, said, err)
		}
		if place, found, err := w.Definition(name, 5, 10); err != nil || !found || place.File != name {
			t.Errorf("%s is defined in %s, %v", name, place.File, err)
		}
	}
}

// Constants and parameters are found from the files that hold them without being of the
// ruleset's version: overlays and translations.
func TestDefinitionOfConstantsElsewhere(t *testing.T) {
	files := fstest.MapFS{
		"company/1/r.yaml":              {Data: []byte("ruleset: company\nversion: 1\nlayer: cius\nparameters:\n  limit: {type: decimal, default: 1, text: x}\nrules:\n  - id: CO-1\n    level: fatal\n    context: /invoice\n    assert: filled(this.number) || ${limit} > 0\n    btCodes: [BT-1]\n    message: m ${limit}\n    text: t\n")},
		"languages/de/company/1/r.yaml": {Data: []byte("texts:\n  CO-1:\n    message: n ${limit}\n    text: u\n")},
		"overlays/own.yaml":             {Data: []byte("overlay: own\ntitle: t\nowner: o\non: {profiles: [en16931]}\nrulesets: [company]\nconstants: {place: HAM}\nparameters: {limit: 2}\nrules:\n  - id: OWN-1\n    level: fatal\n    context: /invoice\n    assert: is(this.buyerReference, \"${place}\")\n    btCodes: [BT-10]\n    message: m\n    text: t\n")},
		"overlays/upper.yaml":           {Data: []byte("overlay: upper\ntitle: t\nowner: o\nover: [own]\nparameters: {limit: 3}\n")},
	}
	w := authoring.Open(files, rulesets.FS)
	for _, c := range []struct {
		file, at, want string
		line           int
	}{
		{"company/1/r.yaml", "${limit}", "company/1/r.yaml", 5},
		{"company/1/r.yaml", "limit: {", "company/1/r.yaml", 5},
		{"languages/de/company/1/r.yaml", "${limit}", "company/1/r.yaml", 5},
		{"overlays/own.yaml", "${place}", "overlays/own.yaml", 6},
		{"overlays/own.yaml", "limit: 2", "company/1/r.yaml", 5},
		{"overlays/upper.yaml", "limit: 3", "company/1/r.yaml", 5},
	} {
		for i, line := range strings.Split(w.Text(c.file), "\n") {
			column := strings.Index(line, c.at)
			if column < 0 {
				continue
			}
			place, found, err := w.Definition(c.file, i+1, column+1+len("${"))
			if err != nil || !found || place.File != c.want || place.Line != c.line {
				t.Errorf("%s in %s: %v, %v, %v", c.at, c.file, place, found, err)
			}
			break
		}
	}
}
