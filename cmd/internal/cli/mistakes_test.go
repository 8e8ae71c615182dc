package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What create says of mistakes in a request is in one language, each in a line of its own: mistakes
// of every kind, alone and below each other.
func TestMistakesOfRequestsAreInOneLanguage(t *testing.T) {
	members := []string{
		`"nmber": "1"`, `"zzz": 1`, `"issueDate": "2026-13-01"`, `"issueDate": 7`, `"seller": []`, `"seller": "x"`, `"notes": {}`, `"notes": [1]`, `"lines": [{"price": {"netPrice": "a"}}]`,
		`"lines": [{"price": {"netPrice": true}}]`, `"number": {}`, `"number": []`, `"number": null, "number": null`, `"testIndicator": "perhaps"`, `"totals": {"paidAmount": 1e999}`, `"buyer": {"name": false}`,
	}
	members = append(members, strings.Join(members, ", "))
	english := regexp.MustCompile(`\b(this is|there (is|are)|did you mean|write|line|column|such as|and the like|the document|is not|was|with)\b`)
	names := regexp.MustCompile(`"[^"]*"|/[A-Za-z0-9/]+`)
	told := 0
	for _, member := range members {
		file := filepath.Join(t.TempDir(), "request.json")
		if err := os.WriteFile(file, []byte(`{"invoice": {`+member+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, language := range []string{"de", "fr"} {
			out, err := os.Create(filepath.Join(t.TempDir(), "err"))
			if err != nil {
				t.Fatal(err)
			}
			Machines{}.run([]string{"create", "ubl", "--language", language, file}, os.Stdin, os.Stdout, out)
			said, err := os.ReadFile(out.Name())
			if err != nil || out.Close() != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(said)) {
				told++
				if word := english.FindString(names.ReplaceAllString(line, "")); word != "" {
					t.Errorf("%s, %s: %q is English in\n%s", language, member, word, line)
				}
			}
		}
	}
	if told < 2*len(members) {
		t.Errorf("only %d lines were read", told)
	}
}
