package service

import (
	"context"
	"slices"

	"einvoice/engine"
	"einvoice/formats/pdf/page"
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
	if err := s.checkRequest(ctx, r.Invoice, out); err != nil {
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
	withoutEchoes(report)
	differences, err := s.lossFindings(written.Losses, out.syntax)
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

// withoutEchoes takes the findings of the XML schema out that say of elements what a rule
// says of the same term: that it is missing, of a term that the request lacks.
func withoutEchoes(report *engine.Report) {
	said := map[string]bool{}
	for i := range report.Findings {
		if f := &report.Findings[i]; f.Layer != engine.LayerSchema && f.Level == engine.Fatal {
			for _, field := range f.Fields {
				said[field] = true
			}
		}
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(f engine.Finding) bool {
		return f.Layer == engine.LayerSchema && len(f.Fields) == 1 && said[f.Fields[0]]
	})
	report.Add() // counts them
}

// complete computes what the request left out.
func complete(inv *model.Invoice, out *output) {
	compute.Complete(inv, compute.Options{
		AccountingRate: out.options.VatAccountingCurrencyRate, AccountingVat: out.options.VatAmountInAccountingCurrency,
	})
	language, _ := page.LanguageName(out.options.Language.Raw) // which was checked
	readDefaults().supply(inv, out.profile.Standard, language)
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
