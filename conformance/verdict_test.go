package conformance_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"einvoice/conformance"
	"einvoice/engine"
)

func TestVerdictsAreReadAsWritten(t *testing.T) {
	sha := func(digit string) string { return strings.Repeat(digit, 64) }
	same := conformance.Verdict{SchemaValid: true, Fired: map[string]map[string]engine.Level{
		"en16931": {"BR-2": engine.Fatal, "BR-1": engine.Fatal, "CR-1": engine.Warning}, "xrechnung": {},
	}}
	entries := []conformance.Entry{
		{SHA256: sha("3"), Name: "c.xml", Verdict: same},
		{SHA256: sha("2"), Name: "b.xml", Verdict: conformance.Verdict{Stopped: true, Fired: map[string]map[string]engine.Level{"x": {"T-1": engine.Information}}}},
		{SHA256: sha("1"), Name: "a.xml", Verdict: same},
	}
	var b bytes.Buffer
	if err := conformance.WriteVerdicts(&b, "own", entries); err != nil {
		t.Fatal(err)
	}
	want := "suite own\n" +
		"schema-valid | en16931 fatal BR-1 BR-2 warning CR-1 | xrechnung\n  " + sha("1") + "  a.xml\n  " + sha("3") + "  c.xml\n" +
		"schema-invalid stopped | x information T-1\n  " + sha("2") + "  b.xml\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	suite, got, err := conformance.ReadVerdicts(&b)
	if err != nil || suite != "own" {
		t.Fatal(suite, err)
	}
	for i, at := range []int{2, 0, 1} {
		if !reflect.DeepEqual(got[i], entries[at]) {
			t.Errorf("got %v, want %v", got[i], entries[at])
		}
	}
}

func TestVerdictMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"own\n":                                    `line 1: expected "suite NAME"`,
		"suite own\nvalid\n":                       "line 2: a verdict begins with schema-valid",
		"suite own\nschema-valid | \n":             "line 2: an artefact has no name",
		"suite own\nschema-valid | x BR-1\n":       "line 2: rule BR-1 comes before any level",
		"suite own\nschema-valid\n  12ab  a.xml\n": "line 3: expected a SHA-256 and a name",
	} {
		_, _, err := conformance.ReadVerdicts(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
