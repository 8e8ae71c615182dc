package archive

import (
	"fmt"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// inheritable are the entries that a page may have from the tree above it.
var inheritable = []string{"Resources", "MediaBox", "CropBox", "Rotate"}

// pageTree goes through the pages in their order.
func (c *converter) pageTree() {
	c.visitPages(c.catalog["Pages"], types.Dict{}, 0, map[int]bool{})
	if c.pages == 0 && len(c.reasons) == 0 {
		c.refuseOn(0, ReasonPages, "the document has no pages", remedySave)
	}
	c.page = 0
}

func (c *converter) visitPages(o types.Object, inherited types.Dict, depth int, seen map[int]bool) {
	number := numberOf(o)
	node := c.dict(o)
	if node == nil || number == 0 || seen[number] || depth > deepest || !c.tick() {
		c.refuseOn(0, ReasonDamaged, "the tree of pages is damaged", remedySave)
		return
	}
	seen[number] = true
	own := types.Dict{}
	for _, key := range inheritable {
		own[key] = inherited[key]
		if node[key] != nil {
			own[key] = node[key]
		}
	}
	if kids := c.array(node["Kids"]); kids != nil {
		before := c.pages
		for i := range kids {
			if kid := c.dict(kids[i]); numberOf(kids[i]) > 0 && kid != nil {
				kid["Parent"] = o
			}
			c.visitPages(kids[i], own, depth+1, seen)
		}
		keep(node, "Parent", "Kids")
		node["Type"], node["Count"] = types.Name("Pages"), types.Integer(c.pages-before)
		return
	}
	if depth == 0 {
		c.refuseOn(0, ReasonDamaged, "the tree of pages is damaged", remedySave)
		return
	}
	c.pages++
	c.page = c.pages
	for key, value := range own {
		if value != nil {
			node[key] = value
		}
	}
	node["Type"] = types.Name("Page")
	c.onePage(node)
}

func (c *converter) onePage(page types.Dict) {
	if page["AA"] != nil {
		c.changed("actions of the page are removed")
	}
	keep(page, "Type", "Parent", "Resources", "MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox", "Contents",
		"Rotate", "Group", "Annots", "StructParents", "Tabs", "UserUnit")
	c.boxes(page)
	resources := c.dict(page["Resources"])
	if resources == nil {
		resources = types.Dict{}
		page["Resources"] = resources
	}
	c.group(page)
	appearances := c.annotations(page)
	c.pageContent(page, resources, appearances)
}

// boxes checks the sizes of the page.
func (c *converter) boxes(page types.Dict) {
	for _, key := range []string{"MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox"} {
		if page[key] == nil && key != "MediaBox" {
			continue
		}
		b := c.numbers(page[key], 4)
		fits := b != nil
		if fits {
			for _, length := range []float64{math.Abs(b[2] - b[0]), math.Abs(b[3] - b[1])} {
				fits = fits && length >= 3 && length <= 14400
			}
		}
		switch {
		case fits:
		case key == "MediaBox":
			c.refuse(ReasonPages, "the page has no size, or one that PDF/A excludes", "make the PDF anew with pages between 3 and 14400 points wide and high")
		default:
			delete(page, key)
		}
	}
	if page["Rotate"] != nil && c.integer(page["Rotate"], 1)%90 != 0 {
		delete(page, "Rotate")
	}
}

// group repairs the group of a page or form, whose colour space is that in which
// transparent colours are blended.
func (c *converter) group(d types.Dict) {
	g := c.dict(d["Group"])
	if g == nil || c.name(g["S"]) != "Transparency" {
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

// pageContent reads what draws the page, and draws the appearances of what is no
// longer an annotation.
func (c *converter) pageContent(page, resources types.Dict, appearances []appearance) {
	data, err := c.pageData(page["Contents"])
	if err != nil {
		c.refuse(ReasonDamaged, "what draws the page cannot be read", remedySave)
		return
	}
	edits := c.read(data, resources, graphics{})
	if len(appearances) == 0 && len(edits) == 0 {
		return
	}
	content := apply(data, edits)
	if len(appearances) > 0 {
		content = append(append([]byte("q\n"), content...), "\nQ\n"...)
	}
	for _, a := range appearances {
		name := c.resourceFor(resources, "XObject", a.form)
		content = fmt.Appendf(content, "q %s cm /%s Do Q\n", a.matrix, name)
		c.xObject(a.form, resources, graphics{})
	}
	stream, err := c.addStream(types.Dict{}, content)
	if err != nil {
		c.fail(err)
	}
	page["Contents"] = stream
}

// pageData is what draws the page, taken together.
func (c *converter) pageData(o types.Object) (data []byte, err error) {
	switch contents := c.at(o).(type) {
	case nil:
		return nil, nil
	case types.StreamDict:
		return c.content(o)
	case types.Array:
		for _, part := range contents {
			if c.at(part) == nil {
				continue
			}
			more, err := c.content(part)
			if err != nil {
				return nil, err
			}
			if len(data)+len(more) > c.most {
				c.fail(errTooMuch("a page is drawn by more than the %d bytes that are allowed", c.most))
				return nil, c.err
			}
			data = append(append(data, more...), '\n')
		}
		return data, nil
	}
	return nil, errNoStream
}
