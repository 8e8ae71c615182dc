package look

import "einvoice/formats/pdf/page/typeset"

// FooterLine is the base line of the line with sender and page number, from the top of the page:
// within the lower margin.
func (l *Look) FooterLine() float64 {
	return typeset.PageHeight - max(l.Page.Bottom-7, 5)*typeset.MM
}

// TextAreas are the areas of a page in which texts and the logo stand, in millimetres: of the
// first page, or of those that follow.
func (l *Look) TextAreas(first bool) []Box {
	const width, height = typeset.PageWidth / typeset.MM, typeset.PageHeight / typeset.MM
	inner := width - l.Page.Left - l.Page.Right
	line := Box{X: l.Page.Left, Y: l.FooterLine()/typeset.MM - 3.5, Width: inner, Height: 4.5}
	top := l.Page.Top
	areas := []Box{line}
	if first && l.Letter != nil {
		top = l.Letter.Body
		recipient := l.Letter.Recipient
		if recipient.Height == 0 {
			recipient.Height = max(0, top-recipient.Y)
		}
		areas = append(areas, recipient)
		if l.Letter.ReturnLine > 0 {
			const small = 3.6 // the height of a line
			areas = append(areas, Box{X: recipient.X, Y: l.Letter.ReturnLine - small, Width: recipient.Width, Height: 2 * small})
		}
		if l.Letter.Information.Width > 0 {
			areas = append(areas, l.Letter.Information)
		}
	}
	areas = append(areas, Box{X: l.Page.Left, Y: top, Width: inner, Height: height - top - l.Page.Bottom})
	if first && l.Picture != nil {
		w, h := l.Picture.Fit(l.Logo.Width, l.Logo.Height)
		x := l.Logo.X
		if l.Logo.Right {
			x -= w
		}
		areas = append(areas, Box{X: x, Y: l.Logo.Y, Width: w, Height: h})
	}
	return areas
}
