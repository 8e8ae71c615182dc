package create

import (
	"cmp"
	"slices"
	"strings"

	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/problem"
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
// of the invoice as findings do.
func ReadRequest(data []byte) (*Request, error) {
	r, mistakes := readRequest(data)
	if mistakes != nil {
		return nil, &jsoninvoice.Error{Mistakes: mistakes}
	}
	return r, nil
}

// ReadRequestFor is ReadRequest, and also reports options that the format or the pages do not
// have.
func ReadRequestFor(p Pages, format string, data []byte) (*Request, error) {
	r, mistakes := readRequest(data)
	wrong := CheckOptions(format, r.Options)
	if r.Options != nil && r.Options.Look.Raw != "" {
		if err := p.CheckLook(r.Options.Look.Raw); err != nil {
			wrong = append(wrong, problem.Option("options.look", err))
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

// CheckOptions returns an error for each option that a format does not have.
func CheckOptions(format string, o *write.Options) []*problem.Error {
	return append(write.CheckOptions(format, o), wrongLanguage(o)...)
}

// wrongLanguage finds a language that pages cannot be made in.
func wrongLanguage(o *write.Options) []*problem.Error {
	if o == nil {
		return nil
	}
	if _, err := tongue.Match(o.Language.Raw); err != nil {
		return []*problem.Error{problem.Option("options.language", err)}
	}
	return nil
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

// ReadRequestOrInvoice is ReadRequest, and also accepts an invoice without the request around
// it, as files have it.
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
