package ruletest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/pattern"
)

// A Mutant is a rule with one small change in an assertion or a context. A rule that several
// versions have, each with its own constants, is changed in all of them at once: it is
// written once.
type Mutant struct {
	Rule   *engine.Rule // as it is written, of the first of the versions
	Form   string       // the syntax whose form was changed; "" for that of all others
	Part   string       // assert or context
	What   string       // was changed
	Text   string       // the part with the change
	Killed bool         // an example came out otherwise than it says

	versions []mutated
}

// A mutated rule is one of a version, and the same with a change.
type mutated struct{ rule, changed *engine.Rule }

// A mutation is what is changed in a rule as it is written.
type mutation struct {
	file, rule, form, part, what string
	line                         int // of the rule
	n                            int // among those of the rule that are alike
}

// Mutants changes operators, constants, terms and contexts of rules one at a time, and
// says of each change whether an example notices it. Rows of tables have no examples and
// no mutants.
func Mutants(ctx context.Context, l *engine.Library, rules []*engine.Rule, read ReadDocument) (all []Mutant, err error) {
	at := map[mutation]int{} // of all
	for _, r := range rules {
		if r.Row != nil {
			continue
		}
		documents, err := documentsOf(l, r, read)
		if err != nil {
			return nil, err
		}
		alike := map[mutation]int{}
		for _, m := range mutantsOf(r) {
			c := mutation{file: r.File(), line: r.Line(), rule: r.ID, form: m.Form, part: m.Part, what: m.What}
			alike[c]++
			c.n = alike[c]
			i, known := at[c]
			if !known {
				i = len(all)
				at[c] = i
				all = append(all, m)
			} else {
				all[i].versions = append(all[i].versions, m.versions...)
			}
			if all[i].Killed {
				continue
			}
			if all[i].Killed, err = m.versions[0].isKilled(ctx, l, documents); err != nil {
				return nil, err
			}
		}
	}
	return all, ctx.Err()
}

// documentsOf are the documents of the rule's examples.
func documentsOf(l *engine.Library, r *engine.Rule, read ReadDocument) ([]*model.Document, error) {
	documents := make([]*model.Document, len(r.Examples()))
	for i := range r.Examples() {
		doc, err := Document(l, r, &r.Examples()[i], read)
		if err != nil {
			return nil, err
		}
		documents[i] = doc
	}
	return documents, nil
}

func (m mutated) isKilled(ctx context.Context, l *engine.Library, documents []*model.Document) (bool, error) {
	v := l.ValidatorOfExamples(m.changed)
	for i, doc := range documents {
		if _, applies := m.changed.Form(doc.Syntax); !applies {
			continue
		}
		report, err := v.ValidateAt(ctx, doc, m.rule.Effective.Some())
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil || len(report.Findings) > 0 != m.rule.Examples()[i].Fires {
			return true, nil //nolint:nilerr // a change that cannot run is noticed
		}
	}
	return false, nil
}

// mutantsOf changes every form of a rule that is written out.
func mutantsOf(r *engine.Rule) (all []Mutant) {
	if r.Context.Value != "" {
		all = mutate(r, "", r.Context.Value, r.Assert.Value, true, func(c *engine.Rule) (assert, context *string) {
			return &c.Assert.Value, &c.Context.Value
		})
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		if !v.Applies || v.Root != "" {
			continue
		}
		form, _ := r.Form(v.Syntax)
		if v.Assert.Value == "" && v.Context.Value == "" {
			continue
		}
		part := mutate(r, string(v.Syntax), form.Context.Value, form.Assert.Value, v.Context.Value != "", func(c *engine.Rule) (assert, context *string) {
			return &c.Variants[i].Assert.Value, &c.Variants[i].Context.Value
		})
		if v.Assert.Value == "" { // that of the rule is changed with the rule
			kept := part[:0]
			for _, m := range part {
				if m.Part == "context" {
					kept = append(kept, m)
				}
			}
			part = kept
		}
		all = append(all, part...)
	}
	return all
}

// mutate changes the assertion of a form, and its context if it has one of its own.
func mutate(r *engine.Rule, form, contextPath, assert string, ownContext bool, parts func(*engine.Rule) (assert, context *string)) (all []Mutant) {
	this, err := thisOf(contextPath)
	if err != nil {
		return nil
	}
	inAssert := func(changed, what string) {
		c := r.Clone()
		text, _ := parts(c)
		*text = changed
		all = append(all, Mutant{Rule: r, Form: form, Part: "assert", What: what, Text: changed, versions: []mutated{{r, c}}})
	}
	for _, m := range expr.Mutations(assert, this) {
		inAssert(m.Text, m.What)
	}
	anchors(assert, inAssert)
	if !ownContext {
		return all
	}
	for _, m := range xpath.Mutations(contextPath) {
		c := r.Clone()
		_, text := parts(c)
		*text = m.Text
		all = append(all, Mutant{Rule: r, Form: form, Part: "context", What: m.What, Text: m.Text, versions: []mutated{{r, c}}})
	}
	return all
}

// matchCall is the regular expression of a call of matches, in its quotation marks.
var matchCall = pattern.Later(`matches\(\s*(?:[\w.]+\s*,\s*)?r?(?:"([^"]*)"|'([^']*)')`)

// anchors takes ^ and $ from regular expressions, or puts them there.
func anchors(assert string, mutant func(changed, what string)) {
	for _, m := range matchCall().FindAllStringSubmatchIndex(assert, -1) {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		before, text, after := assert[:from], assert[from:to], assert[to:]
		if rest, has := strings.CutPrefix(text, "^"); has {
			mutant(before+rest+after, "the regular expression without ^")
		} else {
			mutant(before+"^"+text+after, "the regular expression with ^")
		}
		if rest, has := strings.CutSuffix(text, "$"); has && !strings.HasSuffix(rest, `\`) {
			mutant(before+rest+after, "the regular expression without $")
		} else if !has {
			mutant(before+text+"$"+after, "the regular expression with $")
		}
	}
}

// thisOf is the type that this has in a context.
func thisOf(contextPath string) (expr.This, error) {
	if xpath.SelectsInSource(contextPath) {
		return expr.Element(), nil
	}
	u, err := xpath.Parse(contextPath)
	if err != nil {
		return expr.This{}, err
	}
	selection, err := xpath.OverModel(u)
	if err != nil {
		return expr.This{}, err
	}
	return expr.Group(selection.Types()[0]), nil
}

// A MutantObserver tells on which documents mutants decide otherwise than their rules.
type MutantObserver struct {
	// Validator runs all rules and all mutants. Its reports are of no use.
	Validator *engine.Validator

	mutants []Mutant
	mu      sync.Mutex
	differs []bool // by mutant
}

// ObserveMutants prepares mutants to be run on documents.
func ObserveMutants(l *engine.Library, mutants []Mutant) *MutantObserver {
	o := &MutantObserver{mutants: mutants, differs: make([]bool, len(mutants))}
	var rules []*engine.Rule
	seen := map[*engine.Rule]bool{}
	for i := range mutants {
		for _, v := range mutants[i].versions {
			if !seen[v.rule] {
				seen[v.rule] = true
				rules = append(rules, v.rule)
			}
			rules = append(rules, v.changed)
		}
	}
	o.Validator = l.ValidatorOf(rules...)
	o.Validator.Observe(o.note)
	return o
}

func (o *MutantObserver) note(_ []*engine.Rule, decided map[*engine.Rule]bool) {
	violated := func(r *engine.Rule) bool { holds, known := decided[r]; return known && !holds }
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.mutants {
		o.differs[i] = o.differs[i] || slices.ContainsFunc(o.mutants[i].versions, func(m mutated) bool {
			return violated(m.rule) != violated(m.changed)
		})
	}
}

// Differing are the mutants that decided otherwise than their rules on any document.
func (o *MutantObserver) Differing() (differing []Mutant) {
	for i, d := range o.differs {
		if d {
			differing = append(differing, o.mutants[i])
		}
	}
	return differing
}
