package server

import (
	"context"
	"errors"

	"einvoice/engine/create"
	"einvoice/formats"
	"einvoice/model"
)

// postConvert is POST /v1/convert/{from}/to/{to}.
func (s *Server) postConvert(from, to model.Syntax) handler {
	return func(x *exchange) error {
		return s.withUpload(x, func(ctx context.Context, book *rulebook, up upload, strict bool) error {
			up.pdf = false
			doc, err := reading(ctx, book, up, func(options formats.Options) (*model.Document, error) {
				options.XMLOnly = true // one syntax is made the other: what a PDF has in it is for transform
				return formats.Read(up.data, options)
			})
			if err != nil {
				return err
			}
			if doc.Syntax != from {
				return problem(codeSyntaxMismatch, "The document is in %s, and /v1/convert/%s/to/%s takes %s. It is in the syntax already that it would be converted to.",
					syntaxNames[doc.Syntax], from, to, syntaxNames[from])
			}
			c, err := book.creator.Convert(doc, to)
			if err != nil {
				return err
			}
			losses := lossesOf(c.Losses)
			s.metrics.made("convert", string(to), nil, !strict || losses.Lost == 0)
			if strict && losses.Lost > 0 {
				return lossy(losses)
			}
			document := newMadeDocument(c.Data, create.MediaTypeXML, create.FileName(doc.Invoice, ".xml"))
			return x.sendMade(document, struct {
				madeDocument
				*LossReport
			}{document, losses}, losses.headers())
		}, optionStrict)
	}
}

// postTransform is POST /v1/transform/to/{format}.
func (s *Server) postTransform(x *exchange) error {
	format, err := findFormat(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withUpload(x, func(ctx context.Context, book *rulebook, up upload, strict bool) error {
		doc, err := reading(ctx, book, up, func(options formats.Options) (*model.Document, error) {
			return formats.Read(up.data, options)
		})
		if err != nil {
			return err
		}
		asked, err := up.transform()
		if err != nil {
			return err
		}
		t, err := book.creator.Transform(ctx, format, doc, asked)
		if wrong, ok := errors.AsType[*create.WrongOption](err); ok {
			return problem(codeOption, "%s", sentence(wrong.Error()))
		}
		if err != nil {
			return s.notMade(x, "transform", format, err)
		}
		losses, v := lossesOf(t.Losses), judgement(t.Report)
		s.metrics.made("transform", format, t.Report, t.Report.Valid && (!strict || losses.Lost == 0))
		switch {
		case !t.Report.Valid:
			x.outcome = "invalid"
			create.WithoutPlaces(t.Report) // the document is not handed out
			p := v.problem()
			p.LossReport = losses
			return p
		case strict && losses.Lost > 0:
			return lossy(losses)
		}
		return x.sendJudged(t, v)
	}, optionStrict, optionBuyerReference, optionProfile, optionLanguage, optionDate)
}

// transform is what the options of an upload ask for.
func (u *upload) transform() (create.Transform, error) {
	date, err := u.date()
	t := create.Transform{BuyerReference: u.options[optionBuyerReference]}
	t.Date = date
	if language := u.options[optionLanguage]; language != "" {
		t.Language = model.NewText(language)
	}
	if profile := u.options[optionProfile]; profile != "" {
		t.Profile = model.NewText(profile)
	}
	return t, err
}

// withUpload reads a document and its options, and does the work on it in turn.
func (s *Server) withUpload(x *exchange, work func(context.Context, *rulebook, upload, bool) error, options ...string) error {
	return s.withBody(x, func(b *buffer) error {
		up, err := s.readUpload(x, b, options...)
		if err != nil {
			return err
		}
		if err := up.fromQuery(x.request.URL.RawQuery, options...); err != nil {
			return err
		}
		strict, err := up.strict()
		if err != nil {
			return err
		}
		return s.inTurn(x, func(ctx context.Context, book *rulebook) error { return work(ctx, book, up, strict) })
	})
}

// lossy refuses what would lose something.
func lossy(losses *LossReport) error {
	p := problem(codeLossy, "The result would lack %s of the document. Leave \"strict\" out to get it all the same.", count(losses.Lost, "value"))
	p.LossReport = losses
	return p
}
