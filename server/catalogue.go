package server

import (
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
)

// A rulesetEntry is one version of a ruleset in /v1/rulesets.
type rulesetEntry struct {
	engine.RulesetInfo
	Layer   engine.Layer `json:"layer"`
	Extends string       `json:"extends,omitempty"`
	Newest  bool         `json:"newest"`
	Levels  levelCounts  `json:"levels"`
}

type levelCounts struct {
	Fatal       int `json:"fatal"`
	Warning     int `json:"warning"`
	Information int `json:"information"`
}

// A profileEntry is one profile in /v1/rulesets.
type profileEntry struct {
	ID               string   `json:"id"`
	Name             string   `json:"name"`
	Standard         string   `json:"standard"`
	SpecificationIDs []string `json:"specificationIds"`
	Prefixes         []string `json:"specificationPrefixes,omitempty"`
	Rulesets         []string `json:"rulesets"`
	ValidatedAs      string   `json:"validatedAs,omitempty"` // the profile whose rules these are, where its own are missing
}

// An overlayEntry is one overlay in /v1/rulesets.
type overlayEntry struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Owner    string   `json:"owner"`
	Source   string   `json:"source,omitempty"`
	Profiles []string `json:"profiles"` // that it rests on; ids, or the beginnings of ids before a *
	Rulesets []string `json:"rulesets"` // that it rests on
	SHA256   string   `json:"sha256"`
}

func overlayEntries(b *publishing.Book, language *words.Language) ([]overlayEntry, error) {
	entries := []overlayEntry{}
	for _, name := range b.Overlays {
		o, err := b.Library.Overlay(name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, overlayEntry{o.Name, language.Say(o.Title), o.Owner, o.Source, nonNil(o.On.Profiles), nonNil(o.On.Rulesets), o.SHA256})
	}
	return entries, nil
}

func (s *Server) getRulesets(x *exchange) error {
	book := s.rules.Current()
	sets := []rulesetEntry{}
	for _, set := range book.Sets {
		e := rulesetEntry{RulesetInfo: infoOf(set), Layer: set.Layer, Extends: set.Extends, Newest: isNewest(book, set)}
		for _, r := range set.Rules {
			switch r.Level {
			case engine.Fatal:
				e.Levels.Fatal++
			case engine.Warning:
				e.Levels.Warning++
			default:
				e.Levels.Information++
			}
		}
		sets = append(sets, e)
	}
	profiles := []profileEntry{}
	for _, p := range book.Profiles {
		profiles = append(profiles, profileEntry{p.ID, p.Name, p.Standard, nonNil(p.SpecificationIDs), p.SpecificationPrefixes, p.Rulesets, p.ValidatedAs})
	}
	overlays, err := overlayEntries(book, x.words)
	if err != nil {
		return err
	}
	x.tellLanguage()
	return x.sendTagged(map[string]any{"rulesets": sets, "profiles": profiles, "overlays": overlays})
}

func isNewest(book *publishing.Book, set *engine.Ruleset) bool {
	for _, n := range book.Newest {
		if n == set {
			return true
		}
	}
	return false
}

func nonNil(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// getRules lists the cards of the newest version of each ruleset, or of the one
// that ?ruleset=NAME or NAME/VERSION asks for.
func (s *Server) getRules(x *exchange) error {
	sets, err := s.askedRulesets(x)
	if err != nil {
		return err
	}
	type ruleOf struct {
		rule *engine.Rule
		set  *engine.Ruleset
	}
	var rules []ruleOf
	for _, set := range sets {
		for _, r := range set.Rules {
			rules = append(rules, ruleOf{r, set})
		}
	}
	if rules, err = page(x, rules); err != nil {
		return err
	}
	cards := make([]ruletest.Card, len(rules)) // of the page alone: a card has all that its rule reads
	for i, r := range rules {
		cards[i] = ruletest.CardOf(r.rule, r.set)
		cards[i].Translate(x.words)
	}
	x.tellLanguage()
	return x.sendTagged(map[string]any{"rules": cards})
}

// getRule is one card: of the newest version that has the rule, or of the ruleset that is
// asked for.
func (s *Server) getRule(x *exchange) error {
	sets, err := s.askedRulesets(x)
	if err != nil {
		return err
	}
	id := x.params.ByName("id")
	cards, err := ruletest.Cards(s.rules.Current().Library, id)
	if err != nil {
		return err
	}
	asked := x.query.Has("ruleset")
	for i := range cards {
		if !asked || slices.ContainsFunc(sets, func(set *engine.Ruleset) bool { return slices.Contains(cards[i].Rulesets, set.Name+"/"+set.Version) }) {
			cards[i].Translate(x.words)
			x.tellLanguage()
			return x.sendTagged(&cards[i])
		}
	}
	return newProblem(refusal.RuleUnknown, "There is no rule %.40q in %s.", id, namesOf(sets))
}

func (s *Server) askedRulesets(x *exchange) ([]*engine.Ruleset, error) {
	book := s.rules.Current()
	if !x.query.Has("ruleset") {
		return book.Newest, nil
	}
	ref := x.query.Get("ruleset")
	for _, set := range book.Newest {
		if ref == set.Name {
			return []*engine.Ruleset{set}, nil
		}
	}
	for _, set := range book.Sets {
		if ref == set.Name+"/"+set.Version {
			return []*engine.Ruleset{set}, nil
		}
	}
	return nil, newProblem(refusal.RulesetUnknown, "There is no ruleset %.60q. There are %s.", ref, namesOf(book.Sets))
}

func namesOf(sets []*engine.Ruleset) string {
	names := make([]string, len(sets))
	for i, set := range sets {
		names[i] = set.Name + "/" + set.Version
	}
	return strings.Join(names, ", ")
}
