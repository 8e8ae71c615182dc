package text

import "math"

// A matrix maps points of one coordinate system to another, in the notation of PDF.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times is the matrix that applies m first, and then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func matrixOf(n []float64) (matrix, bool) {
	if len(n) != 6 {
		return identity, false
	}
	return matrix(n), true
}

// A graphicsState is the part of the graphics state that text depends on: what q
// saves and Q restores.
type graphicsState struct {
	ctm matrix

	font                 *textFont
	size                 float64
	charSpace, wordSpace float64
	scale, leading, rise float64
	renderingMode        int

	fill, stroke colour
	group        float64 // how opaque the groups around are, together
	plain        bool    // what is painted replaces what is below it
	clip         area
	lineWidth    float64

	fillChosen, strokeChosen bool // a colour was set; the initial one is black in DeviceGray
}

func newGraphicsState() graphicsState {
	return graphicsState{ctm: identity, scale: 1, fill: black, stroke: black, group: 1, plain: true, clip: everywhere, lineWidth: 1}
}

// invisible is the rendering mode of text that is not drawn, such as recognised
// text behind a scanned page.
const invisible = 3

func length(x, y float64) float64 { return math.Hypot(x, y) }
