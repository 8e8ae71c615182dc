package validate_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// A report names the day that chose among the versions of a family, before and after the
// newest one is in force, though the version that it chose has no days itself.
func TestDayThatChoosesAVersionIsTold(t *testing.T) {
	const rule = "rules: [{id: C-1, level: warning, context: /invoice, assert: \"true\", btCodes: [], message: m, text: t}]\n"
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(fstest.MapFS{
		"company/1/a.yaml": {Data: []byte("ruleset: company\nversion: 1\nlayer: cius\n" + rule)},
		"company/2/a.yaml": {Data: []byte("ruleset: company\nversion: 2\nlayer: cius\neffective: {from: 2026-12-01}\n" + rule)},
		"plain/1/a.yaml":   {Data: []byte("ruleset: plain\nversion: 1\nlayer: cius\n" + strings.Replace(rule, "C-1", "P-1", 1))},
	}, rulesets.FS)})
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ family, issued, version, day string }{
		{"company", "2026-11-30", "1", "2026-11-30"},
		{"company", "2026-12-01", "2", "2026-12-01"},
		{"plain", "2026-11-30", "1", ""},
	} {
		data := strings.Replace(string(sample), "<cbc:IssueDate>2026-11-20<", "<cbc:IssueDate>"+c.issued+"<", 1)
		result, err := s.Validate(t.Context(), []byte(data), validate.Rules{Rulesets: []string{"en16931", c.family}})
		if err != nil {
			t.Fatal(err)
		}
		day := ""
		if d := result.Report.Date; d != nil {
			day = string(d.Day)
		}
		ran := slices.ContainsFunc(result.Report.Rulesets, func(r engine.RulesetInfo) bool { return r.Name == c.family && r.Version == c.version })
		if !ran || day != c.day {
			t.Errorf("%s, issued on %s: %+v were run, and the day is %q; want version %s and %q", c.family, c.issued, result.Report.Rulesets, day, c.version, c.day)
		}
	}
}

// A day that is not one is an error, as it is on the command line: as a text it would come before
// or after all others, and the rules of another day would run. So is a standard that is not there.
func TestOptionsAreKnown(t *testing.T) {
	s, err := validate.Open(validate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	for option, rules := range map[string]validate.Rules{"at": {At: "2026-13-01"}, "received": {Received: "1.1.2026"}, "standard": {Standard: "nope"}} {
		_, err := s.Validate(t.Context(), sample, rules)
		for _, err := range []error{err, s.CheckRules(rules)} {
			if of, ok := errors.AsType[*problem.Error](err); !ok || of.Code != problem.CodeOption || of.Field != option {
				t.Errorf("%s: %v", option, err)
			}
		}
	}
}
