package archive

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// inheritable are the entries that a page inherits from the nodes above it.
var inheritable = []string{"Resources", "MediaBox", "CropBox", "Rotate"}

// pageTree converts the pages in their order.
func (c *converter) pageTree() {
	c.pageNode(c.catalog["Pages"], types.Dict{}, 0, map[int]bool{})
	if c.pages == 0 && len(c.reasons) == 0 {
		c.refuseOn(0, ReasonPages, "the document has no pages", remedySave)
	}
	c.page = 0
}

// pageNode converts a node of the page tree: a page, or a node with kids.
func (c *converter) pageNode(o types.Object, inherited types.Dict, depth int, seen map[int]bool) {
	number := objectNumber(o)
	node := c.Dict(o)
	if node == nil || number == 0 || seen[number] || depth > maxNesting || !c.Step() {
		c.refusePageTree()
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
	if kids := c.Array(node["Kids"]); kids != nil {
		before := c.pages
		for i := range kids {
			if kid := c.Dict(kids[i]); objectNumber(kids[i]) > 0 && kid != nil {
				kid["Parent"] = o
			}
			c.pageNode(kids[i], own, depth+1, seen)
		}
		removeAllBut(node, "Parent", "Kids")
		node["Type"], node["Count"] = types.Name("Pages"), types.Integer(c.pages-before)
		return
	}
	if depth == 0 {
		c.refusePageTree()
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
	c.convertPage(node)
}

func (c *converter) refusePageTree() {
	c.refuseOn(0, ReasonDamaged, "the tree of pages is damaged", remedySave)
}
