package html

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html"
	"strings"
	"unicode"

	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/markup"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

//go:embed page.css
var pageCSS string

// Write writes what was composed, with its texts, as HTML. What it returns after the end of the
// context is not whole.
func Write(ctx context.Context, c *compose.Composed) []byte {
	w := &htmlWriter{ctx: ctx, Composed: c, places: markup.Places(c.Invoice), seen: map[string]int{}}
	w.kids(c.Root)
	body := bytes.Clone(w.Bytes())
	w.Reset()
	w.WriteString("<!DOCTYPE html>\n<html lang=\"" + c.Language + "\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>" + html.EscapeString(c.Title) + "</title>\n<style>\n")
	w.css(string(body))
	layout := "plain"
	if c.Look.Letter != nil {
		layout = "letter"
	}
	w.WriteString("</style>\n</head>\n<body class=\"" + layout + "\">\n")
	if len(c.Stamps) > 0 {
		w.WriteString(`<div class="stamp" aria-hidden="true">` + html.EscapeString(strings.Join(c.Stamps, " · ")) + "</div>\n")
	}
	w.WriteString("<main>\n")
	w.Buffer.Write(body)
	w.WriteString("</main>\n</body>\n</html>\n")
	return w.Bytes()
}

type htmlWriter struct {
	bytes.Buffer
	*compose.Composed
	ctx    context.Context // is asked for each part
	places map[any]markup.Place
	seen   map[string]int // how often each term is shown
	heads  []string       // of the columns of the table that is written
	column int
}

// Grounds of dark screens.
var (
	darkPaper = typeset.Colour{0.082, 0.098, 0.118}
	darkShade = typeset.Colour{0.125, 0.149, 0.176}
)

// css writes colours and fonts of the look, and what all looks have in common.
func (w *htmlWriter) css(body string) {
	c := &w.Look.Colours
	fmt.Fprintf(w, ":root{--paper:#fff;--text:%s;--muted:%s;--accent:%s;--line:%s;--shade:%s}\n", c.Text.Text, c.Muted.Text, c.Accent.Text, c.Line.Text, c.Shade.Text)
	const readable = 5
	light := func(of typeset.Colour) string { return of.Lighter(darkShade, readable).Hex() }
	fmt.Fprintf(w, "@media screen and (prefers-color-scheme:dark){:root{--paper:%s;--text:%s;--muted:%s;--accent:%s;--line:#46525f;--shade:%s}}\n",
		darkPaper.Hex(), light(typeset.Colour{0.9, 0.92, 0.94}), light(c.Muted.Colour), light(c.Accent.Colour), darkShade.Hex())
	w.WriteString(markup.FontFaces(w.Look, body))
	w.WriteString(pageCSS)
	fmt.Fprintf(w, "@page{@bottom-left{content:\"%s\"}}\n", cssText(w.Title))
}

// cssText is a text in a string of a style sheet.
func cssText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\%x ", r)
		}
	}
	return b.String()
}

// tags are the elements of HTML for those of the structure.
var tags = map[string]string{
	"Sect": "section", "Div": "div", "H1": "h1", "H2": "h2", "H3": "h3", "P": "p", "Table": "table",
	"THead": "thead", "TBody": "tbody", "TR": "tr", "TH": "th", "TD": "td", "Figure": "figure",
}

func (w *htmlWriter) kids(e *tagged.Element) {
	var before *tagged.Styled
	for _, k := range e.Kids {
		switch {
		case w.ctx.Err() != nil:
			return
		case k.Element != nil:
			w.element(k.Element)
		case k.Text != nil:
			switch {
			case before == nil:
			case w.isBlock(before), w.isBlock(k.Text):
				w.WriteString(" ")
			default:
				w.WriteString("<br>")
			}
			before = k.Text
			w.text(k.Text)
		}
	}
}

// isBlock tells of texts that the style sheet sets in lines of their own.
func (w *htmlWriter) isBlock(t *tagged.Styled) bool {
	switch w.Styles.Class(t.Style) {
	case "label", "name", "number", "due":
		return true
	}
	return t.RunsRightToLeft()
}

// textOf is the text of an element and what is in it.
func textOf(e *tagged.Element) string {
	var b strings.Builder
	for _, k := range e.Kids {
		if k.Element != nil {
			b.WriteString(textOf(k.Element))
		} else if k.Text != nil {
			b.WriteString(k.Text.Text)
		}
	}
	return b.String()
}

// inTable notes the heads of a table's columns, which narrow screens show beside the values.
func (w *htmlWriter) inTable(e *tagged.Element) (attributes string) {
	switch e.Tag {
	case "Table":
		w.heads = nil
	case "TR":
		w.column = 0
	case "TH":
		if e.Scope == "Column" {
			w.heads = append(w.heads, textOf(e))
		}
	case "TD":
		if w.column < len(w.heads) {
			attributes = ` data-label="` + html.EscapeString(w.heads[w.column]) + `"`
		}
		w.column++
	}
	return attributes
}

// value writes what a cell of numbers has, as one block beside the head that narrow screens show.
// The first line is moved so that decimal marks are below each other, and no other line.
func (w *htmlWriter) value(e *tagged.Element) {
	w.WriteString("<span>")
	if e.Shift > 0 && len(e.Kids) > 0 {
		fmt.Fprintf(w, `<span class="shift" style="--shift:%.3fem">`, e.Shift)
		w.kids(&tagged.Element{Kids: e.Kids[:1]})
		w.WriteString("</span>")
		if len(e.Kids) > 1 {
			w.WriteString("<br>")
		}
		e = &tagged.Element{Kids: e.Kids[1:]}
	}
	w.kids(e)
	w.WriteString("</span>")
}

// folds are the sections that readers can fold in.
var folds = map[string]bool{"further": true, "documents": true}

func (w *htmlWriter) element(e *tagged.Element) {
	tag := tags[e.Tag]
	w.WriteString("<" + tag)
	class := e.Class
	if e.Right {
		class = strings.TrimSpace(class + " right")
	}
	if class != "" {
		w.WriteString(` class="` + class + `"`)
	}
	w.WriteString(w.inTable(e))
	switch e.Scope {
	case "Column":
		w.WriteString(` scope="col"`)
	case "Row":
		w.WriteString(` scope="row"`)
	}
	w.WriteString(">")
	switch {
	case e.Code != nil:
		w.WriteString(`<svg role="img" viewBox="0 0 ` + fmt.Sprint(e.Code.Size) + " " + fmt.Sprint(e.Code.Size) + `"><title>` + html.EscapeString(e.Alt) + `</title><path d="` + e.Code.Path() + `"/></svg>`)
	case e.Picture != nil:
		w.WriteString(`<img alt="` + html.EscapeString(e.Alt) + `" src="` + e.Picture.DataURI() + `">`)
	}
	if folds[e.Class] && e.Tag == "Sect" && len(e.Kids) > 1 && e.Kids[0].Element != nil && e.Kids[0].Element.Tag == "H2" {
		w.WriteString("<details open><summary>")
		w.element(e.Kids[0].Element)
		w.WriteString("</summary>")
		w.kids(&tagged.Element{Kids: e.Kids[1:]})
		w.WriteString("</details>")
	} else if e.Tag == "TD" && e.Right && len(e.Kids) > 0 {
		w.value(e)
	} else {
		w.kids(e)
	}
	w.WriteString("</" + tag + ">")
	switch e.Tag {
	case "Sect", "P", "TR", "Table", "H1", "H2", "H3":
		w.WriteString("\n")
	}
}

func (w *htmlWriter) text(t *tagged.Styled) {
	class, direction := w.Styles.Class(t.Style), ""
	if t.RunsRightToLeft() {
		class, direction = strings.TrimSpace(class+" rtl"), ` dir="rtl"`
	}
	if class != "" {
		w.WriteString(`<span class="` + class + `"` + direction + `>`)
	}
	markup.Spans(t.Phrase, w.places, func(text string, at *markup.Place) {
		escaped := strings.ReplaceAll(breakable(html.EscapeString(text)), "\n", "<br>")
		if at == nil {
			w.WriteString(escaped)
			return
		}
		attributes := markup.Attributes(at)
		if typeset.NeedsShaping(text) { // a value of another direction does not move what is beside it
			attributes += ` dir="auto"`
		}
		if term := at.Term(); term != "" {
			w.seen[term]++
			if n := w.seen[term]; n > 1 {
				term += fmt.Sprintf("_%d", n) // BT-125-2 is another term
			}
			attributes = ` id="` + html.EscapeString(term) + `"` + attributes
		}
		if address, save := at.Link(); address != "" {
			link := `<a rel="noopener noreferrer nofollow" href="` + html.EscapeString(address) + `"`
			if save != "" {
				link += ` download="` + html.EscapeString(save) + `"`
			}
			escaped = link + ">" + escaped + "</a>"
		}
		w.WriteString("<span" + attributes + ">" + escaped + "</span>")
	})
	if class != "" {
		w.WriteString("</span>")
	}
}

// longestUnbroken is how many bytes of a word cells of tables have room for.
const longestUnbroken = 30

// breakable is an escaped text with places where words that are longer than cells of tables
// may be broken: such a word would make its table wider than the paper.
func breakable(escaped string) string {
	unbroken, inEntity := 0, false
	if !strings.ContainsFunc(escaped, func(r rune) bool {
		if unbroken++; r == ' ' || r == '\n' {
			unbroken = 0
		}
		return unbroken > longestUnbroken
	}) {
		return escaped
	}
	var b strings.Builder
	unbroken = 0
	for _, r := range escaped {
		inEntity = r == '&' || inEntity && r != ';'
		switch {
		case r == ' ' || r == '\n':
			unbroken = 0
		case inEntity:
		case unbroken == longestUnbroken && !unicode.In(r, unicode.M, unicode.Cf):
			b.WriteString("<wbr>")
			unbroken = 1
		case unbroken < longestUnbroken:
			unbroken++
		}
		b.WriteRune(r)
	}
	return b.String()
}
