package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
)

// An Overlay changes the level of findings, within a profile or in all of them.
type Overlay struct {
	Syntax model.Syntax `yaml:"syntax"` // "" for all
	Root   string       `yaml:"root"`   // "" or the qualified name of the document element
	// Where is a context as rules have it: the overlay is for documents in which it
	// selects something; "" for all.
	Where string `yaml:"where"`
	// Except are the standards whose own levels stay as published where a document is
	// asked to follow them by name.
	Except []string `yaml:"except"`
	// From is the level of the findings that are changed; "" for any.
	From  Level `yaml:"from"`
	Level Level `yaml:"level"`
	// Rules are ids of findings; one that ends in * is the beginning of ids.
	Rules  []string `yaml:"rules"`
	Reason string   `yaml:"reason"`
	Source string   `yaml:"source"` // who publishes it; "" for whoever publishes the profile
}

func checkOverlays(overlays []Overlay) error {
	for _, o := range overlays {
		if !slices.Contains(Levels, o.Level) || len(o.Rules) == 0 || o.Reason == "" {
			return errors.New("an overlay needs a level, rules and a reason")
		}
		if o.From != "" && !slices.Contains(Levels, o.From) {
			return fmt.Errorf("an overlay changes findings of the unknown level %q: use one of %s", o.From, join(Levels))
		}
		if o.Where != "" {
			if _, err := newRuleGroup(o.Where); err != nil {
				return fmt.Errorf("where of an overlay: %w", err)
			}
		}
	}
	return nil
}

// Overlay gives the findings of a report the levels that the overlays of a profile say:
// of those that name a finding, the first. standard is the one that the document is
// asked to follow by name, "" where none is. Findings that have such a level already
// keep it.
func (l *Library) Overlay(ctx context.Context, p *Profile, standard string, doc *model.Document, report *Report) error {
	for i := range p.Overlays {
		o := &p.Overlays[i]
		if standard != "" && slices.Contains(o.Except, standard) || !slices.ContainsFunc(report.Findings, o.changesFinding) {
			continue
		}
		applies, err := l.applies(ctx, o, doc)
		if err != nil {
			return fmt.Errorf("an overlay of profile %s: %w", p.ID, err)
		}
		if !applies {
			continue
		}
		for i := range report.Findings {
			if f := &report.Findings[i]; o.changes(f.Rule, f.Level, f.PublishedLevel) {
				f.PublishedLevel, f.Level = f.Level, o.Level
			}
		}
		for i := range report.Omitted {
			if f := &report.Omitted[i]; o.changes(f.Rule, f.Level, f.PublishedLevel) {
				f.PublishedLevel, f.Level = f.Level, o.Level
			}
		}
	}
	report.finish()
	return nil
}

// applies tells whether an overlay is for a document.
func (l *Library) applies(ctx context.Context, o *Overlay, doc *model.Document) (bool, error) {
	if o.Syntax != "" && o.Syntax != doc.Syntax || o.Root != "" && (doc.Source == nil || o.Root != documentElement(doc)) {
		return false, nil
	}
	if o.Where == "" {
		return true, nil
	}
	selected, err := l.Evaluate(ctx, doc, o.Where, "true")
	return len(selected) > 0, err
}

// changes tells whether an overlay gives findings of a rule another level.
func (o *Overlay) changes(rule string, level, published Level) bool {
	if published != "" || level == o.Level || o.From != "" && level != o.From {
		return false
	}
	return o.Names(rule)
}

// Names tells whether an overlay is about findings of a rule.
func (o *Overlay) Names(rule string) bool {
	return slices.ContainsFunc(o.Rules, func(id string) bool {
		start, several := strings.CutSuffix(id, "*")
		return rule == id || several && strings.HasPrefix(rule, start)
	})
}

// changesFinding is changes for one that is listed, as of every rule one is.
func (o *Overlay) changesFinding(f Finding) bool { return o.changes(f.Rule, f.Level, f.PublishedLevel) }
