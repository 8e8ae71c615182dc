package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"einvoice/server/admission"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// postWorkbench is POST /v1/workbench/{call}, the operations of the page /app.
func (s *Server) postWorkbench(x *exchange) error {
	name := x.params.ByName("call")
	if known := workbench.Calls(); !slices.Contains(known, name) {
		return newProblem(refusal.TargetUnknown, "The workbench has no call %.40q. There are %s.", name, strings.Join(known, ", "))
	}
	return s.withBody(x, func(v *admission.Visit) error {
		data, err := s.readJSON(x, v)
		if err != nil {
			return err
		}
		var answer any
		err = s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
			if err := v.Take(ofMixed(workbenchCost(name), data)); err != nil {
				return err
			}
			if bytes.Contains(data, pdfInJSON) {
				limits := readOptions(s.config.MaxBody).PDF
				if err := v.Take(4*int64(len(data)) + 2*int64(limits.DecodedOf(len(data)))); err != nil {
					return err
				}
			}
			if err := knowsOverlays(book, x.mandatory); err != nil { // of a tenant, in an edited folder
				return err
			}
			answer, err = book.Desk.With(x.mandatory, x.mayOmit).Call(ctx, name, data)
			return err
		})
		if err != nil {
			return err
		}
		x.outcome = name
		return x.sendJSON(http.StatusOK, "application/json", answer)
	})
}

// pdfInJSON is how a PDF begins in base64, as a text of JSON. Opening one costs memory of its
// own.
var pdfInJSON = []byte(`"JVBERi`)

// workbenchCost is what a call costs besides reading its document.
func workbenchCost(call string) operation.Cost {
	switch {
	case call == workbench.CallView:
		return markupCost
	case workbench.Draws(call):
		return renderCost
	}
	return readCost
}

// ofMixed is what it costs to read a request in JSON that has a document in it: XML or JSON as a text, or
// a file in base64.
func ofMixed(c operation.Cost, data []byte) int64 {
	var given struct{ File []byte }
	if bytes.Contains(data, []byte(`"file"`)) && json.Unmarshal(data, &given) == nil {
		return c.PerByte*int64(len(data)) + max(c.OfXML(given.File), c.OfJSON(given.File))
	}
	return max(c.OfXML(data), c.OfJSON(data))
}
