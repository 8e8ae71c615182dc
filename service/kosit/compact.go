package kosit

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A Compact is the outcome in the JSON of version 2 of the validator's server
// (/api/validate/minimal), with its names.
type Compact struct {
	Acceptable       int             `json:"acceptable"`
	Rejected         int             `json:"rejected"`
	ProcessingErrors int             `json:"processing-errors"`
	Results          []compactResult `json:"results"`
	Engine           compactEngine   `json:"validator-engine"`
}

type (
	compactResult struct {
		Ref        string         `json:"ref"`
		Checksum   string         `json:"checksum"` // SHA-256, hexadecimal
		Scenario   string         `json:"scenario"`
		Acceptance Recommendation `json:"acceptance"`
		Summary    string         `json:"error-summary"`
		Layers     []compactLayer `json:"layers"`
	}
	compactLayer struct {
		Type       string             `json:"type"`
		Valid      bool               `json:"valid"`
		Name       string             `json:"name"`
		Violations []compactViolation `json:"violations"`
	}
	compactViolation struct {
		Message  string `json:"message"`
		Severity string `json:"severity"`
		ID       int    `json:"id"`
		Line     int    `json:"line,omitempty"`
		Column   int    `json:"col,omitempty"`
	}
	compactEngine struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
)

// Compact is the result in this form.
func (r *Result) Compact(version string) *Compact {
	hash := sha256.Sum256(r.data)
	one := compactResult{
		Ref: r.Name, Checksum: hex.EncodeToString(hash[:]), Scenario: r.Scenario, Acceptance: r.Recommendation,
		Summary: strings.Join(r.Descriptions(), ";"), Layers: []compactLayer{},
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		layer := compactLayer{Type: step.kind(), Valid: step.Valid(), Name: step.ID, Violations: []compactViolation{}}
		for _, resource := range step.Resource {
			layer.Name = resource.Name
		}
		for j, m := range step.Messages {
			layer.Violations = append(layer.Violations, compactViolation{m.Text, m.Level, j + 1, m.Line, m.Column})
		}
		one.Layers = append(one.Layers, layer)
	}
	c := &Compact{Results: []compactResult{one}, Engine: compactEngine{engineName, version}}
	switch {
	case r.Accepted():
		c.Acceptable = 1
	default:
		c.Rejected = 1
	}
	if !r.Processed {
		c.ProcessingErrors = 1
	}
	return c
}

// kind is what a step checks, in a word.
func (s *Step) kind() string {
	switch {
	case s.ID == stepSchema:
		return "schema"
	case strings.HasPrefix(s.ID, stepSchematron):
		return "schematron"
	}
	return "well-formedness"
}
