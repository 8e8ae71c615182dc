package service

import (
	"context"
	"errors"
	"fmt"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/compute"
)

// Create makes a valid document out of a request, whose invoice is completed in
// place. An error is a *problem.Error for an option that does not exist, or a *Refused,
// unless the rules themselves cannot be run.
func (s *Service) Create(ctx context.Context, format string, r *Request) (*Made, error) {
	out, err := s.output(format, r.Options)
	if err != nil {
		return nil, err
	}
	stamped, err := s.stamp(r.Invoice, out)
	if err != nil {
		return nil, err
	}
	complete(r.Invoice, out)
	if err := s.checkAttachments(ctx, r.Invoice, out); err != nil {
		return nil, err
	}
	written, err := s.write(&model.Document{Invoice: r.Invoice}, out)
	if err != nil {
		return nil, err
	}
	report, err := s.checkWritten(ctx, written.Data, out)
	if err != nil {
		return nil, err
	}
	WithoutPlaces(report)
	differences, err := s.lossFindings(written.Losses)
	if err != nil {
		return nil, err
	}
	report.Add(append(differences, stamped...)...)
	if err := s.reportAmounts(r.Invoice, report); err != nil {
		return nil, err
	}
	if !report.Valid {
		return nil, &Refused{out.profile, report, written.left}
	}
	return s.deliver(ctx, r.Invoice, out, out.made(written, r.Invoice, written.left, report))
}

// complete computes what the request left out.
func complete(inv *model.Invoice, out *output) {
	if code := out.format.Create.TypeCode; code != "" && !inv.TypeCode.Present {
		inv.TypeCode = model.NewText(code)
	}
	compute.Complete(inv, compute.Options{
		AccountingRate: out.options.VatAccountingCurrencyRate, AccountingVat: out.options.VatAmountInAccountingCurrency,
	})
}

// reportAmounts adds the amounts that the request supplied and that its other terms do
// not give, unless a rule already found a fault in them: rules tolerate small
// differences, and some are not asked of every profile.
func (s *Service) reportAmounts(inv *model.Invoice, report *engine.Report) error {
	found := map[string]bool{} // the fields that findings are about
	for i := range report.Findings {
		for _, field := range report.Findings[i].Fields {
			found[field] = true
		}
	}
	var findings []engine.Finding
	for _, d := range compute.Differences(inv) {
		if found[d.Field] {
			continue
		}
		f, err := s.notice(noticeAmount, "", values{"given": d.Given, "computed": d.Computed})
		if err != nil {
			return err
		}
		f.BTCodes, f.Fields = []string{d.BT}, []string{d.Field}
		findings = append(findings, f)
	}
	report.Add(findings...)
	return nil
}

// checkAttachments checks the MIME codes of attachments before anything is written:
// their content may be large.
func (s *Service) checkAttachments(ctx context.Context, inv *model.Invoice, out *output) error {
	if inv.SupportingDocuments == nil {
		return nil
	}
	v, err := s.attachmentValidator()
	if err != nil {
		return err
	}
	report, err := v.Validate(ctx, &model.Document{Invoice: &model.Invoice{SupportingDocuments: inv.SupportingDocuments}})
	if err != nil || report.Valid {
		return err
	}
	report.Profile, report.Standard, report.Syntax = out.profile.Name, out.profile.Standard, string(out.syntax)
	return &Refused{Profile: out.profile, Report: report}
}

// A writing is the XML of an invoice. Of its losses, left are those terms that the
// profile does not have.
type writing struct {
	*formats.Conversion
	left []formats.Loss
}

// write makes the XML of the terms that the profile has.
func (s *Service) write(doc *model.Document, out *output) (*writing, error) {
	invoice, left, err := s.narrow(doc, out)
	if err != nil {
		return nil, err
	}
	narrow := *doc
	narrow.Invoice = invoice
	conversion, err := formats.Convert(&narrow, formats.Output{Syntax: out.syntax, CreditNote: out.creditNote})
	if bad, ok := errors.AsType[*binding.NotXML](err); ok {
		return nil, s.refuseCharacter(bad, out)
	}
	if err != nil {
		return nil, err
	}
	return &writing{conversion, left}, nil
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
