package ruletest_test

import (
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/rulesets"
)

// Every rule of every version has a card, which names its source and, unless it is of no
// profile, the profiles that run it.
func TestCardsOfEveryRule(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := library.Versions()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][]ruletest.Card{}
	rules := 0
	for family, all := range versions {
		for _, version := range all {
			set, err := library.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range set.Rules {
				rules++
				cards, known := shown[rule.ID]
				if !known {
					if cards, err = ruletest.Cards(library, rule.ID); err != nil {
						t.Fatal(err)
					}
					shown[rule.ID] = cards
				}
				of := slices.IndexFunc(cards, func(c ruletest.Card) bool { return slices.Contains(c.Rulesets, family+"/"+version) })
				if of < 0 {
					t.Errorf("no card of %s is that of %s/%s", rule.ID, family, version)
					continue
				}
				if family != "container" && family != "peppol-core" && family != "request" && family != "batch" && family != "check-digits" && // ours, or without a publisher of their own
					cards[of].Source == nil {
					t.Errorf("the card of %s in %s/%s has no source", rule.ID, family, version)
				}
			}
		}
	}
	if rules < 3000 {
		t.Errorf("only %d rules were looked at", rules)
	}
}

// What refers to a rule: versions that write it in other ways, rulesets that leave it out,
// profiles and their overlays.
func TestCardsOfARule(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	cards, err := ruletest.Cards(library, "UBL-CR-646")
	if err != nil || len(cards) != 1 {
		t.Fatalf("%d cards, %v", len(cards), err)
	}
	c := cards[0]
	if !slices.Contains(c.LeftOutBy, "facturx-core/1.09-minimum") || !slices.Contains(c.Profiles, "xrechnung-3.0") || c.Source.Version != "1.3.16" || c.Source.Clause != "CEN/TS 16931-3-2, syntax binding to UBL" {
		t.Errorf("left out by %v, run by %v, published in %+v", c.LeftOutBy, c.Profiles, c.Source)
	}
	at := slices.IndexFunc(c.Overlays, func(o ruletest.CardOverlay) bool { return slices.Contains(o.Profiles, "xrechnung-3.0") })
	if at < 0 || c.Overlays[at].Level != engine.Fatal || c.Overlays[at].Where != "ubl:Invoice" || c.Overlays[at].Reason == "" {
		t.Errorf("the overlays are %+v", c.Overlays)
	}
	if cards, err = ruletest.Cards(library, "BR-DE-21"); err != nil || len(cards) < 4 {
		t.Errorf("%d cards of a rule that versions write in their own ways, %v", len(cards), err)
	}
	if cards, err = ruletest.Cards(library, "BR-NONE"); err != nil || cards != nil {
		t.Errorf("a rule that there is not has %d cards, %v", len(cards), err)
	}
}
