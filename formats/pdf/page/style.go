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

// A color is red, green and blue, each from 0 to 1.
type color [3]float32

var (
	textColor   = color{0.12, 0.15, 0.19}
	mutedColor  = color{0.36, 0.41, 0.47} // a contrast of 5.5 to 1 against white
	accentColor = color{0.07, 0.29, 0.42}
	lineColor   = color{0.80, 0.84, 0.87}
	shadeColor  = color{0.93, 0.955, 0.97}
	black       = color{0, 0, 0}
)

// A style is how a text is set.
type style struct {
	size  float64
	bold  bool
	color color
}

var (
	styleTitle   = &style{22, true, accentColor}
	styleNumber  = &style{11, false, mutedColor}
	styleDue     = &style{17, true, textColor}
	styleHeading = &style{10.5, true, accentColor}
	styleName    = &style{10, true, textColor}
	styleText    = &style{9, false, textColor}
	styleStrong  = &style{9, true, textColor}
	styleTotal   = &style{11.5, true, textColor}
	styleLabel   = &style{7.2, false, mutedColor}
	styleSmall   = &style{7.8, false, mutedColor}
	styleColumn  = &style{7.8, true, accentColor}
)

// leading is the height of a line of text.
func (s *style) leading() float64 { return s.size * 1.32 }
