package page

// Lengths are in points, positions from the top left corner of the page.
const (
	mm         = 72 / 25.4
	pageWidth  = 210 * mm
	pageHeight = 297 * mm
	marginLeft = 18 * mm
	marginTop  = 16 * mm
	textWidth  = pageWidth - 2*marginLeft
	// textBottom is where text ends; the footer is below.
	textBottom = pageHeight - 20*mm
)

// A colour is red, green and blue, each from 0 to 1.
type colour [3]float32

var (
	textColour   = colour{0.12, 0.15, 0.19}
	mutedColour  = colour{0.36, 0.41, 0.47} // a contrast of 5.5 to 1 against white
	accentColour = colour{0.07, 0.29, 0.42}
	lineColour   = colour{0.80, 0.84, 0.87}
	shadeColour  = colour{0.93, 0.955, 0.97}
	black        = colour{0, 0, 0}
)

// A style is how a text is set.
type style struct {
	size   float64
	bold   bool
	colour colour
}

var (
	styleTitle   = &style{22, true, accentColour}
	styleNumber  = &style{11, false, mutedColour}
	styleDue     = &style{17, true, textColour}
	styleHeading = &style{10.5, true, accentColour}
	styleName    = &style{10, true, textColour}
	styleText    = &style{9, false, textColour}
	styleStrong  = &style{9, true, textColour}
	styleTotal   = &style{11.5, true, textColour}
	styleLabel   = &style{7.2, false, mutedColour}
	styleSmall   = &style{7.8, false, mutedColour}
	styleColumn  = &style{7.8, true, accentColour}
)

// leading is the height of a line of text.
func (s *style) leading() float64 { return s.size * 1.32 }
