package validate

import (
	"context"
	"errors"
	"fmt"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// Explain validates a document that was read and returns how one rule was decided at no more
// than so many nodes, in their order in the document; 0 means all. If there are more, those at
// which the rule is violated are chosen before others. If the rule does not apply to the
// document, the error is a *problem.Error.
func (s *Service) Explain(ctx context.Context, received *formats.Received, rules Rules, id string, most int) (*engine.Explained, error) {
	result, err := s.ValidateReceived(ctx, received, rules)
	if err != nil {
		return nil, err
	}
	x, err := result.Validator().ExplainReport(ctx, result.Document, result.Report, result.judge.Days, id, most)
	if told, is := errors.AsType[*problem.Error](err); is && told.Code == engine.CodeRuleUnknown {
		return nil, s.ofOverlay(result.judge, id, err)
	}
	return x, err
}

// ofOverlay says of a rule that is unknown to what judged that it is of an overlay which does not
// apply to the document, and why; otherwise the error as it is.
func (s *Service) ofOverlay(j *judge, id string, err error) error {
	for _, info := range j.told {
		o, failed := s.library.Overlay(info.Name)
		if failed != nil || info.Applied || o.Rules() == nil || o.Rules().ByID[id] == nil {
			continue
		}
		return &problem.Error{
			Code:    engine.CodeRuleUnknown,
			Message: fmt.Sprintf("rule %s is of the overlay %s, which does not apply to this document: %s", quote.Value(id), info.Name, info.Reason),
			Remedy:  "name a rule of the rulesets that judge it, or explain a document that the overlay is for",
		}
	}
	return err
}
