package typeset

import (
	"fmt"
	"math"
)

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

// luminance is how bright a colour is, as WCAG 2 has it.
func (c Colour) luminance() float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(c[i])
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// Contrast is how well a colour is told from another, from 1 to 21.
func (c Colour) Contrast(other Colour) float64 {
	a, b := c.luminance(), other.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// Hex is the colour as #RRGGBB.
func (c Colour) Hex() string {
	return fmt.Sprintf("#%02X%02X%02X", int(c[0]*255+.5), int(c[1]*255+.5), int(c[2]*255+.5))
}

// Lighter is the colour with so much white that it is read on a dark ground.
func (c Colour) Lighter(ground Colour, contrast float64) Colour {
	for step := range 21 {
		lighter := c
		for i := range lighter {
			lighter[i] += (1 - lighter[i]) * float32(step) / 20
		}
		if lighter.Contrast(ground) >= contrast {
			return lighter
		}
	}
	return Colour{1, 1, 1}
}
