// Package parse reads an invoice off the pages of a PDF, or off a picture of one.
//
//	reader := parse.Reader{Service: service}
//	read, err := reader.Document(ctx, data)
//
// It never opens the XML that is attached to the PDF. Each value has its place on the page and a
// confidence from 0 to 1.
package parse

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/formats/parse"
	"einvoice/model"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// The findings about reading pages; rulesets/findings says what they say.
const (
	noticeCode       = "PARSE-CODE"
	noticeHidden     = "PAGES-HIDDEN"
	noticeUnanswered = "PARSE-MODEL"
)

// A Parsing is a document that was read off pages, with the place of each value and the
// findings of the rules. For a copy, or a document that is not an invoice, Result is nil.
type Parsing struct {
	*parse.Result
	// Findings are those of the rules of EN 16931, with the fields that they are about.
	Findings []engine.Finding `json:"findings"`
	// Decision says whether the invoice may be posted without a look; nil where nobody asked.
	Decision *parse.Decision `json:"decision,omitempty"`

	document parse.Document
}

// A Reader reads pages.
type Reader struct {
	// Service has the rules, and the limits of a document; nil is that of validate.Document.
	*validate.Service
	// Limits bound what reading the pages of one PDF may cost, and the PDF itself.
	Limits parse.Limits
	// OCR recognises text in pictures; without it, they are refused.
	OCR parse.Recogniser
	// Model is a large language model that is asked; nil for none, so that nothing of a
	// document leaves the program.
	Model parse.Asker
}

// Document reads the one invoice of a PDF or of a picture. It does not open what is attached
// to the PDF. An error is a *problem.Error unless the context ended.
func (r *Reader) Document(ctx context.Context, data []byte) (*Parsing, error) {
	file, err := r.File(ctx, data)
	if err != nil {
		return nil, err
	}
	return file.Single()
}

// File reads each document of a PDF or of a picture, of which at least one is an invoice. An
// error is a *problem.Error unless the context ended.
func (r *Reader) File(ctx context.Context, data []byte) (File, error) {
	r, err := r.usual()
	if err != nil {
		return nil, err
	}
	documents, err := parseFile(ctx, data, r.limits(), parse.Aids{OCR: r.OCR, Model: r.Model, Check: r.mistakes})
	if err != nil {
		return nil, err
	}
	var file File
	for _, d := range documents {
		p := &Parsing{Result: d.Result, document: d}
		if d.Result != nil {
			if p.Findings, err = r.told(ctx, d.Result); err != nil {
				return nil, err
			}
		}
		file = append(file, p)
	}
	return file, nil
}

// told are the findings about the invoice that was read, and about its pages.
func (r *Reader) told(ctx context.Context, result *parse.Result) ([]engine.Finding, error) {
	findings, err := r.findings(ctx, result.Invoice)
	if err != nil {
		return nil, err
	}
	hidden, err := r.Hidden(result)
	if err != nil {
		return nil, err
	}
	findings = append(hidden, findings...)
	for _, c := range result.CodeContradictions {
		by := "page"
		if c.ByCode {
			by = "code"
		}
		f, err := r.Notice(noticeCode, by, validate.Values{"code": c.Code, "page": strconv.Itoa(c.Page), "printed": c.Printed})
		if err != nil {
			return nil, err
		}
		f.Fields = []string{Dotted(c.Pointer)}
		findings = append([]engine.Finding{f}, findings...)
	}
	if why := result.Unanswered; why != nil {
		f, err := r.Notice(noticeUnanswered, string(why.Reason), validate.Values{"detail": why.Detail})
		if err != nil {
			return nil, err
		}
		findings = append([]engine.Finding{f}, findings...)
	}
	return findings, nil
}

// Hidden returns the findings about text of the pages that nobody sees.
func (r *Reader) Hidden(result *parse.Result) ([]engine.Finding, error) {
	r, err := r.usual()
	if err != nil {
		return nil, err
	}
	findings := []engine.Finding{} // none is a list in JSON, too
	if result == nil {
		return findings, nil
	}
	for _, h := range result.Hidden {
		f, err := r.Notice(noticeHidden, string(h.By), validate.Values{"page": strconv.Itoa(h.Page), "text": h.Text})
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	return findings, nil
}

// Dotted returns a JSON pointer in the form that the fields of findings have.
func Dotted(pointer string) string { return parse.Dotted(pointer) }

// ModelWarning returns the finding that a language model gave no answer; nil if it did, or if
// none was asked.
func (p *Parsing) ModelWarning() *engine.Finding {
	if i := slices.IndexFunc(p.Findings, func(f engine.Finding) bool { return f.Rule == noticeUnanswered }); i >= 0 {
		return &p.Findings[i]
	}
	return nil
}

// mistakes are what a language model is told of the invoice that its answer led to.
func (r *Reader) mistakes(ctx context.Context, invoice *model.Invoice) ([]parse.Mistake, error) {
	findings, err := r.findings(ctx, invoice)
	if err != nil {
		return nil, err
	}
	var all []parse.Mistake
	for i := range findings {
		f := &findings[i]
		m := parse.Mistake{Message: f.Rule + ": " + f.Message}
		for _, field := range f.Fields {
			m.Fields = append(m.Fields, "/"+strings.ReplaceAll(field, ".", "/"))
		}
		all = append(all, m)
	}
	return all, nil
}

// Pages reads the one invoice of pages without checking it against the rules. An error is a
// *problem.Error unless the context ended.
func (r *Reader) Pages(ctx context.Context, data []byte) (*parse.Result, error) {
	r, err := r.usual()
	if err != nil {
		return nil, err
	}
	return parse.Single(parseFile(ctx, data, r.limits(), parse.Aids{OCR: r.OCR}))
}

// usual is the reader with a service.
func (r *Reader) usual() (*Reader, error) {
	s, err := validate.Usual(r.Service)
	if err != nil {
		return nil, err
	}
	with := *r
	with.Service = s
	return &with, nil
}

// limits are those of the reader, with the bytes that the service takes.
func (r *Reader) limits() parse.Limits {
	limits := r.Limits
	if limits.PDF.Bytes == 0 {
		limits.PDF.Bytes = r.Service.Limits().Bytes
	}
	return limits
}

// findings holds a copy of an invoice against the rules that it would have to
// follow as a document of EN 16931. Nothing is completed, so what is missing is told.
func (r *Reader) findings(ctx context.Context, invoice *model.Invoice) ([]engine.Finding, error) {
	data, err := json.Marshal(invoice)
	if err != nil {
		return nil, err
	}
	stamped, err := jsoninvoice.Decode(ctx, data)
	if err != nil {
		return nil, err
	}
	out, err := write.Find(r.Service, string(model.CII), nil)
	if err != nil {
		return nil, err
	}
	if _, err := out.StampAndTell(stamped); err != nil {
		return nil, err
	}
	written, err := out.Write(ctx, &model.Document{Invoice: stamped})
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		return refused.Report.Findings, nil
	}
	if err != nil {
		return nil, err
	}
	report, err := out.Check(ctx, written)
	if err != nil {
		return nil, err
	}
	write.WithoutPlaces(report)
	return append([]engine.Finding{}, report.Findings...), nil
}
