package typeset

// Lengths are in points, positions from the top left corner of the page.
const (
	MM         = 72 / 25.4
	PageWidth  = 210 * MM
	PageHeight = 297 * MM
)

// A Colour is red, green and blue, each from 0 to 1.
type Colour [3]float32

// Black is what QR codes are drawn in.
var Black = Colour{0, 0, 0}

// A Style is how a text is set.
type Style struct {
	Size   float64
	Bold   bool
	Colour Colour
	Line   float64 // the height of a line in relation to the size; 0 for the usual one
}

// The heights of lines: the usual one, and the least where space is made smaller.
const (
	UsualLine = 1.32
	LeastLine = 1.17
)

// Leading is the height of a line of text.
func (s *Style) Leading() float64 {
	if s.Line == 0 {
		return s.Size * UsualLine
	}
	return s.Size * s.Line
}
