package markup

import (
	"encoding/base64"
	"html"
	"strings"

	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
)

// FontFaces are the fonts of the look, in the file, with the characters of a text alone, as their
// licences ask.
func FontFaces(l *look.Look, text string) string {
	if l.Plain == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range []struct {
		face   *typeset.Face
		weight string
	}{{l.Plain, "400"}, {l.Bold, "700"}} {
		data, err := f.face.ForText(text)
		if err != nil {
			continue // whoever shows the file has a font
		}
		b.WriteString("@font-face{font-family:own;font-weight:" + f.weight + ";src:url(data:font/sfnt;base64," + base64.StdEncoding.EncodeToString(data) + ")}\n")
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
