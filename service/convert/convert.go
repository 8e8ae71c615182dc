// Package convert writes a document in the other syntax, with the profile that it declares.
//
//	conversion, err := convert.Document(ctx, service, doc, model.UBL)
//
// It does not validate the result. The conversion lists every value that the result lacks, or
// writes differently, and each fatal rule that only the result violates.
package convert

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// A Conversion is a document in another syntax, with what differs.
type Conversion struct {
	formats.Conversion
	violated []engine.Finding // whose messages are the reasons of the last losses
}

// Translate says the messages of rules among the losses in a language; nil is English. All other
// reasons are phrases of the program, which a language has by themselves.
func (c *Conversion) Translate(language *words.Language) error {
	if err := engine.TranslateFindings(c.violated, language); err != nil {
		return err
	}
	messages := c.Losses[len(c.Losses)-len(c.violated):]
	for i, f := range c.violated {
		messages[i].Reason = f.Message
	}
	return nil
}

// Document returns a document that was read in another syntax, with the profile that it
// declares, whether or not the result is valid. Each fatal rule of the profile that the result
// violates and the source does not is among the losses, as formats.Violated. The error says
// why nothing was written.
func Document(ctx context.Context, s *validate.Service, doc *model.Document, syntax model.Syntax) (*Conversion, error) {
	if doc == nil || doc.Invoice == nil {
		return nil, errors.New("there is no document to convert; give one that was read")
	}
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	creditNotes, err := write.CreditNotes(s)
	if err != nil {
		return nil, err
	}
	profile, _, err := s.Library().Detect(doc.Invoice)
	if err != nil {
		return nil, err
	}
	converted, err := formats.Convert(ctx, doc, formats.Output{Syntax: syntax, CreditNote: creditNotes, Unlimited: profile.Schema != ""})
	if err != nil {
		return nil, err
	}
	c := &Conversion{Conversion: *converted}
	return c, reportViolations(ctx, s, doc, c)
}

// reportViolations adds the fatal rules that a conversion violates and its source does not.
// There are none for a source of a legacy format, which has no rules.
func reportViolations(ctx context.Context, s *validate.Service, source *model.Document, c *Conversion) error {
	if formats.LegacyName(source) != "" {
		return nil
	}
	made, err := s.ReadMade(ctx, c.Data)
	if err != nil {
		return fmt.Errorf("the document that was made cannot be read: %w", err)
	}
	is, err := s.ValidateDocument(ctx, made, validate.Rules{})
	if err != nil || is.Report.Valid {
		return err
	}
	was, err := s.ValidateDocument(ctx, source, validate.Rules{})
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
		c.Losses, c.violated = append(c.Losses, loss), append(c.violated, f)
	}
	return nil
}

// Again returns an invoice as convert would write it in a syntax and read it back.
func Again(ctx context.Context, s *validate.Service, inv *model.Invoice, syntax model.Syntax) (*model.Document, error) {
	if inv == nil {
		return nil, errors.New("there is no invoice to write; give one that was read or made")
	}
	s, err := validate.Usual(s)
	if err != nil {
		return nil, err
	}
	creditNotes, err := write.CreditNotes(s)
	if err != nil {
		return nil, err
	}
	written, err := formats.Convert(ctx, &model.Document{Invoice: inv}, formats.Output{Syntax: syntax, CreditNote: creditNotes, Unlimited: true})
	if err != nil {
		return nil, err
	}
	return s.ReadMade(ctx, written.Data)
}
