package ruletest_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/ruletest"
)

// However an overlay comes by a rule, the card of the rule names the overlay where it changes its
// level, and no other overlay.
func TestCardNamesOverlays(t *testing.T) {
	rule := `  - {id: %s, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], message: m, text: t, effective: {from: 2027-01-01}}` + "\n"
	ruleset := func(name, id string) string {
		return "ruleset: " + name + "\nversion: 1\nlayer: cius\nrules:\n" + fmt.Sprintf(rule, id)
	}
	levels := "levels: [{rules: [%s], level: warning, reason: Why., until: 2099-01-01}]\n"
	overlay := func(name, text string) string { return "overlay: " + name + "\ntitle: T\nowner: Us\n" + text }
	for what, c := range map[string]struct {
		files map[string]string // beside the rulesets and the profile
		id    string
	}{
		"rests on the ruleset":            {map[string]string{"overlays/o.yaml": "on: {rulesets: [own]}\n" + levels}, "R-1"},
		"rests on its version":            {map[string]string{"overlays/o.yaml": "on: {rulesets: [own/1]}\n" + levels}, "R-1"},
		"rests on a profile":              {map[string]string{"overlays/o.yaml": "on: {profiles: [p]}\n" + levels}, "B-1"},
		"rests on profiles":               {map[string]string{"overlays/o.yaml": `on: {profiles: ["p*"]}` + "\n" + levels}, "B-1"},
		"runs the ruleset":                {map[string]string{"overlays/o.yaml": "on: {profiles: [p]}\nrulesets: [own]\n" + levels}, "R-1"},
		"runs its version":                {map[string]string{"overlays/o.yaml": "on: {profiles: [p]}\nrulesets: [own/1]\n" + levels}, "R-1"},
		"is over one that runs it":        {map[string]string{"overlays/o.yaml": "over: [under]\n" + levels, "overlays/under.yaml": "on: {profiles: [p]}\nrulesets: [own]\n"}, "R-1"},
		"is over one that has the rule":   {map[string]string{"overlays/o.yaml": "over: [under]\n" + levels, "overlays/under.yaml": "on: {profiles: [p]}\nrules:\n" + fmt.Sprintf(rule, "U-1")}, "U-1"},
		"is over one that is over it":     {map[string]string{"overlays/o.yaml": "over: [middle]\n" + levels, "overlays/middle.yaml": "over: [under]\nparameters: {}\n", "overlays/under.yaml": "on: {profiles: [p]}\nrules:\n" + fmt.Sprintf(rule, "U-1")}, "U-1"},
		"has nothing to do with the rule": {map[string]string{"overlays/o.yaml": "on: {rulesets: [other]}\n" + levels}, "R-1"},
	} {
		for _, named := range []string{c.id, c.id[:1] + "*"} {
			t.Run(what+" "+named, func(t *testing.T) {
				folder := fstest.MapFS{
					"own/1/a.yaml": {Data: []byte(ruleset("own", "R-1"))}, "base/1/a.yaml": {Data: []byte(ruleset("base", "B-1"))}, "other/1/a.yaml": {Data: []byte(ruleset("other", "O-1"))},
					"profiles/p.yaml": {Data: []byte("profiles:\n  - {id: p, name: P, standard: p, default: true, specificationIds: [urn:p], rulesets: [base]}\n")},
				}
				for file, text := range c.files {
					name := strings.TrimSuffix(strings.TrimPrefix(file, "overlays/"), ".yaml")
					folder[file] = &fstest.MapFile{Data: []byte(overlay(name, strings.ReplaceAll(text, "%s", named)))}
				}
				library, err := engine.Open(folder)
				if err != nil {
					t.Fatal(err)
				}
				cards, err := ruletest.Cards(library, c.id)
				if err != nil || len(cards) != 1 {
					t.Fatalf("%d cards, %v", len(cards), err)
				}
				card := cards[0]
				if want := !strings.HasPrefix(what, "has nothing"); (len(card.Overlays) == 1 && card.Overlays[0].Overlay == "o") != want {
					t.Errorf("names %v", card.Overlays)
				}
				if card.Effective == nil || card.Effective.From != "2027-01-01" {
					t.Errorf("in force %v", card.Effective)
				}
			})
		}
	}
}
