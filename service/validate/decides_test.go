package validate_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/answer"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// office is a folder in which everything that a company may write decides: some of it by a profile
// that names it, some because it is asked for.
func office(t *testing.T) fstest.MapFS {
	t.Helper()
	schema, err := fs.ReadFile(rulesets.FS, "findings/schema.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"office/1/a.yaml": {Data: []byte(`ruleset: office
version: 1
layer: cius
parameters:
  limit: {type: decimal, default: 1000, text: From which amount on}
rules:
  - {id: O-1, level: warning, context: /invoice, assert: "this.totals.amountDueForPayment < ${limit}", btCodes: [BT-115], message: m, text: t}
`)},
		"profiles/office.yaml": {Data: []byte(`profiles:
  - {id: office, name: Office, standard: office, specificationIds: ["urn:office"], rulesets: [en16931, office], overlays: [levels, adds, parent, later, elsewhere]}
overlays: [everyone]
`)},
		"overlays/levels.yaml":    {Data: []byte("overlay: levels\ntitle: Levels\nowner: us\nlevels: [{rules: [BR-CL-23], level: warning, until: 2099-12-31, owner: us, reason: r}]\n")},
		"overlays/everyone.yaml":  {Data: []byte("overlay: everyone\ntitle: All\nowner: us\nlevels: [{rules: [BR-CL-04], level: warning, until: 2099-12-31, owner: us, reason: r}]\n")},
		"overlays/adds.yaml":      {Data: []byte("overlay: adds\ntitle: Adds\nowner: us\nrules:\n  - {id: O-2, level: warning, context: /invoice, assert: 'has(lookup(\"sites\", \"A\").name) && this.currencyCode.isInCodeList(\"money\")', btCodes: [BT-5], message: m, text: t}\n")},
		"overlays/parent.yaml":    {Data: []byte("overlay: parent\ntitle: Parent\nowner: us\nparameters: {limit: 5}\n")},
		"overlays/asked.yaml":     {Data: []byte("overlay: asked\ntitle: Asked\nowner: us\non: {profiles: [office]}\nover: [parent]\nparameters: {limit: 7}\n")},
		"overlays/later.yaml":     {Data: []byte("overlay: later\ntitle: Later\nowner: us\neffective: {from: 2098-01-01}\nlevels: [{rules: [BR-CL-14], level: warning, until: 2099-12-31, owner: us, reason: r}]\n")},
		"overlays/elsewhere.yaml": {Data: []byte("overlay: elsewhere\ntitle: For others\nowner: us\ndocuments: {buyer: [nobody@example.org]}\nlevels: [{rules: [BR-CL-15], level: warning, until: open, source: s, owner: us, reason: r}]\n")},
		"codelists/money.yaml":    {Data: []byte("list: money\ntitle: t\nversion: 1\nsource: s\nextends: [coins]\ncodes: EUR\n")},
		"codelists/coins.yaml":    {Data: []byte("list: coins\ntitle: t\nversion: 1\nsource: s\ncodes: SEK\n")},
		"tables/sites.yaml":       {Data: []byte("table: sites\ntitle: Sites\nowner: us\nkey: id\ncolumns: {id: text, name: text}\n")},
		"tables/sites.csv":        {Data: []byte("id,name\nA,One\n")},
		"findings/schema.yaml":    {Data: []byte(strings.ReplaceAll(string(schema), "level: fatal", "level: warning"))},
	}
}

// recordOf is what a record keeps of a report, without its findings.
func recordOf(t *testing.T, folder fstest.MapFS, document string, rules validate.Rules) *answer.Summary {
	t.Helper()
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(folder, rulesets.FS)})
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Validate(t.Context(), []byte(document), rules)
	if err != nil {
		t.Fatal(err)
	}
	return answer.SummaryOf(result.Report, "")
}

// A report names everything that decided: whatever file of a folder of rules is another, be it one
// that an overlay of a profile asks alone, its digest is another; and the text of each overlay can be
// found, whoever named it.
func TestReportNamesWhatDecides(t *testing.T) {
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	document := strings.Replace(string(sample), "urn:cen.eu:en16931:2017", "urn:office", 1)
	for what, rules := range map[string]validate.Rules{"profile": {}, "asked": {Overlays: []string{"asked"}}, "day": {At: "2026-01-01"}} {
		before := recordOf(t, office(t), document, rules)
		named := map[string]engine.OverlayInfo{}
		for _, o := range before.Overlays {
			named[o.Name] = o
		}
		want := []string{"adds", "everyone", "later", "levels", "parent"}
		if rules.Overlays != nil {
			want = append([]string{"adds", "asked"}, want[1:]...)
		}
		if got := slices.Sorted(maps.Keys(named)); !slices.Equal(got, want) || named["later"].Applied {
			t.Errorf("%s: the overlays %q are named, of %q", what, got, want)
		}
		if before.Date == nil {
			t.Errorf("%s: the day that left the overlay later out is not named", what)
		}
		for name := range office(t) {
			if name == "overlays/asked.yaml" && rules.Overlays == nil {
				continue
			}
			changed := office(t)
			text := string(changed[name].Data) + "# another\n"
			if strings.HasSuffix(name, ".csv") {
				text = string(changed[name].Data) + "B,Two\n"
			}
			switch name {
			case "profiles/office.yaml": // its text is not the profile's
				text = strings.Replace(text, "[en16931, office]", "[office, en16931]", 1)
			case "codelists/coins.yaml":
				text = strings.Replace(text, "SEK", "NOK", 1)
			}
			changed[name].Data = []byte(text)
			after := recordOf(t, changed, document, rules)
			if after.Digest == before.Digest {
				t.Errorf("%s: %s is another, and the digest of the report is the same", what, name)
			}
			overlay, isOverlay := strings.CutPrefix(strings.TrimSuffix(name, ".yaml"), "overlays/")
			if old, is := named[overlay]; is != (isOverlay && overlay != "elsewhere") || is && slices.Contains(after.Overlays, old) {
				t.Errorf("%s: the overlay %s is named: %t, with the digest of before", what, overlay, is)
			}
		}
	}
}

// What is in a folder and decides nothing leaves the digest as it is, so that records of years agree.
func TestDigestStaysWithoutOwnRules(t *testing.T) {
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	findings, err := fs.ReadFile(rulesets.FS, "findings/service.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Validate(t.Context(), sample, validate.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"overlays/asked.yaml":   "overlay: asked\ntitle: t\nowner: us\non: {profiles: [en16931]}\nlevels: [{rules: [BR-CL-23], level: warning, until: open, source: s, owner: us, reason: r}]\n",
		"findings/service.yaml": string(findings),
		"codelists/unused.yaml": "list: unused\ncodes: A\n",
	} {
		record := recordOf(t, fstest.MapFS{name: {Data: []byte(text)}}, string(sample), validate.Rules{})
		if want, _ := json.Marshal(answer.SummaryOf(result.Report, "")); record.Digest != result.Report.Digest {
			t.Errorf("with %s the record is %v, and without %s", name, fmt.Sprint(record), want)
		}
	}
}

// A report says that the day on which it was made decided, whatever it is that this day decides
// about; and does not where the request or the document gives the day.
func TestReportDependsOnToday(t *testing.T) {
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	const head = "overlay: o\ntitle: t\nowner: us\n"
	const dated, levels = "effective: {until: 2099-12-31}\n", "levels: [{rules: [BR-CL-23], level: warning, until: 2099-12-31, owner: us, reason: r}]\n"
	const open = "levels: [{rules: [BR-CL-23], level: warning, until: open, source: s, owner: us, reason: r}]\n"
	const asks = "rules: [{id: O-1, level: warning, context: /invoice, assert: 'has(lookup(\"sites\", \"A\").name)', btCodes: [BT-1], message: m, text: t}]\n"
	const in2099 = "rules: [{id: O-1, level: warning, effective: {until: 2099-12-31}, decidedBy: receipt, context: /invoice, assert: 'true || this.number == \"\"', btCodes: [BT-1], message: m, text: t}]\n"
	const table = "table: sites\ntitle: Sites\nowner: us\nkey: id\ncolumns: {id: text, name: text}\n"
	for _, c := range []struct {
		name, overlay, table string
		receipt, validation  bool // whether that day decides
	}{
		{"nothing", "", table, false, false},
		{"the issue date", dated + levels, table, false, false},
		{"a period by receipt", "decidedBy: receipt\n" + dated + open, table, true, false},
		{"a term by receipt", "decidedBy: receipt\n" + levels, table, true, false},
		{"a term by validation", "decidedBy: validation\n" + levels, table, false, true},
		{"one that is over", "decidedBy: validation\neffective: {from: 2099-01-01}\n" + open, table, false, true},
		{"a rule", in2099, table, true, false},
		{"a table", asks, table, false, false},
		{"a table to be renewed", asks, table + "freshUntil: 2099-12-31\n", false, true},
	} {
		folder := fstest.MapFS{"tables/sites.yaml": {Data: []byte(c.table)}, "tables/sites.csv": {Data: []byte("id,name\nA,One\n")}}
		overlays := ""
		if c.overlay != "" {
			folder["overlays/o.yaml"], overlays = &fstest.MapFile{Data: []byte(head + c.overlay)}, "overlays: [o]\n"
		}
		folder["profiles/office.yaml"] = &fstest.MapFile{Data: []byte("profiles:\n  - {id: office, name: O, standard: o, specificationIds: [\"urn:office\"], rulesets: [en16931]}\n" + overlays)}
		s, err := operation.Open(operation.Config{Rulesets: engine.Layered(folder, rulesets.FS)})
		if err != nil {
			t.Fatal(err)
		}
		for what, rules := range map[string]validate.Rules{"nothing asked": {}, "a day of receipt": {Received: "2026-01-01"}, "a day": {At: "2026-01-01"}} {
			result, err := s.Validate(t.Context(), []byte(strings.Replace(string(sample), "urn:cen.eu:en16931:2017", "urn:office", 1)), rules)
			if err != nil {
				t.Fatal(err)
			}
			want := rules.At == "" && (c.validation || c.receipt && rules.Received == "")
			if got := result.Report.Today != ""; got != want {
				t.Errorf("%s, %s: today decides: %t", c.name, what, got)
			}
		}
	}
}
