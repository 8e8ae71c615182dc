package server

import (
	"context"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/server/admission"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/answer"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// postConvert is POST /v1/convert/{from}/to/{to}.
func (s *Server) postConvert(from, to model.Syntax) handler {
	return func(x *exchange) error {
		return s.withUpload(x, convertCost, func(ctx context.Context, book *publishing.Book, up upload, strict bool) error {
			doc, err := book.Service.Read(ctx, up.data, validate.Accept{}) // what a PDF has in it is for transform
			if err != nil {
				return err
			}
			if doc.Syntax != from {
				return newProblem(refusal.SyntaxMismatch, "The document is in %s, and /v1/convert/%s/to/%s takes %s. It is in the syntax already that it would be converted to.",
					doc.Syntax.Label(), from, to, from.Label())
			}
			c, err := convert.Document(ctx, book.Service.Service, doc, to)
			if err != nil {
				return err
			}
			if err := c.Translate(x.words); err != nil {
				return err
			}
			losses := answer.LossesOf(c.Losses, x.words)
			x.made("convert", string(to), nil, !strict || losses.Lost == 0)
			if strict && losses.Lost > 0 {
				return lossy(losses)
			}
			document := answer.DocumentOf(c.Data, write.MediaTypeXML, write.FileName(doc.Invoice, ".xml"))
			return x.sendMade(document, answer.Converted{Document: document, LossReport: losses}, lossHeaders(losses))
		}, takeStrict)
	}
}

// postTransform is POST /v1/transform/to/{format}.
func (s *Server) postTransform(x *exchange) error {
	format, err := findFormat(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withUpload(x, transformCost, func(ctx context.Context, book *publishing.Book, up upload, strict bool) error {
		if err := up.isPDFIfSaid(); err != nil {
			return err
		}
		if err := s.reservePDF(x, up.data); err != nil {
			return err
		}
		doc, err := book.Service.Read(ctx, up.data, validate.Accept{PDF: true, Legacy: true})
		if err != nil {
			return err
		}
		asked, err := up.transform()
		if err != nil {
			return err
		}
		x.tellLegacy(formats.LegacyName(doc))
		made, err := transform.Document(ctx, book.Service.Pages, format, doc, asked)
		if err != nil {
			return s.notMade(x, "transform", format, err)
		}
		losses := answer.LossesOf(made.Losses, x.words)
		x.made("transform", format, made.Report, made.Report.Valid && (!strict || losses.Lost == 0))
		switch {
		case !made.Report.Valid:
			x.outcome = "invalid"
			p := violations(made.Report, "")
			p.LossReport, p.Missing = losses, transform.Missing(made.Report, doc.Invoice)
			return p
		case strict && losses.Lost > 0:
			return lossy(losses)
		}
		return x.sendMadeValid(made)
	}, takeStrict, takeBuyerReference, takeProfile(format), takePageLanguage, s.takeLook(), takeDate, takeTerms)
}

// transform is what the options of an upload ask for.
func (u *upload) transform() (transform.Options, error) {
	date, err := u.MadeOn()
	t := transform.Options{BuyerReference: u.Values[option.BuyerReference], Supply: u.Terms()}
	t.Date = date
	t.Language = model.NewText(u.PageLanguage())
	if look := u.Values[option.Look]; look != "" {
		t.Look = model.NewText(look)
	}
	if profile := u.Values[option.Profile]; profile != "" {
		t.Profile = model.NewText(profile)
	}
	return t, err
}

// takeProfile takes the name of a profile that a format has.
func takeProfile(format string) takenOption {
	return takenOption{name: option.Profile, check: func(o option.Values) error {
		if wrong := create.CheckOptions(format, &write.Options{Profile: model.NewText(o[option.Profile])}); wrong != nil {
			return wrong[0]
		}
		return nil
	}}
}

// withUpload reads a document and its options, and does the work on it in turn.
func (s *Server) withUpload(x *exchange, c operation.Cost, work func(context.Context, *publishing.Book, upload, bool) error, taken ...takenOption) error {
	return s.withBody(x, func(v *admission.Visit) error {
		up, err := s.readUpload(x, v, taken...)
		if err != nil {
			return err
		}
		strict, err := up.IsStrict()
		if err != nil {
			return err
		}
		return s.inTurn(x, c, func(ctx context.Context, book *publishing.Book) error { return work(ctx, book, up, strict) })
	})
}

// lossy refuses what would lose something.
func lossy(losses *answer.LossReport) error {
	p := newProblem(refusal.Lossy, "The result would lack %s of the source. Leave \"strict\" out to get it anyway.", numeral.Count(losses.Lost, "value"))
	p.LossReport = losses
	return p
}
