package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"einvoice/engine"
	"einvoice/engine/pipeline"
)

// An output writes reports as they come.
type output interface {
	document(*outcome) error
	close(*tally) error
}

func newOutput(kind string, w io.Writer) (output, error) {
	switch kind {
	case "text":
		return newTextOutput(w), nil
	case "json":
		return &jsonOutput{w: w, documents: []documentReport{}}, nil
	case "jsonl":
		buffered := bufio.NewWriter(w)
		return &jsonlOutput{w: buffered, encoder: json.NewEncoder(buffered)}, nil
	}
	return nil, fmt.Errorf("unknown output %q: use text, json or jsonl", kind)
}

// A documentReport is one document in JSON.
type documentReport struct {
	File         string               `json:"file"`
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
		File: r.path, Valid: report.Valid, Profile: report.Profile, Standard: report.Standard, Syntax: report.Syntax,
		SchemaValid: report.SchemaValid, Counts: report.Counts, Rulesets: report.Rulesets, RulesRun: report.RulesRun, RulesSkipped: report.RulesSkipped,
		Findings: report.Findings,
	}
}

// jsonlOutput writes one object a line as soon as it is known.
type jsonlOutput struct {
	w       *bufio.Writer
	encoder *json.Encoder
}

func (o *jsonlOutput) document(r *outcome) error { return o.encoder.Encode(reportOf(r)) }

func (o *jsonlOutput) close(*tally) error { return o.w.Flush() }

// jsonOutput writes one object for the whole run.
type jsonOutput struct {
	w         io.Writer
	documents []documentReport
}

func (o *jsonOutput) document(r *outcome) error {
	o.documents = append(o.documents, reportOf(r))
	return nil
}

func (o *jsonOutput) close(t *tally) error {
	encoder := json.NewEncoder(o.w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{
		"documents": o.documents,
		"summary": map[string]any{
			"documents": t.documents, "valid": t.valid, "invalid": t.invalid, "unreadable": t.unreadable, "stopped": t.stopped,
		},
	})
}
