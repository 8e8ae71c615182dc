package server

import (
	"context"
	"net/http"

	"einvoice/model"
	"einvoice/service/operation"
)

// handled are the operations with handlers of their own, which answer more than the document.
var handled = map[string]bool{"create": true, "convert": true, "transform": true, "extract": true, "parse": true, "render": true}

// listedRoutes serve every other operation of the list, under /v1/{name}/to/{to}.
func (s *Server) listedRoutes() (routes []route) {
	for _, of := range operation.All {
		if handled[of.Name] {
			continue
		}
		for _, to := range of.To() {
			routes = append(routes, route{http.MethodPost, "/v1/" + of.Name + "/to/" + to, s.authorized(s.postListed(of, to))})
		}
	}
	return routes
}

// postListed makes what an operation of the list makes.
func (s *Server) postListed(of *operation.Operation, to string) handler {
	return func(x *exchange) error {
		return s.withUpload(x, cost{of.Cost.PerByte, of.Cost.PerMark}, func(ctx context.Context, book *rulebook, up upload, strict bool) error {
			if err := s.reservePDF(x, up.data); err != nil {
				return err
			}
			values := &operation.Values{To: to, Strict: strict}
			values.Transform.Language = model.NewText(up.language())
			made, err := of.Run(ctx, book.service, up.data, values)
			if err != nil {
				return err
			}
			x.tellLegacy(made.Legacy)
			losses := lossesOf(made.Losses)
			x.made(of.Name, to, made.Report, made.Data != nil)
			document := newMadeDocument(made.Data, made.MediaType, made.FileName)
			return x.sendMade(document, struct {
				madeDocument
				*LossReport
			}{document, losses}, losses.headers())
		}, takeStrict)
	}
}

// describeListed adds these routes to the description of the interface.
func describeListed(paths map[string]any) {
	for _, of := range operation.All {
		if handled[of.Name] {
			continue
		}
		answers := map[string]any{"200": map[string]any{"description": "What was made."}, "default": map[string]any{"description": "A problem, as of every other operation."}}
		body := map[string]any{"required": true, "content": map[string]any{"application/octet-stream": map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}}}
		for _, to := range of.To() {
			paths["/v1/"+of.Name+"/to/"+to] = map[string]any{"post": map[string]any{"summary": of.Words, "requestBody": body, "responses": answers}}
		}
	}
}
