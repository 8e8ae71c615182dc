package server

import (
	"context"
	"net/http"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/server/publishing"
	"einvoice/service/catalogue"
	"einvoice/service/report"
)

// mostExplained is how many nodes of a document one answer explains: each has the value of
// every part of the assertion.
const mostExplained = 50

// A ruleExplanation is the answer to validate with the parameter explain.
type ruleExplanation struct {
	Rule  string `json:"rule"`
	Holds bool   `json:"holds"`
	// Valid is the verdict on the whole document.
	Valid        bool                  `json:"valid"`
	Explanations []jsoninvoice.Ordered `json:"explanations"`
}

// explain answers how one rule was decided on the document.
func (s *Server) explain(x *exchange, format *catalogue.Format, up upload, id string) error {
	var explained *engine.Explained
	err := s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
		if err := s.reservePDF(x, up.data); err != nil {
			return err
		}
		received, rules, err := received(ctx, book, format, up)
		if err != nil {
			return err
		}
		explained, err = book.Service.Explain(ctx, received, rules, id, mostExplained)
		return err
	})
	if err != nil {
		return err
	}
	x.outcome = "explained"
	x.tellLanguage()
	return x.sendJSON(http.StatusOK, "application/json", &ruleExplanation{
		Rule: id, Holds: explained.Holds(), Valid: explained.Report.Valid, Explanations: report.ExplainJSON(explained, x.words),
	})
}
