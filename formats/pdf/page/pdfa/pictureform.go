package pdfa

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"einvoice/formats/pdf/page/logo"
	"einvoice/formats/pdf/page/tagged"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/srwiley/rasterx"
)

// picture is a picture as an external object of the size 1 by 1.
func (b *builder) picture(p *logo.Picture) types.IndirectRef {
	if p.Pixels != nil {
		return b.image(p)
	}
	f := &pictureForm{builder: b, picture: p, patterns: types.Dict{}, states: types.Dict{}}
	for i := range p.Areas {
		f.area(&p.Areas[i])
	}
	resources := types.Dict{}
	if len(f.patterns) > 0 {
		resources["Pattern"] = f.patterns
	}
	if len(f.states) > 0 {
		resources["ExtGState"] = f.states
	}
	return b.AddStream(types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": types.NewNumberArray(0, 0, 1, 1),
		"Resources": resources,
	}, f.Operators)
}

// image is a picture of pixels. What it lets through is a mask.
func (b *builder) image(p *logo.Picture) types.IndirectRef {
	bounds := p.Pixels.Bounds()
	colours := make([]byte, 0, 3*bounds.Dx()*bounds.Dy())
	mask := make([]byte, 0, bounds.Dx()*bounds.Dy())
	opaque := true
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(p.Pixels.At(x, y)).(color.NRGBA) //nolint:forcetypeassert // what the model makes
			colours = append(colours, c.R, c.G, c.B)
			mask = append(mask, c.A)
			opaque = opaque && c.A == 0xff
		}
	}
	entries := types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Image"), "ColorSpace": types.Name("DeviceRGB"),
		"Width": types.Integer(bounds.Dx()), "Height": types.Integer(bounds.Dy()), "BitsPerComponent": types.Integer(8),
	}
	if !opaque {
		entries["SMask"] = b.AddStream(types.Dict{
			"Type": types.Name("XObject"), "Subtype": types.Name("Image"), "ColorSpace": types.Name("DeviceGray"),
			"Width": types.Integer(bounds.Dx()), "Height": types.Integer(bounds.Dy()), "BitsPerComponent": types.Integer(8),
		}, mask)
	}
	return b.AddStream(entries, colours)
}

// A pictureForm is a picture of areas as it is written.
type pictureForm struct {
	tagged.Content
	*builder
	picture          *logo.Picture
	patterns, states types.Dict
	sum              int // of the patterns, which are numbered
}

// area draws an area, in its colour or its gradient.
func (f *pictureForm) area(a *logo.Area) {
	if a.Gradient == nil && a.Alpha == 1 {
		f.SetFill(a.Fill)
		f.outline(a)
		return
	}
	f.Operator("q")
	name := strconv.Itoa(f.sum)
	f.sum++
	if a.Gradient != nil {
		f.gradient(name, a)
	} else {
		f.states["A"+name] = types.Dict{"ca": types.Float(a.Alpha)}
		f.Operator("/A" + name + " gs")
		for _, v := range a.Fill {
			f.Operators = fmt.Appendf(f.Operators, "%.3f ", v)
		}
		f.Operator("rg")
	}
	f.outline(a)
	f.Operator("Q")
}

// gradient makes the gradient of an area what is filled with.
func (f *pictureForm) gradient(name string, a *logo.Area) {
	m := rasterx.Identity.Translate(0, 1).Scale(1/f.picture.Width, -1/f.picture.Height).Mult(a.Place)
	matrix := types.NewNumberArray(m.A, m.B, m.C, m.D, m.E, m.F)
	f.patterns["P"+name] = f.Add(types.Dict{
		"Type": types.Name("Pattern"), "PatternType": types.Integer(2), "Matrix": matrix, "Shading": shading(a.Gradient, false),
	})
	state := types.Dict{}
	if a.Alpha < 1 {
		state["ca"] = types.Float(a.Alpha)
	}
	if !a.Gradient.IsOpaque() {
		mask := f.AddStream(types.Dict{
			"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": types.NewNumberArray(0, 0, 1, 1),
			"Group":     types.Dict{"S": types.Name("Transparency"), "CS": types.Name("DeviceGray")},
			"Resources": types.Dict{"Shading": types.Dict{"S": shading(a.Gradient, true)}},
		}, fmt.Appendf(nil, "%f %f %f %f %f %f cm\n/S sh\n", m.A, m.B, m.C, m.D, m.E, m.F))
		state["SMask"] = types.Dict{"Type": types.Name("Mask"), "S": types.Name("Luminosity"), "G": mask}
	}
	if len(state) > 0 {
		f.states["A"+name] = state
		f.Operator("/A" + name + " gs")
	}
	f.Operator("/Pattern cs")
	f.Operator("/P" + name + " scn")
}

// outline fills an area.
func (f *pictureForm) outline(a *logo.Area) {
	p := f.picture
	for _, ring := range a.Rings {
		for i, at := range ring {
			f.Operators = fmt.Appendf(f.Operators, "%.5f %.5f ", at.X/p.Width, 1-at.Y/p.Height)
			if i == 0 {
				f.Operator("m")
			} else {
				f.Operator("l")
			}
		}
		f.Operator("h")
	}
	if a.EvenOdd {
		f.Operator("f*")
	} else {
		f.Operator("f")
	}
}

// shading is the gradient as PDF has it; mask is that of its opacity, in grey.
func shading(g *logo.Gradient, mask bool) types.Dict {
	kind, space := 2, "DeviceRGB"
	if g.Radial {
		kind = 3
	}
	if mask {
		space = "DeviceGray"
	}
	return types.Dict{
		"ShadingType": types.Integer(kind), "ColorSpace": types.Name(space), "Coords": types.NewNumberArray(g.Coords...),
		"Extend": types.Array{types.Boolean(true), types.Boolean(true)}, "Function": shadingFunction(g, mask),
	}
}

// shadingFunction goes from stop to stop (types 3 and 2 of functions).
func shadingFunction(g *logo.Gradient, mask bool) types.Object {
	value := func(s logo.GradientStop) types.Array {
		if mask {
			return types.NewNumberArray(s.Opacity)
		}
		return types.NewNumberArray(float64(s.Colour[0]), float64(s.Colour[1]), float64(s.Colour[2]))
	}
	stops := slices.Clone(g.Stops)
	if stops[0].Offset > 0 {
		first := stops[0]
		first.Offset = 0
		stops = append([]logo.GradientStop{first}, stops...)
	}
	if last := stops[len(stops)-1]; last.Offset < 1 || len(stops) == 1 {
		last.Offset = 1
		stops = append(stops, last)
	}
	var functions, bounds, encode types.Array
	at := 0.0
	for i := 1; i < len(stops); i++ {
		end := stops[i].Offset
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
