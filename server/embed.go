package server

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"path/filepath"
	"strings"

	"einvoice/engine/words"
	"einvoice/formats/pdf/archive"
	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/server/admission"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/embed"
)

// The parts of the form of /v1/embed/xml, besides partFile, which is another name
// of the PDF.
const (
	partPDF        = "pdf"
	partXML        = "xml"
	partAttachment = "attachment" // a file to attach as well; there may be several
)

// embedOptions are the options of /v1/embed/xml.
var embedOptions = []takenOption{
	takeDate, {name: option.Relationship, check: func(o option.Values) error { return embed.CheckRelationship(o[option.Relationship]) }},
	{name: option.PDFA, check: func(o option.Values) error { _, err := level4F(o); return err }},
}

// level4F reports whether PDF/A-4f is asked for in place of PDF/A-3.
func level4F(o option.Values) (bool, error) {
	switch value, given := o[option.PDFA]; {
	case !given, value == "3":
		return false, nil
	case value == "4f":
		return true, nil
	}
	return false, newProblem(refusal.Option, "The option %q is 3 or 4f.", option.PDFA)
}

// An embedForm is what a form of /v1/embed/xml has.
type embedForm struct {
	pages, xml file
	embed.Options
}

// postEmbed is POST /v1/embed/xml.
func (s *Server) postEmbed(x *exchange) error {
	return s.withBody(x, func(v *admission.Visit) error {
		form, err := s.readEmbedding(x, v)
		if err != nil {
			return err
		}
		return s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
			if err := form.pages.isPDFIfSaid(); err != nil {
				return err
			}
			if err := s.reservePDF(x, form.pages.data); err != nil {
				return err
			}
			for _, f := range form.Files {
				if err := x.visit.Take(attachmentCost * int64(len(f.Data))); err != nil {
					return err
				}
			}
			form.Limits, form.Fonts = book.Service.PDF, s.substitutes
			made, err := embed.Document(ctx, book.Service.Service, form.pages.data, form.xml.data, form.Options)
			if err != nil {
				return s.notMade(x, "embed", "xml", notArchivable(err))
			}
			x.made("embed", "xml", made.Report, true)
			return x.sendMadeValid(made)
		})
	})
}

// readEmbedding takes the documents and the options out of a form.
func (s *Server) readEmbedding(x *exchange, v *admission.Visit) (read embedForm, err error) {
	fail := func(err error) (embedForm, error) { return embedForm{}, err }
	kind, params, err := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return fail(newProblem(refusal.MediaType, "Send multipart/form-data with the PDF in the part %q and the XML in the part %q.", partPDF, partXML))
	}
	body, err := s.limitedBody(x)
	if err != nil {
		return fail(err)
	}
	files, taken := []string{partPDF, partFile, partXML, partAttachment}, embedOptions
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
			return fail(newProblem(refusal.FileRepeated, "The form has the parts %q and %q, and both are the PDF. Send one of them.", partPDF, partFile))
		}
		name, read.pages = partFile, other
	}
	if read.pages, err = f.file(name); err != nil {
		return fail(err)
	}
	if read.xml, err = f.file(partXML); err != nil {
		return fail(err)
	}
	f.checkOthers(files, taken)
	if err := f.check(taken); err != nil {
		return fail(err)
	}
	read.pages.pdf = true // whatever type it came under, it has to be one
	read.Relationship = f.Values[option.Relationship]
	if read.Date, err = f.MadeOn(); err != nil {
		return fail(err)
	}
	if read.Level4F, err = level4F(f.Values); err != nil {
		return fail(err)
	}
	for _, a := range f.attached {
		if a.name == "" {
			return fail(newProblem(refusal.FileMissing, "A part %q has no file name, which it would be attached under. Send it with a filename.", partAttachment))
		}
		kind := a.kind
		if kind == "" || kind == "application/octet-stream" {
			kind, _, _ = strings.Cut(mime.TypeByExtension(filepath.Ext(a.name)), ";")
		}
		read.Files = append(read.Files, archive.File{Name: a.name, MIME: kind, Relationship: "Supplement", Data: a.data})
	}
	return read, nil
}

// notArchivable tells why a PDF cannot be made PDF/A-3.
func notArchivable(err error) error {
	refused, ok := errors.AsType[*archive.Refused](err)
	if !ok {
		return err
	}
	p := newProblem(refusal.NotArchivable, "The PDF cannot be made PDF/A-3 for %s. errors.pdf lists each with its page and what to do.", numeral.Count(len(refused.Reasons), "reason"))
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
		texts[i] = fmt.Sprintf("[%s] %s%s %s", r.Code, place, problem.Sentence(language.Say(r.Message)), problem.Sentence(language.Say(r.Remedy)))
	}
	return texts
}
