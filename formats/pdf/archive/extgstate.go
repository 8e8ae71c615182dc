package archive

import (
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// blendModes are the blend modes of ISO 32000-1.
var blendModes = []string{"Normal", "Compatible", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn",
	"HardLight", "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity"}

// pressEntries are the entries of a graphics state parameter dictionary that only a
// printing press uses.
var pressEntries = []string{"TR", "TR2", "HT", "HTP", "BG", "BG2", "UCR", "UCR2"}

// extGState repairs a graphics state parameter dictionary, and applies its font to the
// state.
func (c *converter) extGState(o types.Object, state *graphicsState, resources types.Dict) {
	d := c.Dict(o)
	if d == nil {
		return
	}
	if f := c.Array(d["Font"]); len(f) == 2 {
		state.font = c.fontOf(f[0], resources)
	}
	if !c.firstVisit(o) {
		return
	}
	for _, key := range pressEntries {
		delete(d, key)
	}
	if c.Integer(d["OPM"], 0) == 1 {
		d["OPM"] = types.Integer(0)
	}
	if d["RI"] != nil && !slices.Contains(renderingIntents, c.Name(d["RI"])) {
		delete(d, "RI")
	}
	if d["BM"] != nil {
		d["BM"] = types.Name(c.blendMode(d["BM"]))
	}
	if mask := c.Dict(d["SMask"]); mask != nil {
		if mask["G"] == nil || !c.xObject(mask["G"], resources, graphicsState{}) {
			delete(d, "SMask")
		}
	}
}

// blendMode is the first of the given modes that PDF has, as readers choose it.
func (c *converter) blendMode(o types.Object) string {
	modes := types.Array{o}
	if a := c.Array(o); a != nil {
		modes = a
	}
	for _, m := range modes {
		if name := c.Name(m); slices.Contains(blendModes, name) {
			return name
		}
	}
	return "Normal"
}
