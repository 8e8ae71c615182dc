package page

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// svgScale is the larger side of a picture whose curves are made of lines: a logo of
// 100 mm has 60 steps to the millimetre.
const svgScale = 6000

// maxPoints bounds the outlines of a picture.
const maxPoints = 500_000

// readSVG reads an SVG as filled areas; lines become areas, curves are made of short
// lines. What cannot be kept is refused.
func readSVG(data []byte) (p *picture, err error) {
	defer func() { // the library has been seen to panic on odd files
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("the SVG cannot be read: %v", r)
		}
	}()
	icon, err := oksvg.ReadIconStream(bytes.NewReader(data), oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("the SVG has something that logos cannot have (text, pictures, filters): %w", err)
	}
	w, h := icon.ViewBox.W, icon.ViewBox.H
	if w <= 0 || h <= 0 {
		return nil, errors.New("the SVG has no size; give it a viewBox")
	}
	scale := svgScale / max(w, h)
	icon.SetTarget(0, 0, w*scale, h*scale)
	for i := range icon.SVGPaths { // the library makes paths larger, and not their lines
		style := &icon.SVGPaths[i].PathStyle
		style.LineWidth *= scale
		style.DashOffset *= scale
		for j := range style.Dash {
			style.Dash[j] *= scale
		}
	}
	areas := &areaScanner{}
	icon.Draw(rasterx.NewDasher(int(w*scale), int(h*scale), areas), 1)
	if areas.err != nil {
		return nil, areas.err
	}
	if len(areas.areas) == 0 {
		return nil, errors.New("the SVG shows nothing")
	}
	return &picture{width: w * scale, height: h * scale, areas: areas.areas, media: "image/svg+xml", data: data}, nil
}

// An areaScanner keeps the areas that are filled, in place of making pixels of them.
type areaScanner struct {
	areas  []area
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
		s.err = fmt.Errorf("the SVG has more than %d points", maxPoints)
		return
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
	var fill colour
	for i, v := range []uint8{c.R, c.G, c.B} { // what is seen through is on white paper
		alpha := float32(c.A) / 255
		fill[i] = float32(v)/255*alpha + 1 - alpha
	}
	s.areas = append(s.areas, area{fill: fill, evenOdd: s.odd, rings: s.rings})
	s.rings = nil
}

// SetColor sets the colour of what is filled.
func (s *areaScanner) SetColor(c any) {
	switch c := c.(type) {
	case color.Color:
		s.fill = c
	default:
		s.err = errors.New("the SVG has a gradient; logos have plain colours, or are a PNG")
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
