package markup

import (
	"encoding/base64"
	"html"
	"strings"

	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
)

// FontFaces are the fonts of the look, in the file.
func FontFaces(l *look.Look) string {
	if l.Plain == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range []struct {
		face   *typeset.Face
		weight string
	}{{l.Plain, "400"}, {l.Bold, "700"}} {
		b.WriteString("@font-face{font-family:own;font-weight:" + f.weight + ";src:url(data:font/sfnt;base64," + base64.StdEncoding.EncodeToString(f.face.File) + ")}\n")
	}
	return b.String()
}

// Attributes name the term of a text.
func Attributes(p *Place) string {
	term := ""
	if p.term != "" {
		term = ` data-term="` + html.EscapeString(p.term) + `"`
	}
	return term + ` data-path="` + html.EscapeString(p.path) + `"`
}
