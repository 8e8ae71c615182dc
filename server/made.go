package server

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/service/write"
)

// A madeDocument is a document that was created, converted, transformed, embedded
// or rendered.
type madeDocument struct {
	Document  any    `json:"document"` // a PDF in base64, all others as text
	MediaType string `json:"mediaType"`
	FileName  string `json:"fileName"`

	data []byte
}

func newMadeDocument(data []byte, mediaType, fileName string) madeDocument {
	d := madeDocument{Document: data, MediaType: mediaType, FileName: fileName, data: data}
	if mediaType != write.MediaTypePDF {
		d.Document = string(data)
	}
	return d
}

// validated is the outcome of validating a document that was made.
type validated struct {
	Warnings []engine.Finding `json:"warnings"`
	Findings []engine.Finding `json:"findings"`
	Report   *reportSummary   `json:"report"`
}

// A LossReport says how a document differs from the one it was made from.
type LossReport struct {
	Lost   int            `json:"lost"`
	Losses []formats.Loss `json:"losses"`
	// LossesOmitted counts those that one answer leaves out.
	LossesOmitted int `json:"lossesOmitted"`
}

func lossesOf(losses []formats.Loss) *LossReport {
	shown := losses[:min(len(losses), mostFindings)]
	if shown == nil {
		shown = []formats.Loss{}
	}
	return &LossReport{Lost: formats.Lost(losses), Losses: shown, LossesOmitted: len(losses) - len(shown)}
}

// headersOf say in short what a document was validated against.
func headersOf(made *write.Made) map[string]string {
	sets := make([]string, len(made.Report.Rulesets))
	for i, set := range made.Report.Rulesets {
		sets[i] = set.Name + "/" + set.Version
	}
	return map[string]string{
		"Invoice-Profile": made.Profile.ID, "Invoice-Rulesets": strings.Join(sets, ", "),
		"Invoice-Warnings": strconv.Itoa(made.Report.Counts.Warning),
	}
}

// sendMade sends a document, or the envelope around it to who prefers JSON.
func (x *exchange) sendMade(document madeDocument, envelope any, headers map[string]string) error {
	x.outcome = "made"
	h := x.Header()
	h.Add("Vary", "Accept")
	x.tellLanguage()
	for name, value := range headers {
		h.Set(name, value)
	}
	if preferred(x.request.Header.Values("Accept"), document.MediaType, "application/json") == 1 {
		return x.sendJSON(http.StatusOK, "application/json", envelope)
	}
	h.Set("Content-Disposition", disposition(document.FileName))
	return x.send(http.StatusOK, document.MediaType, document.data)
}

// sendMadeValid is sendMade for a document that was validated.
func (x *exchange) sendMadeValid(made *write.Made) error {
	if err := x.translate(made.Report); err != nil {
		return err
	}
	losses := lossesOf(made.Losses)
	document := newMadeDocument(made.Data, made.MediaType, made.FileName)
	headers := headersOf(made)
	maps.Copy(headers, losses.headers())
	return x.sendMade(document, struct {
		madeDocument
		*LossReport
		validated
	}{document, losses, validated{warnings(made.Report), findings(made.Report), summaryOf(made.Report, "")}}, headers)
}

func (l *LossReport) headers() map[string]string {
	return map[string]string{"Invoice-Losses": strconv.Itoa(l.Lost)}
}
