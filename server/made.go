package server

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/engine/create"
	"einvoice/engine/pipeline"
	"einvoice/formats"
	"einvoice/model"
)

// A madeDocument is a document that was created, converted, transformed, embedded
// or rendered.
type madeDocument struct {
	Document  any    `json:"document"` // XML as text, a PDF in base64
	MediaType string `json:"mediaType"`
	FileName  string `json:"fileName"`

	data []byte
}

func newMadeDocument(data []byte, mediaType, fileName string) madeDocument {
	d := madeDocument{Document: data, MediaType: mediaType, FileName: fileName, data: data}
	if mediaType == create.MediaTypeXML {
		d.Document = string(data)
	}
	return d
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

func lossesOf(losses []formats.Loss) *LossReport {
	shown := losses[:min(len(losses), mostFindings)]
	if shown == nil {
		shown = []formats.Loss{}
	}
	return &LossReport{Lost: formats.Lost(losses), Losses: shown, LossesOmitted: len(losses) - len(shown)}
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
	if preferred(x.request.Header.Values("Accept"), document.MediaType, "application/json") == 1 {
		return x.sendJSON(http.StatusOK, "application/json", envelope)
	}
	h.Set("Content-Disposition", `attachment; filename="`+document.FileName+`"`)
	return x.send(http.StatusOK, document.MediaType, document.data)
}

// sendJudged is sendMade for a document with what the rules say of it.
func (x *exchange) sendJudged(made *create.Made, v *validation) error {
	losses := lossesOf(made.Losses)
	document := newMadeDocument(made.Data, made.MediaType, made.FileName)
	headers := headersOf(made.Profile, v)
	maps.Copy(headers, losses.headers())
	return x.sendMade(document, struct {
		madeDocument
		*LossReport
		judgedDocument
	}{document, losses, v.judged()}, headers)
}

func (l *LossReport) headers() map[string]string {
	return map[string]string{"Invoice-Losses": strconv.Itoa(l.Lost)}
}
