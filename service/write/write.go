package write

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/validate"
)

// A Written is the XML of an invoice. Left are the losses that are terms without a place in
// the profile, and terms that the profile writes in another way.
type Written struct {
	*formats.Conversion
	Left []formats.Loss
}

// Write makes the XML of the terms that the profile has. A profile with a schema of its
// own may have fewer terms than EN 16931, or more: a term that it lacks is in Left. Other
// profiles have all terms of EN 16931: what they lack is not in the standard, and is among
// the Losses, as are terms without a place in the syntax.
func (out *Output) Write(ctx context.Context, doc *model.Document) (*Written, error) {
	flat := *doc
	invoice, left := out.flattened(doc.Invoice)
	flat.Invoice = invoice
	invoice, narrowed, err := out.narrow(ctx, &flat)
	if err != nil {
		return nil, err
	}
	flat.Invoice = invoice
	conversion, err := formats.Convert(ctx, &flat, formats.Output{Syntax: out.Syntax, CreditNote: out.creditNote, Unlimited: out.Profile.Schema != ""})
	if bad, ok := errors.AsType[*binding.NotXML](err); ok {
		return nil, out.refuseCharacter(bad)
	}
	if err != nil {
		return nil, err
	}
	if out.Profile.Schema == "" {
		conversion.Losses = append(narrowed, conversion.Losses...)
		return &Written{conversion, left}, nil
	}
	return &Written{conversion, append(left, narrowed...)}, nil
}

// flattened is an invoice whose sub lines are lines of their own, for profiles in whose
// extension a line names the line that it belongs to.
func (out *Output) flattened(inv *model.Invoice) (*model.Invoice, []formats.Loss) {
	parent, _ := model.TypeOf[model.Line]().Field("parentLineIdentifier")
	if out.Profile.Extension != parent.Extension {
		return inv, nil
	}
	var losses []formats.Loss
	subLines, _ := model.TypeOf[model.Line]().Field("subLines")
	for i := range inv.Lines {
		if n := len(inv.Lines[i].SubLines); n > 0 {
			losses = append(losses, formats.Loss{
				Kind: binding.Changed, Field: fmt.Sprintf("lines[%d].%s", i, subLines.Name), BTCode: subLines.BT, Entries: n,
				Reason: out.Profile.Name + " has sub lines as lines of their own, which name the line that they belong to",
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
func (out *Output) refuseCharacter(bad *binding.NotXML) error {
	f, err := out.service.Notice(NoticeCharacter, "", validate.Values{"character": fmt.Sprintf("U+%04X", bad.Char)})
	if err != nil {
		return err
	}
	f.Fields = []string{bad.Field}
	report := &engine.Report{Profile: out.Profile.Name, Standard: out.Profile.Standard, Syntax: string(out.Syntax)}
	report.Add(f)
	return &Refused{Profile: out.Profile, Report: report}
}

// Check validates a document that was written against its schema and profile. It leaves out
// findings about elements without content that no term is in, such as
// ram:ApplicableHeaderTradeDelivery: the program wrote them because the schema demands them,
// and nobody can correct that. The fields of findings are those of the invoice that was written.
func (out *Output) Check(ctx context.Context, written *Written) (*engine.Report, error) {
	doc, err := out.service.ReadMade(ctx, written.Data)
	if err != nil {
		return nil, fmt.Errorf("the document that was written cannot be read: %w", err)
	}
	result, err := out.service.ValidateDocument(ctx, doc, validate.Rules{Profile: out.Profile.ID})
	if err != nil {
		return nil, err
	}
	report, empty := result.Report, catalogue.Read().EmptyElements
	report.Findings = slices.DeleteFunc(report.Findings, func(f engine.Finding) bool {
		return len(f.Fields) == 0 && slices.Contains(empty, f.Rule)
	})
	placed(report, written)
	report.Add() // counts them
	return report, nil
}

// placed says where in the invoice findings are. What is several times in the document, because
// one entry of the invoice is, is said once.
func placed(report *engine.Report, written *Written) {
	said := map[string]bool{}
	report.Findings = slices.DeleteFunc(report.Findings, func(f engine.Finding) bool {
		moved := false
		for i, field := range f.Fields {
			f.Fields[i] = written.Place(field)
			moved = moved || f.Fields[i] != field
		}
		key := fmt.Sprintf("%s\x00%s\x00%q", f.Rule, f.Message, f.Fields)
		again := moved && said[key]
		said[key] = true
		return again
	})
}
