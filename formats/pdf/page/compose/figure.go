package compose

import (
	"einvoice/formats/pdf/page/logo"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

// picture draws a picture as a figure with a description.
func (c *composer) picture(section *tagged.Element, p *logo.Picture, alt string, x, y, width, height float64) {
	if c.err != nil {
		return
	}
	figure := section.Add("Figure")
	figure.Alt, figure.Picture = alt, p
	figure.BBox = [4]float64{x, typeset.PageHeight - y - height, x + width, typeset.PageHeight - y}
	c.page().Object(figure, tagged.LogoName, x, y, width, height)
	if c.keeps {
		c.page().Items = append(c.page().Items, tagged.Item{X: x, Y: y, Width: width, Height: height, Picture: p})
	}
	c.addMarkedContent(figure)
}
