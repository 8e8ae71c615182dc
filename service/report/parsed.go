//go:build !js

package report

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"einvoice/engine"
	"einvoice/formats/parse"
	"einvoice/model/template"
)

//go:embed parsed.html
var parsedTemplate string

var parsedPage = sync.OnceValue(func() *template.Template { return template.HTML(parsedTemplate, nil) })

// Confidences from which a value is drawn as sure, and as likely.
const (
	drawnSure   = 0.95
	drawnLikely = 0.7
)

// Bounds of the page: a browser is to show it.
const (
	mostDrawnWords  = 20_000
	mostDrawnFields = 5000
)

type parsedDocument struct {
	Name     string
	Style    template.Safe
	Pages    []parsedSheet
	Fields   []parsedField
	Review   []parse.Review
	Findings []engine.Finding
	Cut      string
}

type parsedSheet struct {
	Number        int
	Width, Height string
	Source        parse.Source
	Words         []parsedWord
	Boxes         []parsedField
}

type parsedWord struct {
	X, Y, Size, Length, Text string
}

type parsedField struct {
	ID, Pointer, Value, Printed, Class, Confidence string
	Source                                         parse.Source
	Alternatives                                   []string
	X, Y, Width, Height                            string
	page                                           int
}

// Parsed writes a page of HTML for people: the values that were read off the pages of a
// document, side by side with the words at their places. Nothing in it loads or runs anything.
func Parsed(w io.Writer, name string, r *parse.Result, findings []engine.Finding) error {
	if w == nil || r == nil {
		return errors.New("there is nothing to write, or nowhere to write it to")
	}
	d := parsedDocument{Name: name, Style: Style, Review: r.Review, Findings: findings}
	drawn := 0
	for i, s := range r.Sheets() {
		sheet := parsedSheet{Number: i + 1, Width: points(s.Width), Height: points(s.Height), Source: r.Pages[i].Source}
		for _, word := range s.Words {
			if drawn++; drawn > mostDrawnWords {
				d.Cut = fmt.Sprintf("Only the first %d words are drawn.", mostDrawnWords)
				break
			}
			sheet.Words = append(sheet.Words, parsedWord{
				X: points(word.Box.Left), Y: points(word.Box.Bottom - 0.22*word.Size), Size: points(word.Size), Length: points(max(word.Box.Right-word.Box.Left, 0.1)), Text: word.Text,
			})
		}
		d.Pages = append(d.Pages, sheet)
	}
	for n, pointer := range slices.Sorted(maps.Keys(r.Fields)) {
		if n == mostDrawnFields {
			d.Cut = fmt.Sprintf("Only the first %d values are shown.", mostDrawnFields)
			break
		}
		f := fieldOf(n, pointer, r)
		d.Fields = append(d.Fields, f)
		if f.page > 0 {
			sheet := &d.Pages[f.page-1]
			sheet.Boxes = append(sheet.Boxes, f)
		}
	}
	return parsedPage().Execute(w, "", d)
}

func fieldOf(n int, pointer string, r *parse.Result) parsedField {
	f := r.Fields[pointer]
	out := parsedField{
		ID: fmt.Sprintf("f%d", n), Pointer: parse.Dotted(pointer), Value: f.Value, Printed: f.Printed,
		Class: "doubtful", Confidence: fmt.Sprintf("%.2f", f.Confidence), Source: f.Source,
	}
	switch {
	case f.Confidence >= drawnSure:
		out.Class = "sure"
	case f.Confidence >= drawnLikely:
		out.Class = "likely"
	}
	for _, a := range f.Alternatives {
		out.Alternatives = append(out.Alternatives, a.Value)
	}
	if f.Box != nil {
		s := r.Sheets()[f.Page-1]
		out.page = f.Page
		out.X, out.Y = points(f.Box.Left*s.Width), points(f.Box.Top*s.Height)
		out.Width, out.Height = points((f.Box.Right-f.Box.Left)*s.Width), points((f.Box.Bottom-f.Box.Top)*s.Height)
	}
	return out
}

func points(v float64) string { return fmt.Sprintf("%.1f", v) }
