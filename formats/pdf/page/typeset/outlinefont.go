package typeset

import (
	"encoding/binary"
	"errors"
	"math"

	"einvoice/formats/pdf/font"

	shapefont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
)

// SubsetFor is the font with the outlines of some glyphs. A font with cubic curves (OpenType
// with the table CFF) becomes TrueType; its glyphs are numbered again then, by their order
// here, and the map from codes is written so.
func (t *Face) SubsetFor(glyphs []int, codeToGlyph []byte) ([]byte, error) {
	if t.Kind == font.TrueType {
		return t.Subset(glyphs)
	}
	program := t.shapeFont()
	if program == nil {
		return nil, errors.New("the font " + t.FontName + " cannot be read")
	}
	face := shapefont.NewFace(program)
	perEm := float64(program.Upem())
	outlines := make([]font.Outline, len(glyphs))
	for i, g := range glyphs {
		outlines[i].Advance = int(math.Round(t.Width(g) * perEm / 1000))
		if data, ok := face.GlyphDataOutline(shapefont.GID(g)); ok {
			outlines[i].Contours = quadratic(data.Segments, perEm)
		}
		binary.BigEndian.PutUint16(codeToGlyph[2*i:], uint16(i))
	}
	return font.Build(int(perEm), outlines)
}

// FontMetrics are those for the description of the font.
func (t *Face) FontMetrics() font.Metrics {
	if t.Kind == font.TrueType {
		return t.Metrics()
	}
	m := font.Metrics{Ascent: 880, Descent: -120, CapHeight: 700, Box: [4]int{-1000, -1000, 2000, 2000}, Weight: 400}
	if program := t.shapeFont(); program != nil {
		if e, ok := shapefont.NewFace(program).FontHExtents(); ok {
			perEm := float32(program.Upem()) / 1000
			m.Ascent, m.Descent = int(e.Ascender/perEm), int(e.Descender/perEm)
		}
	}
	return m
}

// quadratic are the contours of an outline with quadratic curves, which differ from its
// cubic ones by less than a thousandth of the font size.
func quadratic(segments []ot.Segment, perEm float64) (contours [][]font.Point) {
	var contour []font.Point
	var at ot.SegmentPoint
	end := func() {
		if n := len(contour); n > 1 && contour[0] == contour[n-1] {
			contour = contour[:n-1] // a contour closes itself
		}
		if len(contour) > 2 {
			contours = append(contours, contour)
		}
		contour = nil
	}
	add := func(x, y float64, on bool) {
		contour = append(contour, font.Point{X: int(math.Round(x)), Y: int(math.Round(y)), On: on})
	}
	for _, s := range segments {
		switch s.Op {
		case ot.SegmentOpMoveTo:
			end()
			at = s.Args[0]
			add(float64(at.X), float64(at.Y), true)
		case ot.SegmentOpLineTo:
			at = s.Args[0]
			add(float64(at.X), float64(at.Y), true)
		case ot.SegmentOpQuadTo:
			add(float64(s.Args[0].X), float64(s.Args[0].Y), false)
			at = s.Args[1]
			add(float64(at.X), float64(at.Y), true)
		case ot.SegmentOpCubeTo:
			splitCubic(at, s.Args, perEm/1000, add)
			at = s.Args[2]
		}
	}
	end()
	return contours
}

// splitCubic adds quadratic curves for a cubic one.
func splitCubic(from ot.SegmentPoint, args [3]ot.SegmentPoint, tolerance float64, add func(x, y float64, on bool)) {
	x := [4]float64{float64(from.X), float64(args[0].X), float64(args[1].X), float64(args[2].X)}
	y := [4]float64{float64(from.Y), float64(args[0].Y), float64(args[1].Y), float64(args[2].Y)}
	// How far a quadratic curve is from a cubic one falls with the third power of the parts.
	third := func(p [4]float64) float64 { return p[3] - 3*p[2] + 3*p[1] - p[0] }
	distance := math.Hypot(third(x), third(y)) * math.Sqrt(3) / 36
	parts := int(max(1, min(16, math.Ceil(math.Cbrt(distance/tolerance)))))
	at := func(p [4]float64, t float64) (value, slope float64) {
		u := 1 - t
		return u*u*u*p[0] + 3*u*u*t*p[1] + 3*u*t*t*p[2] + t*t*t*p[3],
			3*u*u*(p[1]-p[0]) + 6*u*t*(p[2]-p[1]) + 3*t*t*(p[3]-p[2])
	}
	for i := range parts {
		t0, t1 := float64(i)/float64(parts), float64(i+1)/float64(parts)
		x0, dx0 := at(x, t0)
		x1, dx1 := at(x, t1)
		y0, dy0 := at(y, t0)
		y1, dy1 := at(y, t1)
		step := (t1 - t0) / 4
		add((x0+x1)/2+(dx0-dx1)*step, (y0+y1)/2+(dy0-dy1)*step, false)
		add(x1, y1, true)
	}
}
