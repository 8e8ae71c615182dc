package server

import (
	"bytes"
	"embed"
	"html/template"
	"strings"
	"sync"
)

//go:embed pages
var pageFiles embed.FS

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"text": marked}).ParseFS(pageFiles, "pages/*.html"))
})

// sendTemplate renders a page.
func (x *exchange) sendTemplate(status int, name string, data any) error {
	var body bytes.Buffer
	if err := pages().ExecuteTemplate(&body, name, data); err != nil {
		return err
	}
	return x.sendPage(status, body.Bytes())
}

// sendPage sends a page. Nothing in it may load or run anything: the style is inside,
// and there are no scripts.
func (x *exchange) sendPage(status int, body []byte) error {
	h := x.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	return x.send(status, "text/html; charset=utf-8", body)
}

// marked sets what is between backquotes as code.
func marked(text string) template.HTML {
	var out strings.Builder
	for i, piece := range strings.Split(text, "`") {
		piece = template.HTMLEscapeString(piece)
		if i%2 == 1 {
			piece = "<code>" + piece + "</code>"
		}
		out.WriteString(piece)
	}
	return template.HTML(out.String()) //nolint:gosec // every piece is escaped
}
