package page

import (
	"bytes"
	"fmt"
	"html"

	"einvoice/model"
)

// SVG draws an invoice as one file of SVG, its pages one below the other. Every text says
// its term and its place, as in HTML; the same errors.
func SVG(inv *model.Invoice, o Options) (*Rendered, error) {
	c, err := kept(inv, o)
	if err != nil {
		return nil, err
	}
	w := &svgWriter{composer: c, places: places(c.invoice)}
	const between = 12 // points between pages
	height := float64(len(c.pages))*(pageHeight+between) - between
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" lang="%s" width="210mm" viewBox="0 0 %.2f %.2f">`+"\n<title>%s</title>\n<style>\n%stext{font-family:own,\"Liberation Sans\",Arial,Helvetica,sans-serif;white-space:pre}\n</style>\n",
		c.language.Tag, pageWidth, height, html.EscapeString(c.title()), fontFaces(c.look))
	for i, p := range c.pages {
		fmt.Fprintf(w, "<g class=\"page\" transform=\"translate(0 %.2f)\">\n<rect width=\"%.2f\" height=\"%.2f\" fill=\"#fff\"/>\n", float64(i)*(pageHeight+between), pageWidth, pageHeight)
		for j := range p.items {
			w.item(&p.items[j])
		}
		w.WriteString("</g>\n")
	}
	w.WriteString("</svg>\n")
	return c.asText(w.Bytes()), nil
}

type svgWriter struct {
	bytes.Buffer
	*composer
	places map[any]place
}

func (w *svgWriter) item(i *item) {
	switch {
	case i.text != nil:
		w.text(i)
	case i.code != nil:
		scale := i.width / float64(i.code.Size)
		fmt.Fprintf(w, "<path transform=\"translate(%.2f %.2f) scale(%.4f)\" d=\"%s\"/>\n", i.x, i.y, scale, i.code.path())
	case i.picture != nil:
		fmt.Fprintf(w, "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" href=\"%s\"/>\n", i.x, i.y, i.width, i.height, i.picture.dataURI())
	default:
		fmt.Fprintf(w, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", i.x, i.y, i.width, i.height, i.fill.hex())
	}
}

// text writes a line of text, as wide as it was set: another font does not move what
// follows.
func (w *svgWriter) text(i *item) {
	st := i.text.style
	weight := ""
	if st.bold {
		weight = ` font-weight="700"`
	}
	direction := ""
	if i.text.rightToLeft || startsRightToLeft(i.text.text) {
		direction = ` direction="rtl" text-anchor="end"`
	}
	fmt.Fprintf(w, `<text x="%.2f" y="%.2f" font-size="%g"%s%s fill="%s"`, i.x, i.y, st.size, weight, direction, st.colour.hex())
	if !needsShaping(i.text.text) {
		fmt.Fprintf(w, ` textLength="%.2f"`, i.width)
	}
	w.WriteString(">")
	i.text.spans(w.places, func(text string, at *place) {
		attributes := ""
		if at != nil {
			attributes = at.attributes()
		}
		if attributes == "" && len(i.text.marks) == 0 {
			w.WriteString(html.EscapeString(text))
			return
		}
		w.WriteString("<tspan" + attributes + ">" + html.EscapeString(text) + "</tspan>")
	})
	w.WriteString("</text>\n")
}

// hex is a colour as HTML has it.
func (c colour) hex() string {
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]*255+.5), int(c[1]*255+.5), int(c[2]*255+.5))
}
