package html

import (
	"bytes"
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

// Write writes what was composed, with its texts, as HTML.
func Write(c *compose.Composed) []byte {
	w := &htmlWriter{Composed: c, places: markup.Places(c.Invoice)}
	w.WriteString("<!DOCTYPE html>\n<html lang=\"" + c.Language + "\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + html.EscapeString(c.Title) + "</title>\n<style>\n")
	w.css()
	layout := "plain"
	if c.Look.Letter != nil {
		layout = "letter"
	}
	w.WriteString("</style>\n</head>\n<body class=\"" + layout + "\">\n<main>\n")
	w.kids(c.Root)
	w.WriteString("</main>\n</body>\n</html>\n")
	return w.Bytes()
}

type htmlWriter struct {
	bytes.Buffer
	*compose.Composed
	places map[any]markup.Place
}

// css writes colours and fonts of the look, and what all looks have in common.
func (w *htmlWriter) css() {
	c := &w.Look.Colours
	fmt.Fprintf(w, ":root{--text:%s;--muted:%s;--accent:%s;--line:%s;--shade:%s}\n", c.Text.Text, c.Muted.Text, c.Accent.Text, c.Line.Text, c.Shade.Text)
	w.WriteString(markup.FontFaces(w.Look))
	w.WriteString(pageCSS)
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
	w.kids(e)
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
