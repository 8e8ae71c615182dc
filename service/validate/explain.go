package validate

import (
	"context"

	"einvoice/engine"
	"einvoice/formats"
)

// Explain validates a document that was read and says of one rule how it was decided, at
// no more than so many nodes, those first where it is violated; 0 is for all. The error of
// a rule that does not judge the document is a *problem.Error.
func (s *Service) Explain(ctx context.Context, received *formats.Received, rules Rules, id string, most int) (*engine.Explained, error) {
	result, err := s.ValidateReceived(ctx, received, rules)
	if err != nil {
		return nil, err
	}
	return result.Validator().ExplainReport(ctx, result.Document, result.Report, result.judge.Days, id, most)
}
