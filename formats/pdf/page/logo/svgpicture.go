//go:build !js

package logo

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"

	"einvoice/formats/pdf/page/typeset"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// The larger side of a picture whose curves are made of lines: a logo of 100 mm has 60 steps
// to the millimetre; with lines of a width, whose sides the library computes in 32 bits, 7.
const (
	svgScale       = 6000
	svgStrokeScale = 700
)

// maxPoints bounds the outlines of a picture.
const maxPoints = 500_000

var errPoints = fmt.Errorf("the SVG has more than %d points", maxPoints)

// readSVG reads an SVG as filled areas; lines become areas, curves are made of short
// lines. What cannot be kept is refused.
func readSVG(data []byte) (p *Picture, err error) {
	defer func() { // the library has been seen to panic on odd files
		switch r := recover(); r {
		case nil:
		case errPoints:
			p, err = nil, errPoints
		default:
			p, err = nil, fmt.Errorf("the SVG cannot be read: %v", r)
		}
	}()
	prepared, err := prepareSVG(data)
	if err != nil {
		return nil, fmt.Errorf("the SVG cannot be kept: %w", err)
	}
	icon, err := oksvg.ReadIconStream(bytes.NewReader(prepared.data), oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("the SVG has something that logos cannot have (text, pictures, filters); save it with texts as outlines, or as a PNG: %w", err)
	}
	w, h := icon.ViewBox.W, icon.ViewBox.H
	if w <= 0 || h <= 0 {
		return nil, errors.New("the SVG has no size; give it a viewBox")
	}
	scale := svgScale / max(w, h)
	if prepared.strokes {
		scale = svgStrokeScale / max(w, h)
	}
	icon.Transform = rasterx.Identity.Scale(scale, scale).Translate(-icon.ViewBox.X, -icon.ViewBox.Y)
	for i := range icon.SVGPaths { // the library makes paths larger, and not their lines
		style := &icon.SVGPaths[i].PathStyle
		style.LineWidth *= scale
		style.DashOffset *= scale
		for j := range style.Dash {
			style.Dash[j] *= scale
		}
	}
	areas := &areaScanner{paints: prepared.paints, target: icon.Transform}
	icon.Draw(rasterx.NewDasher(int(w*scale), int(h*scale), areas), 1)
	if areas.err != nil {
		return nil, areas.err
	}
	if len(areas.areas) == 0 {
		return nil, errors.New("the SVG shows nothing")
	}
	return &Picture{Width: w * scale, Height: h * scale, Areas: areas.areas, media: "image/svg+xml", data: data}, nil
}

// An areaScanner keeps the areas that are filled, in place of making pixels of them.
type areaScanner struct {
	paints map[[3]uint8]*paint
	target rasterx.Matrix2D // from the view box to the picture
	areas  []Area
	rings  [][]point
	fill   color.Color
	odd    bool
	points int
	err    error
}

// Start begins a ring.
func (s *areaScanner) Start(a fixed.Point26_6) {
	s.rings = append(s.rings, []point{{float64(a.X) / 64, float64(a.Y) / 64}})
}

// Line adds a line to the ring.
func (s *areaScanner) Line(b fixed.Point26_6) {
	if s.points++; s.points > maxPoints {
		panic(errPoints) // ends the library, which does not ask whether to go on
	}
	if n := len(s.rings); n > 0 {
		s.rings[n-1] = append(s.rings[n-1], point{float64(b.X) / 64, float64(b.Y) / 64})
	}
}

// Draw ends an area.
func (s *areaScanner) Draw() {
	if s.fill == nil || len(s.rings) == 0 {
		return
	}
	c := color.NRGBAModel.Convert(s.fill).(color.NRGBA) //nolint:forcetypeassert // what the model makes
	if c.A == 0 {
		return
	}
	drawn := Area{Alpha: float64(c.A) / 255, EvenOdd: s.odd, Rings: joinedRings(s.rings)}
	s.rings = nil
	if p := s.paints[[3]uint8{c.R, c.G, c.B}]; p != nil {
		place, seen := p.place(s.target, drawn.Rings)
		if !seen {
			return
		}
		drawn.Gradient, drawn.Place = p.Gradient, place
	}
	drawn.Fill = typeset.Colour{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255}
	s.areas = append(s.areas, drawn)
}

// joinedRings joins the pieces of outlines. The library draws the two sides of a line as
// pieces, one of them backwards, which are rings only together.
func joinedRings(pieces [][]point) [][]point {
	var rings, open [][]point
	for _, p := range pieces {
		switch {
		case len(p) < 2:
		case p[0] == p[len(p)-1]:
			rings = append(rings, p)
		default:
			open = append(open, p)
		}
	}
	from := map[point][]int{} // open pieces, by where they begin
	for i, p := range slices.Backward(open) {
		from[p[0]] = append(from[p[0]], i)
	}
	next := func(at point) []point {
		for there := from[at]; len(there) > 0; there = from[at] {
			i := there[len(there)-1]
			from[at] = there[:len(there)-1]
			if p := open[i]; p != nil {
				open[i] = nil
				return p
			}
		}
		return nil
	}
	for i := range open {
		ring := open[i]
		if ring == nil {
			continue
		}
		open[i] = nil
		for ring[0] != ring[len(ring)-1] {
			more := next(ring[len(ring)-1])
			if more == nil {
				break // filling closes it
			}
			ring = append(ring, more[1:]...)
		}
		rings = append(rings, ring)
	}
	return rings
}

// SetColor sets the colour of what is filled.
func (s *areaScanner) SetColor(c any) {
	switch c := c.(type) {
	case color.Color:
		s.fill = c
	default:
		s.err = errors.New("the SVG has a paint that logos cannot have; save it with plain colours and gradients, or as a PNG")
	}
}

// SetWinding sets the rule of what is inside.
func (s *areaScanner) SetWinding(nonZero bool) { s.odd = !nonZero }

// Clear forgets what was not drawn.
func (s *areaScanner) Clear() { s.rings = nil }

// GetPathExtent is not asked for.
func (s *areaScanner) GetPathExtent() fixed.Rectangle26_6 { return fixed.Rectangle26_6{} }

// SetBounds does nothing: areas have no pixels.
func (s *areaScanner) SetBounds(int, int) {}

// SetClip does nothing: SVG clips by paths, which are refused.
func (s *areaScanner) SetClip(image.Rectangle) {}
