package svg

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"strings"

	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/markup"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

// Write writes what was composed, with its texts, as SVG. What it returns after the end of the
// context is not whole.
func Write(ctx context.Context, c *compose.Composed) []byte {
	w := &svgWriter{places: markup.Places(c.Invoice)}
	var all strings.Builder // what is shown
	for _, p := range c.Pages {
		for _, i := range p.Items {
			if i.Text != nil {
				all.WriteString(i.Text.Text)
			}
		}
	}
	const between = 12 // points between pages
	height := float64(len(c.Pages))*(typeset.PageHeight+between) - between
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" lang="%s" width="210mm" height="%.2fmm" viewBox="0 0 %.2f %.2f" xml:space="preserve">`+"\n<title>%s</title>\n<style>\n%stext{font-family:own,\"Liberation Sans\",Arial,Helvetica,sans-serif;white-space:pre}\n</style>\n",
		c.Language, height/typeset.MM, typeset.PageWidth, height, html.EscapeString(c.Title), markup.FontFaces(c.Look, all.String()))
	for i, p := range c.Pages {
		if ctx.Err() != nil {
			return nil
		}
		fmt.Fprintf(w, "<g class=\"page\" transform=\"translate(0 %.2f)\">\n<rect width=\"%.2f\" height=\"%.2f\" fill=\"#fff\"/>\n", float64(i)*(typeset.PageHeight+between), typeset.PageWidth, typeset.PageHeight)
		for j := range p.Items {
			w.item(&p.Items[j])
		}
		w.WriteString("</g>\n")
	}
	w.WriteString("</svg>\n")
	return w.Bytes()
}

type svgWriter struct {
	bytes.Buffer
	places map[any]markup.Place
}

func (w *svgWriter) item(i *tagged.Item) {
	switch {
	case i.Text != nil:
		w.text(i)
	case i.Code != nil:
		scale := i.Width / float64(i.Code.Size)
		fmt.Fprintf(w, "<path transform=\"translate(%.2f %.2f) scale(%.4f)\" d=\"%s\"/>\n", i.X, i.Y, scale, i.Code.Path())
	case i.Picture != nil:
		fmt.Fprintf(w, "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" href=\"%s\"/>\n", i.X, i.Y, i.Width, i.Height, i.Picture.DataURI())
	default:
		fmt.Fprintf(w, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", i.X, i.Y, i.Width, i.Height, i.Fill.Hex())
	}
}

// text writes a line of text, as wide as it was set: another font does not move what
// follows.
func (w *svgWriter) text(i *tagged.Item) {
	st := i.Text.Style
	weight := ""
	if st.Bold {
		weight = ` font-weight="700"`
	}
	direction := ""
	if i.Text.RightToLeft || typeset.StartsRightToLeft(i.Text.Text) {
		direction = ` direction="rtl" text-anchor="end"`
	}
	x, y := i.X, i.Y
	if i.Across {
		cos, sin := tagged.Slope()
		x, y = 0, 0
		direction += fmt.Sprintf(` aria-hidden="true" transform="matrix(%.4f %.4f %.4f %.4f %.2f %.2f)"`, cos, -sin, sin, cos,
			typeset.PageWidth/2-i.Width/2*cos, typeset.PageHeight/2+i.Width/2*sin)
	}
	fmt.Fprintf(w, `<text x="%.2f" y="%.2f" font-size="%g"%s%s fill="%s"`, x, y, st.Size, weight, direction, st.Colour.Hex())
	if !typeset.NeedsShaping(i.Text.Text) {
		fmt.Fprintf(w, ` textLength="%.2f"`, i.Width)
	}
	w.WriteString(">")
	markup.Spans(i.Text.Phrase, w.places, func(text string, at *markup.Place) {
		named := ""
		if at != nil {
			named = markup.Attributes(at)
		}
		if named == "" && len(i.Text.Marks) == 0 {
			w.WriteString(html.EscapeString(text))
			return
		}
		w.WriteString("<tspan" + named + ">" + html.EscapeString(text) + "</tspan>")
	})
	w.WriteString("</text>\n")
}
