package logo

import (
	"slices"

	"einvoice/formats/pdf/page/typeset"

	"github.com/srwiley/rasterx"
)

// A Gradient is one of SVG 1.1: along a line, or from a focus to a circle.
type Gradient struct {
	Radial bool
	// coords are x1, y1, x2, y2 of a line; or fx, fy, 0, cx, cy, r, as PDF has them.
	Coords    []float64
	box       bool // they are parts of the box around the shape
	transform rasterx.Matrix2D
	Stops     []GradientStop
}

// A GradientStop is a colour at a place of a gradient.
type GradientStop struct {
	Offset, Opacity float64
	Colour          typeset.Colour
}

// IsOpaque reports whether nothing is seen through.
func (g *Gradient) IsOpaque() bool {
	return !slices.ContainsFunc(g.Stops, func(s GradientStop) bool { return s.Opacity < 1 })
}
