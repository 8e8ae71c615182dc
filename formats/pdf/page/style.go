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
}

// leading is the height of a line of text.
func (s *style) leading() float64 { return s.size * 1.32 }

// styles are those of a look. Nothing is set smaller than small and label are.
type styles struct {
	title, number, due, heading, name, text, strong, total, label, small, column style
}

// smallest is the smallest size that text is set in.
const smallest = 8

func (c colours) styles() *styles {
	return &styles{
		title:   style{19, true, c.Accent.colour},
		number:  style{11, false, c.Muted.colour},
		due:     style{16, true, c.Text.colour},
		heading: style{10.5, true, c.Accent.colour},
		name:    style{10, true, c.Text.colour},
		text:    style{9, false, c.Text.colour},
		strong:  style{9, true, c.Text.colour},
		total:   style{11, true, c.Text.colour},
		label:   style{smallest, false, c.Muted.colour},
		small:   style{smallest, false, c.Muted.colour},
		column:  style{smallest, true, c.Accent.colour},
	}
}
