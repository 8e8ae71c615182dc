package server

import (
	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/server/refusal"
	"einvoice/service/report"
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

// A reportSummary says which rules led to a verdict.
type reportSummary struct {
	Profile      string               `json:"profile"`
	ValidatedAs  string               `json:"validatedAs,omitempty"` // where the rules of the profile are missing
	Standard     string               `json:"standard"`
	Syntax       string               `json:"syntax"`
	Language     string               `json:"language"`             // of the messages
	Attachment   string               `json:"attachment,omitempty"` // of the PDF that was sent; lines and columns are in it
	SchemaValid  *bool                `json:"schemaValid"`
	Counts       engine.Counts        `json:"counts"`
	Digest       string               `json:"digest"` // of rulesets, code lists, profile and overlays
	Rulesets     []engine.RulesetInfo `json:"rulesets"`
	Date         *engine.DecidingDate `json:"date,omitempty"`     // where time decides anything
	Overlays     []engine.OverlayInfo `json:"overlays,omitempty"` // that were asked for
	RulesRun     int                  `json:"rulesRun"`
	RulesSkipped int                  `json:"rulesSkipped"`
	// FindingsOmitted counts those that one answer leaves out.
	FindingsOmitted int `json:"findingsOmitted"`
}

func summaryOf(r *engine.Report, attachment string) *reportSummary {
	return &reportSummary{
		Profile: r.Profile, ValidatedAs: r.ValidatedAs, Standard: r.Standard, Syntax: r.Syntax, Language: r.Language, Attachment: attachment, SchemaValid: r.SchemaValid, Counts: r.Counts,
		Digest: r.Digest, Rulesets: r.Rulesets, Date: r.Date, Overlays: r.Overlays, RulesRun: r.RulesRun, RulesSkipped: r.RulesSkipped,
		FindingsOmitted: len(r.Findings) - len(findings(r)) + r.OmittedCount(),
	}
}

// findings are those that an answer has.
func findings(r *engine.Report) []engine.Finding {
	if r.Findings == nil {
		return []engine.Finding{}
	}
	return r.Findings[:min(len(r.Findings), mostFindings)]
}

// warnings are the findings of that level among those that an answer has.
func warnings(r *engine.Report) []engine.Finding {
	out := []engine.Finding{}
	for _, f := range findings(r) {
		if f.Level == engine.Warning {
			out = append(out, f)
		}
	}
	return out
}

// violations is the problem of a document that violates rules; attachment is the file
// of a PDF that it was.
func violations(r *engine.Report, attachment string) *Problem {
	p := newProblem(refusal.ValidationFailed, "%s", "")
	p.judged, p.attachment = r, attachment
	p.tellViolations(nil)
	return p
}

// tellViolations says in a language which rules the document violates.
func (p *Problem) tellViolations(language *words.Language) {
	r := p.judged
	if err := r.Translate(language); err != nil { // the words of some findings are missing, the findings are not
		language = nil
	}
	p.Detail = report.Verdict(r, language)
	p.Errors = map[string][]string{"xml": report.Violations(r, language)}
	p.Warnings, p.Findings, p.Report = warnings(r), findings(r), summaryOf(r, p.attachment)
}
