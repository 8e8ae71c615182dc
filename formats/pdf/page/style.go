package page

// Lengths are in points, positions from the top left corner of the page.
const (
	mm         = 72 / 25.4
	pageWidth  = 210 * mm
	pageHeight = 297 * mm
)

// A colour is red, green and blue, each from 0 to 1.
type colour [3]float32

var black = colour{0, 0, 0}

// A style is how a text is set.
type style struct {
	size   float64
	bold   bool
	colour colour
	line   float64 // the height of a line in relation to the size; 0 for the usual one
}

// The heights of lines: the usual one, and the least where space is made smaller.
const (
	usualLine = 1.32
	leastLine = 1.17
)

// leading is the height of a line of text.
func (s *style) leading() float64 {
	if s.line == 0 {
		return s.size * usualLine
	}
	return s.size * s.line
}

// styles are those of a look. Nothing is set smaller than small and label are.
type styles struct {
	title, number, due, heading, name, text, strong, total, label, small, column style
}

// smallest is the smallest size that text is set in.
const smallest = 8

// styles are those of the colours, with lines that are as near as the density of the page
// wants.
func (c colours) styles(density float64) *styles {
	line := leastLine + (usualLine-leastLine)*density
	return &styles{
		title:   style{19, true, c.Accent.colour, line},
		number:  style{11, false, c.Muted.colour, line},
		due:     style{16, true, c.Text.colour, line},
		heading: style{10.5, true, c.Accent.colour, line},
		name:    style{10, true, c.Text.colour, line},
		text:    style{9, false, c.Text.colour, line},
		strong:  style{9, true, c.Text.colour, line},
		total:   style{11, true, c.Text.colour, line},
		label:   style{smallest, false, c.Muted.colour, line},
		small:   style{smallest, false, c.Muted.colour, line},
		column:  style{smallest, true, c.Accent.colour, line},
	}
}
