package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"strings"
	"unicode"

	"einvoice/model"
	"einvoice/model/problem"
)

//go:embed page.css
var pageCSS string

// HTML draws an invoice as one file of HTML, which refers to nothing outside. Every text
// says its term, as data-term="BT-112", and its place in a request, as
// data-path="totals.totalAmountWithVat". Errors are those of PDF; a look with letter paper
// is refused.
func HTML(inv *model.Invoice, o Options) (*Rendered, error) {
	c, err := kept(inv, o)
	if err != nil {
		return nil, err
	}
	w := &htmlWriter{composer: c, places: places(c.invoice)}
	w.WriteString("<!DOCTYPE html>\n<html lang=\"" + c.language.Tag + "\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + html.EscapeString(c.title()) + "</title>\n<style>\n")
	w.css()
	layout := "plain"
	if c.look.Letter != nil {
		layout = "letter"
	}
	w.WriteString("</style>\n</head>\n<body class=\"" + layout + "\">\n<main>\n")
	w.kids(c.root)
	w.WriteString("</main>\n</body>\n</html>\n")
	return c.asText(w.Bytes()), nil
}

// asText is the result of HTML or SVG. Who shows it chooses the fonts for characters that
// those of the program do not have, so none is missing.
func (c *composer) asText(text []byte) *Rendered {
	rendered := c.rendered()
	rendered.Data, rendered.Missing = text, nil
	return rendered
}

// kept composes an invoice and keeps text and terms.
func kept(inv *model.Invoice, o Options) (*composer, error) {
	if o.Look != nil && (o.Look.paper[0] != nil || o.Look.paper[1] != nil) {
		return nil, &problem.Error{Code: CodeLook, Message: "the look has letter paper, which PDF alone can have", Remedy: "use a look without paper for HTML and SVG, or make a PDF"}
	}
	o.keeps = true
	return composed(inv, o)
}

type htmlWriter struct {
	bytes.Buffer
	*composer
	places map[any]place
}

// css writes colours and fonts of the look, and what all looks have in common.
func (w *htmlWriter) css() {
	c := &w.look.Colours
	fmt.Fprintf(w, ":root{--text:%s;--muted:%s;--accent:%s;--line:%s;--shade:%s}\n", c.Text.text, c.Muted.text, c.Accent.text, c.Line.text, c.Shade.text)
	w.WriteString(fontFaces(w.look))
	w.WriteString(pageCSS)
}

// fontFaces are the fonts of the look, in the file.
func fontFaces(l *Look) string {
	if l.plain == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range []struct {
		face   *typeface
		weight string
	}{{l.plain, "400"}, {l.bold, "700"}} {
		b.WriteString("@font-face{font-family:own;font-weight:" + f.weight + ";src:url(data:font/sfnt;base64," + base64.StdEncoding.EncodeToString(f.face.data) + ")}\n")
	}
	return b.String()
}

// tags are the elements of HTML for those of the structure.
var tags = map[string]string{
	"Sect": "section", "Div": "div", "H1": "h1", "H2": "h2", "H3": "h3", "P": "p", "Table": "table",
	"THead": "thead", "TBody": "tbody", "TR": "tr", "TH": "th", "TD": "td", "Figure": "figure",
}

func (w *htmlWriter) kids(e *element) {
	var before *styled
	for _, k := range e.kids {
		switch {
		case k.element != nil:
			w.element(k.element)
		case k.text != nil:
			switch {
			case before == nil:
			case w.isBlock(before), w.isBlock(k.text):
				w.WriteString(" ")
			default:
				w.WriteString("<br>")
			}
			before = k.text
			w.text(k.text)
		}
	}
}

// isBlock tells of texts that the style sheet sets in lines of their own.
func (w *htmlWriter) isBlock(t *styled) bool {
	switch w.style.class(t.style) {
	case "label", "name", "number", "due":
		return true
	}
	return t.runsRightToLeft()
}

func (t *styled) runsRightToLeft() bool { return needsShaping(t.text) && startsRightToLeft(t.text) }

func (w *htmlWriter) element(e *element) {
	tag := tags[e.tag]
	w.WriteString("<" + tag)
	class := e.class
	if e.right {
		class = strings.TrimSpace(class + " right")
	}
	if class != "" {
		w.WriteString(` class="` + class + `"`)
	}
	switch e.scope {
	case "Column":
		w.WriteString(` scope="col"`)
	case "Row":
		w.WriteString(` scope="row"`)
	}
	w.WriteString(">")
	switch {
	case e.code != nil:
		w.WriteString(`<svg role="img" viewBox="0 0 ` + fmt.Sprint(e.code.Size) + " " + fmt.Sprint(e.code.Size) + `"><title>` + html.EscapeString(e.alt) + `</title><path d="` + e.code.path() + `"/></svg>`)
	case e.picture != nil:
		w.WriteString(`<img alt="` + html.EscapeString(e.alt) + `" src="` + e.picture.dataURI() + `">`)
	}
	w.kids(e)
	w.WriteString("</" + tag + ">")
	switch e.tag {
	case "Sect", "P", "TR", "Table", "H1", "H2", "H3":
		w.WriteString("\n")
	}
}

func (w *htmlWriter) text(t *styled) {
	class, direction := w.style.class(t.style), ""
	if t.runsRightToLeft() {
		class, direction = strings.TrimSpace(class+" rtl"), ` dir="rtl"`
	}
	if class != "" {
		w.WriteString(`<span class="` + class + `"` + direction + `>`)
	}
	t.spans(w.places, func(text string, at *place) {
		escaped := strings.ReplaceAll(breakable(html.EscapeString(text)), "\n", "<br>")
		if at == nil {
			w.WriteString(escaped)
			return
		}
		attributes := at.attributes()
		if needsShaping(text) { // a value of another direction does not move what is beside it
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

// attributes name the term of a text.
func (p *place) attributes() string {
	term := ""
	if p.term != "" {
		term = ` data-term="` + html.EscapeString(p.term) + `"`
	}
	return term + ` data-path="` + html.EscapeString(p.path) + `"`
}

// class is the name of a style; empty for that of usual text.
func (s *styles) class(st *style) string {
	switch st {
	case &s.label:
		return "label"
	case &s.small:
		return "small"
	case &s.strong:
		return "strong"
	case &s.name:
		return "name"
	case &s.number:
		return "number"
	case &s.due:
		return "due"
	case &s.total:
		return "total"
	}
	return ""
}

// path is the dark modules of a QR code as a path of SVG.
func (q *qrCode) path() string {
	var b strings.Builder
	q.runs(func(row, from, to int) { fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from, row, to-from, to-from) })
	return b.String()
}

// dataURI is the file of a picture.
func (p *picture) dataURI() string {
	return "data:" + p.media + ";base64," + base64.StdEncoding.EncodeToString(p.data)
}
