package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A suite may record verdicts on rules that a ruleset takes over under the family that it
// extends. Without them every such rule that fired differed.
func TestProveVerdictsOfWhatIsExtended(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rules/company/1/a.yaml": "ruleset: company\nversion: 1\nlayer: cius\nextends: en16931/1.3.16\nonly: [BR-21, BR-22]\n",
		"suite/verdicts.jsonl":   `{"file": "a.xml", "syntax": "cii", "schema": true, "fired": {"en16931": {"BR-21": "fatal"}, "company": {}}}` + "\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	faulty, err := os.ReadFile("../../einvoice/samples/cii-faulty.xml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "suite/a.xml"), faulty, 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := newRoot(Machines{})
	cmd.SetArgs([]string{"rules", "prove", "company", "--rulesets", filepath.Join(dir, "rules"), "--verdicts", filepath.Join(dir, "suite")})
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	err = cmd.Execute()
	if said := out.String(); err != nil || !strings.Contains(said, "BR-21: equal on 1 document, fired on 1") || !strings.Contains(said, "BR-22: equal on 1 document, fired on 0") {
		t.Errorf("%v: %s", err, said)
	}
}
