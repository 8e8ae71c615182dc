package server

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"einvoice/service/workbench"
)

// postWorkbench is POST /v1/workbench/{call}, the operations of the page /app.
func (s *Server) postWorkbench(x *exchange) error {
	name := x.params.ByName("call")
	if known := workbench.Calls(); !slices.Contains(known, name) {
		return newProblem(codeTargetUnknown, "The workbench has no call %.40q. There are %s.", name, strings.Join(known, ", "))
	}
	return s.withBody(x, func(v *visit) error {
		data, err := s.readJSON(x, v)
		if err != nil {
			return err
		}
		var answer any
		err = s.inTurn(x, readCost, func(ctx context.Context, book *rulebook) error {
			if err := v.take(workbenchCost(name).ofMixed(data)); err != nil {
				return err
			}
			if bytes.Contains(data, pdfInJSON) {
				limits := readOptions(s.config.MaxBody).PDF
				if err := v.take(4*int64(len(data)) + 2*int64(limits.DecodedOf(len(data)))); err != nil {
					return err
				}
			}
			answer, err = book.desk.Call(ctx, name, data)
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
func workbenchCost(call string) cost {
	if workbench.Draws(call) {
		return renderCost
	}
	return readCost
}

// ofMixed is the cost of a request in JSON that has a document in it.
func (c cost) ofMixed(data []byte) int64 { return c.of(data, "<", ":") }
