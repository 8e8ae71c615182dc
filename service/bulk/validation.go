package bulk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"
)

// A Validation validates. Its results are those of the format jsonl of the command line.
type Validation struct {
	Service  *operation.Kit
	Rules    validate.Rules
	Language *words.Language
	Batch    []string // rulesets by which the documents are compared with each other

	digest  string
	options report.Options
}

// NewValidation makes the operation; it reads all rules once, for the digest.
func NewValidation(v Validation) (*Validation, error) {
	v.options = report.Options{Library: v.Service.Library(), Words: v.Language}
	if err := v.Service.CheckBatch(v.Batch); err != nil {
		return nil, err
	}
	options := []any{v.Rules, v.Language.String()}
	if len(v.Batch) > 0 {
		options = append(options, v.Batch)
	}
	var err error
	v.digest, err = digestOf(v.Service, "validate", options...)
	return &v, err
}

// HasTogether reports whether documents are compared with each other.
func (v *Validation) HasTogether() bool { return len(v.Batch) > 0 }

// Together validates a document among the others.
func (v *Validation) Together(ctx context.Context, line []byte, key string, entry *model.BatchEntry) ([]byte, Outcome, error) {
	rules := validate.Rules{Rulesets: v.Batch, Overlays: v.Rules.Overlays, Kept: v.Rules.Kept, At: v.Rules.At, Received: v.Rules.Received}
	result, err := v.Service.ValidateBatch(ctx, entry, rules)
	if err != nil {
		return line, Outcome{}, err
	}
	if len(result.Report.Findings) == 0 {
		return line, Outcome{Verdict: Valid}, nil
	}
	if err := result.Report.Translate(v.Language); err != nil {
		return line, Outcome{}, err
	}
	o := &report.Outcome{Name: key, Report: result.Report, Document: result.Document}
	text, err := report.Line(o, v.options)
	return append(line, text...), outcome(o, nil, 0), err
}

// Name is "validate".
func (v *Validation) Name() string { return "validate" }

// Digest covers all files of the rules, the options and the version of the program.
func (v *Validation) Digest() string { return v.digest }

// Do validates a document.
func (v *Validation) Do(ctx context.Context, segment []byte, d *Document) ([]byte, Outcome, error) {
	began := time.Now()
	o := &report.Outcome{Name: d.Key, Err: d.Err}
	var invoice *model.Invoice
	if d.Err == nil {
		result, err := v.Service.Validate(ctx, d.Data, v.Rules)
		defer result.GiveBack()
		if err == nil {
			o.Report, o.Document, invoice = result.Report, result.Document, result.Document.Invoice
			err = o.Report.Translate(v.Language)
		}
		o.Err = err
	}
	line, err := report.Line(o, v.options)
	kept := outcome(o, invoice, time.Since(began))
	if invoice != nil && v.HasTogether() {
		kept.Columns = columnsOf(invoice)
	}
	return append(segment, line...), kept, err
}

// outcome is what is counted of a validation.
func outcome(o *report.Outcome, invoice *model.Invoice, took time.Duration) Outcome {
	if o.Err != nil {
		return Outcome{Verdict: Unreadable, Code: report.FailureOf(o.Err, nil).Code, Took: took}
	}
	out := Outcome{Verdict: Invalid, Took: took}
	if o.Report.Valid {
		out.Verdict = Valid
	}
	out.count(o.Report)
	out.date(invoice)
	out.Day = string(o.Report.Today)
	return out
}

// count counts the findings of a report.
func (o *Outcome) count(r *engine.Report) {
	if o.Rules == nil {
		o.Rules = map[string]RuleCount{}
	}
	add := func(rule string, level engine.Level, n int) {
		o.Rules[rule] = RuleCount{Level: string(level), Findings: o.Rules[rule].Findings + n, Documents: 1}
		o.Findings += n
	}
	for i := range r.Findings {
		add(r.Findings[i].Rule, r.Findings[i].Level, 1)
	}
	for _, omitted := range r.Omitted {
		add(omitted.Rule, omitted.Level, omitted.Count)
	}
}

// date takes the seller and the month of an invoice, which may be nil.
func (o *Outcome) date(invoice *model.Invoice) {
	if invoice == nil {
		return
	}
	if invoice.Seller != nil {
		o.Seller = strings.Clone(invoice.Seller.Name.Raw) // a part of it would keep the document in memory
	}
	if raw := invoice.IssueDate; raw.Valid {
		o.Month = fmt.Sprintf("%04d-%02d", raw.Year, raw.Month)
	}
}
