package service

import (
	"context"
	"errors"
	"fmt"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
)

// A writing is the XML of an invoice. Of its losses, left are those terms that the
// profile does not have, and what it has in another way.
type writing struct {
	*formats.Conversion
	left []formats.Loss
}

// write makes the XML of the terms that the profile has. A profile with a schema of its
// own has less than EN 16931 or more; a term that any other profile lacks is none of
// the norm, and counts as one that the syntax has no place for.
func (s *Service) write(doc *model.Document, out *output) (*writing, error) {
	flat := *doc
	invoice, left := out.flattened(doc.Invoice)
	flat.Invoice = invoice
	invoice, narrowed, err := s.narrow(&flat, out)
	if err != nil {
		return nil, err
	}
	flat.Invoice = invoice
	conversion, err := formats.Convert(&flat, formats.Output{Syntax: out.syntax, CreditNote: out.creditNote, Unlimited: out.profile.Schema != ""})
	if bad, ok := errors.AsType[*binding.NotXML](err); ok {
		return nil, s.refuseCharacter(bad, out)
	}
	if err != nil {
		return nil, err
	}
	if out.profile.Schema == "" {
		conversion.Losses = append(narrowed, conversion.Losses...)
		return &writing{conversion, left}, nil
	}
	return &writing{conversion, append(left, narrowed...)}, nil
}

// flattened is an invoice whose sub lines are lines of their own, for profiles in whose
// extension a line names the line that it belongs to.
func (out *output) flattened(inv *model.Invoice) (*model.Invoice, []formats.Loss) {
	parent, _ := model.TypeOf[model.Line]().Field("parentLineIdentifier")
	if out.profile.Extension != parent.Extension {
		return inv, nil
	}
	var losses []formats.Loss
	subLines, _ := model.TypeOf[model.Line]().Field("subLines")
	for i := range inv.Lines {
		if n := len(inv.Lines[i].SubLines); n > 0 {
			losses = append(losses, formats.Loss{
				Kind: binding.Changed, Field: fmt.Sprintf("lines[%d].%s", i, subLines.Name), BTCode: subLines.BT, Value: fmt.Sprintf("%d of them", n),
				Reason: out.profile.Name + " has sub lines as lines of their own, which name the line that they belong to",
			})
		}
	}
	if losses == nil {
		return inv, nil
	}
	flat := *inv
	flat.Lines = inv.Flat()
	return &flat, losses
}

// refuseCharacter makes a finding of a text that XML cannot hold.
func (s *Service) refuseCharacter(bad *binding.NotXML, out *output) error {
	f, err := s.notice(noticeCharacter, "", values{"character": fmt.Sprintf("U+%04X", bad.Char)})
	if err != nil {
		return err
	}
	f.Fields = []string{bad.Field}
	report := &engine.Report{Profile: out.profile.Name, Standard: out.profile.Standard, Syntax: string(out.syntax)}
	report.Add(f)
	return &Refused{Profile: out.profile, Report: report}
}

// checkWritten checks a document that was written against its schema and profile.
func (s *Service) checkWritten(ctx context.Context, data []byte, out *output) (*engine.Report, error) {
	doc, err := formats.Read(data, s.madeLimits())
	if err != nil {
		return nil, fmt.Errorf("the document that was written cannot be read: %w", err)
	}
	result, err := s.ValidateDocument(ctx, doc, Rules{Profile: out.profile.ID})
	if err != nil {
		return nil, err
	}
	return result.Report, nil
}
