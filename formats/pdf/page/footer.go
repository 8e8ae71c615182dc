package page

import (
	"strconv"
	"strings"
)

// footers draws seller, title and page number at the foot of each page.
func (c *composer) footers() {
	about := c.title()
	if author := c.author(); author != "" {
		about = author + " · " + about
	}
	about = shorten(about, styleLabel, textWidth-40*mm)
	for i, p := range c.pages {
		number := strings.NewReplacer("#", strconv.Itoa(i+1), "{pages}", strconv.Itoa(len(c.pages))).
			Replace(c.language.word("page"))
		y := pageHeight - 13*mm
		p.rectangle(footer, marginLeft, y-10, textWidth, 0.5, lineColour)
		p.text(footer, c.fonts, marginLeft, y, about, styleLabel)
		p.text(footer, c.fonts, pageWidth-marginLeft-widthOf(number, styleLabel), y, number, styleLabel)
	}
}
