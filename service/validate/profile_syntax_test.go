package validate_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// A document that declares a profile of the other syntax is validated by the rules of EN
// 16931, which are there for its own, and says so. Asked for by name, such a profile is
// refused.
func TestProfileOfTheOtherSyntax(t *testing.T) {
	s := kittest.Kit(t)
	data, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := s.Library().Profiles()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range profiles {
		if p.DefinedIn(model.UBL) {
			continue
		}
		for _, id := range p.SpecificationIDs {
			seen++
			invoice := bytes.Replace(data, []byte("urn:cen.eu:en16931:2017</cbc:CustomizationID>"), []byte(id+"</cbc:CustomizationID>"), 1)
			result, err := s.Validate(t.Context(), invoice, validate.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			r := result.Report
			if !r.Valid || r.Standard != "en16931" || len(r.Findings) != 1 || r.Findings[0].Rule != "PROFILE-UNKNOWN" || r.Findings[0].Level != engine.Warning ||
				!strings.Contains(r.Findings[0].Message, p.Name+", which is defined in CII alone") {
				t.Errorf("%s: %s %+v", id, r.Standard, r.Findings)
			}
		}
		var refused *problem.Error
		if _, err := s.Validate(t.Context(), data, validate.Rules{Profile: p.ID}); !errors.As(err, &refused) || refused.Code != "SYNTAX-MISMATCH" || refused.Remedy == "" {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
	if seen < 8 {
		t.Errorf("only %d identifiers were looked at", seen)
	}
}

// A profile whose own rules can refuse nothing in a syntax is defined in the other alone:
// it says so, whichever of its identifiers a document has, and is refused when it is asked
// for by name. A profile that is defined in a syntax does neither.
func TestProfileWithoutRulesForASyntax(t *testing.T) {
	s := kittest.Kit(t)
	profiles, err := s.Library().Profiles()
	if err != nil {
		t.Fatal(err)
	}
	norm, err := s.Library().DefaultProfile()
	if err != nil {
		t.Fatal(err)
	}
	samples := map[model.Syntax][]byte{}
	for syntax, name := range map[model.Syntax]string{model.UBL: "ubl", model.CII: "cii"} {
		if samples[syntax], err = os.ReadFile("../../cmd/einvoice/samples/" + name + "-valid.xml"); err != nil {
			t.Fatal(err)
		}
	}
	lacking := 0
	for _, p := range profiles {
		if p == norm || p.Syntax == "" && slices.Equal(p.Rulesets, norm.Rulesets) && p.Substitute() == nil {
			continue // nothing of its own
		}
		for syntax, sample := range samples {
			has := p.Substitute() == nil && p.DefinedIn(syntax)
			if has && !refuses(t, s.Library(), p, norm, syntax) {
				t.Errorf("%s has no rule for %s, and does not say so", p.ID, syntax)
			}
			if _, err := s.Validate(t.Context(), sample, validate.Rules{Profile: p.ID}); p.Substitute() == nil && (err == nil) != has {
				t.Errorf("%s by name in %s, with rules for it: %t: %v", p.ID, syntax, has, err)
			}
			ids := slices.Concat(p.SpecificationIDs, p.SpecificationPrefixes)
			if p.Declares != "" && len(ids) > 0 { // else another profile is recognised by it
				ids = append(ids, p.Declares)
			}
			for _, id := range ids {
				invoice := bytes.Replace(sample, []byte("urn:cen.eu:en16931:2017<"), []byte(id+"<"), 1)
				result, err := s.Validate(t.Context(), invoice, validate.Rules{})
				if err != nil {
					t.Fatal(err)
				}
				said := slices.ContainsFunc(result.Report.Findings, func(f engine.Finding) bool {
					return (f.Rule == "PROFILE-UNKNOWN" || f.Rule == "PROFILE-RULES-MISSING") && strings.Contains(f.Message, p.Name)
				})
				if said == has {
					t.Errorf("%s in %s, with rules for it: %t; %+v", id, syntax, has, result.Report.Findings)
				}
				if !has {
					lacking++
				}
			}
		}
	}
	if lacking < 30 {
		t.Errorf("only %d documents without rules were looked at", lacking)
	}
}

// refuses reports whether a rule of the profile can refuse a document in this syntax: one
// that neither the norm has nor a ruleset that its own extends, if it adds any.
func refuses(t *testing.T, l *engine.Library, p, norm *engine.Profile, syntax model.Syntax) bool {
	t.Helper()
	set := func(ref string) *engine.Ruleset {
		if !strings.Contains(ref, "/") {
			var err error
			if ref, err = l.VersionFor(ref, &model.Invoice{}); err != nil {
				t.Fatal(err)
			}
		}
		out, err := l.Ruleset(ref)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	fatal := func(r *engine.Rule) bool {
		form, ok := r.Form(syntax)
		return ok && form.Level == engine.Fatal && r.NeverFires == ""
	}
	for _, ref := range p.Rulesets {
		if slices.Contains(norm.Rulesets, ref) {
			continue
		}
		own := set(ref)
		rules := own.Rules
		if own.Extends != "" {
			base := set(own.Extends)
			added := slices.DeleteFunc(slices.Clone(rules), func(r *engine.Rule) bool {
				return slices.ContainsFunc(base.Rules, func(b *engine.Rule) bool { return b.ID == r.ID })
			})
			if len(added) > 0 {
				rules = added
			}
		}
		if slices.ContainsFunc(rules, fatal) {
			return true
		}
	}
	return false
}
