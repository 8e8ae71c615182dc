package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/model/sampled"
	"einvoice/rulesets"
)

// An overlay over a family may change what any version has that a day of its term chooses, and
// nothing else: the check says so of random versions, terms and rules.
func TestOverlaysOverVersionsInForce(t *testing.T) {
	days := []engine.Day{"2025-12-31", "2026-01-01", "2026-06-30", "2026-07-01", "2026-12-31", "2027-01-01"}
	allDays := append([]engine.Day{"2020-01-01", "2026-03-01", "2026-09-01", "2030-01-01"}, days...)
	accepted := 0
	for seed := range uint64(150) {
		if !sampled.Takes(int(seed), 5) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 3))
		term := func() (text string) {
			from, until := days[r.IntN(len(days))], days[r.IntN(len(days))]
			if until < from {
				from, until = until, from
			}
			var keys []string
			if r.IntN(3) > 0 {
				keys = append(keys, "from: "+string(from))
			}
			if r.IntN(3) > 0 {
				keys = append(keys, "until: "+string(until))
			}
			if keys == nil {
				return ""
			}
			return "effective: {" + strings.Join(keys, ", ") + "}\n"
		}
		folder, changed := fstest.MapFS{}, fmt.Sprintf("CO-%d", 1+r.IntN(4))
		for version := range 1 + r.IntN(4) {
			text := fmt.Sprintf("ruleset: company\nversion: %d\nlayer: cius\n%srules:\n", version+1, term())
			for rule := range 4 {
				if r.IntN(2) == 0 || rule == version {
					text += fmt.Sprintf("  - {id: CO-%d, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], fields: [number], message: Number the invoice (BT-1)., text: It is numbered (BT-1).}\n", rule+1)
				}
			}
			folder[fmt.Sprintf("company/%d/a.yaml", version+1)] = &fstest.MapFile{Data: []byte(text)}
		}
		folder["overlays/acme.yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil, "overlay: acme\ntitle: T\nowner: O\non: {rulesets: [company]}\n%slevels:\n  - {rules: [%s], level: warning, reason: R., until: open, source: S}\n", term(), changed)}
		l, err := engine.Open(engine.Layered(folder, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.Overlay("acme")
		if err != nil {
			t.Fatal(err)
		}
		reached, has := false, false
		for _, day := range allDays {
			if ref, err := l.VersionAt("company", day); err == nil && o.Effective.Has(day) {
				set, err := l.Ruleset(ref)
				if err != nil {
					t.Fatal(err)
				}
				reached, has = true, has || slices.ContainsFunc(set.Rules, func(r *engine.Rule) bool { return r.ID == changed })
			}
		}
		if !reached { // nothing decides then
			continue
		}
		err = lint.Check(l, false)
		if missing := err != nil && strings.Contains(err.Error(), "which nothing that the overlay rests on has"); missing == has {
			t.Errorf("%d: the overlay reaches %s: %v, and the check says %v", seed, changed, has, err)
			for _, name := range []string{"company/1/a.yaml", "company/2/a.yaml", "company/3/a.yaml", "company/4/a.yaml", "overlays/acme.yaml"} {
				if f := folder[name]; f != nil {
					t.Log(name + ":\n" + string(f.Data))
				}
			}
		}
		if has {
			accepted++
		}
	}
	if accepted < sampled.Of(50, 8) {
		t.Errorf("only %d changes were of a rule that is reached", accepted)
	}
}
