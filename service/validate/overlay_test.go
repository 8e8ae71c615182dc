package validate_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

var acme = fstest.MapFS{
	"company/1/a.yaml": {Data: []byte(`ruleset: company
version: 1
layer: cius
parameters:
  limit: {type: decimal, default: 1000, text: From which amount on an order is needed}
rules:
  - {id: C-1, level: fatal, context: /invoice, assert: "this.totals.amountDueForPayment < ${limit}", btCodes: [BT-115], message: "Below ${limit}.", text: t}
  - {id: C-NEXT, level: fatal, context: /invoice, assert: "false", effective: {from: 2027-01-01}, btCodes: [], message: m, text: t}
  - {id: C-LAST, level: fatal, context: /invoice, assert: "false", effective: {until: 2025-12-31}, btCodes: [], message: m, text: t}
`)},
	"company/2/a.yaml": {Data: []byte(`ruleset: company
version: 2
layer: cius
extends: company/1
effective: {from: 2028-01-01}
levels: [{rules: [C-1], level: warning, reason: A year was enough.}]
`)},
	"overlays/acme.yaml": {Data: []byte(`overlay: acme
title: What ACME asks
owner: Compliance
on: {profiles: [en16931, "xrechnung-*"]}
documents: {buyer: [buyer@acme.example]}
levels:
  - {rules: [BR-CL-23], level: warning, until: 2027-06-30, reason: New units}
parameters: {limit: 10}
codeLists:
  - {list: iso-4217, only: SEK}
  - {list: acme-sites, codes: A B}
rulesets: [company]
rules:
  - {id: ACME-1, level: warning, context: /invoice, assert: 'this.buyerReference.isInCodeList("acme-sites")', btCodes: [BT-10], message: m, text: t}
tables:
  - {kind: code, list: acme-sites, on: ubl, level: warning, context: /*, rows: {ACME-2: cbc:ID}}
`)},
	"overlays/plain.yaml": {Data: []byte("overlay: plain\ntitle: The rules alone\nowner: us\non: {rulesets: [en16931]}\nrulesets: [company]\n")},
}

func withAcme(t *testing.T) *operation.Kit {
	t.Helper()
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(acme, rulesets.FS)})
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(s.Library(), false); err != nil {
		t.Fatal(err)
	}
	return s
}

// An overlay adds rules, sets parameters, narrows code lists and changes levels beside
// those of the profile, for the documents and the days that it says.
func TestOverlay(t *testing.T) {
	s := withAcme(t)
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	toACME := strings.Replace(string(sample), "buyer@example.com", "buyer@acme.example", 1)
	const german = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
	for _, c := range []struct {
		name     string
		document string
		rules    validate.Rules
		want     string // findings: rule, level, overlay
		told     string // of the overlays
	}{
		{"none", string(sample), validate.Rules{}, "", ""},
		{"other buyer", string(sample), validate.Rules{Overlays: []string{"acme"}}, "", "acme: it is for invoices to other buyers"},
		{"all that it says", toACME, validate.Rules{Overlays: []string{"acme"}},
			"BR-CL-03 fatal acme, BR-CL-04 fatal acme, C-1 fatal acme, ACME-1 warning acme, ACME-2 warning acme", "acme: "},
		{"level", strings.Replace(toACME, "HUR", "XXX", 1), validate.Rules{Overlays: []string{"acme"}},
			"BR-CL-03 fatal acme, BR-CL-04 fatal acme, C-1 fatal acme, ACME-1 warning acme, ACME-2 warning acme, BR-CL-23 warning acme", "acme: "},
		{"level ended", strings.Replace(toACME, "HUR", "XXX", 1), validate.Rules{Overlays: []string{"acme"}, At: "2027-07-01"},
			"BR-CL-03 fatal acme, BR-CL-04 fatal acme, C-1 fatal acme, C-NEXT fatal acme, BR-CL-23 fatal , OVERLAY-EXPIRED warning , ACME-1 warning acme, ACME-2 warning acme", "acme: "},
		{"next version", string(sample), validate.Rules{Overlays: []string{"plain"}, At: "2028-01-01"}, "C-NEXT fatal plain", "plain: "},
		{"last version", string(sample), validate.Rules{Overlays: []string{"plain"}, At: "2025-12-31"}, "C-LAST fatal plain", "plain: "},
		{"rulesets alone", string(sample), validate.Rules{Rulesets: []string{"company"}, At: "2028-01-01"}, "C-NEXT fatal ", ""},
		{"profile's overlays stay", strings.Replace(strings.Replace(toACME, "urn:cen.eu:en16931:2017", german, 1), "HUR", "XXX", 1), validate.Rules{Overlays: []string{"acme"}},
			"", "acme: , xrechnung-3.0: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			result, err := s.Validate(context.Background(), []byte(c.document), c.rules)
			if err != nil {
				t.Fatal(err)
			}
			var got, told []string
			for _, f := range result.Report.Findings {
				if line := f.Rule + " " + string(f.Level) + " " + f.Overlay; !slices.Contains(got, line) {
					got = append(got, line)
				}
			}
			for _, o := range result.Report.Overlays {
				told = append(told, o.Name+": "+o.Reason)
			}
			if strings.Join(told, ", ") != c.told {
				t.Errorf("told %q", told)
			}
			if c.name == "profile's overlays stay" {
				if !slices.Contains(got, "BR-CL-23 warning acme") || !slices.ContainsFunc(result.Report.Rulesets, func(r engine.RulesetInfo) bool { return r.Name == "xrechnung" }) {
					t.Errorf("got %q by %v", got, result.Report.Rulesets)
				}
				return
			}
			slices.Sort(got)
			want := strings.Split(c.want, ", ")
			slices.Sort(want)
			if strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// An overlay sets a parameter that is the level of a rule, unless the version that took the
// rule over gave it another level.
func TestOverlaySetsLevel(t *testing.T) {
	const rule = "  - {id: L-1, level: \"${grade}\", context: /invoice, assert: \"false\", btCodes: [], message: m, text: t}\n"
	s, err := operation.Open(operation.Config{Rulesets: engine.Layered(fstest.MapFS{
		"grades/1/a.yaml":    {Data: []byte("ruleset: grades\nversion: 1\nlayer: cius\nparameters:\n  grade: {type: text, default: warning, text: How bad it is}\nrules:\n" + rule)},
		"grades/2/a.yaml":    {Data: []byte("ruleset: grades\nversion: 2\nlayer: cius\nextends: grades/1\nlevels: [{rules: [L-1], level: information, reason: r}]\n")},
		"overlays/bad.yaml":  {Data: []byte("overlay: bad\ntitle: t\nowner: us\non: {rulesets: [en16931]}\nrulesets: [grades/1]\nparameters: {grade: fatal}\n")},
		"overlays/bad2.yaml": {Data: []byte("overlay: bad2\ntitle: t\nowner: us\non: {rulesets: [en16931]}\nrulesets: [grades/2]\nparameters: {grade: fatal}\n")},
	}, rulesets.FS)})
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	for overlay, want := range map[string]engine.Level{"bad": engine.Fatal, "bad2": engine.Information} {
		result, err := s.Validate(context.Background(), sample, validate.Rules{Overlays: []string{overlay}})
		if err != nil {
			t.Fatal(err)
		}
		if f := result.Report.Findings; len(f) != 1 || f[0].Level != want {
			t.Errorf("%s: got %v, want one of level %s", overlay, f, want)
		}
	}
}

// The digest of a report tells overlays apart, and the day that decided is told where
// time matters alone.
func TestOverlayDigest(t *testing.T) {
	s := withAcme(t)
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, rules := range []validate.Rules{{}, {Overlays: []string{"plain"}}, {Rulesets: []string{"company/1"}}, {Rulesets: []string{"company/2"}}} {
		result, err := s.Validate(context.Background(), sample, rules)
		if err != nil {
			t.Fatal(err)
		}
		if seen[result.Report.Digest] {
			t.Errorf("%v: the digest is that of other rules", rules)
		}
		seen[result.Report.Digest] = true
		dated := rules.Overlays != nil || rules.Rulesets != nil
		if d := result.Report.Date; dated != (d != nil) || dated && (d.By != engine.ByIssueDate || d.Day != "2026-11-20") {
			t.Errorf("%v: got the date %v", rules, d)
		}
	}
	if err := s.CheckRules(validate.Rules{Overlays: []string{"acm"}}); err == nil || !strings.Contains(err.Error(), "did you mean acme?") {
		t.Errorf("got %v", err)
	}
}
