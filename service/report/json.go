package report

import (
	"encoding/json"
	"errors"
	"io"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// A document is one outcome in JSON.
type document struct {
	File         string               `json:"file"`
	Attachment   string               `json:"attachment,omitempty"` // of a PDF; lines and columns are in it
	Valid        bool                 `json:"valid"`
	Profile      string               `json:"profile,omitempty"`
	ValidatedAs  string               `json:"validatedAs,omitempty"` // where the rules of the profile are missing
	Standard     string               `json:"standard,omitempty"`
	Syntax       string               `json:"syntax,omitempty"`
	Language     string               `json:"language"` // of the messages
	SchemaValid  *bool                `json:"schemaValid"`
	Counts       engine.Counts        `json:"counts"`
	Digest       string               `json:"digest,omitempty"` // of everything that decided
	Rulesets     []engine.RulesetInfo `json:"rulesets,omitempty"`
	Date         *engine.DecidingDate `json:"date,omitempty"`     // where time decides anything
	Overlays     []engine.OverlayInfo `json:"overlays,omitempty"` // that were asked for, or that the profile names
	RulesRun     int                  `json:"rulesRun"`
	RulesSkipped int                  `json:"rulesSkipped"`
	Findings     []engine.Finding     `json:"findings"`
	// FindingsOmitted counts those that are not shown.
	FindingsOmitted int      `json:"findingsOmitted,omitempty"`
	Error           *Failure `json:"error,omitempty"`
}

// A Failure is the reason why a document could not be processed.
type Failure struct {
	Code       string `json:"code"`
	Message    string `json:"message"`
	Line       int    `json:"line,omitempty"`
	Column     int    `json:"column,omitempty"`
	Attachment string `json:"attachment,omitempty"` // of the PDF, in which line and column are
}

// codeUnreadable is that of inputs that could not be read at all, such as a missing file.
const codeUnreadable = "UNREADABLE"

// FailureOf returns an error as results have it, in a language; nil keeps the language of the
// error.
func FailureOf(err error, language *words.Language) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Code: codeUnreadable, Message: language.Say(err.Error())}
	if p, ok := errors.AsType[*problem.Error](err); ok {
		f.Code, f.Line, f.Column, f.Attachment = p.Code, p.Position.Line, p.Position.Column, p.Attachment
	}
	return f
}

func (o *Options) document(of *Outcome) *document {
	if of.Err != nil {
		return &document{File: quote.Spelled(of.Name), Findings: []engine.Finding{}, Language: o.Words.String(), Error: FailureOf(of.Err, o.Words)}
	}
	r := of.Report
	d := &document{
		File: quote.Spelled(of.Name), Valid: r.Valid, Profile: r.Profile, ValidatedAs: r.ValidatedAs, Standard: r.Standard, Syntax: r.Syntax, Language: r.Language,
		SchemaValid: r.SchemaValid, Counts: r.Counts, Digest: r.Digest, Rulesets: r.Rulesets, Date: r.Date, Overlays: r.Overlays, RulesRun: r.RulesRun, RulesSkipped: r.RulesSkipped,
		Findings: o.findings(of),
	}
	d.FindingsOmitted = len(r.Findings) - len(d.Findings) + r.OmittedCount()
	if of.Document != nil {
		d.Attachment = of.Document.Attachment
	}
	return d
}

// jsonWriter writes one JSON document for the whole run.
type jsonWriter struct {
	w         io.Writer
	options   Options
	documents []json.RawMessage
}

func newJSON(w io.Writer, options Options) Writer {
	return &jsonWriter{w: w, options: options, documents: []json.RawMessage{}}
}

func (j *jsonWriter) Encode(o *Outcome) (Part, error) { return json.Marshal(j.options.document(o)) }

func (j *jsonWriter) Write(part Part) error {
	j.documents = append(j.documents, part.([]byte))
	return nil
}

func (j *jsonWriter) Close(s *Summary) error {
	encoder := json.NewEncoder(j.w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{
		"documents": j.documents,
		"summary": map[string]any{
			"documents": s.Documents, "valid": s.Valid, "invalid": s.Invalid, "unreadable": s.Unreadable, "stopped": s.Stopped,
		},
	})
}
