package engine_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/rulesets"
)

const companyRule = `
  - {id: C-1, level: fatal, context: /invoice, assert: has(this.number), btCodes: [BT-1], message: m, text: t}
`

// company is a file of rules of a company's own.
func company(keys, rules string) string {
	return "ruleset: company\nversion: 1\nlayer: cius\n" + keys + "rules:" + rules
}

// What a folder has and nothing would read, or what contradicts itself, is a mistake.
func TestFolders(t *testing.T) {
	good := company("", companyRule)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // the mistakes, a line each
	}{
		{"good", map[string]string{"company/1/a.yaml": good}, ""},
		{"for people", map[string]string{"company/1/a.yaml": good, "README.md": "x", "company/1/notes.txt": "x", ".git/x.yml": "x", "invoice.xml": "<a/>"}, ""},
		{"empty", map[string]string{"README.md": "x"},
			".: there is no file of rules in this folder; they are FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml"},
		{"yml", map[string]string{"company/1/a.yml": good},
			"company/1/a.yml: this file is not read, because its name does not end in .yaml: rename it"},
		{"a level up", map[string]string{"company/a.yaml": good},
			"company/a.yaml: this file is not read: rules are in FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml, code lists in codelists/, profiles in profiles/, overlays in overlays/"},
		{"a level down", map[string]string{"company/1/more/a.yaml": good, "company/1/a.yaml": good},
			"company/1/more/a.yaml: this file is not read: rules are in FAMILY/VERSION/NAME.yaml, such as company/1/orders.yaml, code lists in codelists/, profiles in profiles/, overlays in overlays/"},
		{"list a level down", map[string]string{"company/1/a.yaml": good, "codelists/company/x.yaml": "list: x"},
			"codelists/company/x.yaml: this file is not read: the folder codelists has its files in it, not in folders below"},
		{"texts a level up", map[string]string{"company/1/a.yaml": good, "languages/x.yaml": "texts: {}"},
			"languages/x.yaml: this file is not read: translated texts are in languages/TAG/, at the path of what they translate, such as languages/de/company/1/orders.yaml"},
		{"second document", map[string]string{"company/1/a.yaml": good + "---\nrules: []\n"},
			"company/1/a.yaml:6:1: the file goes on with another document after ---, which is not read: make it a file of its own"},
		{"second document of a list", map[string]string{"company/1/a.yaml": good, "codelists/x.yaml": "list: x\ncodes: A\n---\nlist: y\n"},
			"codelists/x.yaml:3:1: the file goes on with another document after ---, which is not read: make it a file of its own"},
		{"second document of findings", map[string]string{"company/1/a.yaml": good, "findings/a.yaml": "findings: []\n---\nfindings: []\n"},
			"findings/a.yaml:2:1: the file goes on with another document after ---, which is not read: make it a file of its own"},
		{"hides", map[string]string{"xrechnung/3.0/a.yaml": strings.NewReplacer("company", "xrechnung", "version: 1", "version: 3.0").Replace(good)},
			"xrechnung/3.0: this folder takes the place of the built-in ruleset xrechnung/3.0 and lacks 80 of its 80 rules, such as PEPPOL-EN16931-R040: give it a version of its own and the line \"extends: xrechnung/3.0\", or copy all files with `einvoice rules export`"},
		{"unused constant", map[string]string{"company/1/a.yaml": company("constants: {limit: 10}\n", companyRule)},
			"company/1/a.yaml:4:20: no rule uses the constant limit: remove it, or write ${limit} where it is meant"},
		{"used constant", map[string]string{"company/1/a.yaml": company("constants: {limit: BT-1}\n", strings.Replace(companyRule, "[BT-1]", `["${limit}"]`, 1))}, ""},
		{"unused list", map[string]string{"company/1/a.yaml": good, "codelists/mine.yaml": "list: mine\ncodes: A\n"},
			`codelists/mine.yaml: no rule asks the code list mine: remove it, or ask it with .isInCodeList("mine")`},
		{"lists of a list", map[string]string{
			"company/1/a.yaml":    strings.Replace(good, "has(this.number)", `this.number.isInCodeList('mine')`, 1),
			"codelists/mine.yaml": "list: mine\nextends: [base]\ncodes: A\n", "codelists/base.yaml": "list: base\ncodes: B\n"}, ""},
		{"another list in place of a built-in one", map[string]string{"codelists/iso-4217.yaml": "list: iso-4217\ncodes: EUR\n"}, ""},
		{"list under another name", map[string]string{"company/1/a.yaml": good, "codelists/mine.yaml": "list: yours\ncodes: A\n"},
			`codelists/mine.yaml: the list calls itself "yours"; it must be named as its file`},
		{"without a code that no list has", map[string]string{"company/1/a.yaml": strings.Replace(good, "has(this.number)", `this.number.isInCodeList('mine')`, 1),
			"codelists/mine.yaml": "list: mine\nextends: [iso-4217]\nwithout: EUR QQQ\n"},
			"codelists/mine.yaml: without has QQQ, which is no code of the list: take it out"},
		{"id of an abstract pattern", map[string]string{"company/1/a.yaml": company("", strings.Replace(companyRule, "id: C-1", "id: $id", 1))},
			"company/1/a.yaml:5:10: the id of a rule is \"$id\": write it with letters, digits, - . and _ alone, as overlays and options name it"},
		{"variant of no syntax", map[string]string{"company/1/a.yaml": company("", strings.Replace(companyRule, "text: t}", `text: t, variants: {"ubl:invoice": {applies: false, reason: r}}}`, 1))},
			`company/1/a.yaml:5:138: unknown syntax or document element "ubl:invoice": use one of ubl, ubl:Invoice, cn:CreditNote, cii; did you mean ubl:Invoice?`},
		{"without without extends", map[string]string{"company/1/a.yaml": company("without: [BR-01]\n", companyRule)},
			"company/1/a.yaml:1:1: without, only and levels choose among the rules of the ruleset that this one extends, and there is no key extends"},
		{"only and without", map[string]string{"company/1/a.yaml": company("extends: xrechnung/3.0\nonly: [BR-DE-1, BR-DE-2]\nwithout: [BR-DE-1]\n", companyRule)},
			"company/1/a.yaml:1:1: without and only both name rule BR-DE-1: is it taken over or not?"},
		{"never fires, but does", map[string]string{"company/1/a.yaml": company("", strings.Replace(companyRule, "text: t}", "text: t, neverFires: because, examples: [{passes: {}}, {fires: {number: null}}]}", 1))},
			"company/1/a.yaml:5:158: rule C-1 has an example that fires, and neverFires says that it never does: remove one of them"},
		{"empty message", map[string]string{"company/1/a.yaml": company("", strings.Replace(companyRule, "message: m", `message: ""`, 1))},
			"company/1/a.yaml:5:5: rule C-1 has an empty message: say what whoever wrote the invoice has to do"},
		{"empty text", map[string]string{"company/1/a.yaml": company("", strings.Replace(companyRule, "text: t", `text: " "`, 1))},
			"company/1/a.yaml:5:5: rule C-1 has an empty text: say what the rule demands"},
		{"profile of a ruleset that is not there", map[string]string{"profiles/company.yaml": "profiles:\n  - {id: c, name: C, standard: c, specificationIds: [c], rulesets: [company]}\n"},
			`profiles/company.yaml: profile c: there is no ruleset "company"; there are ` + families()},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := fstest.MapFS{}
			for name, text := range c.files {
				own[name] = &fstest.MapFile{Data: []byte(text)}
			}
			l, err := engine.Open(engine.Layered(own, rulesets.FS))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := lint.Check(l, false); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A folder of a family without a file of rules is no version, and not its newest one: what the check
// accepts, validation reads.
func TestFolderWithoutRulesIsNoVersion(t *testing.T) {
	files := fstest.MapFS{
		"company/1/a.yaml":        {Data: []byte(company("", companyRule))},
		"company/2":               {Mode: fs.ModeDir},
		"company/notes/README.md": {Data: []byte("x")},
		"scripts/x/make.sh":       {Data: []byte("x")},
		"other/1/a.yml":           {Data: []byte("x")},
	}
	l, err := engine.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	if got := versions["company"]; !slices.Equal(got, []string{"1"}) {
		t.Errorf("versions of company: %v", got)
	}
	if got, has := versions["scripts"]; has {
		t.Errorf("versions of scripts: %v", got)
	}
	if _, err := l.Validator("company"); err != nil {
		t.Error(err)
	}
	if _, err := l.Ruleset("other/1"); err == nil || err.Error() != "the folder of the ruleset other/1 holds no .yaml file" {
		t.Errorf("a folder of .yml files: %v", err)
	}
}

// The contents are those of the own folder, not of the built-in one.
func TestContents(t *testing.T) {
	l, err := engine.Open(engine.Layered(fstest.MapFS{
		"company/1/a.yaml": {Data: []byte(company("extends: xrechnung/3.0\n", strings.Replace(companyRule, "text: t}", "text: t, examples: [{passes: {}}]}", 1)) +
			"tables:\n  - {kind: absent, on: ubl, level: warning, context: /*, rows: {C-2: cbc:UUID}}\n")},
		"codelists/mine.yaml":    {Data: []byte("list: mine\ncodes: A\n")},
		"profiles/company.yaml":  {Data: []byte("profiles:\n  - {id: c, name: C, standard: c, specificationIds: [c], rulesets: [company]}\n")},
		"overlays/company.yaml":  {Data: []byte("overlay: company\ntitle: t\nowner: o\non: {rulesets: [company]}\nlevels: [{level: warning, rules: [C-1], reason: r, until: 2026-01-01}]\n")},
		"examples/company.yaml":  {Data: []byte("number: 1\n")},
		"tables/vendors.yaml":    {Data: []byte("table: vendors\ntitle: t\nowner: o\nfreshUntil: 2100-01-01\nkey: vat\ncolumns: {vat: text}\n")},
		"tables/vendors.csv":     {Data: []byte("vat\nDE1\n")},
		"company/1/README.md":    {Data: []byte("x")},
		"findings/findings.yaml": {Data: []byte("findings: []\n")},
	}, rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	got, err := lint.ContentsOf(l)
	want := lint.Contents{Files: 8, Rulesets: 1, Rules: 1, Rows: 1, Examples: 1, CodeLists: 1, Tables: 1, Profiles: 1, Overlays: 1, Changes: 1, Invoices: 1}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

// families are the names of the rulesets that ship and of others, as messages list them.
func families(others ...string) string {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		panic(err)
	}
	versions, err := l.Versions()
	if err != nil {
		panic(err)
	}
	return strings.Join(slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(versions)), others...))), ", ")
}
