package bulk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"time"

	"einvoice/engine/words"
	"einvoice/model"
	"einvoice/service"
	"einvoice/service/report"
)

// A Validation validates. Its results are those of the format jsonl of the command line.
type Validation struct {
	Service  *service.Service
	Rules    service.Rules
	Language *words.Language
	Version  string // of the program

	digest string
}

// NewValidation makes the operation; it reads all rules once, for the digest.
func NewValidation(v Validation) (*Validation, error) {
	digest := sha256.New()
	fsys := v.Service.Library().FS()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".bin" { // what is compiled of the others
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		fmt.Fprintf(digest, "%s %d\n", name, len(data))
		digest.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	options, err := json.Marshal(v.Rules)
	if err != nil {
		return nil, err
	}
	language := ""
	if v.Language != nil {
		language = v.Language.Tag
	}
	fmt.Fprintf(digest, "%s\n%s\n%s\n", options, language, v.Version)
	v.digest = hex.EncodeToString(digest.Sum(nil))
	return &v, nil
}

// Name is "validate".
func (v *Validation) Name() string { return "validate" }

// Digest covers all files of the rules, the options and the version of the program.
func (v *Validation) Digest() string { return v.digest }

// Do validates a document.
func (v *Validation) Do(ctx context.Context, segment []byte, key string, data []byte, failed error) ([]byte, Outcome, error) {
	began := time.Now()
	o := &report.Outcome{Name: key, Err: failed}
	var invoice *model.Invoice
	if failed == nil {
		result, err := v.Service.Validate(ctx, data, v.Rules)
		if err == nil {
			o.Report, o.Document, invoice = result.Report, result.Document, result.Document.Invoice
			err = o.Report.Translate(v.Language)
		}
		o.Err = err
	}
	lines := bytes.NewBuffer(segment)
	w := report.Named("jsonl").New(lines, report.Options{Library: v.Service.Library(), Version: v.Version, Words: v.Language})
	part, err := w.Encode(o)
	if err == nil {
		err = w.Write(part)
	}
	if err == nil {
		err = w.Close(&report.Summary{})
	}
	return lines.Bytes(), outcome(o, invoice, time.Since(began)), err
}

// outcome is what is counted of a validation.
func outcome(o *report.Outcome, invoice *model.Invoice, took time.Duration) Outcome {
	if o.Err != nil {
		return Outcome{Verdict: Unreadable, Took: took}
	}
	out := Outcome{Verdict: Invalid, Took: took, Rules: map[string]RuleCount{}}
	if o.Report.Valid {
		out.Verdict = Valid
	}
	for i := range o.Report.Findings {
		f := &o.Report.Findings[i]
		of := out.Rules[f.Rule]
		out.Rules[f.Rule] = RuleCount{string(f.Level), of.Findings + 1, 1}
		out.Findings++
	}
	for _, omitted := range o.Report.Omitted {
		of := out.Rules[omitted.Rule]
		out.Rules[omitted.Rule] = RuleCount{string(omitted.Level), of.Findings + omitted.Count, 1}
		out.Findings += omitted.Count
	}
	if invoice == nil {
		return out
	}
	if invoice.Seller != nil {
		out.Seller = invoice.Seller.Name.Raw
	}
	if raw := invoice.IssueDate; raw.Valid {
		out.Month = fmt.Sprintf("%04d-%02d", raw.Year, raw.Month)
	}
	return out
}
