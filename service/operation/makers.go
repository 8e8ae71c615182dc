package operation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/service/catalogue"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/extract"
	"einvoice/service/render"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// CodeLoss is the code of the error for a document that is not made because a value would be
// lost.
const CodeLoss = "BULK-LOSS"

// strict empties what was made where something was lost that may not be.
func (v *Values) strict(r *Result) (*Result, error) {
	n := formats.Lost(r.Losses)
	if !v.Strict || n == 0 {
		return r, nil
	}
	r.Data = nil
	return r, &problem.Error{Code: CodeLoss, Message: numeral.Count(n, "value") + " would be lost, so nothing was made", Remedy: "leave strict out to make it anyway"}
}

// ofMade is the result of what was made, or refused.
func ofMade(invoice *model.Invoice, made *write.Made, err error) (*Result, error) {
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		return &Result{Invoice: cmp.Or(refused.Invoice, invoice), Losses: refused.Losses, Report: refused.Report}, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Result{Invoice: invoice, Losses: made.Losses, Report: made.Report}
	if !made.Report.Valid { // it is for its sender to supply what it lacks
		return r, nil
	}
	r.Data, r.MediaType, r.FileName, r.Ending = made.Data, made.MediaType, made.FileName, ".xml"
	if made.MediaType == write.MediaTypePDF {
		r.Ending = ".pdf"
	}
	return r, nil
}

// noFormat is the error for a format that is not made.
func noFormat(to string) error {
	return &problem.Error{
		Code: problem.CodeOption, Message: fmt.Sprintf("there is no format %.40q", to), Remedy: "use one of " + strings.Join(catalogue.ToCreate(), ", "), Field: OptionTo,
	}
}

var createCost = Cost{16, 1800}

var createOperation = &Operation{
	Cost: createCost,
	Name: "create", Words: "Make documents of requests in JSON", Takes: Request, To: catalogue.ToCreate, Slow: true,
	Options: []string{OptionLanguage},
	Make: func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
		if f := catalogue.Named(v.To); f == nil || f.Create == nil {
			return nil, noFormat(v.To)
		}
		if err := Pay(ctx, createCost.OfJSON(data)); err != nil {
			return nil, err
		}
		request, err := create.ReadRequestOrInvoice(ctx, data)
		if err != nil {
			return nil, err
		}
		if language := v.Transform.Language.Raw; language != "" {
			request.Speak(language)
		}
		made, err := create.Document(ctx, kit.Pages, v.To, request)
		if made != nil {
			result, err := ofMade(made.Invoice, made, nil)
			if err != nil {
				return nil, err
			}
			asked := Values{Strict: v.Strict || request.Options.IsStrict()}
			return asked.strict(result)
		}
		return ofMade(nil, nil, err)
	},
}

var convertOperation = &Operation{
	Cost: Cost{6, 1200},
	Name: "convert", Words: "Convert all documents into another syntax, with a report of what differs", Takes: Document,
	To:      func() []string { return []string{string(model.UBL), string(model.CII)} },
	Options: []string{OptionStrict},
	Make: func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
		doc, err := v.read(ctx, kit, data)
		if err != nil {
			return nil, err
		}
		c, err := convert.Document(ctx, kit.Service, doc, model.Syntax(v.To))
		if err != nil {
			return nil, err
		}
		return v.strict(&Result{
			Data: c.Data, MediaType: write.MediaTypeXML, FileName: write.FileName(doc.Invoice, ".xml"), Ending: ".xml",
			Invoice: doc.Invoice, Losses: c.Losses, Converted: c, Legacy: formats.LegacyName(doc),
		})
	},
}

var transformOperation = &Operation{
	Cost: Cost{6, 1300},
	Name: "transform", Words: "Transform all documents to another format, such as XRechnung, ZUGFeRD or Factur-X", Takes: Document,
	To: catalogue.ToCreate, Slow: true,
	Options: []string{OptionStrict, OptionProfile, OptionBuyerReference, OptionLanguage, OptionLook, OptionDate},
	Make: func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
		if f := catalogue.Named(v.To); f == nil || f.Create == nil {
			return nil, noFormat(v.To)
		}
		doc, err := v.read(ctx, kit, data)
		if err != nil {
			return nil, err
		}
		made, err := transform.Document(ctx, kit.Pages, v.To, doc, v.Transform)
		r, err := ofMade(doc.Invoice, made, err)
		if err != nil || made == nil {
			return r, err
		}
		if r.Legacy = formats.LegacyName(doc); r.Data == nil {
			return r, nil
		}
		return v.strict(r)
	},
}

// extractions are what extract takes out of a document, with the name of its file.
var extractions = map[string]struct {
	take     func(context.Context, *validate.Service, []byte) (*extract.Extraction, error)
	fileName string
}{
	"xml": {extract.XML, "invoice.xml"}, "json": {extract.JSON, "invoice.json"}, "attachments": {extract.Attachments, "documents.zip"},
}

var extractOperation = &Operation{
	Cost: Cost{6, 450},
	Name: "extract", Words: "Take the XML, the invoice as JSON, or the attachments out of all documents", Takes: Document,
	To: func() []string { return []string{"xml", "json", "attachments"} }, Usual: "json", Raw: true,
	Options: []string{OptionStrict},
	Make: func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
		of, known := extractions[v.To]
		if !known {
			return nil, &problem.Error{Code: problem.CodeOption, Message: "there is nothing of this name to extract", Remedy: "use xml, json or attachments", Field: OptionTo}
		}
		e, err := of.take(ctx, kit.Service, data)
		if err != nil {
			return nil, err
		}
		return v.strict(&Result{
			Data: e.Data, MediaType: e.MediaType, FileName: of.fileName, Ending: of.fileName[strings.LastIndexByte(of.fileName, '.'):], Losses: e.Losses, Legacy: e.Legacy,
		})
	},
}

var parseOperation = &Operation{
	Cost: Cost{6, 450},
	Name: "parse", Words: "Read invoices off the pages of all PDFs", Takes: Pages,
	To: func() []string { return []string{"json"} }, Usual: "json", Slow: true,
	Options: []string{OptionDetails},
	Make: func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
		file, err := kit.Reader.File(ctx, data)
		if err != nil {
			return nil, err
		}
		body, err := file.JSON(v.Details)
		return &Result{Data: body, MediaType: "application/json", FileName: "invoice.json", Ending: ".json", Invoice: file.Invoices()[0].Invoice}, err
	},
}

var renderOperation = &Operation{
	Cost: Cost{8, 2100},
	Name: "render", Words: "Show all documents as pages: PDF, HTML or SVG", Takes: Document,
	To: render.Formats, Usual: "pdf", Slow: true,
	Options: []string{OptionStrict, OptionLanguage, OptionLook, OptionDate},
	Make: func(ctx context.Context, kit *Kit, data []byte, v *Values) (*Result, error) {
		doc, err := v.read(ctx, kit, data)
		if err != nil {
			return nil, err
		}
		asked := &v.Transform.Options
		pages, err := kit.Pages.Document(ctx, doc, render.Options{Language: asked.Language.Raw, Look: asked.Look.Raw, Date: asked.Date, To: v.To})
		if err != nil {
			return nil, err
		}
		return v.strict(&Result{
			Data: pages.Data, MediaType: pages.MediaType, FileName: pages.FileName, Ending: "." + v.To, Invoice: doc.Invoice,
			Losses: pages.Losses, Missing: pages.Missing, Unshown: pages.Unshown, Unsaid: unsaid(pages.Report), Legacy: formats.LegacyName(doc),
		})
	},
}

// unsaid are the findings about statements that the law wants and an invoice does not make. What
// the pages do not show is in the result in other words.
func unsaid(about *engine.Report) (found []engine.Finding) {
	for i := range about.Findings {
		if about.Findings[i].Rule == render.NotSaid {
			found = append(found, about.Findings[i])
		}
	}
	return found
}
