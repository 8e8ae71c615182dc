package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
)

// A VerdictChange is a document on which two rulesets decide differently.
type VerdictChange struct {
	Suite       string `json:"suite"`
	Document    string `json:"document"`
	ValidBefore bool   `json:"validBefore"`
	ValidAfter  bool   `json:"validAfter"`
	// Gone and New are the rules that fire only before, and only after.
	Gone []FiredRule `json:"gone"`
	New  []FiredRule `json:"new"`
}

// A FiredRule is a rule that fires, with its level.
type FiredRule struct {
	Rule  string       `json:"rule"`
	Level engine.Level `json:"level"`
}

// A RulesetRef is a ruleset in a library. Only its own rules are run. The zero RulesetRef
// has no rules.
type RulesetRef struct {
	Library *engine.Library
	Ref     string     // family/version
	At      engine.Day // whose rules are run; "" for the issue date of each document
}

func (r RulesetRef) validator() (*engine.Validator, error) {
	if r.Library == nil {
		return nil, nil
	}
	return r.Library.Validator(r.Ref)
}

// Impact returns the documents of the suites on which two rulesets decide differently,
// and the number of documents that were compared.
func Impact(ctx context.Context, before, after RulesetRef, suites []*Suite) (changes []VerdictChange, documents int, err error) {
	old, err := before.validator()
	if err != nil {
		return nil, 0, err
	}
	new, err := after.validator()
	if err != nil {
		return nil, 0, err
	}
	var all []*impact
	var work []func()
	for _, s := range suites {
		for _, c := range s.Cases {
			one := &impact{VerdictChange: VerdictChange{Suite: s.Name, Document: c.Name}}
			all = append(all, one)
			work = append(work, func() { one.compare(ctx, c, timed{old, before.At}, timed{new, after.At}) })
		}
	}
	inParallel(ctx, work)
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	changes = []VerdictChange{}
	for _, one := range all {
		if one.err != nil {
			return nil, 0, fmt.Errorf("%s/%s: %w", one.Suite, one.Document, one.err)
		}
		if one.read {
			documents++
		}
		if len(one.Gone)+len(one.New) > 0 {
			changes = append(changes, one.VerdictChange)
		}
	}
	if documents == 0 {
		return nil, 0, errors.New("there is no document to compare the rulesets on")
	}
	return changes, documents, nil
}

type impact struct {
	VerdictChange
	read bool
	err  error
}

// timed is a validator with the day whose rules it runs.
type timed struct {
	validator *engine.Validator
	at        engine.Day
}

func (i *impact) compare(ctx context.Context, c *Case, before, after timed) {
	data, err := c.Data()
	if err != nil {
		i.err = err
		return
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		return // it is not an invoice
	}
	i.read = true
	var old, new []FiredRule
	if old, i.ValidBefore, i.err = firedBy(ctx, before, doc); i.err != nil {
		return
	}
	if new, i.ValidAfter, i.err = firedBy(ctx, after, doc); i.err != nil {
		return
	}
	i.Gone, i.New = onlyIn(old, new), onlyIn(new, old)
}

func firedBy(ctx context.Context, by timed, doc *model.Document) (fired []FiredRule, valid bool, err error) {
	if by.validator == nil {
		return nil, true, nil
	}
	report, err := by.validator.ValidateAt(ctx, doc, by.at)
	if err != nil {
		return nil, false, err
	}
	for i := range report.Findings {
		f := FiredRule{report.Findings[i].Rule, report.Findings[i].Level}
		if !slices.Contains(fired, f) {
			fired = append(fired, f)
		}
	}
	return fired, report.Valid, nil
}

// onlyIn are the rules that are in list and not in other.
func onlyIn(list, other []FiredRule) []FiredRule {
	out := []FiredRule{}
	for _, f := range list {
		if !slices.Contains(other, f) {
			out = append(out, f)
		}
	}
	return out
}
