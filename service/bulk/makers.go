package bulk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/convert"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// CodeLoss is the error of what is not made because something would be lost.
const CodeLoss = "BULK-LOSS"

func listed(names []string) string { return strings.Join(names, ", ") }

// strict empties what was made where something was lost that may not be.
func strict(o *Options, m *made) (*made, error) {
	n := formats.Lost(m.losses)
	if !o.Strict || n == 0 {
		return m, nil
	}
	m.data = nil
	return m, &problem.Error{Code: CodeLoss, Message: fmt.Sprintf("%d values would be lost, so nothing was made", n), Remedy: "leave --strict out to make it all the same"}
}

func makeConvert(s *operation.Kit, o *Options) func(context.Context, []byte) (*made, error) {
	return func(ctx context.Context, data []byte) (*made, error) {
		doc, err := s.Read(ctx, data, validate.Accept{PDF: true, Legacy: true})
		if err != nil {
			return nil, err
		}
		c, err := convert.Document(ctx, s.Service, doc, model.Syntax(o.To))
		if err != nil {
			return nil, err
		}
		return strict(o, &made{data: c.Data, ending: ".xml", invoice: doc.Invoice, losses: c.Losses, legacy: formats.LegacyName(doc)})
	}
}

func makeTransform(s *operation.Kit, o *Options) func(context.Context, []byte) (*made, error) {
	return func(ctx context.Context, data []byte) (*made, error) {
		doc, err := s.Read(ctx, data, validate.Accept{PDF: true, Legacy: true})
		if err != nil {
			return nil, err
		}
		t, err := transform.Document(ctx, s.Pages, o.To, doc, o.Transform)
		if refused, ok := errors.AsType[*write.Refused](err); ok {
			return &made{invoice: doc.Invoice, losses: refused.Losses, report: refused.Report}, nil
		}
		if err != nil {
			return nil, err
		}
		m := &made{invoice: doc.Invoice, losses: t.Losses, report: t.Report, legacy: formats.LegacyName(doc)}
		if !t.Report.Valid { // it is for its sender to supply what it lacks
			return m, nil
		}
		m.data, m.ending = t.Data, ".xml"
		if t.MediaType == write.MediaTypePDF {
			m.ending = ".pdf"
		}
		return strict(o, m)
	}
}

func makeExtract(s *operation.Kit, o *Options) func(context.Context, []byte) (*made, error) {
	of := extractions[o.To]
	return func(ctx context.Context, data []byte) (*made, error) {
		e, err := of.take(ctx, s.Service, data)
		if err != nil {
			return nil, err
		}
		return strict(o, &made{data: e.Data, ending: of.ending, losses: e.Losses, legacy: e.Legacy})
	}
}

func makeParse(s *operation.Kit, o *Options) func(context.Context, []byte) (*made, error) {
	return func(ctx context.Context, data []byte) (*made, error) {
		p, err := s.Reader.Document(ctx, data)
		if err != nil {
			return nil, err
		}
		body, err := p.JSON(o.Details)
		return &made{data: body, ending: ".json", invoice: p.Invoice}, err
	}
}

func makeRender(s *operation.Kit, o *Options) func(context.Context, []byte) (*made, error) {
	asked := &o.Transform.Options
	return func(ctx context.Context, data []byte) (*made, error) {
		doc, err := s.Read(ctx, data, validate.Accept{PDF: true, Legacy: true})
		if err != nil {
			return nil, err
		}
		pages, err := s.Pages.Document(ctx, doc, render.Options{Language: asked.Language.Raw, Look: asked.Look.Raw, Date: asked.Date, To: o.To})
		if err != nil {
			return nil, err
		}
		return strict(o, &made{data: pages.Data, ending: "." + o.To, invoice: doc.Invoice, losses: pages.Losses, missing: pages.Missing, unshown: pages.Unshown, legacy: formats.LegacyName(doc)})
	}
}
