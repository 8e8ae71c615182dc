package workbench

import (
	"context"
	"slices"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/formats/jsoninvoice"
	"einvoice/model/problem"
	"einvoice/service/report"
)

// RulesRequest asks for everything that documents are judged by.
type RulesRequest struct {
	Settings
}

// Rules is everything that documents are judged by.
type Rules struct {
	Rulesets  []RulesetEntry `json:"rulesets"`
	Profiles  []ProfileEntry `json:"profiles"`
	Overlays  []OverlayEntry `json:"overlays"`
	Usual     []string       `json:"usual"` // overlays that apply where none are chosen
	Languages []string       `json:"languages"`
}

// RulesetEntry is one version of a ruleset with its rules.
type RulesetEntry struct {
	Name      string        `json:"name"`
	Version   string        `json:"version"`
	Layer     engine.Layer  `json:"layer"`
	Extends   string        `json:"extends,omitempty"`
	Newest    bool          `json:"newest"`
	Own       bool          `json:"own"` // of the folder or draft, not built in
	Effective engine.Period `json:"effective"`
	Rules     []RuleEntry   `json:"rules"`
}

// RuleEntry is a rule in a list.
type RuleEntry struct {
	ID       string       `json:"id"`
	Level    engine.Level `json:"level"`
	Text     string       `json:"text"`
	Language string       `json:"language,omitempty"` // of the text where it is another than the one asked for
	BTCodes  []string     `json:"btCodes"`
	Examples int          `json:"examples"`
	Never    bool         `json:"never"` // it can reject nothing
}

// ProfileEntry is a profile that a document can be judged as.
type ProfileEntry struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Standard string   `json:"standard"`
	Rulesets []string `json:"rulesets"`
	Overlays []string `json:"overlays"`
}

// OverlayEntry is an overlay that can be chosen.
type OverlayEntry struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Owner string `json:"owner"`
}

func (d *Desk) rules(ctx context.Context, r *RulesRequest) (*Rules, error) {
	desk, language, err := d.asked(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	library := desk.service.Library()
	out := &Rules{Usual: append([]string{}, d.usual...), Languages: library.Languages(), Profiles: []ProfileEntry{}, Overlays: []OverlayEntry{}}
	if out.Rulesets, err = rulesetEntries(library, language); err != nil {
		return nil, err
	}
	profiles, err := library.Profiles()
	if err != nil {
		return nil, err
	}
	for _, p := range profiles {
		out.Profiles = append(out.Profiles, ProfileEntry{p.ID, p.Name, p.Standard, p.Rulesets, append([]string{}, p.Overlays...)})
	}
	names, err := library.OverlayNames()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o, err := library.Overlay(name)
		if err != nil {
			return nil, err
		}
		out.Overlays = append(out.Overlays, OverlayEntry{o.Name, language.Say(o.Title), o.Owner})
	}
	return out, nil
}

func rulesetEntries(library *engine.Library, language *words.Language) (entries []RulesetEntry, err error) {
	versions, err := library.Versions()
	if err != nil {
		return nil, err
	}
	own, err := library.OwnRulesets()
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(versions))
	for name := range versions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for i, version := range versions[name] {
			set, err := library.Ruleset(name + "/" + version)
			if err != nil {
				return nil, err
			}
			e := RulesetEntry{
				Name: set.Name, Version: set.Version, Layer: set.Layer, Extends: set.Extends, Newest: i == len(versions[name])-1,
				Own: slices.Contains(own, set), Effective: set.Effective, Rules: []RuleEntry{},
			}
			for _, r := range set.Rules {
				_, text := r.Said(language)
				e.Rules = append(e.Rules, RuleEntry{r.ID, r.Level, text, r.Speaks(language), append([]string{}, r.BTCodes.Value...), len(r.Examples()), r.NeverFires != ""})
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// CardRequest asks for the card of a rule.
type CardRequest struct {
	Settings
	Rule string `json:"rule"`
	// Rulesets are those that judged, as FAMILY/VERSION; the card is of the rule as the first
	// of them has it. Without any, it is of the newest version.
	Rulesets []string `json:"rulesets"`
}

func (d *Desk) card(ctx context.Context, r *CardRequest) (*ruletest.Card, error) {
	desk, language, err := d.asked(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	cards, err := ruletest.Cards(desk.service.Library(), r.Rule)
	if err != nil {
		return nil, err
	}
	if len(cards) == 0 {
		return nil, &problem.Error{Code: engine.CodeRuleUnknown, Message: "no ruleset has this rule", Remedy: "choose one of the list"}
	}
	chosen := &cards[0]
	for i := range cards {
		if slices.ContainsFunc(r.Rulesets, func(ref string) bool { return slices.Contains(cards[i].Rulesets, ref) }) {
			chosen = &cards[i]
			break
		}
	}
	chosen.Message, chosen.Text = chosen.Rule.Said(language)
	chosen.Language = chosen.Rule.Speaks(language)
	chosen.Terms, chosen.Overlays = slices.Clone(chosen.Terms), slices.Clone(chosen.Overlays)
	for i := range chosen.Terms {
		chosen.Terms[i].Name = language.Say(chosen.Terms[i].Name)
	}
	for i := range chosen.Overlays {
		chosen.Overlays[i].Reason = language.Say(chosen.Overlays[i].Reason)
	}
	return chosen, nil
}

// ExplainRequest asks how a rule was decided on a document.
type ExplainRequest struct {
	Settings
	Given
	Rule string `json:"rule"`
}

// Explained says how a rule was decided.
type Explained struct {
	Holds        bool                  `json:"holds"`
	Explanations []jsoninvoice.Ordered `json:"explanations"`
}

// mostExplained is how many nodes one answer explains.
const mostExplained = 20

func (d *Desk) explain(ctx context.Context, r *ExplainRequest) (*Explained, error) {
	desk, language, err := d.asked(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	rules, received, err := desk.receiveWithRules(ctx, &r.Settings, &r.Given)
	if err != nil {
		return nil, err
	}
	x, err := desk.service.Explain(ctx, received, rules, r.Rule, mostExplained)
	if err != nil {
		return nil, err
	}
	return &Explained{x.Holds(), report.ExplainJSON(x, language)}, nil
}
