package archive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// resourceCategories are the subdictionaries of a resource dictionary.
var resourceCategories = []string{"ColorSpace", "ExtGState", "Font", "Pattern", "Properties", "Shading", "XObject"}

// usedNames is which resources of a subdictionary are used.
type usedNames struct {
	dict  types.Dict
	names map[string]bool
}

// resource is a resource that a content stream uses; nil if it is not there.
func (c *converter) resource(resources types.Dict, category, name string) types.Object {
	d := c.Dict(resources[category])
	if d == nil || c.Resolve(d[name]) == nil {
		return nil
	}
	c.noteUse(d, name)
	return d[name]
}

func (c *converter) noteUse(d types.Dict, name string) {
	u := c.usedNames[identity(d)]
	if u == nil {
		u = &usedNames{d, map[string]bool{}}
		c.usedNames[identity(d)] = u
	}
	u.names[name] = true
}

// addResource adds a resource and returns its name.
func (c *converter) addResource(resources types.Dict, category string, o types.Object) string {
	d := c.Dict(resources[category])
	if d == nil {
		d = types.Dict{}
		resources[category] = d
	}
	name := ""
	for i := len(d) + 1; name == "" || d[name] != nil; i++ {
		name = fmt.Sprintf("Added%d", i)
	}
	d[name] = o
	c.noteUse(d, name)
	return name
}

// copyResources is a copy of resources, of which those that one stream does not use
// are removed later.
func (c *converter) copyResources(resources types.Dict) types.Dict {
	own := types.Dict{}
	for _, category := range resourceCategories {
		if d := c.Dict(resources[category]); d != nil {
			own[category] = maps.Clone(d)
			c.Steps(len(d))
		}
	}
	return own
}

// pruneResources removes the resources that no content stream uses.
func (c *converter) pruneResources() {
	for _, resources := range c.resources {
		for _, key := range slices.Sorted(maps.Keys(resources)) {
			if key == "ProcSet" {
				continue
			}
			d := c.Dict(resources[key])
			if !slices.Contains(resourceCategories, key) || d == nil || c.usedNames[identity(d)] == nil {
				delete(resources, key)
			}
		}
	}
	for _, u := range c.usedNames {
		for name := range u.dict {
			if !u.names[name] {
				delete(u.dict, name)
			}
		}
	}
}
