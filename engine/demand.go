package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/cases"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/syntax"
)

// A demand is what a rule asks of a term where its context selects something: one of some texts.
type demand struct {
	rule      *Rule
	form      Form
	texts     []string
	condition *cases.Condition
}

// Demands holds the rules of a ruleset against each other that say which text a term has, and
// of which any is one of some. Contradictions are of fatal rules, no two of which a document can
// meet; doubts are of others, and of documents that several rules leave, where these look as if
// they were for all.
//
// It finds nothing where checks of the library are to end, and of each term the first
// contradictions: others are told when these are corrected.
func (l *Library) Demands(s *Ruleset, some []*Rule) (contradictions, doubts LoadErrors) {
	all := map[string][]demand{}
	for _, r := range s.Rules {
		if l.Ended() != nil {
			return nil, nil
		}
		if r.Row == nil {
			r.demands(all)
		}
	}
	terms := knownTerms(nil)
	for _, term := range slices.Sorted(maps.Keys(all)) {
		asked := all[term]
		if !slices.ContainsFunc(asked, func(d demand) bool { return slices.Contains(some, d.rule) }) {
			continue
		}
		here := len(contradictions) + len(doubts)
		for i, b := range asked {
			if l.Ended() != nil || len(contradictions)+len(doubts)-here > mostContradictions {
				break
			}
			for _, a := range asked[:i] {
				told := contradiction(terms, term, a, b)
				if a.form.Level == Fatal && b.form.Level == Fatal {
					contradictions = append(contradictions, told...)
				} else {
					doubts = append(doubts, told...)
				}
			}
		}
		doubts = append(doubts, leftByRules(terms, term, asked)...)
	}
	return contradictions, doubts
}

// mostContradictions is how many contradictions about one term are enough to correct at a time.
const mostContradictions = 100

// demands adds what the rule asks of terms, by their places.
func (r *Rule) demands(all map[string][]demand) {
	for _, s := range syntax.Current() {
		form, applies := r.Form(model.Syntax(s.ID))
		if !applies {
			continue
		}
		place, of := groupAt(form.Context.Value)
		if of == nil {
			continue
		}
		asked, err := expr.Demands(form.Assert.Value, expr.Group(of))
		if err != nil {
			continue // told with the rule
		}
		for _, d := range asked {
			term := d.Path
			if d.Of == "this" {
				term = place + d.Path
			}
			condition := cases.All((&Documents{Syntax: model.Syntax(s.ID)}).condition(), r.Effective.condition(r.Effective.By), conditionOf(form.Context.Value, true))
			all[term] = append(all[term], demand{r, form, d.Texts, condition})
		}
	}
}

// groupAt is where a context leads, if that is one group of the invoice or a list: its place
// with a slash, and its type; nil for others.
func groupAt(context string) (place string, of *model.Type) {
	u, err := xpath.Parse(context)
	if err != nil || len(u.Paths) != 1 || u.Paths[0].Steps[0].Name != "invoice" {
		return "", nil
	}
	of = model.InvoiceType()
	for _, step := range u.Paths[0].Steps[1:] {
		f, ok := of.Field(step.Name)
		if !ok || step.Descendant || step.Axis != xpath.Child || f.Elem == nil {
			return "", nil
		}
		place, of = place+f.Name+"/", f.Elem
	}
	return place, of
}

// contradiction tells of a document that both rules are for, of which they ask different texts.
func contradiction(terms cases.Terms, term string, a, b demand) LoadErrors {
	if a.rule == b.rule || slices.ContainsFunc(a.texts, func(text string) bool { return slices.Contains(b.texts, text) }) {
		return nil
	}
	both, meet := terms.Meet(a.condition, b.condition)
	if !meet {
		return nil
	}
	delete(both, termRoot) // each syntax is looked at
	return LoadErrors{b.form.Context.Mistake(b.rule.file, fmt.Errorf("rule %s asks that %s is %s, and rule %s (%s:%d) that it is %s, and both may be for one document%s: no such document is valid, so say in a context that one is for others",
		b.rule.ID, term, strings.Join(b.texts, " or "), a.rule.ID, a.rule.file, a.rule.Node.Line, strings.Join(a.texts, " or "), onDocument(both)))}
}

// leftByRules tells of documents that none of several rules is for.
func leftByRules(terms cases.Terms, term string, asked []demand) (gaps LoadErrors) {
	var conditions []*cases.Condition
	var ids []string
	for _, d := range asked {
		conditions = append(conditions, d.condition)
		if !slices.Contains(ids, d.rule.ID) {
			ids = append(ids, d.rule.ID)
		}
	}
	if len(ids) < 2 {
		return nil
	}
	last := asked[len(asked)-1]
	for i, c := range terms.Gaps(conditions...) {
		if i == mostGaps {
			break
		}
		gaps = append(gaps, last.form.Context.Mistake(last.rule.file, fmt.Errorf("rules %s say what %s is for some documents, and for one with %s none does: if that is meant, leave it; else have a context select these too", strings.Join(ids, ", "), term, c)))
	}
	return gaps
}
