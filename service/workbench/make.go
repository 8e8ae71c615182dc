package workbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/extract"
	"einvoice/service/render"
	"einvoice/service/report"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// MakeRequest asks for a file made of the document.
type MakeRequest struct {
	Settings
	Given
	// What is create, convert, transform, render, extract or report; To is the format.
	What string `json:"what"`
	To   string `json:"to"`
}

// Made is a file made of a document.
type Made struct {
	Data      []byte `json:"data"` // base64 in JSON
	MediaType string `json:"mediaType"`
	FileName  string `json:"fileName"`
	Lost      int    `json:"lost"` // what the document has and the file has not
	Losses    []Loss `json:"losses"`
	// Refused is the report of a document that would have violated rules; there is no file.
	Refused *Checked `json:"refused,omitempty"`
}

// Loss is something of the document that the file does not have in the same way.
type Loss struct {
	Kind   string `json:"kind"`
	Field  string `json:"field"`
	BT     string `json:"bt"`
	Value  string `json:"value"`
	Reason string `json:"reason"`
	Line   int    `json:"line"`
}

// mostLosses bounds one answer.
const mostLosses = 200

func (d *Desk) makeFile(ctx context.Context, r *MakeRequest) (*Made, error) {
	desk, err := d.with(&r.Settings)
	if err != nil {
		return nil, err
	}
	makers := map[string]func(*Desk, context.Context, *MakeRequest) (*Made, error){
		"create": (*Desk).makeTransform, "transform": (*Desk).makeTransform, "convert": (*Desk).makeConverted,
		"render": (*Desk).makePages, "extract": (*Desk).makeExtract, "report": (*Desk).makeReport,
	}
	maker := makers[r.What]
	if maker == nil {
		return nil, wrong("what", "there is no such operation", "use create, convert, transform, render, extract or report")
	}
	made, err := maker(desk, ctx, r)
	if err != nil {
		return nil, err
	}
	said, err := desk.language(r.Language)
	for i := range made.Losses {
		made.Losses[i].Reason = said.Say(made.Losses[i].Reason)
	}
	return made, err
}

func lossesOf(all []formats.Loss) (losses []Loss) {
	losses = []Loss{}
	for _, l := range all[:min(len(all), mostLosses)] {
		losses = append(losses, Loss{string(l.Kind), l.Field, l.BTCode, shortened(l.Value, model.KindText), l.Reason, l.Line})
	}
	return losses
}

// makeTransform makes a valid invoice of a format, of XML or of JSON.
func (d *Desk) makeTransform(ctx context.Context, r *MakeRequest) (*Made, error) {
	if !slices.Contains(catalogue.ToCreate(), r.To) {
		return nil, wrong("to", fmt.Sprintf("there is no format %.40q", r.To), "use one of "+strings.Join(catalogue.ToCreate(), ", "))
	}
	var made *write.Made
	var err error
	if r.isJSON() {
		var request *create.Request
		if request, err = create.ReadRequestOrInvoice(r.bytes()); err != nil {
			return nil, err
		}
		request.Speak(pageLanguage(r.Language))
		made, err = create.Document(ctx, d.service.Pages, r.To, request)
	} else {
		var received *formats.Received
		if received, err = d.receive(ctx, &r.Given); err != nil {
			return nil, err
		}
		options := write.Options{Language: model.NewText(pageLanguage(r.Language))}
		made, err = transform.Document(ctx, d.service.Pages, r.To, received.Document, transform.Options{Options: options})
	}
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		return d.notMade(r, refused.Report)
	}
	if err != nil {
		return nil, err
	}
	if !made.Report.Valid {
		return d.notMade(r, made.Report)
	}
	return &Made{Data: made.Data, MediaType: made.MediaType, FileName: made.FileName, Lost: formats.Lost(made.Losses), Losses: lossesOf(made.Losses)}, nil
}

// notMade is the answer where the document would have violated rules.
func (d *Desk) notMade(r *MakeRequest, why *engine.Report) (*Made, error) {
	language, err := d.language(r.Language)
	if err != nil {
		return nil, err
	}
	c, err := judged(why, language)
	return &Made{Refused: c, Losses: []Loss{}}, err
}

func pageLanguage(tag string) string {
	if tag == "" || render.CheckLanguage(tag) != nil {
		return "en"
	}
	return tag
}

func (d *Desk) makeConverted(ctx context.Context, r *MakeRequest) (*Made, error) {
	received, err := d.receive(ctx, &r.Given)
	if err != nil {
		return nil, err
	}
	made, err := convert.Document(ctx, d.service.Service, received.Document, model.Syntax(r.To))
	if err != nil {
		return nil, err
	}
	return &Made{
		Data: made.Data, MediaType: write.MediaTypeXML, FileName: write.FileName(received.Document.Invoice, ".xml"),
		Lost: formats.Lost(made.Losses), Losses: lossesOf(made.Losses),
	}, nil
}

func (d *Desk) makePages(ctx context.Context, r *MakeRequest) (*Made, error) {
	doc, _, _, err := d.shown(ctx, &r.Given)
	if err != nil {
		return nil, err
	}
	pages, err := d.service.Pages.Document(ctx, doc, render.Options{Language: pageLanguage(r.Language), To: r.To})
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{"": write.MediaTypePDF, "pdf": write.MediaTypePDF, "html": "text/html", "svg": "image/svg+xml"}
	return &Made{Data: pages.Data, MediaType: kinds[r.To], FileName: pages.FileName, Lost: formats.Lost(pages.Losses), Losses: lossesOf(pages.Losses)}, nil
}

func (d *Desk) makeExtract(ctx context.Context, r *MakeRequest) (*Made, error) {
	extracts := map[string]struct {
		from func(context.Context, *validate.Service, []byte) (*extract.Extraction, error)
		name string
	}{
		"json": {extract.JSON, "invoice.json"}, "xml": {extract.XML, "invoice.xml"},
		"attachments": {extract.Attachments, "documents.zip"},
	}
	e, ok := extracts[r.To]
	if !ok {
		return nil, wrong("to", "there is nothing of this name to extract", "use xml, json or attachments")
	}
	found, err := e.from(ctx, d.service.Service, r.bytes())
	if err != nil {
		return nil, err
	}
	return &Made{Data: found.Data, MediaType: found.MediaType, FileName: e.name, Lost: formats.Lost(found.Losses), Losses: lossesOf(found.Losses)}, nil
}

// makeReport writes the report of a validation in one of its formats.
func (d *Desk) makeReport(ctx context.Context, r *MakeRequest) (*Made, error) {
	format := report.Named(r.To)
	if format == nil {
		return nil, wrong("to", "there is no such report", "use one of "+strings.Join(report.Names(), ", "))
	}
	language, err := d.language(r.Language)
	if err != nil {
		return nil, err
	}
	outcome, err := d.outcome(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := outcome.Report.Translate(language); err != nil {
		return nil, err
	}
	data, err := format.Single(outcome, report.Options{Library: d.service.Library(), Words: language})
	if err != nil {
		return nil, err
	}
	endings := map[string]string{"text": "txt", "html": "html", "svrl": "svrl.xml", "junit": "junit.xml", "jsonl": "jsonl", "sarif": "sarif.json"}
	ending := endings[r.To]
	if ending == "" {
		ending = "json"
	}
	return &Made{Data: data, MediaType: format.MediaType, FileName: "report." + ending, Losses: []Loss{}}, nil
}

// outcome judges a document for its report.
func (d *Desk) outcome(ctx context.Context, r *MakeRequest) (*report.Outcome, error) {
	if r.isJSON() {
		judgement, _, err := d.judgeJSON(ctx, &r.Settings, editable(string(r.bytes())))
		return &report.Outcome{Name: r.Name, Report: judgement}, err
	}
	rules, received, err := d.receiveWithRules(ctx, &r.Settings, &r.Given)
	if err != nil {
		return nil, err
	}
	if e := withoutRules(received.Document); e != nil {
		return nil, e
	}
	result, err := d.service.ValidateReceived(ctx, received, rules)
	if err != nil {
		return nil, err
	}
	return &report.Outcome{Name: r.Name, Report: result.Report, Document: result.Document}, nil
}
