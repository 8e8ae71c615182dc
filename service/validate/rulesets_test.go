package validate_test

import (
	"os"
	"path/filepath"
	"testing"

	"einvoice/service/validate"
)

// A list of rulesets that names none is as no list, and one that names a version twice, by
// whatever name, as one that names it once: the same rules decide, and each finding comes once.
func TestListsOfRulesets(t *testing.T) {
	t.Parallel()
	service, err := validate.Open(validate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob("../../cmd/einvoice/samples/*.xml")
	if err != nil || len(documents) == 0 {
		t.Fatal(documents, err)
	}
	lists := [][2][]string{
		{nil, {}},
		{{"en16931"}, {"en16931", "en16931"}},
		{{"en16931"}, {"en16931", "en16931/1.3.16"}},
		{{"en16931/1.3.16", "xrechnung"}, {"en16931/1.3.16", "xrechnung", "en16931", "xrechnung"}},
	}
	for _, file := range documents {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range lists {
			want, err := service.Validate(t.Context(), data, validate.Rules{Rulesets: list[0]})
			if err != nil {
				continue // unreadable, or of no syntax that the rules are for
			}
			got, err := service.Validate(t.Context(), data, validate.Rules{Rulesets: list[1]})
			if err != nil {
				t.Errorf("%s: %q: %v", file, list[1], err)
				continue
			}
			a, b := want.Report, got.Report
			if a.Valid != b.Valid || a.Counts != b.Counts || a.Digest != b.Digest || len(a.Rulesets) != len(b.Rulesets) || a.RulesRun != b.RulesRun || len(a.Findings) != len(b.Findings) {
				t.Errorf("%s: %q decides otherwise than %q: %v and %v", file, list[1], list[0], b.Counts, a.Counts)
			}
		}
	}
}
