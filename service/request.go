package service

import (
	"cmp"
	"slices"
	"strings"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
)

// A Request is the CreateInvoiceRequest of the API.
type Request struct {
	model.Group
	Invoice *model.Invoice `json:"invoice,omitempty" card:"1..1"`
	Options *Options       `json:"options,omitempty" card:"0..1"`
}

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
	// Strict, if true, refuses a document that would lack anything of the invoice.
	Strict model.Text `json:"strict,omitzero" type:"indicator" card:"0..1"`
	// VatAccountingCurrencyRate is how many units of the VAT accounting currency
	// (BT-6) one unit of the invoice currency is worth.
	VatAccountingCurrencyRate model.Number `json:"vatAccountingCurrencyRate,omitzero" card:"0..1"`
	// VatAmountInAccountingCurrency is BT-111 itself.
	VatAmountInAccountingCurrency model.Amount `json:"vatAmountInAccountingCurrency,omitzero" card:"0..1"`
}

// Speak chooses the language of the pages, unless the request does.
func (r *Request) Speak(language string) {
	if r.Options == nil {
		r.Options = &Options{}
	}
	if r.Options.Language.Raw == "" {
		r.Options.Language = model.NewText(language)
	}
}

// IsStrict reports whether a document that would lack anything of the invoice is refused.
func (o *Options) IsStrict() bool {
	return o != nil && (o.Strict.Raw == "true" || o.Strict.Raw == "1")
}

// ReadRequest reads a request. The error is a *jsoninvoice.Error, whose fields
// are those of the invoice, as in findings.
func ReadRequest(data []byte) (*Request, error) {
	r, mistakes := readRequest(data)
	if mistakes != nil {
		return nil, &jsoninvoice.Error{Mistakes: mistakes}
	}
	return r, nil
}

// ReadRequestFor is ReadRequest, and tells with the other mistakes which options the format
// or the service does not have.
func (s *Service) ReadRequestFor(format string, data []byte) (*Request, error) {
	r, mistakes := readRequest(data)
	wrong := CheckOptions(format, r.Options)
	if r.Options != nil && r.Options.Look.Raw != "" {
		if _, err := s.look(r.Options.Look.Raw); err != nil {
			wrong = append(wrong, wrongOption("options.look", err))
		}
	}
	for _, wrong := range wrong {
		pointer := "/" + strings.ReplaceAll(wrong.Field, ".", "/")
		message := strings.TrimSuffix(wrong.Message+"; "+wrong.Remedy, "; ")
		mistakes = append(mistakes, jsoninvoice.MistakeAt(data, pointer, wrong.Field, message))
	}
	if mistakes != nil {
		slices.SortStableFunc(mistakes, func(a, b jsoninvoice.Mistake) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, &jsoninvoice.Error{Mistakes: mistakes}
	}
	return r, nil
}

// readRequest reads what can be read of a request, and finds its mistakes.
func readRequest(data []byte) (*Request, []jsoninvoice.Mistake) {
	r := &Request{}
	err := jsoninvoice.DecodeInto(data, r)
	if e, ok := err.(*jsoninvoice.Error); ok { //nolint:errorlint // DecodeInto wraps nothing
		for i := range e.Mistakes {
			e.Mistakes[i].Field = strings.TrimPrefix(e.Mistakes[i].Field, "invoice.")
		}
		return r, e.Mistakes
	}
	if r.Invoice == nil {
		return r, []jsoninvoice.Mistake{{
			Line: 1, Column: 1, Message: `the request has no member "invoice"; write {"invoice": {...}, "options": {...}}`,
		}}
	}
	return r, nil
}

// ReadRequestOrInvoice also takes an invoice without the request around it, as
// files have it.
func ReadRequestOrInvoice(data []byte) (*Request, error) {
	v, err := jsoninvoice.Parse(data)
	if err != nil {
		return nil, err
	}
	isMember := func(m jsoninvoice.Member) bool { return m.Name == "invoice" || m.Name == "options" }
	if slices.ContainsFunc(v.Members, isMember) {
		return ReadRequest(data)
	}
	invoice, err := jsoninvoice.Decode(data)
	if err != nil {
		return nil, err
	}
	return &Request{Invoice: invoice}, nil
}
