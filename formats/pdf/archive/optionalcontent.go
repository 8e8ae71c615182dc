package archive

import (
	"fmt"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// optionalContent repairs the configurations of optional content (layers): each needs
// a unique name and an order that lists all groups, and none may switch automatically.
func (c *converter) optionalContent() {
	properties := c.Dict(c.catalog["OCProperties"])
	if properties == nil {
		delete(c.catalog, "OCProperties")
		return
	}
	groups := c.Array(properties["OCGs"])
	configurations := append(types.Array{properties["D"]}, c.Array(properties["Configs"])...)
	if c.Dict(properties["D"]) == nil {
		properties["D"] = types.Dict{}
		configurations[0] = properties["D"]
	}
	taken := map[string]bool{}
	for i, o := range configurations {
		d := c.Dict(o)
		if d == nil {
			continue
		}
		name := c.cleanText(d["Name"])
		if name == "" || taken[name] {
			name = fmt.Sprintf("Layers %d", i+1)
			for taken[name] {
				name += "'"
			}
			d["Name"] = textString(name)
		}
		taken[name] = true
		if d["AS"] != nil {
			delete(d, "AS")
			c.changed("layers no longer switch by themselves when viewed or printed")
		}
		if d["Order"] != nil {
			d["Order"] = c.completeOrder(c.Array(d["Order"]), groups)
		}
	}
}

// completeOrder appends to an order the groups that it does not list.
func (c *converter) completeOrder(order, groups types.Array) types.Array {
	listed := map[int]bool{}
	var list func(a types.Array, depth int)
	list = func(a types.Array, depth int) {
		for _, o := range a {
			listed[objectNumber(o)] = true
			if inner := c.Array(o); inner != nil && depth < maxNesting {
				list(inner, depth+1)
			}
		}
	}
	list(order, 0)
	order = slices.Clone(order)
	for _, g := range groups {
		if !listed[objectNumber(g)] {
			order = append(order, g)
		}
	}
	return order
}
