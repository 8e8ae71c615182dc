package server

import (
	"context"
	"errors"
	"mime"
	"slices"
	"strings"

	"einvoice/engine/words"
	"einvoice/formats/jsoninvoice"
	"einvoice/server/admission"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/answer"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/write"
)

// postCreate is POST /v1/create/{format}.
func (s *Server) postCreate(x *exchange) error {
	format, err := findFormat(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withBody(x, func(v *admission.Visit) error {
		data, err := s.readJSON(x, v)
		if err != nil {
			return err
		}
		var query given
		if err := query.fromQuery(x.request.URL.RawQuery, []takenOption{takeStrict}); err != nil {
			return err
		}
		wrong := query.check([]takenOption{takeStrict})
		strict, _ := query.IsStrict()
		return s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
			if err := v.Take(jsonCost.OfJSON(data)); err != nil {
				return err
			}
			request, err := readRequest(ctx, book.Service, format, data, wrong)
			if err != nil {
				return err
			}
			if err := v.Take(createCost.OfJSON(data)); err != nil {
				return err
			}
			if catalogue.Named(format).Create.PDF {
				request.Speak(option.DefaultLanguage)
			}
			created, err := create.Document(ctx, book.Service.Pages, format, request)
			if err != nil {
				return s.notMade(x, "create", format, err)
			}
			losses := answer.LossesOf(created.Losses, x.words)
			refused := (strict || request.Options.IsStrict()) && losses.Lost > 0
			x.made("create", format, created.Report, !refused)
			if refused {
				return lossy(losses)
			}
			return x.sendMadeValid(created)
		})
	})
}

// findFormat finds what documents can be created as or transformed to.
func findFormat(name string) (string, error) {
	known := catalogue.ToCreate()
	if slices.Contains(known, name) {
		return name, nil
	}
	return "", newProblem(refusal.TargetUnknown, "There is no format %.40q. Served are %s.", name, strings.Join(known, ", "))
}

// readJSON reads the body of a request that is JSON.
func (s *Server) readJSON(x *exchange, v *admission.Visit) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && !(strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")) {
		return nil, newProblem(refusal.MediaType, "Send the request as application/json.")
	}
	body, err := s.limitedBody(x)
	if err != nil {
		return nil, err
	}
	return v.ReadAll(body, x.request.ContentLength)
}

// notMade is the answer where no document was made.
func (s *Server) notMade(x *exchange, operation, format string, err error) error {
	refused, ok := errors.AsType[*write.Refused](err)
	if !ok {
		return err
	}
	x.made(operation, format, refused.Report, false)
	x.outcome = "invalid"
	p := violations(refused.Report, "")
	if len(refused.Losses) > 0 {
		p.LossReport = answer.LossesOf(refused.Losses, x.words)
	}
	return p
}

// readRequest reads a request for a format, and tells all mistakes in it at once: in its
// JSON, of its options, and those in the query that were found before.
func readRequest(ctx context.Context, s *operation.Kit, format string, data []byte, query error) (*create.Request, error) {
	request, err := create.ReadRequestFor(ctx, s.Pages, format, data)
	mistaken, ok := errors.AsType[*jsoninvoice.Error](err)
	wrong, isProblem := errors.AsType[*Problem](query)
	switch {
	case err != nil && !ok:
		return nil, err
	case !ok:
		return request, query
	case !isProblem:
		return nil, err
	}
	p := mistakesProblem(mistaken)
	p.options = wrong.options
	p.tellOptions(nil)
	return nil, p
}

// mistakesProblem tells of mistakes in the JSON of a request. A client's own
// texts come back shortened: they may be as long as its request.
func mistakesProblem(e *jsoninvoice.Error) *Problem {
	mistakes := e.Mistakes
	p := newProblem(refusal.RequestInvalid, "%s", answer.MistakesIn(e))
	p.tellMistakes(mistakes, nil)
	if len(mistakes) == 1 {
		p.Line, p.Column = mistakes[0].Line, mistakes[0].Column
	}
	return p
}

// tellMistakes lists mistakes in a language.
func (p *Problem) tellMistakes(mistakes []jsoninvoice.Mistake, language *words.Language) {
	var texts []string
	p.Mistakes, texts = answer.Mistakes(mistakes, language)
	p.Errors = map[string][]string{"json": texts}
}
