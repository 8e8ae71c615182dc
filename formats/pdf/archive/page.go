package archive

import (
	"fmt"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The width and the height that PDF/A allows for a page, in points.
const (
	minPageSize = 3
	maxPageSize = 14400
)

func (c *converter) convertPage(page types.Dict) {
	if page["AA"] != nil {
		c.changed("actions of the page are removed")
	}
	removeAllBut(page, "Type", "Parent", "Resources", "MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox", "Contents",
		"Rotate", "Group", "Annots", "StructParents", "Tabs", "UserUnit")
	c.pageBoxes(page)
	resources := c.Dict(page["Resources"])
	if resources == nil {
		resources = types.Dict{}
		page["Resources"] = resources
	}
	c.transparencyGroup(page)
	toDraw := c.annotations(page)
	c.pageContents(page, resources, toDraw)
}

// pageBoxes checks the sizes of a page, and its rotation.
func (c *converter) pageBoxes(page types.Dict) {
	for _, key := range []string{"MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox"} {
		if page[key] == nil && key != "MediaBox" {
			continue
		}
		b := c.Numbers(page[key], 4)
		allowed := b != nil
		if allowed {
			for _, length := range []float64{math.Abs(b[2] - b[0]), math.Abs(b[3] - b[1])} {
				allowed = allowed && length >= minPageSize && length <= maxPageSize
			}
		}
		switch {
		case allowed: // with its numbers inside, which may have been objects
			box := make(types.Array, len(b))
			for i := range b {
				box[i] = types.Float(b[i])
			}
			page[key] = box
		case key == "MediaBox":
			c.refuse(ReasonPages, "the page has no size, or one that PDF/A excludes", "make the PDF again with pages between 3 and 14400 points wide and high")
		default:
			delete(page, key)
		}
	}
	if page["Rotate"] != nil && c.Integer(page["Rotate"], 1)%90 != 0 {
		delete(page, "Rotate")
	}
}

// transparencyGroup repairs the group of a page or a form, in whose colour space
// transparent colours are blended.
func (c *converter) transparencyGroup(d types.Dict) {
	g := c.Dict(d["Group"])
	if g == nil || c.Name(g["S"]) != "Transparency" {
		delete(d, "Group")
		return
	}
	if g["CS"] != nil {
		g["CS"] = c.colourSpace(g["CS"], 0)
		if g["CS"] == nil {
			delete(g, "CS")
		}
	}
}

// pageContents scans the content of a page, and appends the appearances of former
// annotations.
func (c *converter) pageContents(page, resources types.Dict, toDraw []appearance) {
	data, err := c.joinContents(page["Contents"])
	if err != nil {
		c.refuse(ReasonDamaged, "what draws the page cannot be read", remedySave)
		return
	}
	edits := c.scanContent(data, resources, graphicsState{})
	if len(toDraw) == 0 && len(edits) == 0 {
		return
	}
	content := applyEdits(data, edits)
	if len(toDraw) > 0 {
		content = append(append([]byte("q\n"), content...), "\nQ\n"...)
	}
	for _, a := range toDraw {
		name := c.addResource(resources, "XObject", a.form)
		content = fmt.Appendf(content, "q %s cm /%s Do Q\n", a.matrix, name)
		c.xObject(a.form, resources, graphicsState{})
	}
	page["Contents"] = c.AddStream(types.Dict{}, content)
}

// joinContents is the content of a page, whose streams are joined.
func (c *converter) joinContents(o types.Object) (data []byte, err error) {
	switch contents := c.Resolve(o).(type) {
	case nil:
		return nil, nil
	case types.StreamDict:
		return c.content(o)
	case types.Array:
		for _, part := range contents {
			if c.Resolve(part) == nil {
				continue
			}
			more, err := c.content(part)
			if err != nil {
				return nil, err
			}
			if len(data)+len(more) > c.mostDecoded {
				c.Fail(limitExceeded("a page is drawn by more than the %d bytes that are allowed", c.mostDecoded))
				return nil, c.Err()
			}
			data = append(append(data, more...), '\n')
		}
		return data, nil
	}
	return nil, errNoStream
}
