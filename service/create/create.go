package create

import (
	"context"
	"errors"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/model/problem"
	"einvoice/model/tongue"
	"einvoice/service/catalogue"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// noticeAmount is the finding about an amount that differs from the computed one;
// rulesets/findings says what it says.
const noticeAmount = "AMOUNT-DIFFERS"

// Pages are what documents are created with: *render.Pages of a program that draws, or
// NoPages.
type Pages interface {
	// Rules validate what is made; nil if there are none.
	Rules() *validate.Service
	// CheckLook refuses the name of a look that there is not.
	CheckLook(name string) error
	// Deliver puts a valid XML into pages, where the format asks for them.
	Deliver(ctx context.Context, inv *model.Invoice, out *write.Output, made *write.Made) (*write.Made, error)
}

// NoPages are the Pages of a program that makes XML alone.
type NoPages struct{ Service *validate.Service }

// Rules returns the service that validates what is made.
func (p NoPages) Rules() *validate.Service { return p.Service }

// CheckLook accepts every name, because nothing is drawn.
func (NoPages) CheckLook(string) error { return nil }

// Deliver returns what was made, or a *problem.Error for a format that is a PDF.
func (NoPages) Deliver(_ context.Context, _ *model.Invoice, out *write.Output, made *write.Made) (*write.Made, error) {
	if !out.Format.Create.PDF {
		return made, nil
	}
	return nil, &problem.Error{Code: problem.CodeOption, Message: "this program makes no PDFs", Remedy: "create ubl, cii or xrechnung, or ask the service"}
}

// Document makes a valid document from a request, which stays as it is: the completed invoice
// is in Made.Invoice or in Refused.Invoice. An error is a *problem.WrongOptions for options
// that do not exist, a *problem.Error for a look that does not exist or if there is no invoice,
// or a *write.Refused if the document violates rules, unless the context ended or the rules
// themselves cannot be run.
func Document(ctx context.Context, p Pages, format string, r *Request) (*write.Made, error) {
	if p == nil || p.Rules() == nil {
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
	if refused, ok := errors.AsType[*write.Refused](err); ok && slices.ContainsFunc(refused.Report.Findings, func(f engine.Finding) bool { return f.Rule == write.NoticeCharacter }) {
		// What was computed may have the character as well, and be written before its origin.
		if _, first := out.Write(ctx, &model.Document{Invoice: r.Invoice}); first != nil {
			err = first
		}
	}
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		refused.Invoice = invoice
	}
	if made != nil {
		made.Invoice = invoice
	}
	return made, err
}

// document completes an invoice and makes a document of it.
func document(ctx context.Context, p Pages, out *write.Output, inv *model.Invoice) (*write.Made, error) {
	stamped, err := out.StampAndTell(inv)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	complete(inv, out)
	if err := checkRequest(ctx, p.Rules(), inv, out); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	written, err := out.Write(ctx, &model.Document{Invoice: inv})
	if err != nil {
		return nil, err
	}
	report, err := out.Check(ctx, written)
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
	if err := reportAmounts(p.Rules(), inv, out, report); err != nil {
		return nil, err
	}
	if !report.Valid {
		return nil, &write.Refused{Profile: out.Profile, Report: report, Losses: written.Left}
	}
	return p.Deliver(ctx, inv, out, out.Made(written, inv, written.Left, report))
}

// Find returns the format, profile and syntax that options name, or a *problem.WrongOptions.
func Find(p Pages, format string, o *write.Options) (*write.Output, error) {
	if p == nil {
		p = NoPages{}
	}
	return write.Find(p.Rules(), format, o, wrongOptions(o)...)
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

// computing are the options that values are computed with.
func computing(out *write.Output) compute.Options {
	return compute.Options{
		AccountingRate: out.Options.VatAccountingCurrencyRate,
		AccountingVat:  out.Options.VatAmountInAccountingCurrency,
		ZeroRate:       readDefaults().RateOfZero[out.Profile.Standard],
	}
}

// complete computes what the request left out.
func complete(inv *model.Invoice, out *write.Output) {
	compute.Complete(inv, computing(out))
	tag, _ := tongue.Match(out.Options.Language.Raw) // which was checked
	if out.Options.Language.Raw == "" {
		tag = tongue.OfCountry(inv) // as pages have it
	}
	defaults := readDefaults()
	defaults.supply(inv, out.Profile.Standard, tag)
	if slices.Contains(defaults.ReasonOfParts, out.Profile.Extension) {
		reasonsOfParts(inv)
	}
}

// reportAmounts adds the amounts that the request supplied and that its other terms do
// not give, unless a rule already found a fault in them: rules tolerate small
// differences, and some are not asked of every profile.
func reportAmounts(s *validate.Service, inv *model.Invoice, out *write.Output, report *engine.Report) error {
	found := map[string]bool{} // the fields that findings are about
	for i := range report.Findings {
		for _, field := range report.Findings[i].Fields {
			found[field] = true
		}
	}
	var findings []engine.Finding
	for _, d := range compute.Differences(inv, computing(out)) {
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
