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

// A demand is a rule that says which text a term has where its context selects something.
type demand struct {
	rule      *Rule
	form      Form
	condition *cases.Condition
}

// leftByRules tells of documents that several rules leave which say what text a term has, and
// which look as if they were for all.
//
// It finds nothing where checks of the library are to end.
func (l *Library) leftByRules(s *Ruleset, some []*Rule) (gaps LoadErrors) {
	all := map[string][]demand{}
	for _, r := range s.Rules {
		if l.Ended() != nil {
			return nil
		}
		if r.Row == nil {
			r.demands(all)
		}
	}
	terms := knownTerms(nil)
	for _, term := range slices.Sorted(maps.Keys(all)) {
		if l.Ended() != nil {
			return nil
		}
		if asked := all[term]; slices.ContainsFunc(asked, func(d demand) bool { return slices.Contains(some, d.rule) }) {
			gaps = append(gaps, leftOfTerm(terms, term, asked)...)
		}
	}
	return gaps
}

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
			all[term] = append(all[term], demand{r, form, condition})
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

// leftOfTerm tells of documents that none of several rules about a term is for.
func leftOfTerm(terms cases.Terms, term string, asked []demand) (gaps LoadErrors) {
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
