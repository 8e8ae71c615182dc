package create

import (
	"context"
	"errors"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats/pdf/page/language"
	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/model/problem"
	"einvoice/service/catalogue"
	"einvoice/service/render"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// noticeAmount is the finding about an amount that differs from the computed one;
// rulesets/findings says what it says.
const noticeAmount = "AMOUNT-DIFFERS"

// Document makes a valid document out of a request, which stays as it is: the completed
// invoice is in what was made, or in what was refused. An error is a *problem.WrongOptions
// for options that do not exist, a *problem.Error where there is no invoice, or a
// *write.Refused, unless the rules themselves cannot be run.
func Document(ctx context.Context, p *render.Pages, format string, r *Request) (*write.Made, error) {
	if p == nil || p.Service == nil {
		return nil, errors.New("there are no pages to create documents with; take those of operation.Open")
	}
	if r == nil || r.Invoice == nil {
		return nil, &problem.Error{Code: problem.CodeRequest, Message: "the request has no invoice", Remedy: "set Invoice, or read the request with ReadRequest", Field: "invoice"}
	}
	out, err := Find(p, format, model.Copy(r.Options))
	if err != nil {
		return nil, err
	}
	invoice := model.Copy(r.Invoice)
	made, err := document(ctx, p, out, invoice)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		refused.Invoice = invoice
	}
	if made != nil {
		made.Invoice = invoice
	}
	return made, err
}

// document completes an invoice and makes a document of it.
func document(ctx context.Context, p *render.Pages, out *write.Output, inv *model.Invoice) (*write.Made, error) {
	stamped, err := out.StampAndTell(inv)
	if err != nil {
		return nil, err
	}
	complete(inv, out)
	if err := checkRequest(ctx, p.Service, inv, out); err != nil {
		return nil, err
	}
	written, err := out.Write(&model.Document{Invoice: inv})
	if err != nil {
		return nil, err
	}
	report, err := out.Check(ctx, written.Data)
	if err != nil {
		return nil, err
	}
	write.WithoutPlaces(report)
	withoutEchoes(report)
	differences, err := out.LossFindings(written.Losses)
	if err != nil {
		return nil, err
	}
	report.Add(append(differences, stamped...)...)
	if err := reportAmounts(p.Service, inv, report); err != nil {
		return nil, err
	}
	if !report.Valid {
		return nil, &write.Refused{Profile: out.Profile, Report: report, Losses: written.Left}
	}
	return Deliver(ctx, p, inv, out, out.Made(written, inv, written.Left, report))
}

// Find finds what options ask for.
func Find(p *render.Pages, format string, o *write.Options) (*write.Output, error) {
	return write.Find(p.Service, format, o, wrongLanguage(o)...)
}

// withoutEchoes takes out what says of elements what a rule says of their terms. These are
// findings of the XML schema about an element that a rule calls missing, of a term that the
// request lacks, and those of rules about empty elements where terms in them are missing: the
// request has no elements.
func withoutEchoes(report *engine.Report) {
	said := map[string]bool{}
	around := map[string]bool{} // the groups around the terms of other findings
	for i := range report.Findings {
		if f := &report.Findings[i]; f.Layer != engine.LayerSchema && f.Level == engine.Fatal {
			for _, field := range f.Fields {
				said[field] = true
				for i := strings.LastIndexByte(field, '.'); i > 0; i = strings.LastIndexByte(field[:i], '.') {
					around[field[:i]] = true
				}
			}
		}
	}
	empty := catalogue.Read().EmptyElements
	report.Findings = slices.DeleteFunc(report.Findings, func(f engine.Finding) bool {
		if len(f.Fields) != 1 {
			return false
		}
		return f.Layer == engine.LayerSchema && said[f.Fields[0]] || slices.Contains(empty, f.Rule) && around[f.Fields[0]]
	})
	report.Add() // counts them
}

// complete computes what the request left out.
func complete(inv *model.Invoice, out *write.Output) {
	compute.Complete(inv, compute.Options{
		AccountingRate: out.Options.VatAccountingCurrencyRate, AccountingVat: out.Options.VatAmountInAccountingCurrency,
	})
	tag, _ := language.Match(out.Options.Language.Raw) // which was checked
	if out.Options.Language.Raw == "" {
		tag = language.OfCountry(inv) // as pages have it
	}
	readDefaults().supply(inv, out.Profile.Standard, tag)
}

// reportAmounts adds the amounts that the request supplied and that its other terms do
// not give, unless a rule already found a fault in them: rules tolerate small
// differences, and some are not asked of every profile.
func reportAmounts(s *validate.Service, inv *model.Invoice, report *engine.Report) error {
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
		f, err := s.Notice(noticeAmount, "", validate.Values{"given": d.Given, "computed": d.Computed})
		if err != nil {
			return err
		}
		f.BTCodes, f.Fields = []string{d.BT}, []string{d.Field}
		findings = append(findings, f)
	}
	report.Add(findings...)
	return nil
}
