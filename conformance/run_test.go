package conformance_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/conformance"
	"einvoice/engine"
)

// library has two small rulesets with the names of the real ones: OWN-1 requires a number,
// OWN-2 a buyer reference.
func library(t *testing.T) *engine.Library {
	t.Helper()
	l, err := engine.Open(fstest.MapFS{
		"en16931/1/own.yaml": {Data: []byte(`{ruleset: en16931, version: 1, layer: en16931, rules: [
  {id: OWN-1, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], message: m, text: t}]}`)},
		"xrechnung/1/own.yaml": {Data: []byte(`{ruleset: xrechnung, version: 1, layer: cius, rules: [
  {id: OWN-2, level: warning, context: /invoice, assert: filled(this.buyerReference), btCodes: [BT-10], message: m, text: t}]}`)},
		"profiles/own.yaml": {Data: []byte(`profiles: [{id: own, name: own, standard: own, rulesets: [en16931/1], default: true}]`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Both documents are not schema-valid, which is a layer of its own in the comparison.
const (
	numbered   = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID xmlns="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">1</ID></Invoice>`
	unnumbered = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "own")
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir, expected string) (*conformance.Report, error) {
	t.Helper()
	list, err := conformance.ReadExpectedDifferences("expected.yaml", []byte(expected))
	if err != nil {
		t.Fatal(err)
	}
	suites, err := conformance.Collect(dir)
	if err != nil {
		t.Fatal(err)
	}
	return conformance.Run(t.Context(), library(t), suites, list)
}

const schemaDiffers = `differences: [{suite: own, document: a.xml, layer: schema, what: missed, reason: the document is small}`

func TestRun(t *testing.T) {
	verdict := func(rest string) string { return `{"file":"a.xml","schema":true,"fired":` + rest + "}\n" }
	const right = `{"en16931":{},"xrechnung":{"OWN-2":"warning"}}`
	tests := map[string]struct {
		files    map[string]string
		expected string // in addition to the schema's
		ok       bool
		want     string // differences that are not accepted, and stale entries
	}{
		"the right verdict": {files: map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(right)}, ok: true},
		"a rule missed": {
			files: map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(`{"en16931":{"OWN-1":"fatal"},"xrechnung":{"OWN-2":"warning"}}`)},
			want:  "missed en16931 OWN-1 fatal: own/a.xml",
		},
		"a rule too many": {
			files: map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(`{"en16931":{},"xrechnung":{}}`)},
			want:  "extra cius OWN-2 warning: own/a.xml",
		},
		"another level": {
			files: map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(`{"en16931":{},"xrechnung":{"OWN-2":"fatal"}}`)},
			want:  "missed cius OWN-2 fatal: own/a.xml; extra cius OWN-2 warning: own/a.xml",
		},
		"an accepted difference": {
			files:    map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(`{"en16931":{},"xrechnung":{}}`)},
			expected: `, {suite: own, rule: OWN-2, what: extra, reason: so be it}`,
			ok:       true,
		},
		"accepted the other way round": {
			files:    map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(`{"en16931":{},"xrechnung":{}}`)},
			expected: `, {suite: own, rule: OWN-2, what: missed, reason: so be it}`,
			want:     "extra cius OWN-2 warning: own/a.xml; stale missed OWN-2: own",
		},
		"an accepted difference that no longer occurs": {
			files:    map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(right)},
			expected: `, {suite: own, document: a.xml, rule: OWN-2, what: extra, reason: so be it}`,
			want:     "stale extra OWN-2: own/a.xml",
		},
		"an accepted difference of a suite that was not run": {
			files:    map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(right)},
			expected: `, {suite: other, rule: OWN-2, what: extra, reason: so be it}`,
			ok:       true,
		},
		"a stylesheet stopped": {
			files: map[string]string{"a.xml": numbered, "verdicts.jsonl": `{"file":"a.xml","schema":true,"error":"stopped","fired":{"en16931":{"OWN-9":"fatal"}}}`},
			ok:    true,
		},
		"expectations met": {
			files: map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(right), "manifest.jsonl": `{"file":"a.xml","fires":["OWN-2"],"passes":["OWN-1"]}`},
			ok:    true,
		},
		"expectations not met": {
			files: map[string]string{"a.xml": numbered, "verdicts.jsonl": verdict(right), "manifest.jsonl": `{"file":"a.xml","fires":["OWN-1"],"passes":["OWN-2"]}`},
			want:  "missed expected OWN-1: own/a.xml; extra expected OWN-2: own/a.xml",
		},
		"a document that cannot be read": {
			files: map[string]string{"a.xml": "<Order/>", "verdicts.jsonl": verdict(right)},
			want:  "extra read FORMAT-UNKNOWN: own/a.xml",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := run(t, folder(t, test.files), schemaDiffers+test.expected+"]")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.Differences {
				if d.Accepted == "" {
					text, _, _ := strings.Cut(d.String(), ".xml: ")
					got = append(got, strings.TrimSuffix(text, ".xml")+".xml")
				}
			}
			for _, e := range r.Stale {
				got = append(got, "stale "+e.String())
			}
			if test.want != "" && !sameSet(got, strings.Split(test.want, "; ")) || test.want == "" && len(got) > 0 {
				t.Errorf("got %q, want %q", strings.Join(got, "; "), test.want)
			}
			if r.OK() != test.ok {
				t.Errorf("the run is OK: %v, want %v", r.OK(), test.ok)
			}
			if r.Compared != 1 {
				t.Errorf("%d documents were compared", r.Compared)
			}
		})
	}
}

func sameSet(a, b []string) bool {
	left := map[string]int{}
	for _, s := range a {
		left[s]++
	}
	for _, s := range b {
		left[s]--
	}
	for _, n := range left {
		if n != 0 {
			return false
		}
	}
	return true
}

// A document that is not schema-valid is compared only with the schema verdict and its
// authors' expectations.
func TestSchemaInvalidDocuments(t *testing.T) {
	r, err := run(t, folder(t, map[string]string{
		"a.xml": numbered, "verdicts.jsonl": `{"file":"a.xml","schema":false,"fired":{"en16931":{"OWN-9":"fatal"}}}`,
	}), "")
	if err != nil || !r.OK() {
		t.Fatalf("%v %+v", err, r)
	}
	if layers := r.Suites[0].Layers; len(layers) != 1 || layers[0] != (conformance.LayerReport{Layer: "schema", Compared: 1, Agree: 1}) {
		t.Errorf("compared in %v, want the schema alone", layers)
	}
}

// Test files are read in the form in which their authors publish them.
func TestTestFiles(t *testing.T) {
	dir := folder(t, map[string]string{
		"cen/OWN-1.xml": `<testSet><test><assert><success>OWN-1</success></assert>` + numbered + `</test>` +
			`<test><assert><error>OWN-1</error></assert>` + unnumbered + `</test></testSet>`,
		"kosit/own.xml": strings.Replace(numbered, "<ID", `<?xmute mutator="identity" schematron-valid="x:OWN-1"?><?xmute mutator="remove" schematron-invalid="x:OWN-1"?><?xmute mutator="empty" schematron-valid="x:OWN-1"?><ID`, 1),
		"readme.xml":    "<readme/>",
		".git/config":   "",
	})
	r, err := run(t, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Compared != 5 || r.Unknown != 1 || len(r.Suites) != 1 {
		t.Errorf("%d compared, %d unknown, %d suites; want 5, 1, 1", r.Compared, r.Unknown, len(r.Suites))
	}
	if len(r.Differences) != 1 || r.Differences[0].String() != "extra expected OWN-1: own/kosit/own.xml#empty-02" {
		t.Errorf("differences: %v", r.Differences)
	}
}

func TestNothingCompared(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no document":             {"readme.txt": ""},
		"a document not recorded": {"a.xml": numbered},
	} {
		if _, err := run(t, folder(t, files), ""); !errors.Is(err, conformance.ErrNothingCompared) {
			t.Errorf("%s: %v, want %v", name, err, conformance.ErrNothingCompared)
		}
	}
}

func TestMissingDocuments(t *testing.T) {
	r, err := run(t, folder(t, map[string]string{"verdicts.jsonl": `{"file":"gone.xml","schema":true}`, "broken/b.xml": "<testSet><test></testSet>"}), "")
	if err != nil {
		t.Fatal(err)
	}
	if r.OK() || r.Unreadable != 2 {
		t.Errorf("%d unreadable, OK %v; want 2 and false", r.Unreadable, r.OK())
	}
}

func TestReports(t *testing.T) {
	r, err := run(t, folder(t, map[string]string{
		"a.xml": numbered, "verdicts.jsonl": `{"file":"a.xml","schema":false}`, "manifest.jsonl": `{"file":"a.xml","fires":["OWN-1","OWN-2"],"passes":[]}`,
	}), `differences: [{suite: own, rule: OWN-7, what: extra, reason: so be it}]`)
	if err != nil {
		t.Fatal(err)
	}
	var text, js, junit bytes.Buffer
	if err := errors.Join(r.WriteText(&text, false), r.WriteJSON(&js), r.WriteJUnit(&junit)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"own: 1 document compared\n  schema    1 of 1 documents agree\n  expected  1 of 2 expectations agree\n",
		"  OWN-1  expected         0      1       0      0         a.xml\n",
		"no longer occurs: line 1 of the expected differences, extra OWN-7: own\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
	if strings.Contains(text.String(), "OWN-2") {
		t.Errorf("a rule that agrees is listed:\n%s", &text)
	}
	var fromJSON struct {
		OK     bool
		Suites []struct{ Rules []map[string]any }
	}
	if err := json.Unmarshal(js.Bytes(), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if fromJSON.OK || len(fromJSON.Suites[0].Rules) != 3 {
		t.Errorf("JSON: %s", &js)
	}
	var fromJUnit struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(junit.Bytes(), &fromJUnit); err != nil {
		t.Fatal(err)
	}
	if s := fromJUnit.Suites; len(s) != 2 || s[0].Tests != 3 || s[0].Failures != 1 || s[1].Failures != 1 {
		t.Errorf("JUnit: %s", &junit)
	}
}

func TestExpectedDifferencesMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"differences: [{rule: R, what: extra, reason: r}]":                           "expected.yaml:1: the suite is missing",
		"differences:\n- {suite: s, what: extra, reason: r}":                         "expected.yaml:2: name the document, the rule, or both",
		"differences: [{suite: s, rule: R, what: wrong, reason: r}]":                 `what is "wrong"; use missed`,
		"differences: [{suite: s, rule: R, what: extra}]":                            "the reason is missing",
		"differences: [{suite: s, rule: R, what: extra, reason: r, because: it is}]": `unknown key "because"`,
		"difference: []":     "field difference not found",
		"differences: [all]": "a difference is a mapping",
	} {
		_, err := conformance.ReadExpectedDifferences("expected.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
