package workbench

import (
	"context"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/service/operation"
	"einvoice/service/render"
	"einvoice/service/report"
)

// MakeRequest asks for a file made of the document.
type MakeRequest struct {
	Settings
	Given
	// What is one of Makes; To is the format.
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

	entries int // of a list, which Value counts in the language of the answer
}

// mostLosses bounds one answer.
const mostLosses = 200

func (d *Desk) makeFile(ctx context.Context, r *MakeRequest) (*Made, error) {
	desk, err := d.with(ctx, &r.Settings)
	if err != nil {
		return nil, err
	}
	make := (*Desk).makeListed
	if r.What == "report" {
		make = (*Desk).makeReport
	}
	made, err := make(desk, ctx, r)
	if err != nil {
		return nil, err
	}
	said, err := desk.language(r.Language)
	for i := range made.Losses {
		made.Losses[i].Reason = said.Say(made.Losses[i].Reason)
		if made.Losses[i].entries > 0 {
			made.Losses[i].Value = said.Say(made.Losses[i].Value)
		}
	}
	return made, err
}

func lossesOf(all []formats.Loss) (losses []Loss) {
	losses = []Loss{}
	for _, l := range all[:min(len(all), mostLosses)] {
		value := shortened(l.Value, model.KindText)
		if l.Entries > 0 {
			value = numeral.Count(l.Entries, "entry") // said with the reason
		}
		losses = append(losses, Loss{string(l.Kind), l.Field, l.BTCode, value, l.Reason, l.Line, l.Entries})
	}
	return losses
}

// makeListed makes what an operation of the list makes. Of a request in JSON, a document is
// created, and pages are drawn.
func (d *Desk) makeListed(ctx context.Context, r *MakeRequest) (*Made, error) {
	name, data := r.What, r.bytes()
	switch {
	case name == "create" && !r.isJSON():
		name = "transform"
	case name == "transform" && r.isJSON():
		name = "create"
	}
	of := operation.Named(name)
	if of == nil || of.Takes == operation.Pages {
		return nil, wrong("what", "there is no such operation", "use one of "+strings.Join(Makes(), ", "))
	}
	if of.To != nil && !slices.Contains(of.To(), r.To) {
		return nil, wrong("to", "there is no such format", "use one of "+strings.Join(of.To(), ", "))
	}
	values := &operation.Values{To: r.To}
	values.Transform.Language = model.NewText(pageLanguage(r.Language))
	var err error
	switch {
	case of.Raw || of.Takes == operation.Request:
	case name == "render":
		values.Read, _, _, err = d.shown(ctx, &r.Given)
	default:
		var received *formats.Received
		if received, err = d.receive(ctx, &r.Given); err == nil {
			values.Read = received.Document
		}
	}
	if err != nil {
		return nil, err
	}
	made, err := of.Run(ctx, d.service, data, values)
	if err != nil {
		return nil, err
	}
	if made.Data == nil {
		return d.notMade(r, made.Report)
	}
	if made.Converted != nil {
		language, err := d.language(r.Language)
		if err == nil {
			err = made.Converted.Translate(language)
		}
		if err != nil {
			return nil, err
		}
	}
	return &Made{Data: made.Data, MediaType: made.MediaType, FileName: made.FileName, Lost: formats.Lost(made.Losses), Losses: lossesOf(made.Losses)}, nil
}

// Makes are the names of what can be asked for as MakeRequest.What.
func Makes() []string {
	var names []string
	for _, of := range operation.All {
		if of.Takes != operation.Pages {
			names = append(names, of.Name)
		}
	}
	return append(names, "report")
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
