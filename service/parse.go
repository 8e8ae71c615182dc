package service

import (
	"bytes"
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
)

// A Parsing is an invoice that was read off pages, with where each value is from and
// what the rules say of it.
type Parsing struct {
	*parse.Result
	// Findings are those of the rules of EN 16931, with the fields that they are about.
	Findings []engine.Finding `json:"findings"`
}

// Parse reads an invoice off the pages of a PDF, or a picture of one. What is attached to
// the PDF is not opened. An error is a *problem.Error unless the context ended.
func (s *Service) Parse(ctx context.Context, data []byte) (*Parsing, error) {
	result, err := s.read(ctx, data, parse.Aids{OCR: s.config.OCR, Model: s.config.Model, Check: s.mistakes})
	if err != nil {
		return nil, err
	}
	findings, err := s.parseFindings(ctx, result.Invoice)
	if err != nil {
		return nil, err
	}
	for _, c := range result.CodeContradictions {
		f, err := s.notice(noticeCode, "", values{"code": c.Code, "page": strconv.Itoa(c.Page), "printed": c.Printed})
		if err != nil {
			return nil, err
		}
		f.Fields = []string{dotted(c.Pointer)}
		findings = append([]engine.Finding{f}, findings...)
	}
	if why := result.Unanswered; why != nil {
		f, err := s.notice(noticeUnanswered, string(why.Reason), values{"detail": why.Detail})
		if err != nil {
			return nil, err
		}
		findings = append([]engine.Finding{f}, findings...)
	}
	return &Parsing{result, findings}, nil
}

// dotted is a JSON pointer as findings have their fields.
func dotted(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// ModelWarning is the finding that a language model gave no answer; nil where it did, or
// none was asked.
func (p *Parsing) ModelWarning() *engine.Finding {
	if i := slices.IndexFunc(p.Findings, func(f engine.Finding) bool { return f.Rule == noticeUnanswered }); i >= 0 {
		return &p.Findings[i]
	}
	return nil
}

// mistakes are what a language model is told of the invoice that its answer led to.
func (s *Service) mistakes(ctx context.Context, invoice *model.Invoice) ([]parse.Mistake, error) {
	findings, err := s.parseFindings(ctx, invoice)
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

// read reads pages within the limits of the service.
func (s *Service) read(ctx context.Context, data []byte, with parse.Aids) (*parse.Result, error) {
	limits := s.config.Parse
	limits.PDF = s.config.Read.PDF
	if limits.PDF.Bytes == 0 {
		limits.PDF.Bytes = s.config.Read.Limits.Bytes
	}
	return parseFile(ctx, data, limits, with)
}

// parseFindings holds a copy of an invoice against the rules that it would have to
// follow as a document of EN 16931. Nothing is completed, so what is missing is told.
func (s *Service) parseFindings(ctx context.Context, invoice *model.Invoice) ([]engine.Finding, error) {
	data, err := json.Marshal(invoice)
	if err != nil {
		return nil, err
	}
	stamped, err := jsoninvoice.Decode(data)
	if err != nil {
		return nil, err
	}
	out, err := s.output(string(model.CII), nil)
	if err != nil {
		return nil, err
	}
	if _, err := s.stamp(stamped, out); err != nil {
		return nil, err
	}
	written, err := s.write(&model.Document{Invoice: stamped}, out)
	if refused, ok := errors.AsType[*Refused](err); ok {
		return refused.Report.Findings, nil
	}
	if err != nil {
		return nil, err
	}
	report, err := s.checkWritten(ctx, written.Data, out)
	if err != nil {
		return nil, err
	}
	WithoutPlaces(report)
	return append([]engine.Finding{}, report.Findings...), nil
}

// JSON is the invoice alone, as ExtractJSON gives it, or all of the parsing.
func (p *Parsing) JSON(details bool) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	var err error
	if details {
		err = encoder.Encode(p)
	} else {
		err = encoder.Encode(p.Invoice)
	}
	return body.Bytes(), err
}
