package page

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
)

const degree = math.Pi / 180

// A paint is a gradient with the coordinates of the shape that has it.
type paint struct {
	*gradient
	ctm rasterx.Matrix2D
}

// A gradient is one of SVG 1.1: along a line, or from a focus to a circle.
type gradient struct {
	radial bool
	// coords are x1, y1, x2, y2 of a line; or fx, fy, 0, cx, cy, r, as PDF has them.
	coords    []float64
	box       bool // they are parts of the box around the shape
	transform rasterx.Matrix2D
	stops     []gradientStop
}

type gradientStop struct {
	offset, opacity float64
	colour          colour
}

// maxGradientChain bounds gradients that refer to others.
const maxGradientChain = 8

// readGradient reads a gradient with what it has from those that it refers to.
func (p *preparedSVG) readGradient(n *xmlquery.Node) (*gradient, error) {
	attributes := map[string]string{}
	var stops []gradientStop
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
	g := &gradient{radial: radial, box: attributes["gradientUnits"] != "userSpaceOnUse", stops: stops, transform: rasterx.Identity}
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
		g.coords = []float64{get("x1", "0%", width), get("y1", "0%", height), get("x2", "100%", width), get("y2", "0%", height)}
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
	g.coords = []float64{fx, fy, 0, cx, cy, r}
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
func readStops(n *xmlquery.Node) ([]gradientStop, error) {
	var stops []gradientStop
	least := 0.0
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type != xmlquery.ElementNode || child.Data != "stop" {
			continue
		}
		s := gradientStop{offset: lengthOf(child.SelectAttr("offset"), 1), opacity: 1}
		s.offset = min(1, max(least, s.offset))
		least = s.offset
		name := propertyOf(child, "stop-color")
		if name == "" {
			name = "black"
		}
		c, err := oksvg.ParseSVGColor(name)
		if err != nil || c == nil {
			return nil, fmt.Errorf("a gradient has the colour %.30q; write it as #RRGGBB", name)
		}
		rgb := color.NRGBAModel.Convert(c).(color.NRGBA) //nolint:forcetypeassert // what the model makes
		s.colour = colour{float32(rgb.R) / 255, float32(rgb.G) / 255, float32(rgb.B) / 255}
		if text := propertyOf(child, "stop-opacity"); text != "" {
			s.opacity = min(1, max(0, lengthOf(text, 1)))
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
				x, y := inverse.Transform(at.x, at.y)
				least, most = point{min(least.x, x), min(least.y, y)}, point{max(most.x, x), max(most.y, y)}
			}
		}
		if !(most.x > least.x && most.y > least.y) || math.IsInf(most.x-least.x, 0) {
			return m, false // SVG: a shape without an area has no gradient
		}
		m = m.Translate(least.x, least.y).Scale(most.x-least.x, most.y-least.y)
	}
	m = m.Mult(p.transform)
	for _, v := range []float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return m, false
		}
	}
	return m, math.Abs(m.A*m.D-m.B*m.C) > 1e-12
}

// isOpaque tells whether nothing is seen through.
func (g *gradient) isOpaque() bool {
	return !slices.ContainsFunc(g.stops, func(s gradientStop) bool { return s.opacity < 1 })
}

// shading is the gradient as PDF has it; mask is that of its opacity, in grey.
func (g *gradient) shading(mask bool) types.Dict {
	kind, space := 2, "DeviceRGB"
	if g.radial {
		kind = 3
	}
	if mask {
		space = "DeviceGray"
	}
	return types.Dict{
		"ShadingType": types.Integer(kind), "ColorSpace": types.Name(space), "Coords": types.NewNumberArray(g.coords...),
		"Extend": types.Array{types.Boolean(true), types.Boolean(true)}, "Function": g.function(mask),
	}
}

// function goes from stop to stop (types 3 and 2 of functions).
func (g *gradient) function(mask bool) types.Object {
	value := func(s gradientStop) types.Array {
		if mask {
			return types.NewNumberArray(s.opacity)
		}
		return types.NewNumberArray(float64(s.colour[0]), float64(s.colour[1]), float64(s.colour[2]))
	}
	stops := slices.Clone(g.stops)
	if stops[0].offset > 0 {
		first := stops[0]
		first.offset = 0
		stops = append([]gradientStop{first}, stops...)
	}
	if last := stops[len(stops)-1]; last.offset < 1 || len(stops) == 1 {
		last.offset = 1
		stops = append(stops, last)
	}
	var functions, bounds, encode types.Array
	at := 0.0
	for i := 1; i < len(stops); i++ {
		end := stops[i].offset
		if i < len(stops)-1 { // bounds increase
			end = min(max(end, at+1e-5), 1-1e-5*float64(len(stops)-i))
			bounds = append(bounds, types.Float(math.Round(end*1e6)/1e6))
			at = end
		}
		encode = append(encode, types.Integer(0), types.Integer(1))
		functions = append(functions, types.Dict{
			"FunctionType": types.Integer(2), "Domain": types.NewNumberArray(0, 1), "N": types.Integer(1), "C0": value(stops[i-1]), "C1": value(stops[i]),
		})
	}
	if len(functions) == 1 {
		return functions[0]
	}
	return types.Dict{"FunctionType": types.Integer(3), "Domain": types.NewNumberArray(0, 1), "Functions": functions, "Bounds": bounds, "Encode": encode}
}

// A pictureForm is a picture of areas as it is written.
type pictureForm struct {
	content
	*builder
	picture          *picture
	patterns, states types.Dict
	sum              int // of the patterns, which are numbered
}

// area draws an area, in its colour or its gradient.
func (f *pictureForm) area(a *area) {
	if a.gradient == nil && a.alpha == 1 {
		f.setFill(a.fill)
		f.outline(a)
		return
	}
	f.operator("q")
	name := strconv.Itoa(f.sum)
	f.sum++
	if a.gradient != nil {
		f.gradient(name, a)
	} else {
		f.states["A"+name] = types.Dict{"ca": types.Float(a.alpha)}
		f.operator("/A" + name + " gs")
		for _, v := range a.fill {
			f.operators = fmt.Appendf(f.operators, "%.3f ", v)
		}
		f.operator("rg")
	}
	f.outline(a)
	f.operator("Q")
}

// gradient makes the gradient of an area what is filled with.
func (f *pictureForm) gradient(name string, a *area) {
	m := rasterx.Identity.Translate(0, 1).Scale(1/f.picture.width, -1/f.picture.height).Mult(a.place)
	matrix := types.NewNumberArray(m.A, m.B, m.C, m.D, m.E, m.F)
	f.patterns["P"+name] = f.Add(types.Dict{
		"Type": types.Name("Pattern"), "PatternType": types.Integer(2), "Matrix": matrix, "Shading": a.gradient.shading(false),
	})
	state := types.Dict{}
	if a.alpha < 1 {
		state["ca"] = types.Float(a.alpha)
	}
	if !a.gradient.isOpaque() {
		mask := f.AddStream(types.Dict{
			"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": types.NewNumberArray(0, 0, 1, 1),
			"Group":     types.Dict{"S": types.Name("Transparency"), "CS": types.Name("DeviceGray")},
			"Resources": types.Dict{"Shading": types.Dict{"S": a.gradient.shading(true)}},
		}, fmt.Appendf(nil, "%f %f %f %f %f %f cm\n/S sh\n", m.A, m.B, m.C, m.D, m.E, m.F))
		state["SMask"] = types.Dict{"Type": types.Name("Mask"), "S": types.Name("Luminosity"), "G": mask}
	}
	if len(state) > 0 {
		f.states["A"+name] = state
		f.operator("/A" + name + " gs")
	}
	f.operator("/Pattern cs")
	f.operator("/P" + name + " scn")
}

// outline fills an area.
func (f *pictureForm) outline(a *area) {
	p := f.picture
	for _, ring := range a.rings {
		for i, at := range ring {
			f.operators = fmt.Appendf(f.operators, "%.5f %.5f ", at.x/p.width, 1-at.y/p.height)
			if i == 0 {
				f.operator("m")
			} else {
				f.operator("l")
			}
		}
		f.operator("h")
	}
	if a.evenOdd {
		f.operator("f*")
	} else {
		f.operator("f")
	}
}
