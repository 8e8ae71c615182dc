package engine

import (
	"context"
	"strings"

	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// CodeRuleUnknown is the code of the error for a rule that judges no document.
const CodeRuleUnknown = "RULE-UNKNOWN"

// Explained says how one rule was decided on a document that was validated.
type Explained struct {
	Document *model.Document
	Report   *Report // of the whole validation
	// Rules is the rule in each ruleset that judged the document and has it.
	Rules []ExplainedRule
}

// An ExplainedRule is a rule with the ruleset that it is of.
type ExplainedRule struct {
	*Explanation
	Ruleset RulesetInfo
	// Level is that of the rule's findings, PublishedLevel the rule's own where an overlay
	// changed it.
	Level, PublishedLevel Level
	// Findings are those of the rule.
	Findings []Finding
	// NotInForce is the day that decides where the rule is not in force on it, so that it
	// says nothing; "" where it is.
	NotInForce Day
	// Owner answers for the overlay that added or changed the rule, Since is the first day of
	// either; "" where they do not say.
	Owner string
	Since Day
}

// Holds reports whether the document violates the rule nowhere.
func (x *Explained) Holds() bool {
	for _, r := range x.Rules {
		if len(r.Findings) > 0 {
			return false
		}
		for _, n := range r.Nodes {
			if !n.Holds {
				return false
			}
		}
	}
	return true
}

// ExplainReport says of one rule how it was decided in a report on a document, as Explain
// does, for each ruleset that has the rule. The error of a rule that none of them has is a
// *problem.Error.
func (v *Validator) ExplainReport(ctx context.Context, doc *model.Document, report *Report, days Days, id string, most int) (*Explained, error) {
	x := &Explained{Document: doc, Report: report}
	var names []string
	for _, info := range report.Rulesets {
		names = append(names, info.Name+" "+info.Version)
		set, ok := v.Ruleset(info.Name, info.Version)
		if !ok {
			continue
		}
		rule, ok := set.Rule(id)
		if !ok {
			continue
		}
		if !rule.Effective.In(days) {
			x.Rules = append(x.Rules, ExplainedRule{Explanation: &Explanation{Rule: rule, Form: Form{Level: rule.Level}}, Ruleset: info, Level: rule.Level, NotInForce: days.By(rule.Effective.By)})
			continue
		}
		explanation, err := v.Explain(ctx, doc, rule, most)
		if err != nil {
			return nil, err
		}
		x.Rules = append(x.Rules, explanation.in(info, report))
	}
	for i := range x.Rules {
		r := &x.Rules[i]
		f := Finding{Overlay: r.Rule.Overlay, said: &said{rule: r.Rule}}
		f.attribute(v.overlays)
		r.Owner, r.Since = f.Owner, f.Since
	}
	if len(x.Rules) == 0 {
		return nil, &problem.Error{
			Code:    CodeRuleUnknown,
			Message: "rule " + quote.Value(id) + " is in none of the rulesets that judge this document, which are " + strings.Join(names, ", "),
			Remedy:  "name a rule of one of them",
		}
	}
	return x, nil
}

// in is the explanation with what a report says of the rule.
func (x *Explanation) in(info RulesetInfo, report *Report) ExplainedRule {
	r := ExplainedRule{Explanation: x, Ruleset: info, Level: x.Form.Level}
	for _, f := range report.Findings {
		if f.Rule == x.Rule.ID {
			r.Findings = append(r.Findings, f)
			r.Level, r.PublishedLevel = f.Level, f.PublishedLevel
		}
	}
	return r
}
