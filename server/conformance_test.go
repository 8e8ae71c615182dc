package server_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
)

// TestConformanceOverHTTP sends the documents of the XRechnung test suite and
// compares the rules that fire with the verdicts of the published artefacts. What
// the differences are worth is the business of package conformance; here the
// service must say what they say.
func TestConformanceOverHTTP(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "suites", "xrechnung-testsuite")
	verdicts, err := os.Open(filepath.Join(dir, "verdicts.jsonl"))
	if err != nil {
		t.Skipf("skipped: %s is not there", dir)
	}
	defer verdicts.Close()
	lines := bufio.NewScanner(verdicts)
	lines.Buffer(nil, 1<<20)
	documents := 0
	for lines.Scan() {
		var v struct {
			File, Syntax string
			Schema       bool
			Fired        map[string]map[string]string
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, v.File))
		if err != nil {
			t.Fatal(err)
		}
		documents++
		core := maps.Clone(v.Fired["en16931"])
		german := maps.Clone(core)
		maps.Copy(german, v.Fired["xrechnung"])
		for format, want := range map[string]map[string]string{"en16931": core, "xrechnung": german} {
			a := shared().post(t, format, data)
			r := a.result(t)
			got := slices.DeleteFunc(r.rules(), func(id string) bool { return strings.HasPrefix(id, "XSD-") })
			if expected := slices.Sorted(maps.Keys(want)); !slices.Equal(got, expected) {
				t.Errorf("%s as %s: got %q, the artefacts %q", v.File, format, got, expected)
			}
			fatal := slices.ContainsFunc(r.Findings, func(f engine.Finding) bool { return f.Level == engine.Fatal })
			if (a.StatusCode == 400) != fatal || r.Report.SchemaValid == nil || *r.Report.SchemaValid != v.Schema {
				t.Errorf("%s as %s: status %d, schema %v", v.File, format, a.StatusCode, r.Report.SchemaValid)
			}
		}
	}
	if documents < 80 {
		t.Errorf("only %d documents", documents)
	}
}
