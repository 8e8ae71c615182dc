package archive

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// xObject converts a form or an image, and reports whether it may be drawn.
func (c *converter) xObject(o types.Object, resources types.Dict, state graphicsState) bool {
	s, ok := c.Stream(o)
	if !ok {
		return false
	}
	switch c.Name(s.Dict["Subtype"]) {
	case "Image":
		c.image(o, s)
	case "Form":
		if c.Name(s.Dict["Subtype2"]) == "PS" {
			c.changed("a PostScript fragment is removed")
			return false
		}
		return c.formOrPattern(o, s, resources, state)
	default:
		c.changed("an object that PDF/A excludes is removed: " + c.Name(s.Dict["Subtype"]))
		return false
	}
	return true
}

// formOrPattern converts a form or a tiling pattern, and reports whether it may be
// drawn: one that draws itself may not. One without resources of its own uses those of
// the content stream that draws it.
func (c *converter) formOrPattern(o types.Object, s types.StreamDict, resources types.Dict, state graphicsState) bool {
	number := objectNumber(o)
	if c.inProgress[number] {
		c.changed("something that draws itself is removed")
		return false
	}
	key := streamKey{number, state}
	if c.streams[key] {
		return true
	}
	c.streams[key] = true
	c.inProgress[number] = true
	defer delete(c.inProgress, number)
	if c.firstVisit(o) {
		removeAllBut(s.Dict, append([]string{
			"Type", "Subtype", "FormType", "BBox", "Matrix", "Resources", "Group", "StructParent", "StructParents", "OC", "Name",
			"PatternType", "PaintType", "TilingType", "XStep", "YStep", // of a pattern
		}, streamEntries...)...)
		c.transparencyGroup(s.Dict)
	}
	own := c.Dict(s.Dict["Resources"])
	if own == nil {
		own = c.copyResources(resources)
		s.Dict["Resources"] = own
	}
	data, err := c.content(o)
	if err != nil {
		c.refuse(ReasonDamaged, "a form cannot be read", remedySave)
		return false
	}
	if edits := c.scanContent(data, own, state); len(edits) > 0 {
		if s, ok := c.Stream(o); ok {
			c.replaceContent(o, s, applyEdits(data, edits))
		}
	}
	return true
}

// pattern converts a pattern, and reports whether it may be used.
func (c *converter) pattern(o types.Object, resources types.Dict, state graphicsState) bool {
	switch p := c.Resolve(o).(type) {
	case types.StreamDict:
		return c.formOrPattern(o, p, resources, state)
	case types.Dict:
		if !c.firstVisit(o) {
			return true
		}
		if p["Shading"] != nil {
			c.shading(p["Shading"])
		}
		if p["ExtGState"] != nil {
			c.extGState(p["ExtGState"], &state, resources)
		}
	}
	return true
}

func (c *converter) shading(o types.Object) {
	d := c.Entries(o)
	if d == nil || !c.firstVisit(o) {
		return
	}
	if d["ColorSpace"] = c.colourSpace(d["ColorSpace"], 0); d["ColorSpace"] == nil {
		c.refuse(ReasonColour, "the colour space of a shading cannot be read", remedySave)
	}
}
