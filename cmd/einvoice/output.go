package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"einvoice/engine"
	"einvoice/engine/pipeline"
)

// An output writes reports. Rendering is done where the document was validated,
// several at a time; writing in order.
type output interface {
	render(*outcome) ([]byte, error)
	write(rendered []byte) error
	close(*tally) error
}

func newOutput(kind string, w io.Writer) (output, error) {
	switch kind {
	case "text":
		return newTextOutput(w), nil
	case "json":
		return &jsonOutput{w: w, documents: []json.RawMessage{}}, nil
	case "jsonl":
		return &jsonlOutput{w: bufio.NewWriter(w)}, nil
	}
	return nil, fmt.Errorf("unknown output %q: use text, json or jsonl", kind)
}

// A documentReport is one document in JSON.
type documentReport struct {
	File         string               `json:"file"`
	Attachment   string               `json:"attachment,omitempty"` // of a PDF; lines and columns are in it
	Valid        bool                 `json:"valid"`
	Profile      string               `json:"profile,omitempty"`
	Standard     string               `json:"standard,omitempty"`
	Syntax       string               `json:"syntax,omitempty"`
	SchemaValid  *bool                `json:"schemaValid"`
	Counts       engine.Counts        `json:"counts"`
	Rulesets     []engine.RulesetInfo `json:"rulesets,omitempty"`
	RulesRun     int                  `json:"rulesRun"`
	RulesSkipped int                  `json:"rulesSkipped"`
	Findings     []engine.Finding     `json:"findings"`
	Error        *pipeline.Problem    `json:"error,omitempty"`
}

func reportOf(r *outcome) documentReport {
	if r.err != nil {
		return documentReport{File: r.path, Findings: []engine.Finding{}, Error: pipeline.ProblemOf(r.err)}
	}
	report := r.result.Report
	return documentReport{
		File: r.path, Attachment: r.result.Document.Attachment, Valid: report.Valid, Profile: report.Profile, Standard: report.Standard, Syntax: report.Syntax,
		SchemaValid: report.SchemaValid, Counts: report.Counts, Rulesets: report.Rulesets, RulesRun: report.RulesRun, RulesSkipped: report.RulesSkipped,
		Findings: report.Findings,
	}
}

// jsonlOutput writes one object a line as soon as it is known.
type jsonlOutput struct{ w *bufio.Writer }

func (o *jsonlOutput) render(r *outcome) ([]byte, error) {
	line, err := json.Marshal(reportOf(r))
	return append(line, '\n'), err
}

func (o *jsonlOutput) write(rendered []byte) error {
	_, err := o.w.Write(rendered)
	return err
}

func (o *jsonlOutput) close(*tally) error { return o.w.Flush() }

// jsonOutput writes one object for the whole run.
type jsonOutput struct {
	w         io.Writer
	documents []json.RawMessage
}

func (o *jsonOutput) render(r *outcome) ([]byte, error) { return json.Marshal(reportOf(r)) }

func (o *jsonOutput) write(rendered []byte) error {
	o.documents = append(o.documents, rendered)
	return nil
}

func (o *jsonOutput) close(t *tally) error {
	return writeJSON(o.w, map[string]any{
		"documents": o.documents,
		"summary": map[string]any{
			"documents": t.documents, "valid": t.valid, "invalid": t.invalid, "unreadable": t.unreadable, "stopped": t.stopped,
		},
	})
}

// writeJSON writes one value for people to read, too.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
