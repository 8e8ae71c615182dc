package validate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/rulesets"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// Whichever day is asked for, and however an overlay that may not be left out is dated, in itself,
// in its rules, in its levels or in the rulesets that it adds: a document has all of its findings, with their
// levels, that it has on its own day, or is refused; without such a day, or such an overlay, none is.
func TestNoDayTakesAwayWhatIsKept(t *testing.T) {
	sample, err := os.ReadFile("../../cmd/einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(29, 11)) //nolint:gosec // the same overlays in every run
	days := []string{"2025-06-01", "2026-03-01", "2026-07-01", "2027-02-01"}
	day := func() string { return days[r.IntN(len(days))] }
	period := func() string {
		switch from, until := day(), day(); {
		case r.IntN(2) == 0:
			return ""
		case r.IntN(2) == 0 || until < from:
			return "effective: {from: " + from + "}"
		default:
			return "effective: {from: " + from + ", until: " + until + "}"
		}
	}
	inRule := func() string {
		p := period()
		if p != "" {
			p = ", " + p
		}
		return p
	}
	rule := func(id string) string {
		return fmt.Sprintf("  - {id: %s, level: fatal, context: /invoice, assert: 'false', btCodes: [], fields: [number], message: m, text: t%s}\n", id, inRule())
	}
	refused, taken := 0, 0
	for range 60 {
		by := []string{"", "decidedBy: receipt\n", "decidedBy: validation\n"}[r.IntN(3)]
		whole := period()
		if whole != "" {
			whole = by + whole + "\n"
		}
		text := "overlay: kept\ntitle: t\nowner: us\non: {profiles: [\"*\"]}\n" + whole + "levels: [{rules: [X-1], level: fatal, reason: r, owner: us, until: " + day() + "}]\n"
		if r.IntN(2) == 0 {
			text += "rulesets: [house]\n"
		}
		text += "rules:\n" + rule("K-1") + rule("K-2")
		folder := fstest.MapFS{
			"overlays/kept.yaml":  {Data: []byte(text)},
			"overlays/other.yaml": {Data: []byte("overlay: other\ntitle: t\nowner: us\non: {profiles: [\"*\"]}\n" + period() + "\nrules:\n" + rule("E-1"))},
			"house/1/a.yaml":      {Data: []byte("ruleset: house\nversion: 1\nlayer: cius\neffective: {from: 2025-01-01}\nrules:\n" + rule("H-1") + strings.Replace(rule("X-1"), "fatal", "warning", 1))},
			"house/2/a.yaml":      {Data: []byte("ruleset: house\nversion: 2\nlayer: cius\neffective: {from: 2026-05-01}\nrules:\n" + rule("H-2"))},
		}
		s, err := operation.Open(operation.Config{Rulesets: engine.Layered(folder, rulesets.FS)})
		if err != nil {
			t.Fatal(err)
		}
		document := []byte(strings.Replace(string(sample), "2026-11-20", day(), 1))
		rules := validate.Rules{Overlays: []string{"kept", "other"}, Kept: []string{"kept"}, Received: engine.Day(day())}
		own, err := s.Validate(t.Context(), document, rules)
		if err != nil {
			t.Fatalf("without a day: %v\n%s", err, text)
		}
		rules.At = engine.Day(day())
		asked, err := s.Validate(t.Context(), document, rules)
		if e, is := errors.AsType[*problem.Error](err); is && e.Code == problem.CodeOption {
			refused++
			free := rules
			free.Kept = nil
			if _, err := s.Validate(t.Context(), document, free); err != nil {
				t.Errorf("a day is refused where nothing is kept: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		taken++
		levels := map[string]engine.Level{}
		for _, f := range asked.Report.Findings {
			levels[f.Rule] = f.Level
		}
		for _, f := range own.Report.Findings {
			if strings.HasPrefix(f.Rule, "E-") {
				continue
			}
			if levels[f.Rule] != f.Level {
				t.Errorf("on %s %s is %q, and %s on the day of the document (%s)\n%s", rules.At, f.Rule, levels[f.Rule], f.Level, own.Report.Date.Day, text)
			}
		}
	}
	if refused < 10 || taken < 10 {
		t.Errorf("%d days were refused and %d taken: the days decide too little", refused, taken)
	}
}
