package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/server/publishing"
	"einvoice/service/answer"
	"einvoice/service/operation"
)

// listedRoutes serve every operation of the list that has no handler of its own, which answers
// more than the document, under /v1/{name}/to/{to}.
func (s *Server) listedRoutes(handled []route) (routes []route) {
	for _, of := range operation.All {
		if slices.ContainsFunc(handled, func(r route) bool { return strings.HasPrefix(r.path, "/v1/"+of.Name+"/") }) {
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
		return s.withUpload(x, of.Cost, func(ctx context.Context, book *publishing.Book, up upload, strict bool) error {
			if err := s.reservePDF(x, up.data); err != nil {
				return err
			}
			values := &operation.Values{To: to, Strict: strict}
			values.Transform.Language = model.NewText(up.PageLanguage())
			made, err := of.Run(ctx, book.Service, up.data, values)
			if err != nil {
				return err
			}
			x.tellLegacy(made.Legacy)
			losses := answer.LossesOf(made.Losses, x.words)
			x.made(of.Name, to, made.Report, made.Data != nil)
			document := answer.DocumentOf(made.Data, made.MediaType, made.FileName)
			return x.sendMade(document, answer.Converted{Document: document, LossReport: losses}, lossHeaders(losses))
		}, takeStrict)
	}
}
