package write

import (
	"fmt"
	"strings"

	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/catalogue"
)

// Options say how a document is made.
type Options struct {
	model.Group
	// Profile is one of the format's profiles; the usual one without it.
	Profile model.Text `json:"profile,omitzero" card:"0..1"`
	// BusinessProcess is BT-23, whatever the invoice and the profile say.
	BusinessProcess model.Text `json:"businessProcess,omitzero" card:"0..1"`
	// Syntax chooses where a format has several.
	Syntax model.Text `json:"syntax,omitzero" card:"0..1"`
	// Language is that of the pages of a PDF, such as de; that of the buyer's or the
	// seller's country without it.
	Language model.Text `json:"language,omitzero" card:"0..1"`
	// Look is the name of the look of the pages of a PDF; that of the seller's country
	// without it.
	Look model.Text `json:"look,omitzero" card:"0..1"`
	// Date is when a PDF says it was made; the invoice's issue date without it.
	Date model.Date `json:"date,omitzero" card:"0..1"`
	// Strict, if true, asks who delivers the document to refuse one that lacks anything of the
	// invoice. Made has its losses.
	Strict model.Text `json:"strict,omitzero" type:"indicator" card:"0..1"`
	// VatAccountingCurrencyRate is how many units of the VAT accounting currency
	// (BT-6) one unit of the invoice currency is worth.
	VatAccountingCurrencyRate model.Number `json:"vatAccountingCurrencyRate,omitzero" card:"0..1"`
	// VatAmountInAccountingCurrency is BT-111 itself.
	VatAmountInAccountingCurrency model.Amount `json:"vatAmountInAccountingCurrency,omitzero" card:"0..1"`
}

// IsStrict reports whether a document that lacks anything of the invoice is to be refused.
func (o *Options) IsStrict() bool {
	return o != nil && (o.Strict.Raw == "true" || o.Strict.Raw == "1")
}

// CheckDate returns a *problem.Error for the date of a PDF that is not a day.
func CheckDate(d model.Date) error {
	if !d.Present || d.Valid {
		return nil
	}
	return problem.Option("options.date", fmt.Errorf("%q is not a day: write it as 2026-11-20", d.Raw))
}

// CheckOptions returns an error for each mistake in the name of a format and in the profile
// and syntax that options name, and for a look or a date where the format has no pages.
func CheckOptions(format string, o *Options) []*problem.Error {
	if o == nil {
		o = &Options{}
	}
	_, _, _, wrong := choose(format, o)
	return wrong
}

// choose finds format, profile and syntax that options ask for, and what is wrong with any of
// them.
func choose(format string, o *Options) (f *catalogue.Format, profile string, syntax model.Syntax, wrong []*problem.Error) {
	note := func(field string, err error) {
		if err != nil {
			wrong = append(wrong, problem.Option(field, err))
		}
	}
	f, err := catalogue.Creatable(format)
	if err != nil {
		note("", err)
		return f, profile, syntax, wrong
	}
	profile, err = f.ProfileID(o.Profile.Raw)
	note("options.profile", err)
	syntax, err = f.SyntaxFor(o.Syntax.Raw)
	note("options.syntax", err)
	if o.Look.Raw != "" && !f.Create.PDF {
		note("options.look", noPages(f.Name, "look"))
	}
	if o.Date.Present && !f.Create.PDF {
		note("options.date", noPages(f.Name, "date"))
	}
	return f, profile, syntax, wrong
}

// noPages is the error for an option of pages where a format is XML alone.
func noPages(format, option string) error {
	return &problem.Error{Message: format + " has no pages, which the option " + option + " is for", Remedy: "leave the option out, or make " + strings.Join(catalogue.ToCreateInPDF(), ", ")}
}
