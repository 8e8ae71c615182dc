package ruletest

import (
	"context"
	"slices"
	"sync"

	"einvoice/engine"
	"einvoice/model"
)

// A Side is a ruleset in a library, of which only its own rules are run, or whatever Judge
// judges by. The zero Side has no rules.
type Side struct {
	Library *engine.Library
	Ref     string     // family/version
	At      engine.Day // whose rules are run; "" for the issue date of each document

	// Judge judges a document as a whole, by its profile and overlays; nil for a ruleset.
	// Digest is that of everything that it judges by.
	Judge  func(context.Context, *model.Document) (*engine.Report, error)
	Digest string
}

// A FiredRule is a rule that fires, with its level.
type FiredRule struct {
	Rule  string       `json:"rule"`
	Level engine.Level `json:"level"`
}

// A Verdict is what two sides say of a document.
type Verdict struct {
	ValidBefore bool `json:"validBefore"`
	ValidAfter  bool `json:"validAfter"`
	// Gone and New are the rules that fire only before, and only after.
	Gone []FiredRule `json:"gone"`
	New  []FiredRule `json:"new"`
}

// Differs reports whether the sides decide differently.
func (v *Verdict) Differs() bool { return len(v.Gone)+len(v.New) > 0 }

// A Comparison runs two rulesets on documents. Rules that are the same in both say the same,
// so that they are run only on documents on which any of the others decides differently. It
// never changes, and any number of goroutines may use it.
type Comparison struct {
	before, after compared
	tried         sync.Map // syntaxes that both rulesets have rules for
}

// compared is one side.
type compared struct {
	all, differing *engine.Validator // nil for no rules
	at             engine.Day
	judge          func(context.Context, *model.Document) (*engine.Report, error) // nil for a ruleset
}

// NewComparison prepares the comparison of two rulesets.
func NewComparison(before, after Side) (*Comparison, error) {
	if before.Judge != nil || after.Judge != nil {
		return &Comparison{before: compared{judge: before.Judge}, after: compared{judge: after.Judge}}, nil
	}
	old, err := before.ruleset()
	if err != nil {
		return nil, err
	}
	new, err := after.ruleset()
	if err != nil {
		return nil, err
	}
	differing, err := differingRules(before.Library, after.Library, old, new)
	if err != nil {
		return nil, err
	}
	c := &Comparison{}
	if c.before, err = before.compared(old, differing); err != nil {
		return nil, err
	}
	c.after, err = after.compared(new, differing)
	return c, err
}

func (s Side) ruleset() (*engine.Ruleset, error) {
	if s.Library == nil {
		return nil, nil
	}
	set, err := s.Library.Ruleset(s.Ref)
	if err != nil || s.At == "" {
		return set, err
	}
	return set.At(s.At), nil
}

func (s Side) compared(set *engine.Ruleset, differing map[string]bool) (c compared, err error) {
	c.at = s.At
	if set == nil {
		return c, nil
	}
	if c.all, err = s.Library.Validator(s.Ref); err != nil {
		return c, err
	}
	var rules []*engine.Rule
	for _, r := range set.Rules {
		if differing[r.ID] {
			rules = append(rules, r)
		}
	}
	if len(rules) > 0 {
		c.differing = s.Library.ValidatorOf(rules...)
	}
	return c, nil
}

// Compare runs both sides. It is an error where a side has rules, and none for the syntax of
// the document.
func (c *Comparison) Compare(ctx context.Context, doc *model.Document) (*Verdict, error) {
	if _, tried := c.tried.Load(doc.Syntax); tried && c.before.judge == nil && c.after.judge == nil && (c.before.at == "") == (c.after.at == "") {
		old, _, err := c.before.fires(ctx, c.before.differing, doc)
		if err != nil {
			return nil, err
		}
		new, _, err := c.after.fires(ctx, c.after.differing, doc)
		if err != nil {
			return nil, err
		}
		if v := verdictOf(old, new); !v.Differs() {
			return v, nil
		}
	}
	v, err := c.full(ctx, doc)
	if err == nil {
		c.tried.Store(doc.Syntax, true)
	}
	return v, err
}

// Applies reports whether a side has rules for the syntax of the document, so that there is
// something to compare.
func (c *Comparison) Applies(doc *model.Document) bool {
	return c.before.hasRules(doc) || c.after.hasRules(doc)
}

func (c *compared) hasRules(doc *model.Document) bool {
	return c.judge != nil || c.all != nil && c.all.HasRules(doc, c.at)
}

// full runs all rules of both sides.
func (c *Comparison) full(ctx context.Context, doc *model.Document) (*Verdict, error) {
	old, validBefore, err := c.before.fires(ctx, c.before.all, doc)
	if err != nil {
		return nil, err
	}
	new, validAfter, err := c.after.fires(ctx, c.after.all, doc)
	if err != nil {
		return nil, err
	}
	v := verdictOf(old, new)
	v.ValidBefore, v.ValidAfter = validBefore, validAfter
	return v, nil
}

// VerdictOf compares two reports on a document.
func VerdictOf(before, after *engine.Report) *Verdict {
	v := verdictOf(firedIn(before), firedIn(after))
	v.ValidBefore, v.ValidAfter = before.Valid, after.Valid
	return v
}

func verdictOf(old, new []FiredRule) *Verdict {
	return &Verdict{Gone: onlyIn(old, new), New: onlyIn(new, old)}
}

func (c *compared) fires(ctx context.Context, v *engine.Validator, doc *model.Document) (fired []FiredRule, valid bool, err error) {
	if c.judge != nil {
		report, err := c.judge(ctx, doc)
		if err != nil {
			return nil, false, err
		}
		return firedIn(report), report.Valid, nil
	}
	if v == nil || v != c.all && !v.HasRules(doc, c.at) {
		return nil, true, nil
	}
	report, err := v.ValidateAt(ctx, doc, c.at)
	if err != nil {
		return nil, false, err
	}
	return firedIn(report), report.Valid, nil
}

func firedIn(report *engine.Report) (fired []FiredRule) {
	for i := range report.Findings {
		f := FiredRule{report.Findings[i].Rule, report.Findings[i].Level}
		if !slices.Contains(fired, f) {
			fired = append(fired, f)
		}
	}
	return fired
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

// differingRules are the ids of the rules that may decide differently in two rulesets: those
// that are written differently, and those that ask a code list that is.
func differingRules(before, after *engine.Library, old, new *engine.Ruleset) (map[string]bool, error) {
	ids := map[string]bool{}
	was, err := Decisions(before, old)
	if err != nil {
		return nil, err
	}
	is, err := Decisions(after, new)
	if err != nil {
		return nil, err
	}
	for id, decision := range was {
		if is[id] != decision {
			ids[id] = true
		}
	}
	for id := range is {
		if _, both := was[id]; !both {
			ids[id] = true
		}
	}
	return ids, nil
}
