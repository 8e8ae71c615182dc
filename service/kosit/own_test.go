package kosit_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// ownRule fires on the base invoice, which has no buyer reference.
const ownRule = `  - {id: OWN-1, level: fatal, context: /invoice, assert: "has(this.buyerReference)", btCodes: [BT-10], message: Write it., text: There is one.}` + "\n"

// However a profile comes by rules of one's own, a check of its documents runs them, and decides
// as validate does.
func TestOwnRules(t *testing.T) {
	ruleset := map[string]string{"own/1/own.yaml": "ruleset: own\nversion: 1\nlayer: cius\nparameters: {most: {type: integer, default: 99, text: Lines}}\nrules:\n" + ownRule +
		`  - {id: OWN-2, level: warning, context: /invoice, assert: "invoice.lines.size() <= ${most}", btCodes: [BG-25], message: Fewer., text: Few.}` + "\n"}
	overlay := func(text string) map[string]string {
		return map[string]string{"overlays/mine.yaml": "overlay: mine\ntitle: Mine\nowner: Us\n" + text}
	}
	with := func(all ...map[string]string) map[string]string {
		files := map[string]string{}
		for _, one := range all {
			for name, text := range one {
				files[name] = text
			}
		}
		return files
	}
	named := func(ref string) func(string) string {
		return func(text string) string {
			return strings.Replace(text, "rulesets: [en16931]", "rulesets: [en16931, "+ref+"]", 1)
		}
	}
	overlaid := func(text string) string {
		return strings.Replace(text, "    rulesets: [en16931", "    overlays: [mine]\n    rulesets: [en16931", 1)
	}
	atTop := func(text string) string { return strings.Replace(text, "profiles:", "overlays: [mine]\nprofiles:", 1) }
	for name, c := range map[string]struct {
		files    map[string]string
		profiles func(string) string
		tells    []string // that a rule of one's own does
	}{
		"ruleset":              {ruleset, named("own"), []string{"OWN-1"}},
		"version of a ruleset": {ruleset, named("own/1"), []string{"OWN-1"}},
		"overlay with rules":   {overlay("rules:\n" + ownRule), overlaid, []string{"OWN-1"}},
		"overlay of all":       {overlay("rules:\n" + ownRule), atTop, []string{"OWN-1"}},
		"overlay with ruleset": {with(ruleset, overlay("rulesets: [own]\n")), overlaid, []string{"OWN-1"}},
		"parameter":            {with(ruleset, overlay("rulesets: [own]\nparameters: {most: 0}\nlevels: [{rules: [OWN-1], level: information, reason: Why., until: 2099-01-01}]\n")), overlaid, []string{"OWN-1", "OWN-2"}},
		"level lowered":        {with(ruleset, overlay("levels: [{rules: [OWN-1], level: warning, reason: Why., until: 2099-01-01}]\n")), func(s string) string { return overlaid(named("own")(s)) }, []string{"OWN-1"}},
		"level raised":         {with(ruleset, overlay("parameters: {most: 0}\nlevels: [{rules: [OWN-*], level: fatal, reason: Why., until: 2099-01-01}]\n")), func(s string) string { return overlaid(named("own")(s)) }, []string{"OWN-1", "OWN-2"}},
		"published level":      {overlay("levels: [{rules: [BR-CO-10], level: warning, reason: Why., until: 2099-01-01}]\n"), overlaid, nil},
		"for other buyers":     {overlay("documents: {buyer: [{vat: DE000}]}\nrules:\n" + ownRule), overlaid, nil},
		"nothing":              {nil, func(s string) string { return s }, nil},
	} {
		shipped, err := fs.ReadFile(rulesets.FS, "profiles/en16931.yaml")
		if err != nil {
			t.Fatal(err)
		}
		folder := fstest.MapFS{"profiles/en16931.yaml": {Data: []byte(c.profiles(string(shipped)))}}
		for file, text := range c.files {
			folder[file] = &fstest.MapFile{Data: []byte(text)}
		}
		for what, replace := range map[string][]string{
			"as it is": {}, "with a fault": {`currencyID="EUR">100.00</cbc:LineExtensionAmount>`, `currencyID="EUR">100.01</cbc:LineExtensionAmount>`},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				library, err := engine.Open(engine.Layered(folder, rulesets.FS))
				if err != nil {
					t.Fatal(err)
				}
				s := validate.New(library, validate.Config{})
				data := base(t, "base-ubl.xml", replace...)
				judged, err := s.Validate(t.Context(), data, validate.Rules{})
				if err != nil {
					t.Fatal(err)
				}
				result, report := check(t, builtIn(t, s), s, data)
				if result.Accepted() != judged.Report.Valid {
					t.Errorf("accepted %v, valid %v", result.Accepted(), judged.Report.Valid)
				}
				var told, found []string
				for _, step := range report.Matched.Steps {
					for _, m := range step.Messages {
						told = append(told, m.Code)
					}
				}
				for _, f := range judged.Report.Findings {
					found = append(found, f.Rule)
				}
				slices.Sort(told)
				slices.Sort(found)
				told, found = slices.Compact(told), slices.Compact(found)
				if !slices.Equal(told, found) {
					t.Errorf("the report tells %v, validate %v", told, found)
				}
				for _, id := range c.tells {
					if !slices.Contains(told, id) {
						t.Errorf("%s is not told", id)
					}
				}
			})
		}
	}
}

// Without a folder of one's own there is nothing of one's own.
func TestNoOwnRules(t *testing.T) {
	s := open(t)
	for _, scenario := range builtIn(t, s).Scenarios {
		if own, err := scenario.Own(s.Library()); err != nil || own != "" {
			t.Errorf("%s has %q of its own, %v", scenario.Name, own, err)
		}
	}
}

// The level that an overlay of one's own gives to a rule decides in place of the custom level of the scenario, also where it is
// the published one.
func TestOwnLevels(t *testing.T) {
	shipped, err := fs.ReadFile(rulesets.FS, "profiles/xrechnung.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile("testdata/xrechnung.xml")
	if err != nil {
		t.Fatal(err)
	}
	data := regexp.MustCompile(`unitCode="\w+"`).ReplaceAll(sample, []byte(`unitCode="QQQ"`)) // BR-CL-23, whose custom level is warning
	for _, level := range engine.Levels {
		library, err := engine.Open(engine.Layered(fstest.MapFS{
			"overlays/mine.yaml":      {Data: fmt.Appendf(nil, "overlay: mine\ntitle: Mine\nowner: Us\nover: xrechnung-3.0\nlevels: [{rules: [BR-CL-23], level: %s, reason: Why., until: 2099-01-01}]\n", level)},
			"profiles/xrechnung.yaml": {Data: bytes.Replace(shipped, []byte("overlays: [xrechnung-3.0"), []byte("overlays: [mine, xrechnung-3.0"), 1)},
		}, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		s := validate.New(library, validate.Config{})
		judged, err := s.Validate(t.Context(), data, validate.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if judged.Report.Valid != (level != engine.Fatal) {
			t.Errorf("%s: valid %v", level, judged.Report.Valid)
		}
		if at := slices.IndexFunc(judged.Report.Findings, func(f engine.Finding) bool { return f.Rule == "BR-CL-23" }); at < 0 || judged.Report.Findings[at].Level != level {
			t.Fatalf("%s: validate finds %+v", level, judged.Report.Findings)
		}
		if result, _ := check(t, builtIn(t, s), s, data); result.Accepted() != judged.Report.Valid {
			t.Errorf("%s: accepted %v, valid %v", level, result.Accepted(), judged.Report.Valid)
		}
	}
}
