//go:build !js

package logo

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"einvoice/formats/pdf/page/typeset"

	"github.com/antchfx/xmlquery"
	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
)

const degree = math.Pi / 180

// A paint is a gradient with the coordinates of the shape that has it.
type paint struct {
	*Gradient
	ctm rasterx.Matrix2D
}

// maxGradientChain bounds gradients that refer to others.
const maxGradientChain = 8

// readGradient reads a gradient with what it has from those that it refers to.
func (p *preparedSVG) readGradient(n *xmlquery.Node) (*Gradient, error) {
	attributes := map[string]string{}
	var stops []GradientStop
	radial := n.Data == "radialGradient"
	for chain := 0; n != nil && chain < maxGradientChain; chain++ {
		for _, a := range n.Attr {
			if _, known := attributes[a.Name.Local]; !known && a.Name.Local != "href" {
				attributes[a.Name.Local] = a.Value
			}
		}
		if stops == nil {
			var err error
			if stops, err = readStops(n); err != nil {
				return nil, err
			}
		}
		href := ""
		for _, a := range n.Attr {
			if a.Name.Local == "href" {
				href = a.Value
			}
		}
		n = p.gradients[strings.TrimPrefix(href, "#")]
	}
	if len(stops) == 0 {
		return nil, fmt.Errorf("the gradient %q has no colours", attributes["id"])
	}
	if spread := attributes["spreadMethod"]; spread != "" && spread != "pad" {
		return nil, fmt.Errorf("the gradient %q is repeated (spreadMethod=%q); logos have gradients that are not, or are a PNG", attributes["id"], spread)
	}
	g := &Gradient{Radial: radial, box: attributes["gradientUnits"] != "userSpaceOnUse", Stops: stops, transform: rasterx.Identity}
	if t := attributes["gradientTransform"]; t != "" {
		var err error
		if g.transform, err = readTransform(t); err != nil {
			return nil, err
		}
	}
	width, height, both := p.width, p.height, math.Sqrt((p.width*p.width+p.height*p.height)/2)
	if g.box {
		width, height, both = 1, 1, 1
	}
	get := func(name, usual string, whole float64) float64 {
		text, given := attributes[name]
		if !given {
			text = usual
		}
		return lengthOf(text, whole)
	}
	if !radial {
		g.Coords = []float64{get("x1", "0%", width), get("y1", "0%", height), get("x2", "100%", width), get("y2", "0%", height)}
		return g, nil
	}
	cx, cy, r := get("cx", "50%", width), get("cy", "50%", height), get("r", "50%", both)
	fx, fy := cx, cy
	if _, given := attributes["fx"]; given {
		fx = get("fx", "", width)
	}
	if _, given := attributes["fy"]; given {
		fy = get("fy", "", height)
	}
	if d := math.Hypot(fx-cx, fy-cy); d > 0.99*r { // a focus outside of the circle is moved to its edge
		fx, fy = cx+(fx-cx)*0.99*r/d, cy+(fy-cy)*0.99*r/d
	}
	g.Coords = []float64{fx, fy, 0, cx, cy, r}
	return g, nil
}

// lengthOf is a number, or a part of the whole.
func lengthOf(s string, whole float64) float64 {
	numbers := numbersOf(s)
	if len(numbers) == 0 {
		return 0
	}
	if strings.HasSuffix(strings.TrimSpace(s), "%") {
		return numbers[0] / 100 * whole
	}
	return numbers[0]
}

// readStops reads the colours of a gradient; their places do not decrease.
func readStops(n *xmlquery.Node) ([]GradientStop, error) {
	var stops []GradientStop
	least := 0.0
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type != xmlquery.ElementNode || child.Data != "stop" {
			continue
		}
		s := GradientStop{Offset: lengthOf(child.SelectAttr("offset"), 1), Opacity: 1}
		s.Offset = min(1, max(least, s.Offset))
		least = s.Offset
		name := propertyOf(child, "stop-color")
		if name == "" {
			name = "black"
		}
		c, err := oksvg.ParseSVGColor(name)
		if err != nil || c == nil {
			return nil, fmt.Errorf("a gradient has the colour %.30q; write it as #RRGGBB", name)
		}
		rgb := color.NRGBAModel.Convert(c).(color.NRGBA) //nolint:forcetypeassert // what the model makes
		s.Colour = typeset.Colour{float32(rgb.R) / 255, float32(rgb.G) / 255, float32(rgb.B) / 255}
		if text := propertyOf(child, "stop-opacity"); text != "" {
			s.Opacity = min(1, max(0, lengthOf(text, 1)))
		}
		stops = append(stops, s)
	}
	if len(stops) > maxGradients {
		return nil, errors.New("a gradient has too many colours")
	}
	return stops, nil
}

// place is the matrix from the coordinates of the gradient to those of the picture, for a
// shape whose outline is there.
func (p *paint) place(target rasterx.Matrix2D, rings [][]point) (rasterx.Matrix2D, bool) {
	m := target.Mult(p.ctm)
	if p.box {
		inverse := m.Invert()
		least, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
		for _, ring := range rings {
			for _, at := range ring {
				x, y := inverse.Transform(at.X, at.Y)
				least, most = point{min(least.X, x), min(least.Y, y)}, point{max(most.X, x), max(most.Y, y)}
			}
		}
		if !(most.X > least.X && most.Y > least.Y) || math.IsInf(most.X-least.X, 0) {
			return m, false // SVG: a shape without an area has no gradient
		}
		m = m.Translate(least.X, least.Y).Scale(most.X-least.X, most.Y-least.Y)
	}
	m = m.Mult(p.transform)
	for _, v := range []float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return m, false
		}
	}
	return m, math.Abs(m.A*m.D-m.B*m.C) > 1e-12
}
