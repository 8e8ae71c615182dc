package server

import (
	_ "embed"
	"html"
	"strings"
	"sync"

	"einvoice/model/template"
)

//go:embed pages/docs.html
var docsTemplate string

var docsPages = sync.OnceValue(func() *template.Template {
	return template.HTML(docsTemplate, template.Functions{"text": marked})
})

// sendPage sends a page. Nothing in it may load or run anything: the style is inside,
// and there are no scripts.
func (x *exchange) sendPage(status int, body []byte) error {
	h := x.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	return x.send(status, "text/html; charset=utf-8", body)
}

// marked sets what is between backquotes as code.
func marked(text string) template.Safe {
	var out strings.Builder
	for i, piece := range strings.Split(text, "`") {
		piece = html.EscapeString(piece)
		if i%2 == 1 {
			piece = "<code>" + piece + "</code>"
		}
		out.WriteString(piece)
	}
	return template.Safe(out.String())
}
