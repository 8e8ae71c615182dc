package parse

import (
	"bytes"
	"encoding/json"
	"errors"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats/parse"
	"einvoice/model"
)

// A File has the documents of a file, in the order of their pages.
type File []*Parsing

// Invoices returns the documents that are invoices, without copies.
func (f File) Invoices() (all []*Parsing) {
	for _, p := range f {
		if p.Result != nil {
			all = append(all, p)
		}
	}
	return all
}

// FirstPage returns the page of the file that the document begins on, counted from 1; 0 for one that was read from
// no file.
func (p *Parsing) FirstPage() int {
	if p == nil {
		return 0
	}
	return p.document.First
}

// Single returns the one invoice of a file. If there are several, the error names their pages.
func (f File) Single() (*Parsing, error) {
	var documents []parse.Document
	for _, p := range f {
		documents = append(documents, p.document)
	}
	if _, err := parse.Single(documents, nil); err != nil {
		return nil, err
	}
	if invoices := f.Invoices(); len(invoices) > 0 {
		return invoices[0], nil
	}
	return nil, errNone
}

// errNone is the error of a File that a caller made of no invoice.
var errNone = errors.New("there is no invoice in the file; give one that was read")

// Decide sets the Decision of each invoice, by the least confidence from 0 to 1 that its
// values must have, and reports whether there are some and all may be posted without a look.
func (f File) Decide(least float64) (all bool) {
	invoices := f.Invoices()
	all = len(invoices) > 0
	for _, p := range invoices {
		p.Decision = p.Decide(least)
		all = all && p.Decision.Accept
	}
	return all
}

// Translate says the findings about all invoices, and what a person should look at, in a language;
// nil is English.
func (f File) Translate(language *words.Language) error {
	for _, p := range f.Invoices() {
		if err := engine.TranslateFindings(p.Findings, language); err != nil {
			return err
		}
		for i := range p.Review {
			p.Review[i].Message = language.Say(p.Review[i].Message)
		}
	}
	return nil
}

// A listed document is one of a file in JSON.
type listed struct {
	Kind      parse.Kind              `json:"kind"`
	FirstPage int                     `json:"firstPage"`
	LastPage  int                     `json:"lastPage"`
	CopyOf    int                     `json:"copyOf,omitempty"` // the first page of the document that it is a copy of
	Invoice   *model.Invoice          `json:"invoice,omitempty"`
	Fields    map[string]*parse.Field `json:"fields,omitempty"`
	Findings  []engine.Finding        `json:"findings,omitempty"`
	Review    []parse.Review          `json:"review,omitempty"`
	Decision  *parse.Decision         `json:"decision,omitempty"`
}

// JSON returns the invoice alone, as extract does, or, with details, all that is known of it.
// For a file with several invoices it returns a list of all documents.
func (f File) JSON(details bool) ([]byte, error) {
	invoices := f.Invoices()
	if len(invoices) == 0 {
		return nil, errNone
	}
	var answer any
	switch several := len(invoices) > 1; {
	case several && details:
		answer = struct {
			Pages     []parse.Page `json:"pages"`
			Documents []listed     `json:"documents"`
		}{invoices[0].Pages, f.list(true, true)}
	case several:
		answer = struct {
			Documents []listed `json:"documents"`
		}{f.list(true, false)}
	case details && len(f) > 1:
		answer = struct {
			*Parsing
			Documents []listed `json:"documents"`
		}{invoices[0], f.list(false, false)}
	case details:
		answer = invoices[0]
	default:
		answer = invoices[0].Invoice
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(answer)
	return body.Bytes(), err
}

// list are the documents of a file, with the invoices or without, and with what is known of them.
func (f File) list(invoices, details bool) []listed {
	all := []listed{}
	for _, p := range f {
		d := listed{Kind: p.document.Kind, FirstPage: p.document.First, LastPage: p.document.Last, CopyOf: p.document.CopyOf}
		if p.Result != nil && invoices {
			d.Invoice = p.Invoice
			if details {
				d.Fields, d.Findings, d.Review, d.Decision = p.Fields, p.Findings, p.Review, p.Decision
			}
		}
		all = append(all, d)
	}
	return all
}
