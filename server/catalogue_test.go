package server_test

import (
	"net/http"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/rulesets"
)

func TestRules(t *testing.T) {
	s := shared()
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	core, err := library.Ruleset("en16931")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Rules []ruletest.Card }
	s.get(t, "/v1/rules?ruleset=en16931").decode(t, &list)
	if len(list.Rules) != len(core.Rules) || list.Rules[0].ID != core.Rules[0].ID {
		t.Errorf("%d cards of %d rules", len(list.Rules), len(core.Rules))
	}
	all := list
	s.get(t, "/v1/rules").decode(t, &all)
	if len(all.Rules) <= len(list.Rules) || !slices.ContainsFunc(all.Rules, func(c ruletest.Card) bool { return c.Ruleset == "xrechnung" }) {
		t.Errorf("%d cards in all", len(all.Rules))
	}
	var card ruletest.Card
	s.get(t, "/v1/rules/BR-CO-10").decode(t, &card)
	if card.ID != "BR-CO-10" || card.Ruleset != "en16931" || card.Level != engine.Fatal || len(card.Terms) != 2 || len(card.Examples) == 0 {
		t.Errorf("got %+v", card)
	}
	s.get(t, "/v1/rules/BR-CO-10?ruleset=en16931/"+core.Version).wants(t, 200, "")
	s.get(t, "/v1/rules/BR-DE-1").wants(t, 200, "")
	s.get(t, "/v1/rules/BR-DE-1?ruleset=en16931").wants(t, 404, "RULE-UNKNOWN")
	s.get(t, "/v1/rules/BR-NONE").wants(t, 404, "RULE-UNKNOWN")
	s.get(t, "/v1/rules?ruleset=none").wants(t, 404, "RULESET-UNKNOWN")
	s.get(t, "/v1/rules?ruleset=").wants(t, 404, "RULESET-UNKNOWN")
	s.get(t, "/v1/rules?ruleset=en16931&ruleset=xrechnung").wants(t, 400, "QUERY-INVALID")
	s.get(t, "/v1/rules?ruleset=%zz").wants(t, 400, "QUERY-INVALID")
}

func TestRulesets(t *testing.T) {
	var list struct {
		Rulesets []struct {
			Name, Version, SHA256 string
			Rules                 int
			Newest                bool
			Levels                map[string]int
		}
		Profiles []struct {
			ID       string
			Rulesets []string
		}
	}
	shared().get(t, "/v1/rulesets").decode(t, &list)
	newest := map[string]int{}
	for _, set := range list.Rulesets {
		if set.Newest {
			newest[set.Name]++
		}
		if sum := set.Levels["fatal"] + set.Levels["warning"] + set.Levels["information"]; sum != set.Rules || sum == 0 {
			t.Errorf("%s %s: %d rules, %d by level", set.Name, set.Version, set.Rules, sum)
		}
	}
	if newest["en16931"] != 1 || newest["xrechnung"] != 1 {
		t.Errorf("newest versions: %v", newest)
	}
	if !slices.ContainsFunc(list.Profiles, func(p struct {
		ID       string
		Rulesets []string
	}) bool {
		return p.ID == "xrechnung-3.0" && slices.Contains(p.Rulesets, "xrechnung/3.0")
	}) {
		t.Errorf("got profiles %v", list.Profiles)
	}
}

func TestHomeAndHealth(t *testing.T) {
	s := shared()
	for _, path := range []string{"/", "/health/live", "/health/ready"} {
		s.get(t, path).wants(t, 200, "")
		a := s.do(t, s.request(t, http.MethodHead, path, nil))
		if a.StatusCode != 200 || len(a.body) != 0 || a.Header.Get("Content-Length") == "0" {
			t.Errorf("HEAD %s: %d, %d bytes", path, a.StatusCode, len(a.body))
		}
	}
}
