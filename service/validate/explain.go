package validate

import (
	"context"

	"einvoice/engine"
	"einvoice/formats"
)

// Explain validates a document that was read and returns how one rule was decided, at most
// nodes, violations first; 0 means all. If the rule does not apply to the document, the error
// is a *problem.Error.
func (s *Service) Explain(ctx context.Context, received *formats.Received, rules Rules, id string, most int) (*engine.Explained, error) {
	result, err := s.ValidateReceived(ctx, received, rules)
	if err != nil {
		return nil, err
	}
	return result.Validator().ExplainReport(ctx, result.Document, result.Report, result.judge.Days, id, most)
}
