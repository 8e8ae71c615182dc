package workbench

import (
	"bytes"
	"context"
	"image/png"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats/filekind"
	"einvoice/formats/parse"
	"einvoice/formats/pdf/raster"
	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// ParseRequest asks what the pages of a file show.
type ParseRequest struct {
	Settings
	Given
}

// Parsed is an invoice that was read off pages, with the pages themselves.
type Parsed struct {
	Invoice  *model.Invoice          `json:"invoice"`
	Fields   map[string]*parse.Field `json:"fields"` // by JSON pointer into Invoice
	Labels   map[string]Label        `json:"labels"` // of the fields, by the same pointers
	Pages    []ParsedPage            `json:"pages"`
	Findings []engine.Finding        `json:"findings"`
}

// Label is what a term is called, and the group that it is in: Invoice line 2.
type Label struct {
	BT     string `json:"bt"`
	Name   string `json:"name"`
	Within string `json:"within"`
}

// ParsedPage is a page with its words, whose boxes are shares of its width and height.
type ParsedPage struct {
	Width  float64 `json:"width"` // in points
	Height float64 `json:"height"`
	// Picture is a PNG; null where there is none, such as of pages that are turned.
	Picture []byte       `json:"picture"`
	Words   []ParsedWord `json:"words"`
}

// ParsedWord is a word at its place.
type ParsedWord struct {
	Text string    `json:"text"`
	Box  parse.Box `json:"box"`
}

// Bounds of the pictures of one answer, and their resolution.
const (
	mostPictures = 4
	pictureDPI   = 90
	mostWords    = 20000
)

func (d *Desk) parse(ctx context.Context, r *ParseRequest) (*Parsed, error) {
	language, err := d.language(r.Language)
	if err != nil {
		return nil, err
	}
	found, err := d.service.Reader.Document(ctx, r.bytes())
	if err != nil {
		return nil, err
	}
	if err := engine.TranslateFindings(found.Findings, language); err != nil {
		return nil, err
	}
	out := &Parsed{Invoice: found.Invoice, Fields: found.Fields, Labels: map[string]Label{}, Pages: []ParsedPage{}, Findings: found.Findings}
	for pointer := range out.Fields {
		out.Labels[pointer] = labelOf(pointer, language)
	}
	seen := 0
	for _, sheet := range found.Sheets() {
		page := ParsedPage{Width: sheet.Width, Height: sheet.Height, Words: []ParsedWord{}}
		for _, w := range sheet.Words {
			if seen++; seen <= mostWords && !w.Turned {
				page.Words = append(page.Words, ParsedWord{w.Text, shares(w.Box, sheet)})
			}
		}
		out.Pages = append(out.Pages, page)
	}
	pictures(ctx, r.bytes(), found.Sheets(), out.Pages)
	return out, ctx.Err()
}

// labelOf names the term that a JSON pointer into an invoice leads to, with the headings that
// View.Groups has.
func labelOf(pointer string, language *words.Language) (l Label) {
	t := model.ObjectOf(&model.Invoice{}).Type
	last := ""
	for i, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if number, err := strconv.Atoi(step); err == nil {
			l.Within += last + " " + itoa(number+1)
			continue
		}
		f, ok := t.Field(step)
		if !ok {
			return Label{Name: pointer}
		}
		name := language.Say(f.Term)
		if f.Elem == nil {
			l.BT, l.Name = f.BT, name
			return l
		}
		if last = name; l.Within != "" {
			last = " › " + name
		}
		if i == 0 && f.Kind == model.KindGroup {
			l.Within = name
		}
		t = f.Elem
	}
	return l
}

func shares(b text.Box, s text.Sheet) parse.Box {
	return parse.Box{Left: b.Left / s.Width, Top: b.Top / s.Height, Right: b.Right / s.Width, Bottom: b.Bottom / s.Height}
}

// pictures adds pictures of the first pages of a PDF. Without one, the words show a page.
func pictures(ctx context.Context, data []byte, sheets []text.Sheet, pages []ParsedPage) {
	if !filekind.IsPDF(data) {
		return
	}
	document, err := raster.Open(ctx, data)
	if err != nil {
		return
	}
	defer document.Close()
	for i := range pages[:min(len(pages), mostPictures)] {
		if sheets[i].Rotation != 0 {
			continue
		}
		picture, err := document.Picture(ctx, i, pictureDPI)
		if err != nil {
			return
		}
		var file bytes.Buffer
		if png.Encode(&file, picture) == nil {
			pages[i].Picture = file.Bytes()
		}
	}
}
