package lint

import (
	"fmt"

	"einvoice/engine"
	"einvoice/engine/xpath"
	"einvoice/model/pattern"
)

var readsInvoice = pattern.Later(`\binvoice\b`)

// checkBatch reports rules about the documents of a job that are not of their layer, and the
// reverse: they would never be asked.
func checkBatch(r *engine.Rule) (failures engine.LoadErrors) {
	for _, form := range r.Forms() {
		u, err := xpath.Parse(form.Context.Value)
		if err != nil {
			continue // reported with the form
		}
		over := u.Paths[0].Steps[0].Name == "batch"
		switch {
		case over && r.Overlay != "":
			failures = append(failures, form.Context.Mistake(r.File(), fmt.Errorf("an overlay adds rules about each document by itself: put rule %s into a ruleset of the layer %s", r.ID, engine.LayerBatch)))
		case over && r.Layer != engine.LayerBatch:
			failures = append(failures, form.Context.Mistake(r.File(), fmt.Errorf("rule %s is about the documents of a job together: put it into a ruleset of the layer %s", r.ID, engine.LayerBatch)))
		case !over && r.Layer == engine.LayerBatch:
			failures = append(failures, form.Context.Mistake(r.File(), fmt.Errorf("rules of the layer %s are asked about the documents of a job together, and their contexts begin with /batch: put rule %s into a ruleset of another layer", engine.LayerBatch, r.ID)))
		case over && readsInvoice().MatchString(form.Assert.Value):
			failures = append(failures, form.Assert.Mistake(r.File(), fmt.Errorf("a rule between documents has no invoice: rule %s asks the columns of this (docs/bulk.md)", r.ID)))
		}
	}
	return failures
}

func errOfJobs(ref string) error {
	return fmt.Errorf("the ruleset %s is about the documents of a job together, and is asked with bulk run validate --batch alone: leave it out", ref)
}

// checkBatchOverlay reports overlays that have rules about jobs run for each document, or that
// change such rules for some documents.
func checkBatchOverlay(l *engine.Library, o *engine.Overlay) (failures engine.LoadErrors) {
	for _, ref := range o.Rulesets {
		if s, err := l.Ruleset(ref); err == nil && s.Layer == engine.LayerBatch {
			failures = append(failures, o.Mistake("rulesets", "%v", errOfJobs(ref)))
		}
	}
	for _, ref := range o.On.Rulesets {
		if s, err := l.Ruleset(ref); err == nil && s.Layer == engine.LayerBatch && !o.Documents.IsEmpty() {
			failures = append(failures, o.Mistake("documents", "the overlay rests on %s, whose rules do not have the invoice, so that documents cannot choose: remove documents", ref))
		}
	}
	return failures
}
