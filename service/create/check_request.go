package create

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// checkRequest checks what a request must hold before a document is made of it, and the
// MIME codes of its attachments, whose content may be large. What it lacks is said about
// its own terms, instead of about the elements and sums that follow from them; with that
// comes what else the rules find in the invoice, so that all can be corrected at once.
func checkRequest(ctx context.Context, s *validate.Service, inv *model.Invoice, out *write.Output) error {
	asked := &catalogue.Read().Request
	v, err := s.ValidatorWith(asked.Ruleset, asked.Rules)
	if err != nil {
		return err
	}
	invoice := &model.Document{Invoice: inv}
	report, err := v.Validate(ctx, invoice)
	if err != nil {
		return err
	}
	sums, err := checkSums(s, inv, out)
	if err != nil {
		return err
	}
	if report.Add(sums...); report.Valid {
		return nil
	}
	rules, err := s.ValidatorOf(out.Profile.Rulesets...)
	if err != nil {
		return err
	}
	others, err := rules.Validate(ctx, invoice)
	if err != nil {
		return err
	}
	lacking := map[string]bool{}
	for i := range report.Findings {
		for _, bt := range report.Findings[i].BTCodes {
			lacking[bt] = true
		}
	}
	var more []engine.Finding // added at once, since all are put in order then
	for i := range others.Findings {
		if f := &others.Findings[i]; f.Level == engine.Fatal && !follows(f, lacking) && !ofUnpriced(inv, f) {
			more = append(more, *f)
		}
	}
	report.Add(more...)
	withoutUnknown(inv, report)
	report.Profile, report.Standard, report.Syntax = out.Profile.Name, out.Profile.Standard, string(out.Syntax)
	write.WithoutPlaces(report)
	return &write.Refused{Profile: out.Profile, Report: report}
}

// follows reports whether a finding may follow from what a request lacks: it is about a term that
// is lacking, or about what is computed, or says of no field where it is.
func follows(f *engine.Finding, lacking map[string]bool) bool {
	if len(f.Fields) == 0 {
		return true
	}
	for _, field := range f.Fields {
		if strings.HasPrefix(field, "totals") || strings.HasPrefix(field, "vatBreakdowns") || strings.HasSuffix(field, ".netAmount") {
			return true
		}
	}
	return slices.ContainsFunc(f.BTCodes, func(bt string) bool { return lacking[bt] })
}

// withoutUnknown takes out what follows from lines that lack their VAT category or rate: nobody
// knows then of which lines a percentage of the document is, nor which entry of the VAT breakdown
// is of no line.
func withoutUnknown(inv *model.Invoice, report *engine.Report) {
	if !slices.ContainsFunc(report.Findings, func(f engine.Finding) bool {
		return len(f.Fields) == 1 && strings.HasPrefix(f.Fields[0], "lines[") && strings.Contains(f.Fields[0], "].vat.")
	}) {
		return
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(f engine.Finding) bool {
		if f.Rule == noticeVatUnused {
			return true
		}
		var i int
		switch {
		case len(f.Fields) != 1:
		case scans(f.Fields[0], "allowances[%d].amount", &i):
			return inv.Allowances[i].Percentage.Present
		case scans(f.Fields[0], "charges[%d].amount", &i):
			return inv.Charges[i].Percentage.Present
		}
		return false
	})
	report.Add() // counts them
}

// ofUnpriced reports whether a finding is about the amount that a percentage gives on a line
// whose quantity or price the request lacks.
func ofUnpriced(inv *model.Invoice, f *engine.Finding) bool {
	return len(f.Fields) > 0 && !slices.ContainsFunc(f.Fields, func(field string) bool {
		var i, j int
		var of *model.Line
		switch {
		case scans(field, "lines[%d].allowances[%d].", &i, &j):
			if of = &inv.Lines[i]; !of.Allowances[j].Percentage.Present {
				return true
			}
		case scans(field, "lines[%d].charges[%d].", &i, &j):
			if of = &inv.Lines[i]; !of.Charges[j].Percentage.Present {
				return true
			}
		default:
			return true
		}
		amount := strings.HasSuffix(field, ".amount") || strings.HasSuffix(field, ".baseAmount")
		return !amount || of.InvoicedQuantity.Present && of.Price != nil && of.Price.NetPrice.Present
	})
}

// scans reports whether a field begins as the format says, and reads its indexes.
func scans(field, format string, indexes ...any) bool {
	_, err := fmt.Sscanf(field, format, indexes...)
	return err == nil
}
