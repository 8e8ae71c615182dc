package engine_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"einvoice/engine"
)

// The name of a family alone means one of its versions, and never a variant, also while the
// version that the variant is of is not in force.
func TestFamilyNameIsNoVariant(t *testing.T) {
	file := func(version, keys string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("ruleset: company\nversion: " + version + "\nlayer: cius\n" + keys + "rules:" + companyRule)}
	}
	first, second := file("1", "effective: {until: 2026-12-31}\n"), file("2", "effective: {from: 2027-01-01}\n")
	variant := file("2-lite", "")
	for _, c := range []struct {
		name   string
		files  fstest.MapFS
		newest string
		on     map[engine.Day]string // "" where none is in force
	}{
		{"two versions", fstest.MapFS{"company/1/a.yaml": first, "company/2/a.yaml": second, "company/2-lite/a.yaml": variant},
			"2", map[engine.Day]string{"2026-11-20": "1", "2027-01-01": "2"}},
		{"none in force", fstest.MapFS{"company/2/a.yaml": second, "company/2-lite/a.yaml": variant},
			"2", map[engine.Day]string{"2026-11-20": "", "2027-01-01": "2"}},
		{"a variant of what is not there", fstest.MapFS{"company/1/a.yaml": first, "company/2-lite/a.yaml": variant},
			"1", map[engine.Day]string{"2026-11-20": "1", "2027-01-01": ""}},
		{"variants alone", fstest.MapFS{"company/1-lite/a.yaml": file("1-lite", ""), "company/2-lite/a.yaml": variant},
			"2-lite", map[engine.Day]string{"2026-11-20": "2-lite"}},
	} {
		library, err := engine.Open(c.files)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := library.Ruleset("company"); err != nil || s.Version != c.newest {
			t.Errorf("%s: the newest is %v (%v), want %s", c.name, s, err, c.newest)
		}
		for day, want := range c.on {
			if want != "" {
				want = "company/" + want
			}
			if got, err := library.VersionAt("company", day); got != want || (err == nil) != (want != "") {
				t.Errorf("%s: on %s it is %q (%v), want %q", c.name, day, got, err, want)
			}
		}
	}
}

// A version that a ruleset does not have is not found, as a ruleset that is not there.
func TestVersionNotFound(t *testing.T) {
	library, err := engine.Open(fstest.MapFS{"company/1/a.yaml": {Data: []byte(company("", companyRule))}})
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"company/9": "there is no version 9 of the ruleset company; there are 1",
		"company/":  "the version of the ruleset company is missing: write it too, as in company/1",
		"firm":      `there is no ruleset "firm"; there are company`,
		"firm/1":    `there is no ruleset "firm"; there are company`,
	} {
		_, err := library.Ruleset(ref)
		if _, ok := errors.AsType[*engine.NotFoundError](err); !ok || err.Error() != want {
			t.Errorf("%s: %v (%T)", ref, err, err)
		}
	}
}
