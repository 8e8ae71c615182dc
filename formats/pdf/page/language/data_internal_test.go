package language

import (
	"strings"
	"testing"

	"einvoice/model/tongue"
)

// Each unit has a name in every language, and each country one way to write the place.
func TestData(t *testing.T) {
	if len(unitLanguages) != len(tongue.Tags()) {
		t.Errorf("units.yaml has %v, and there are %v", unitLanguages, tongue.Tags())
	}
	for code, names := range units() {
		if len(names) != len(unitLanguages) {
			t.Errorf("%s has %d names", code, len(names))
		}
		for i, tag := range unitLanguages {
			if l := Load(tag); len(names) > i && (names[i] == "" || l.Codes[unitCodes][code] != "") {
				t.Errorf("%s, %s: %q is empty or there twice", code, tag, names[i])
			}
		}
	}
	seen := map[string]string{}
	for pattern, countries := range addresses() {
		if !strings.Contains(pattern, "C") {
			t.Errorf("%q has no city", pattern)
		}
		for _, c := range countries {
			if seen[c] != "" {
				t.Errorf("%s is written %q and %q", c, seen[c], pattern)
			}
			seen[c] = pattern
		}
	}
	if len(seen) < 190 {
		t.Errorf("only %d countries", len(seen))
	}
	for _, tag := range tongue.Tags() {
		l := Load(tag)
		if l.schemeName("9930", false) != l.Labels["vatIdentifier"]+" DE" || l.schemeName("EM", false) == "" || l.schemeName("HS", true) != "HS" || l.schemeName("HS", false) != "" || l.unitName("PX") == "" {
			t.Errorf("%s: a scheme or unit has another name", tag)
		}
	}
}
