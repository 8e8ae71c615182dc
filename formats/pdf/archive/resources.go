package archive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// categories are the kinds of resources.
var categories = []string{"ColorSpace", "ExtGState", "Font", "Pattern", "Properties", "Shading", "XObject"}

// resource is a resource that a content stream uses; nil if it is not there.
func (c *converter) resource(resources types.Dict, category, name string) types.Object {
	d := c.dict(resources[category])
	if d == nil || c.at(d[name]) == nil {
		return nil
	}
	c.use(d, name)
	return d[name]
}

func (c *converter) use(d types.Dict, name string) {
	u := c.used[identity(d)]
	if u == nil {
		u = &usage{d, map[string]bool{}}
		c.used[identity(d)] = u
	}
	u.names[name] = true
}

// resourceFor gives an object a name among the resources.
func (c *converter) resourceFor(resources types.Dict, category string, o types.Object) string {
	d := c.dict(resources[category])
	if d == nil {
		d = types.Dict{}
		resources[category] = d
	}
	name := ""
	for i := len(d) + 1; name == "" || d[name] != nil; i++ {
		name = fmt.Sprintf("Added%d", i)
	}
	d[name] = o
	c.use(d, name)
	return name
}

// prune drops the resources that nothing uses.
func (c *converter) prune() {
	for _, resources := range c.resources {
		for _, key := range slices.Sorted(maps.Keys(resources)) {
			if key == "ProcSet" {
				continue
			}
			d := c.dict(resources[key])
			if !slices.Contains(categories, key) || d == nil || c.used[identity(d)] == nil {
				delete(resources, key)
			}
		}
	}
	for _, u := range c.used {
		for name := range u.dict {
			if !u.names[name] {
				delete(u.dict, name)
			}
		}
	}
}

// graphicsState goes through an entry of ExtGState.
func (c *converter) graphicsState(o types.Object, state *graphics, resources types.Dict) {
	d := c.dict(o)
	if d == nil {
		return
	}
	if f := c.array(d["Font"]); len(f) == 2 {
		state.font = c.fontOf(f[0], resources)
	}
	if !c.first(o) {
		return
	}
	// What only a press needs.
	for _, key := range []string{"TR", "TR2", "HT", "HTP", "BG", "BG2", "UCR", "UCR2"} {
		delete(d, key)
	}
	if c.integer(d["OPM"], 0) == 1 {
		d["OPM"] = types.Integer(0)
	}
	if d["RI"] != nil && !slices.Contains(intents, c.name(d["RI"])) {
		delete(d, "RI")
	}
	if d["BM"] != nil {
		d["BM"] = types.Name(c.blendMode(d["BM"]))
	}
	if mask := c.dict(d["SMask"]); mask != nil {
		if mask["G"] == nil || !c.xObject(mask["G"], resources, graphics{}) {
			delete(d, "SMask")
		}
	}
}

// blendModes are those of ISO 32000-1.
var blendModes = []string{"Normal", "Compatible", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn",
	"HardLight", "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity"}

// blendMode is the first mode that PDF has, as readers take it.
func (c *converter) blendMode(o types.Object) string {
	modes := types.Array{o}
	if a := c.array(o); a != nil {
		modes = a
	}
	for _, m := range modes {
		if name := c.name(m); slices.Contains(blendModes, name) {
			return name
		}
	}
	return "Normal"
}

// xObject goes through a form or an image, and tells whether it may be drawn.
func (c *converter) xObject(o types.Object, resources types.Dict, state graphics) bool {
	s, ok := c.at(o).(types.StreamDict)
	if !ok {
		return false
	}
	switch c.name(s.Dict["Subtype"]) {
	case "Image":
		c.image(o, s)
	case "Form":
		if c.name(s.Dict["Subtype2"]) == "PS" {
			c.changed("a PostScript fragment is removed")
			return false
		}
		return c.drawing(o, s, resources, state)
	default:
		c.changed("an object that PDF/A excludes is removed: " + c.name(s.Dict["Subtype"]))
		return false
	}
	return true
}

// copyOf is a copy of resources, to be cut down to what one stream uses.
func (c *converter) copyOf(resources types.Dict) types.Dict {
	own := types.Dict{}
	for _, category := range categories {
		if d := c.dict(resources[category]); d != nil {
			own[category] = maps.Clone(d)
			c.steps += len(d)
		}
	}
	return own
}

// drawing goes through a stream that draws: a form or a pattern. One without
// resources of its own uses those of where it is drawn. It tells whether the
// stream may be drawn: not within itself.
func (c *converter) drawing(o types.Object, s types.StreamDict, resources types.Dict, state graphics) bool {
	number := numberOf(o)
	if c.active[number] {
		c.changed("something that draws itself is removed")
		return false
	}
	key := streamKey{number, state}
	if c.streams[key] {
		return true
	}
	c.streams[key] = true
	c.active[number] = true
	defer delete(c.active, number)
	if c.first(o) {
		keep(s.Dict, "Type", "Subtype", "FormType", "BBox", "Matrix", "Resources", "Group", "StructParent", "StructParents", "OC", "Name",
			"Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms", // of the stream
			"PatternType", "PaintType", "TilingType", "XStep", "YStep") // of a pattern
		c.group(s.Dict)
	}
	own := c.dict(s.Dict["Resources"])
	if own == nil {
		own = c.copyOf(resources)
		s.Dict["Resources"] = own
	}
	data, err := c.content(o)
	if err != nil {
		c.refuse(ReasonDamaged, "a form cannot be read", remedySave)
		return false
	}
	if edits := c.read(data, own, state); len(edits) > 0 {
		if s, ok := c.at(o).(types.StreamDict); ok {
			c.replace(o, s, apply(data, edits))
		}
	}
	return true
}

// pattern goes through a pattern, and tells whether it may be used.
func (c *converter) pattern(o types.Object, resources types.Dict, state graphics) bool {
	switch p := c.at(o).(type) {
	case types.StreamDict:
		return c.drawing(o, p, resources, state)
	case types.Dict:
		if !c.first(o) {
			return true
		}
		if p["Shading"] != nil {
			c.shading(p["Shading"])
		}
		if p["ExtGState"] != nil {
			c.graphicsState(p["ExtGState"], &state, resources)
		}
	}
	return true
}

func (c *converter) shading(o types.Object) {
	d := c.entries(o)
	if d == nil || !c.first(o) {
		return
	}
	if d["ColorSpace"] = c.colourSpace(d["ColorSpace"], 0); d["ColorSpace"] == nil {
		c.refuse(ReasonColour, "the colour space of a shading cannot be read", remedySave)
	}
}
