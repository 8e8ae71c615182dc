package validate_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
	"einvoice/service/verdict"
)

// Whatever rulesets are chosen for a document of whatever profile, the verdict names a profile
// only where all rulesets of that profile were run.
func TestVerdictNamesWhatWasHeld(t *testing.T) {
	s := kittest.Kit(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := s.Library().Profiles()
	if err != nil {
		t.Fatal(err)
	}
	families, err := s.Library().Versions()
	if err != nil {
		t.Fatal(err)
	}
	var choices [][]string
	for family := range families {
		choices = append(choices, []string{family}, []string{"en16931", family}, []string{family, "container"})
	}
	seen := 0
	for _, declared := range profiles {
		if len(declared.SpecificationIDs) == 0 || !declared.DefinedIn("ubl") || declared.Substitute() != nil {
			continue
		}
		invoice := bytes.Replace(data, []byte("urn:cen.eu:en16931:2017</cbc:CustomizationID>"), []byte(declared.SpecificationIDs[0]+"</cbc:CustomizationID>"), 1)
		for _, choice := range choices {
			result, err := s.Validate(t.Context(), invoice, validate.Rules{Rulesets: choice})
			if err != nil {
				continue // a ruleset of PDFs alone
			}
			seen++
			said := verdict.Sentence(result.Report, nil)
			for _, p := range profiles {
				held, _, _ := strings.Cut(said, " in UBL") // and after it what was not held
				if strings.HasSuffix(held, p.Name) && !ran(t, s.Library(), p, result.Report) {
					t.Errorf("%s by %v: %q, and of %s not all was run: %v", declared.ID, choice, said, p.Name, result.Report.Rulesets)
				}
			}
			if whole := ran(t, s.Library(), declared, result.Report); whole != (result.Report.ValidatedAs == "") {
				t.Errorf("%s by %v: all was run: %v, and the verdict is %q", declared.ID, choice, whole, said)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d verdicts were looked at", seen)
	}
}

// A profile whose rules are not here is not said to be held where the request chooses the rules
// that are run in place of them.
func TestVerdictOfMissingRulesChosen(t *testing.T) {
	s := kittest.Kit(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	invoice := bytes.Replace(data, []byte("urn:cen.eu:en16931:2017</cbc:CustomizationID>"), []byte("urn:peppol:pint:billing-1@sg-1</cbc:CustomizationID>"), 1)
	for _, choice := range [][]string{nil, {"en16931"}, {"en16931", "container"}} {
		result, err := s.Validate(t.Context(), invoice, validate.Rules{Rulesets: choice})
		if err != nil {
			t.Fatal(err)
		}
		r := result.Report
		if r.ValidatedAs != "EN 16931" || !slices.ContainsFunc(r.Findings, func(f engine.Finding) bool { return f.Rule == "PROFILE-RULES-MISSING" }) {
			t.Errorf("by %v: %q, validated as %q", choice, verdict.Sentence(r, nil), r.ValidatedAs)
		}
	}
}

// ran reports whether a report has all rulesets of a profile.
func ran(t *testing.T, l *engine.Library, p *engine.Profile, r *engine.Report) bool {
	t.Helper()
	for _, ref := range p.Rulesets {
		set, err := l.Ruleset(ref)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, info := range r.Rulesets {
			found = found || info.Name == set.Name && info.Version == set.Version
		}
		if !found {
			return false
		}
	}
	return true
}
