package archive

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// convert does the work.
func (c *converter) convert() {
	if c.container.Encrypted {
		c.changed("the encryption, with the permissions that it set, is removed")
	}
	c.catalogEntries()
	c.form()
	c.names()
	c.layers()
	c.outlines()
	c.pageTree()
	c.finishFonts()
	c.prune()
	c.structure()
	if c.err == nil && len(c.reasons) == 0 {
		c.audit()
	}
}

// catalogEntries drops what the catalog says beyond the pages and how to find
// something in them.
func (c *converter) catalogEntries() {
	for key, what := range map[string]string{
		"AA": "actions of the document are removed", "Collection": "the document is no longer a portfolio",
		"Requirements": "requirements to readers are removed", "Perms": "the signature that certifies the document, or sets permissions, is removed",
		"Legal": "a legal attestation is removed", "DSS": "data for checking signatures is removed", "Threads": "article threads are removed",
	} {
		if c.catalog[key] != nil {
			c.changed(what)
		}
	}
	keep(c.catalog, "Type", "Pages", "PageLabels", "Names", "Dests", "ViewerPreferences", "PageLayout", "PageMode",
		"Outlines", "StructTreeRoot", "MarkInfo", "Lang", "OCProperties", "AcroForm", "OpenAction", "NeedsRendering")
	if c.boolean(c.catalog["NeedsRendering"]) {
		c.refuseXFA()
	}
	delete(c.catalog, "NeedsRendering")
	if c.text(c.catalog["Lang"]) == "" {
		delete(c.catalog, "Lang")
	}
	if _, destination := c.at(c.catalog["OpenAction"]).(types.Array); !destination && c.catalog["OpenAction"] != nil {
		c.action(c.catalog, "OpenAction", "GoTo")
	}
	if preferences := c.dict(c.catalog["ViewerPreferences"]); preferences != nil {
		keep(preferences, "HideToolbar", "HideMenubar", "HideWindowUI", "FitWindow", "CenterWindow", "DisplayDocTitle",
			"NonFullScreenPageMode", "Direction", "PrintScaling", "Duplex", "PickTrayByPDFSize", "NumCopies")
	}
}

func (c *converter) refuseXFA() {
	c.refuseOn(0, ReasonXFA, "the document is an XFA form, whose pages only a program can make", "print the form to a new PDF")
}

// names keeps the names of places, and drops all other names: scripts, files,
// templates, renditions.
func (c *converter) names() {
	names := c.dict(c.catalog["Names"])
	if names == nil {
		delete(c.catalog, "Names")
		return
	}
	if names["JavaScript"] != nil {
		c.changed("JavaScript is removed")
	}
	keep(names, "Dests")
}

// outlines drops actions that PDF/A excludes from bookmarks.
func (c *converter) outlines() {
	root := c.dict(c.catalog["Outlines"])
	if root == nil {
		delete(c.catalog, "Outlines")
		return
	}
	seen := map[int]bool{}
	for queue := []types.Object{root["First"]}; len(queue) > 0 && c.tick(); {
		o := queue[0]
		queue = queue[1:]
		number := numberOf(o)
		item := c.dict(o)
		if item == nil || number == 0 || seen[number] {
			continue
		}
		seen[number] = true
		c.action(item, "A", allowedActions...)
		queue = append(queue, item["First"], item["Next"])
	}
}

// layers repairs the configurations of optional content.
func (c *converter) layers() {
	properties := c.dict(c.catalog["OCProperties"])
	if properties == nil {
		delete(c.catalog, "OCProperties")
		return
	}
	groups := c.array(properties["OCGs"])
	configurations := append(types.Array{properties["D"]}, c.array(properties["Configs"])...)
	if c.dict(properties["D"]) == nil {
		properties["D"] = types.Dict{}
		configurations[0] = properties["D"]
	}
	taken := map[string]bool{}
	for i, o := range configurations {
		d := c.dict(o)
		if d == nil {
			continue
		}
		name := c.text(d["Name"])
		if name == "" || taken[name] {
			name = fmt.Sprintf("Layers %d", i+1)
			for taken[name] {
				name += "'"
			}
			d["Name"] = text(name)
		}
		taken[name] = true
		if d["AS"] != nil {
			delete(d, "AS")
			c.changed("layers no longer switch by themselves when viewed or printed")
		}
		if d["Order"] != nil {
			d["Order"] = c.complete(c.array(d["Order"]), groups)
		}
	}
}

// complete is an order of layers with those at the end that it left out.
func (c *converter) complete(order, groups types.Array) types.Array {
	listed := map[int]bool{}
	var list func(a types.Array, depth int)
	list = func(a types.Array, depth int) {
		for _, o := range a {
			listed[numberOf(o)] = true
			if inner := c.array(o); inner != nil && depth < deepest {
				list(inner, depth+1)
			}
		}
	}
	list(order, 0)
	order = slices.Clone(order)
	for _, g := range groups {
		if !listed[numberOf(g)] {
			order = append(order, g)
		}
	}
	return order
}

// structure makes the names of structure types legible, and drops files that
// belong to parts of the structure.
func (c *converter) structure() {
	root := c.dict(c.catalog["StructTreeRoot"])
	if root == nil {
		delete(c.catalog, "StructTreeRoot")
		delete(c.catalog, "MarkInfo")
		return
	}
	if roles := c.dict(root["RoleMap"]); roles != nil {
		for _, key := range slices.Sorted(maps.Keys(roles)) {
			value := types.Name(legible(c.name(roles[key])))
			delete(roles, key)
			if value != "" {
				roles[legible(key)] = value
			}
		}
	}
	delete(root, "AF")
	for queue := []types.Object{root["K"]}; len(queue) > 0 && c.tick(); {
		o := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		switch o := c.at(o).(type) {
		case types.Array:
			queue = append(queue, o...)
		case types.Dict:
			if c.done[-int(identity(o)&0x7FFFFFFFFFFF)] {
				continue
			}
			c.done[-int(identity(o)&0x7FFFFFFFFFFF)] = true
			if s, ok := c.at(o["S"]).(types.Name); ok {
				o["S"] = types.Name(legible(string(s)))
			}
			delete(o, "AF")
			queue = append(queue, o["K"])
		}
	}
}

// legible is a name in UTF-8, as PDF/A asks of some names.
func legible(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	r := make([]rune, len(name))
	for i, b := range []byte(name) {
		r[i] = rune(b)
	}
	return string(r)
}
