package workbench

import (
	"context"
	"errors"
	"strconv"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/service/render"
)

func itoa(i int) string { return strconv.Itoa(i) }

// ViewRequest asks how a document looks and what is in it.
type ViewRequest struct {
	Settings
	Given
	// NoPage asks for the fields alone.
	NoPage bool `json:"noPage"`
}

// View is a document as its page and as its fields.
type View struct {
	// HTML is the page as render makes it, each text with data-path and data-term; "" where
	// there is none, which Problem tells, and where none was asked for.
	HTML string `json:"html"`
	// Fields are the terms of the invoice in the order of the model.
	Fields []Field `json:"fields"`
	// Groups are the headings of fields by the paths that these begin with: Seller, Invoice
	// line 2, and what is in lists inside.
	Groups  map[string]string `json:"groups"`
	Omitted int               `json:"omitted"` // fields beyond those of the answer
	Losses  int               `json:"losses"`  // what the page does not show
	Problem *Problem          `json:"problem,omitempty"`
}

// Field is a term of an invoice with its place in the text.
type Field struct {
	Path  string `json:"path"`
	BT    string `json:"bt"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Span  *Span  `json:"span"`
	// Edit is where the value alone is, to be replaced; null where that is not one text.
	Edit *Span `json:"edit"`
}

// mostFields bounds one answer.
const mostFields = 20000

func (d *Desk) view(ctx context.Context, r *ViewRequest) (*View, error) {
	language := r.Language
	if language == "" {
		language = "en"
	}
	if render.CheckLanguage(language) != nil {
		language = "en"
	}
	said, _ := d.language(language) // English where there are no words
	doc, text, members, err := d.shown(ctx, &r.Given)
	if e, ok := errors.AsType[*problem.Error](err); ok {
		return &View{Fields: []Field{}, Groups: map[string]string{}, Problem: problemOf(e, said)}, nil
	}
	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		return &View{Fields: []Field{}, Groups: map[string]string{}, Problem: problemOfJSON(e, said)}, nil
	}
	if err != nil {
		return nil, err
	}
	v := &View{Fields: []Field{}, Groups: map[string]string{}}
	v.fields(ctx, doc, text, members)
	for i := range v.Fields {
		v.Fields[i].Name = said.Say(v.Fields[i].Name)
	}
	v.groups("", "", model.ObjectOf(doc.Invoice), said)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r.NoPage {
		return v, nil
	}
	pages, err := d.service.Pages.Document(ctx, doc, render.Options{Language: language, To: "html"})
	if e, ok := errors.AsType[*problem.Error](err); ok {
		v.Problem = problemOf(e, said)
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.HTML, v.Losses = string(pages.Data), formats.Lost(pages.Losses)
	return v, nil
}

// shown reads a document to be shown, valid or not; members are those of JSON.
func (d *Desk) shown(ctx context.Context, g *Given) (doc *model.Document, text string, members map[string]extent, err error) {
	if !g.isJSON() {
		received, err := d.receive(ctx, g)
		if err != nil {
			return nil, "", nil, err
		}
		return received.Document, received.Document.Source.Data, nil, nil
	}
	text = editable(string(g.bytes()))
	request, err := readRequest(ctx, text)
	if err != nil {
		return nil, "", nil, err
	}
	return &model.Document{Invoice: request.Invoice}, text, membersOf(ctx, text), nil
}

// fields lists the terms with their places.
func (v *View) fields(ctx context.Context, doc *model.Document, text string, members map[string]extent) {
	at := newSpans(text)
	var extents []extent
	eachTerm(ctx, "", model.ObjectOf(doc.Invoice), func(path string, of model.Object, f *model.Field) {
		if len(v.Fields) == mostFields {
			v.Omitted++
			return
		}
		e, ok := members[path]
		if members == nil && doc.Source != nil {
			e, ok = extentOf(doc.Source, of.RefOf(f))
		}
		if !ok {
			e = extent{}
		}
		at.ask(e.from)
		at.ask(e.to)
		at.ask(e.valueFrom)
		at.ask(e.valueTo)
		extents = append(extents, e)
		name := f.Term
		if known, ok := engine.TermName(f.BT); ok {
			name = known
		}
		v.Fields = append(v.Fields, Field{Path: path, BT: f.BT, Name: name, Value: shortened(of.Raw(f), f.Kind)})
	})
	at.walk()
	for i, e := range extents {
		if e.to > 0 {
			v.Fields[i].Span = &Span{at.of(e.from), at.of(e.to)}
		}
		if e.valueTo > 0 {
			v.Fields[i].Edit = &Span{at.of(e.valueFrom), at.of(e.valueTo)}
		}
	}
}

// groups names the groups of an invoice, and those of lists inside them.
func (v *View) groups(path, within string, o model.Object, language *words.Language) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		if !o.Has(f) || len(v.Groups) >= mostFields {
			continue
		}
		at, name := model.Join(path, f.Name), language.Say(f.Term)
		if within != "" {
			name = within + " › " + name
		}
		switch f.Kind {
		case model.KindGroup:
			if path == "" {
				v.Groups[at] = name
				v.groups(at, name, o.Group(f), language)
			} else {
				v.groups(at, within, o.Group(f), language)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				item, numbered := at+"["+itoa(i)+"]", name+" "+itoa(i+1)
				v.Groups[item] = numbered
				v.groups(item, numbered, list.At(i), language)
			}
		}
	}
}

// longestValue bounds a value that is shown; binary objects have megabytes.
const longestValue = 2000

func shortened(value string, kind model.Kind) string {
	if kind == model.KindBinary || len(value) > longestValue {
		return value[:min(len(value), 40)] + "…"
	}
	return value
}

// eachTerm visits the terms that an invoice has.
func eachTerm(ctx context.Context, path string, o model.Object, visit func(path string, of model.Object, f *model.Field)) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		if !o.Has(f) {
			continue
		}
		at := model.Join(path, f.Name)
		switch f.Kind {
		case model.KindGroup:
			eachTerm(ctx, at, o.Group(f), visit)
		case model.KindList:
			list := o.List(f)
			for i := 0; i < list.Len() && ctx.Err() == nil; i++ {
				eachTerm(ctx, at+"["+itoa(i)+"]", list.At(i), visit)
			}
		default:
			visit(at, o, f)
		}
	}
}
