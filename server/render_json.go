package server

import (
	"net/http"

	"einvoice/engine"
)

// A validationResult is the body of a valid invoice.
type validationResult struct {
	Valid    bool             `json:"valid"`
	Message  string           `json:"message"`
	Profile  string           `json:"profile"`
	Standard string           `json:"standard"`
	Warnings []engine.Finding `json:"warnings"`
	Findings []engine.Finding `json:"findings"`
	Report   *reportSummary   `json:"report"`
}

// A reportSummary says what a verdict stands on.
type reportSummary struct {
	Profile      string               `json:"profile"`
	Standard     string               `json:"standard"`
	Syntax       string               `json:"syntax"`
	Attachment   string               `json:"attachment,omitempty"` // of the PDF that was sent; lines and columns are in it
	SchemaValid  *bool                `json:"schemaValid"`
	Counts       engine.Counts        `json:"counts"`
	Rulesets     []engine.RulesetInfo `json:"rulesets"`
	RulesRun     int                  `json:"rulesRun"`
	RulesSkipped int                  `json:"rulesSkipped"`
	// FindingsOmitted counts those beyond what one answer holds.
	FindingsOmitted int `json:"findingsOmitted"`
}

func (v *validation) summary() *reportSummary {
	r := v.report()
	return &reportSummary{
		Profile: r.Profile, Standard: r.Standard, Syntax: r.Syntax, Attachment: v.result.Document.Attachment, SchemaValid: r.SchemaValid, Counts: r.Counts,
		Rulesets: r.Rulesets, RulesRun: r.RulesRun, RulesSkipped: r.RulesSkipped,
		FindingsOmitted: len(r.Findings) - len(v.findings()),
	}
}

func renderJSON(x *exchange, v *validation) error {
	if v.report().Valid {
		return x.sendJSON(http.StatusOK, "application/json", &validationResult{
			Valid: true, Message: v.verdict(), Profile: v.report().Profile, Standard: v.report().Standard,
			Warnings: v.warnings(), Findings: v.findings(), Report: v.summary(),
		})
	}
	p := v.problem()
	p.RequestID = v.id
	return x.sendJSON(p.Status, "application/problem+json", p)
}

// problem is what is told of a document that violates rules.
func (v *validation) problem() *Problem {
	p := problem(codeValidationFailed, "%s", v.verdict())
	p.Errors = map[string][]string{"xml": v.violated()}
	p.Warnings, p.Findings, p.Report = v.warnings(), v.findings(), v.summary()
	return p
}

// warnings are the findings of that level among those that are shown.
func (v *validation) warnings() []engine.Finding {
	warnings := []engine.Finding{}
	for _, f := range v.findings() {
		if f.Level == engine.Warning {
			warnings = append(warnings, f)
		}
	}
	return warnings
}
