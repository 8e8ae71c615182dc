package validate

import (
	"context"
	"fmt"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/problem"
)

// ValidateBatch checks a document among the others of a job against rulesets of the layer
// batch, with overlays. The error says that a ruleset or overlay does not exist or does not
// load.
func (s *Service) ValidateBatch(ctx context.Context, entry *model.BatchEntry, rules Rules) (*Result, error) {
	if entry == nil {
		return nil, noDocument()
	}
	doc := &model.Document{Invoice: &model.Invoice{IssueDate: entry.IssueDate}, Batch: entry}
	// The entry has no profile, that an overlay could rest on or whose rules could be run.
	rules.Profile = ""
	j, err := s.judge(ctx, rules, nil, doc)
	if err != nil {
		return nil, err
	}
	report, err := j.validator.ValidateOn(ctx, doc, j.Days)
	if err != nil {
		return nil, err
	}
	j.tell(report, rules)
	report.Digest = s.digest(j, report.Rulesets, nil)
	result := &Result{Document: doc, Report: report, judge: j}
	return result, s.setLevels(ctx, result)
}

// CheckBatch returns an error for a ruleset that does not exist, does not load, or is not of
// the layer batch.
func (s *Service) CheckBatch(refs []string) error {
	for _, ref := range refs {
		set, err := s.library.Ruleset(ref)
		if err != nil {
			return err
		}
		if set.Layer != engine.LayerBatch {
			return &problem.Error{Code: problem.CodeOption, Message: fmt.Sprintf("the ruleset %s is of the layer %s, and is about each document by itself", ref, set.Layer), Remedy: "name rulesets of the layer batch, such as batch"}
		}
	}
	return nil
}

// notTogether is the error of a ruleset about the documents of a job for one document.
func notTogether(set *engine.Ruleset) error {
	if set.Layer != engine.LayerBatch {
		return nil
	}
	return &problem.Error{Code: problem.CodeOption, Message: fmt.Sprintf("the ruleset %s is about the documents of a job together", set.Name), Remedy: "run it over a job: einvoice bulk run validate --batch " + set.Name}
}
