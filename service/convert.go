package service

import (
	"context"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
)

// Convert makes a document in another syntax out of one that was read, which keeps the
// profile that it declares. The result is delivered whether or not it is valid. Each
// fatal rule of the profile that it violates and the source does not is among the
// losses, as formats.Violated.
func (s *Service) Convert(ctx context.Context, doc *model.Document, syntax model.Syntax) (*formats.Conversion, error) {
	creditNotes, err := s.library.CodeList(readCatalogue().CreditNotes)
	if err != nil {
		return nil, err
	}
	profile, _, err := s.library.Detect(doc.Invoice)
	if err != nil {
		return nil, err
	}
	c, err := formats.Convert(doc, formats.Output{Syntax: syntax, CreditNote: creditNotes.Contains, Unlimited: profile.Schema != ""})
	if err != nil {
		return nil, err
	}
	return c, s.reportViolations(ctx, doc, c)
}

// reportViolations adds the rules that a conversion violates and its source does not.
// There are none for a source of a legacy format, which has no rules.
func (s *Service) reportViolations(ctx context.Context, source *model.Document, c *formats.Conversion) error {
	if formats.LegacyName(source) != "" {
		return nil
	}
	made, err := formats.Read(c.Data, s.madeLimits())
	if err != nil {
		return fmt.Errorf("the document that was made cannot be read: %w", err)
	}
	is, err := s.ValidateDocument(ctx, made, Rules{})
	if err != nil || is.Report.Valid {
		return err
	}
	was, err := s.ValidateDocument(ctx, source, Rules{})
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, f := range was.Report.Findings {
		known[f.Rule] = known[f.Rule] || f.Level == engine.Fatal
	}
	for _, f := range is.Report.Findings {
		if f.Level != engine.Fatal || known[f.Rule] {
			continue
		}
		known[f.Rule] = true
		loss := formats.Loss{Kind: formats.Violated, BTCode: strings.Join(f.BTCodes, " "), Value: f.Rule, Reason: f.Message}
		if len(f.Fields) > 0 {
			loss.Field = f.Fields[0]
		}
		c.Losses = append(c.Losses, loss)
	}
	return nil
}
