package server

import (
	"net/http"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/engine/pipeline"
	"einvoice/formats"
	"einvoice/model"
)

// A madeDocument is a document that was created, converted or transformed.
type madeDocument struct {
	Document string `json:"document"` // the XML
	FileName string `json:"fileName"`
}

// A judgedDocument says what the rules say of a document that was made.
type judgedDocument struct {
	Warnings []engine.Finding `json:"warnings"`
	Findings []engine.Finding `json:"findings"`
	Report   *reportSummary   `json:"report"`
}

// A LossReport says how a document differs from the one it was made from.
type LossReport struct {
	Lost   int            `json:"lost"`
	Losses []formats.Loss `json:"losses"`
	// LossesOmitted counts those beyond what one answer holds.
	LossesOmitted int `json:"lossesOmitted"`
}

func lossesOf(c *formats.Conversion) *LossReport {
	shown := c.Losses[:min(len(c.Losses), mostFindings)]
	if shown == nil {
		shown = []formats.Loss{}
	}
	return &LossReport{Lost: c.Lost(), Losses: shown, LossesOmitted: len(c.Losses) - len(shown)}
}

// judgement is the report of a document that was made, as that of a validation.
func judgement(report *engine.Report) *validation {
	if report.Rulesets == nil { // refused before any rule ran
		report.Rulesets = []engine.RulesetInfo{}
	}
	doc := &model.Document{Syntax: model.Syntax(report.Syntax)}
	return &validation{result: &pipeline.Result{Document: doc, Report: report}}
}

func (v *validation) judged() judgedDocument {
	findings := v.findings()
	if findings == nil {
		findings = []engine.Finding{}
	}
	return judgedDocument{v.warnings(), findings, v.summary()}
}

// headersOf say in short what a document was held against.
func headersOf(profile *engine.Profile, v *validation) map[string]string {
	sets := make([]string, len(v.report().Rulesets))
	for i, set := range v.report().Rulesets {
		sets[i] = set.Name + "/" + set.Version
	}
	return map[string]string{
		"Invoice-Profile": profile.ID, "Invoice-Rulesets": strings.Join(sets, ", "),
		"Invoice-Warnings": strconv.Itoa(v.report().Counts.Warning),
	}
}

// sendMade sends a document, or the envelope around it to who prefers JSON.
func (x *exchange) sendMade(document madeDocument, envelope any, headers map[string]string) error {
	x.outcome = "made"
	h := x.Header()
	h.Set("Vary", "Accept")
	for name, value := range headers {
		h.Set(name, value)
	}
	if preferred(x.request.Header.Values("Accept"), "application/xml", "application/json") == 1 {
		return x.sendJSON(http.StatusOK, "application/json", envelope)
	}
	h.Set("Content-Disposition", `attachment; filename="`+document.FileName+`"`)
	return x.send(http.StatusOK, "application/xml", []byte(document.Document))
}
