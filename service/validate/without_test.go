package validate_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// A ruleset that a request names and that has no rule for the syntax of a document is named in a
// warning; one that has rules for it is not.
func TestRulesetWithoutRules(t *testing.T) {
	s := kittest.Kit(t)
	families, err := s.Library().Versions()
	if err != nil {
		t.Fatal(err)
	}
	var refs []string
	for family, versions := range families {
		for _, version := range versions {
			refs = append(refs, family+"/"+version)
		}
	}
	without, norm := map[model.Syntax]int{}, map[model.Syntax]int{} // norm is how many rules EN 16931 has
	for syntax, name := range map[model.Syntax]string{model.UBL: "ubl", model.CII: "cii"} {
		sample, err := os.ReadFile("../../cmd/einvoice/samples/" + name + "-valid.xml")
		if err != nil {
			t.Fatal(err)
		}
		alone, err := s.Validate(t.Context(), sample, validate.Rules{Rulesets: []string{"en16931"}})
		if err != nil {
			t.Fatal(err)
		}
		norm[syntax] = alone.Report.RulesRun
		for _, ref := range refs {
			set, err := s.Library().Ruleset(ref)
			if err != nil {
				t.Fatal(err)
			}
			if set.Layer == engine.LayerContainer || set.Name == "en16931" || set.Effective != (engine.Period{}) {
				continue
			}
			result, err := s.Validate(t.Context(), sample, validate.Rules{Rulesets: []string{"en16931", ref}})
			if err != nil {
				t.Fatal(ref, err)
			}
			has := result.Report.RulesRun > norm[syntax]
			said := slices.ContainsFunc(result.Report.Findings, func(f engine.Finding) bool { return f.Rule == "RULESET-WITHOUT-RULES" })
			if said == has {
				t.Errorf("%s in %s: has rules %t, and the warning is there: %t", ref, syntax, has, said)
			}
			if said {
				without[syntax]++
			}
		}
	}
	if without[model.CII] < 4 || without[model.UBL] < 4 {
		t.Errorf("%v rulesets without rules were looked at", without)
	}
}

// An overlay whose rules another one replaces is not said to have none for the syntax: they are
// checked, as the other one has them.
func TestOverlayWhoseRulesAreReplaced(t *testing.T) {
	const rule = "rules: [{id: ONE-1, level: fatal, context: /invoice, assert: 'filled(this.number)', btCodes: [BT-1], message: m, text: t%s}]\n"
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(fstest.MapFS{
		"overlays/one.yaml":   {Data: []byte("overlay: one\ntitle: One\non: {profiles: [en16931]}\n" + fmt.Sprintf(rule, ""))},
		"overlays/other.yaml": {Data: []byte("overlay: other\ntitle: Other\nover: [one]\n" + fmt.Sprintf(rule, ", replaces: Because."))},
	}, rulesets.FS)})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ubl", "cii"} {
		sample, err := os.ReadFile("../../cmd/einvoice/samples/" + name + "-valid.xml")
		if err != nil {
			t.Fatal(err)
		}
		result, err := s.Validate(t.Context(), sample, validate.Rules{Overlays: []string{"other"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Report.Findings) > 0 || len(result.Report.Overlays) != 2 {
			t.Errorf("%s: %+v, %+v", name, result.Report.Findings, result.Report.Overlays)
		}
	}
}
