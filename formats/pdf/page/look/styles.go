package look

import (
	"einvoice/formats/pdf/page/typeset"
)

// Styles are those of a look. Nothing is set smaller than small and label are.
type Styles struct {
	Title, Number, Due, Heading, Name, Text, Strong, Total, Label, Detail, Small, Column typeset.Style
}

// smallest is the smallest size that text is set in.
const smallest = 8

// Styles are those of the colours, with lines that are as near as the density of the page
// wants.
func (c colours) Styles(density float64) *Styles {
	line := typeset.LeastLine + (typeset.UsualLine-typeset.LeastLine)*density
	return &Styles{
		Title:   typeset.Style{Size: 19, Bold: true, Colour: c.Accent.Colour, Line: line},
		Number:  typeset.Style{Size: 11, Bold: false, Colour: c.Muted.Colour, Line: line},
		Due:     typeset.Style{Size: 16, Bold: true, Colour: c.Text.Colour, Line: line},
		Heading: typeset.Style{Size: 10.5, Bold: true, Colour: c.Accent.Colour, Line: line},
		Name:    typeset.Style{Size: 10, Bold: true, Colour: c.Text.Colour, Line: line},
		Text:    typeset.Style{Size: 9, Bold: false, Colour: c.Text.Colour, Line: line},
		Strong:  typeset.Style{Size: 9, Bold: true, Colour: c.Text.Colour, Line: line},
		Total:   typeset.Style{Size: 11, Bold: true, Colour: c.Text.Colour, Line: line},
		Label:   typeset.Style{Size: smallest, Bold: false, Colour: c.Muted.Colour, Line: line},
		Detail:  typeset.Style{Size: 9, Bold: false, Colour: c.Muted.Colour, Line: line},
		Small:   typeset.Style{Size: smallest, Bold: false, Colour: c.Muted.Colour, Line: line},
		Column:  typeset.Style{Size: smallest, Bold: true, Colour: c.Accent.Colour, Line: line},
	}
}

// Class is the name of a style; empty for that of usual text.
func (s *Styles) Class(st *typeset.Style) string {
	switch st {
	case &s.Label:
		return "label"
	case &s.Detail:
		return "detail"
	case &s.Small:
		return "small"
	case &s.Strong:
		return "strong"
	case &s.Name:
		return "name"
	case &s.Number:
		return "number"
	case &s.Due:
		return "due"
	case &s.Total:
		return "total"
	}
	return ""
}
