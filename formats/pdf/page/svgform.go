package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/srwiley/rasterx"
)

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
