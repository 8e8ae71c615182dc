package server

import (
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

// workbenchCost is what a call costs besides reading its document.
func workbenchCost(call string) cost {
	if workbench.Draws(call) {
		return renderCost
	}
	return readCost
}

// ofMixed is the cost of a request in JSON that has a document in it.
func (c cost) ofMixed(data []byte) int64 { return c.of(data, "<", ":") }
