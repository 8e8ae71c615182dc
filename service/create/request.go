package create

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/model/tongue"
	"einvoice/service/write"
)

// A Request is the CreateInvoiceRequest of the API: an invoice, and options of its document.
type Request struct {
	model.Group
	Invoice *model.Invoice `json:"invoice,omitempty" card:"1..1"`
	Options *write.Options `json:"options,omitempty" card:"0..1"`
}

// Speak sets the language of the pages, a BCP 47 tag, unless the request has one.
func (r *Request) Speak(language string) {
	if r.Options == nil {
		r.Options = &write.Options{}
	}
	if r.Options.Language.Raw == "" {
		r.Options.Language = model.NewText(language)
	}
}

// ReadRequest reads a request from JSON. The error is a *jsoninvoice.Error, which names fields
// of the invoice as findings do, or that of the context.
func ReadRequest(ctx context.Context, data []byte) (*Request, error) {
	v, err := jsoninvoice.Parse(ctx, data)
	if err != nil {
		return nil, err
	}
	return requestOf(ctx, data, v)
}

// requestOf is the request of a text that was parsed.
func requestOf(ctx context.Context, data []byte, v *jsoninvoice.Value) (*Request, error) {
	r, err := decode(ctx, data, v)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// decode is the request of a text that was parsed, as far as it could be read, and what is wrong with it. Of an invoice
// without the request around it, as parse writes it, the error says that alone, and not that each of its members is unknown.
func decode(ctx context.Context, data []byte, v *jsoninvoice.Value) (*Request, error) {
	r := &Request{}
	err := decodeRequest(jsoninvoice.DecodeValue(ctx, data, v, r), r)
	if err != nil && len(v.Members) > 0 && !slices.ContainsFunc(v.Members, isOfRequest) && jsoninvoice.DecodeValue(ctx, data, v, &model.Invoice{}) == nil {
		return r, withoutInvoice()
	}
	return r, err
}

// isOfRequest reports whether a request has a member of this name.
func isOfRequest(m jsoninvoice.Member) bool { return m.Name == "invoice" || m.Name == "options" }

// withoutInvoice is the error of a request that has no invoice.
func withoutInvoice() error {
	return &jsoninvoice.Error{Mistakes: []jsoninvoice.Mistake{{
		Line: 1, Column: 1, Message: `the request has no member "invoice"; write {"invoice": {...}, "options": {...}}`,
	}}}
}

// ReadRequestFor is ReadRequest, and also reports options that the format or the pages do not
// have.
func ReadRequestFor(ctx context.Context, p Pages, format string, data []byte) (*Request, error) {
	v, err := jsoninvoice.Parse(ctx, data)
	if err != nil {
		return nil, err
	}
	r, err := decode(ctx, data, v)
	mistaken, is := errors.AsType[*jsoninvoice.Error](err)
	if err != nil && !is {
		return nil, err
	}
	if mistaken == nil {
		mistaken = &jsoninvoice.Error{}
	}
	wrong := CheckOptions(format, r.Options)
	if r.Options != nil && r.Options.Look.Raw != "" {
		if err := p.CheckLook(r.Options.Look.Raw); err != nil {
			wrong = append(wrong, problem.Option("options.look", err))
		}
	}
	for _, wrong := range wrong {
		pointer := "/" + strings.ReplaceAll(wrong.Field, ".", "/")
		message := strings.TrimSuffix(wrong.Message+"; "+wrong.Remedy, "; ")
		mistaken.Mistakes = append(mistaken.Mistakes, jsoninvoice.MistakeAt(data, v, pointer, wrong.Field, message))
	}
	if mistaken.Mistakes != nil {
		slices.SortStableFunc(mistaken.Mistakes, func(a, b jsoninvoice.Mistake) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, mistaken
	}
	return r, nil
}

// CheckOptions returns an error for each option that a format does not have.
func CheckOptions(format string, o *write.Options) []*problem.Error {
	return append(write.CheckOptions(format, o), wrongOptions(o)...)
}

// wrongOptions finds a language that pages cannot be made in, and an exchange rate at which an amount would
// vanish or change its sign.
func wrongOptions(o *write.Options) (wrong []*problem.Error) {
	if o == nil {
		return nil
	}
	if _, err := tongue.Match(o.Language.Raw); err != nil {
		wrong = append(wrong, problem.Option("options.language", err))
	}
	if rate := &o.VatAccountingCurrencyRate; rate.Present && (!rate.Valid || rate.Value.Sign() <= 0) {
		wrong = append(wrong, &problem.Error{
			Code: problem.CodeOption, Message: "the exchange rate " + quote.Value(rate.Raw) + " is not above 0",
			Remedy: "write how many units of the VAT accounting currency one unit of the invoice currency is worth", Field: "options.vatAccountingCurrencyRate",
		})
	}
	return wrong
}

// decodeRequest is the error of reading a request, with its fields as findings name them, or
// that the request has no invoice.
func decodeRequest(err error, r *Request) error {
	if e, ok := err.(*jsoninvoice.Error); ok { //nolint:errorlint // DecodeInto wraps nothing
		for i := range e.Mistakes {
			e.Mistakes[i].Field = strings.TrimPrefix(e.Mistakes[i].Field, "invoice.")
		}
		return e
	}
	if err == nil && r.Invoice == nil {
		return withoutInvoice()
	}
	return err
}

// ReadRequestOrInvoice is ReadRequest, and also accepts an invoice without the request around
// it, as files have it.
func ReadRequestOrInvoice(ctx context.Context, data []byte) (*Request, error) {
	v, err := jsoninvoice.Parse(ctx, data)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(v.Members, isOfRequest) {
		return requestOf(ctx, data, v)
	}
	invoice := &model.Invoice{}
	if err := jsoninvoice.DecodeValue(ctx, data, v, invoice); err != nil {
		return nil, err
	}
	return &Request{Invoice: invoice}, nil
}
