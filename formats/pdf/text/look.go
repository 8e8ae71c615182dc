package text

import (
	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A colour is one to paint with. What it looks like is known of plain colours alone.
type colour struct {
	red, green, blue float64
	alpha            float64
	known            bool
	components       int // of its space; 0 where they do not say what it looks like
}

var (
	black = colour{alpha: 1, known: true, components: 1}
	white = colour{red: 1, green: 1, blue: 1, alpha: 1, known: true}
)

// isSeenOn reports whether a colour can be told from its ground.
func (c colour) isSeenOn(ground colour) bool {
	if !c.known || !ground.known {
		return c.alpha > contrast
	}
	off := max(c.red-ground.red, ground.red-c.red, c.green-ground.green, ground.green-c.green, c.blue-ground.blue, ground.blue-c.blue)
	return off*c.alpha >= contrast
}

// with is the colour with other components of its space.
func (c colour) with(n []float64) colour {
	c.known = len(n) == c.components
	switch {
	case !c.known:
	case len(n) == 1:
		c.red, c.green, c.blue = n[0], n[0], n[0]
	case len(n) == 3:
		c.red, c.green, c.blue = n[0], n[1], n[2]
	case len(n) == 4:
		c.red, c.green, c.blue = (1-n[0])*(1-n[3]), (1-n[1])*(1-n[3]), (1-n[2])*(1-n[3])
	}
	return c
}

// deviceComponents are the numbers of a colour that operators say at once.
var deviceComponents = map[string]int{"g": 1, "G": 1, "rg": 3, "RG": 3, "k": 4, "K": 4}

// chooseColour follows the colours to fill and to stroke.
func (i *interpreter) chooseColour(op *content.Op) {
	c := &i.state.fill
	switch colourOperators[op.Name] {
	case 0:
		return
	case stroke:
		c = &i.state.stroke
	}
	switch op.Name {
	case "cs", "CS":
		name, _ := op.Arg(0).(content.Name)
		c.components = i.plainComponents(string(name))
		*c = c.with(make([]float64, c.components))
		if c.components == 4 { // the initial colour is black
			*c = c.with([]float64{0, 0, 0, 1})
		}
		c.known = c.components > 0
	default:
		if n := deviceComponents[op.Name]; n > 0 {
			c.components = n
		}
		*c = c.with(numberOperands(op))
	}
}

// plainComponents is how many numbers a colour of a space has; 0 where they do not say what
// it looks like.
func (i *interpreter) plainComponents(name string) int {
	var o types.Object = types.Name(name)
	if own, found := i.Entries(i.resources["ColorSpace"])[name]; found {
		o = i.Resolve(own)
	}
	family, list := i.Name(o), i.Array(o)
	if len(list) > 0 {
		family = i.Name(list[0])
	}
	if family == "ICCBased" && len(list) > 1 {
		if s, ok := i.Stream(list[1]); ok {
			return i.Integer(s.Dict["N"], 0)
		}
	}
	return map[string]int{"DeviceGray": 1, "CalGray": 1, "DeviceRGB": 3, "CalRGB": 3, "DeviceCMYK": 4}[family]
}

// setLook follows transparency, by which areas do not cover what is below them.
func (i *interpreter) setLook(op *content.Op) {
	name, _ := op.Arg(0).(content.Name)
	d := i.Entries(i.Entries(i.resources["ExtGState"])[string(name)])
	s := &i.state
	if v, ok := i.Number(d["ca"]); ok {
		s.fill.alpha = v * s.group
	}
	if v, ok := i.Number(d["CA"]); ok {
		s.stroke.alpha = v * s.group
	}
	if o := i.Resolve(d["BM"]); o != nil {
		s.plain = i.Name(o) == "Normal" || i.Name(o) == "Compatible"
	}
	if o := i.Resolve(d["SMask"]); o != nil && i.Name(o) != "None" {
		s.plain = false
	}
}
