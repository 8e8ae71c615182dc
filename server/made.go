package server

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"einvoice/service/answer"
	"einvoice/service/write"
)

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
func (x *exchange) sendMade(document answer.Document, envelope any, headers map[string]string) error {
	x.outcome = "made"
	h := x.Header()
	h.Add("Vary", "Accept")
	for name, value := range headers {
		h.Set(name, value)
	}
	if preferred(x.request.Header.Values("Accept"), document.MediaType, "application/json") == 1 {
		x.tellLanguage() // of a document, headers tell it where it is for people to read
		return x.sendJSON(http.StatusOK, "application/json", envelope)
	}
	h.Set("Content-Disposition", disposition(document.FileName))
	return x.send(http.StatusOK, document.MediaType, document.Data)
}

// sendMadeValid is sendMade for a document that was validated.
func (x *exchange) sendMadeValid(made *write.Made) error {
	if err := x.translate(made.Report); err != nil {
		return err
	}
	document := answer.MadeOf(made, x.words)
	headers := headersOf(made)
	maps.Copy(headers, lossHeaders(document.LossReport))
	return x.sendMade(document.Document, document, headers)
}

// lossHeaders count what a document lacks.
func lossHeaders(l *answer.LossReport) map[string]string {
	return map[string]string{"Invoice-Losses": strconv.Itoa(l.Lost)}
}
