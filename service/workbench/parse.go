package workbench

import (
	"bytes"
	"context"
	"image/png"

	"einvoice/engine"
	"einvoice/formats/parse"
	"einvoice/formats/pdf"
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
	Pages    []ParsedPage            `json:"pages"`
	Findings []engine.Finding        `json:"findings"`
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
	found, err := d.service.Parse(ctx, r.bytes())
	if err != nil {
		return nil, err
	}
	if err := engine.TranslateFindings(found.Findings, language); err != nil {
		return nil, err
	}
	out := &Parsed{Invoice: found.Invoice, Fields: found.Fields, Pages: []ParsedPage{}, Findings: found.Findings}
	words := 0
	for _, sheet := range found.Sheets() {
		page := ParsedPage{Width: sheet.Width, Height: sheet.Height, Words: []ParsedWord{}}
		for _, w := range sheet.Words {
			if words++; words <= mostWords && !w.Turned {
				page.Words = append(page.Words, ParsedWord{w.Text, shares(w.Box, sheet)})
			}
		}
		out.Pages = append(out.Pages, page)
	}
	pictures(ctx, r.bytes(), found.Sheets(), out.Pages)
	return out, ctx.Err()
}

func shares(b text.Box, s text.Sheet) parse.Box {
	return parse.Box{Left: b.Left / s.Width, Top: b.Top / s.Height, Right: b.Right / s.Width, Bottom: b.Bottom / s.Height}
}

// pictures adds pictures of the first pages of a PDF. Without one, the words show a page.
func pictures(ctx context.Context, data []byte, sheets []text.Sheet, pages []ParsedPage) {
	if !pdf.Is(data) {
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
