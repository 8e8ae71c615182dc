package server

import (
	"context"
	"errors"
	"fmt"
	"mime"

	"einvoice/engine/words"
	"einvoice/model/problem"

	"einvoice/formats/pdf/archive"
	"einvoice/service"
	"einvoice/service/report"
)

// The parts of the form of /v1/embed/xml, besides partFile, which is another name
// of the PDF.
const (
	partPDF = "pdf"
	partXML = "xml"
)

// postEmbed is POST /v1/embed/xml.
func (s *Server) postEmbed(x *exchange) error {
	return s.withBody(x, func(v *visit) error {
		pages, xml, asked, err := s.readEmbedding(x, v)
		if err != nil {
			return err
		}
		date, err := asked.date()
		if err != nil {
			return err
		}
		return s.inTurn(x, readCost, func(ctx context.Context, book *rulebook) error {
			if err := pages.isPDFIfSaid(); err != nil {
				return err
			}
			if err := s.reservePDF(x, pages.data); err != nil {
				return err
			}
			made, err := book.service.Embed(ctx, pages.data, xml.data, service.Embedding{Date: date})
			if err != nil {
				return s.notMade(x, "embed", "xml", notArchivable(err))
			}
			s.metrics.made("embed", "xml", made.Report, true)
			return x.sendMadeValid(made)
		})
	})
}

// readEmbedding takes the two documents and the options out of a form.
func (s *Server) readEmbedding(x *exchange, v *visit) (pages, xml file, asked options, err error) {
	fail := func(err error) (file, file, options, error) { return file{}, file{}, nil, err }
	if err := notEncoded(x.request); err != nil {
		return fail(err)
	}
	kind, params, err := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return fail(newProblem(codeMediaType, "Send multipart/form-data with the PDF in the part %q and the XML in the part %q.", partPDF, partXML))
	}
	body, err := s.limitedBody(x)
	if err != nil {
		return fail(err)
	}
	files, taken := []string{partPDF, partFile, partXML}, []takenOption{takeDate}
	f, err := s.readForm(body, params["boundary"], v, x.request.ContentLength, files, taken)
	if err != nil {
		return fail(err)
	}
	if err := f.fromQuery(x.request.URL.RawQuery, taken); err != nil {
		return fail(err)
	}
	name := partPDF
	if other, ok := f.files[partFile]; ok {
		if _, twice := f.files[partPDF]; twice {
			return fail(newProblem(codeFileRepeated, "The form has the parts %q and %q, and both are the PDF. Send one of them.", partPDF, partFile))
		}
		name, pages = partFile, other
	}
	if pages, err = f.file(name); err != nil {
		return fail(err)
	}
	if xml, err = f.file(partXML); err != nil {
		return fail(err)
	}
	f.checkOthers(files, taken)
	if err := f.check(taken); err != nil {
		return fail(err)
	}
	pages.pdf = true // whatever type it came under, it has to be one
	return pages, xml, f.options, nil
}

// notArchivable tells why a PDF cannot be made PDF/A-3.
func notArchivable(err error) error {
	refused, ok := errors.AsType[*archive.Refused](err)
	if !ok {
		return err
	}
	p := newProblem(codeNotArchivable, "The PDF cannot be made PDF/A-3 for %s. errors.pdf lists each with its page and what to do.", report.Count(len(refused.Reasons), "reason"))
	p.reasons = refused.Reasons
	p.Errors = map[string][]string{"pdf": reasonTexts(refused.Reasons, nil)}
	return p
}

// reasonTexts are reasons in a language.
func reasonTexts(reasons []*problem.Error, language *words.Language) []string {
	texts := make([]string, len(reasons))
	for i, r := range reasons {
		place := ""
		if r.Page > 0 {
			place = language.Say(fmt.Sprintf("Page %d", r.Page)) + ": "
		}
		texts[i] = fmt.Sprintf("[%s] %s%s %s", r.Code, place, sentence(language.Say(r.Message)), sentence(language.Say(r.Remedy)))
	}
	return texts
}
