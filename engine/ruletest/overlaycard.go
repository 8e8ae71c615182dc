package ruletest

import (
	"slices"

	"einvoice/engine"
)

// An OverlayCard is all that is known of an overlay, for people and for programs.
type OverlayCard struct {
	Name       string            `json:"overlay"`
	Title      string            `json:"title"`
	Owner      string            `json:"owner,omitempty"`
	Source     string            `json:"source,omitempty"`
	On         []string          `json:"on,omitempty"`
	Over       []string          `json:"over,omitempty"`
	NotWith    []string          `json:"notWith,omitempty"`
	Documents  string            `json:"documents,omitempty"`
	Effective  string            `json:"effective,omitempty"`
	DecidedBy  string            `json:"decidedBy,omitempty"`
	Rulesets   []string          `json:"rulesets,omitempty"`
	Rules      []string          `json:"rules,omitempty"`
	CodeLists  []string          `json:"codeLists,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Levels     []OverlayLevel    `json:"levels,omitempty"`
	File       string            `json:"file"`
	SHA256     string            `json:"sha256"`
}

// An OverlayLevel is a change of levels.
type OverlayLevel struct {
	Rules  []string     `json:"rules"`
	Level  engine.Level `json:"level"`
	From   engine.Level `json:"from,omitempty"`
	Reason string       `json:"reason"`
	Owner  string       `json:"owner"`
	Until  engine.Day   `json:"until,omitempty"`
	Where  string       `json:"where,omitempty"`
}

// OverlayCardOf gathers the card of an overlay.
func OverlayCardOf(o *engine.Overlay) OverlayCard {
	c := OverlayCard{
		Name: o.Name, Title: o.Title, Owner: o.Owner, Source: o.Source, On: slices.Concat(o.On.Profiles, o.On.Rulesets), Over: o.Over(), NotWith: o.NotWith,
		Documents: o.Documents.String(), DecidedBy: o.DecidedBy, Rulesets: o.Rulesets, File: o.File, SHA256: o.SHA256,
	}
	if o.Effective != (engine.Period{}) {
		c.Effective = o.Effective.String()
	}
	if o.Rules() != nil {
		c.Rules = engine.IdsOf(o.Rules())
	}
	for i := range o.Lists {
		c.CodeLists = append(c.CodeLists, o.Lists[i].String())
	}
	for name, value := range o.Parameters {
		if c.Parameters == nil {
			c.Parameters = map[string]string{}
		}
		c.Parameters[name] = value.Value
	}
	for i := range o.Levels {
		l := &o.Levels[i]
		c.Levels = append(c.Levels, OverlayLevel{l.Rules, l.Level, l.From, l.Reason, l.Owner, l.Until, l.Documents.String()})
	}
	return c
}
