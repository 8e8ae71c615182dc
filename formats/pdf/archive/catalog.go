package archive

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// convert converts the document, in an order in which everything is repaired before
// it is checked.
func (c *converter) convert() {
	if c.container.Encrypted {
		c.changed("the encryption, with the permissions that it set, is removed")
	}
	c.catalogEntries()
	c.form()
	c.names()
	c.optionalContent()
	c.outline()
	c.pageTree()
	c.finishFonts()
	c.pruneResources()
	c.structureTree()
	if c.Err() == nil && len(c.reasons) == 0 {
		c.checkAllObjects()
	}
}

// removedFromCatalog are the entries of the catalog whose loss is told.
var removedFromCatalog = []struct{ key, change string }{
	{"AA", "actions of the document are removed"},
	{"Collection", "the document is no longer a portfolio"},
	{"Requirements", "requirements to readers are removed"},
	{"Perms", "the signature that certifies the document, or sets permissions, is removed"},
	{"Legal", "a legal attestation is removed"},
	{"DSS", "data for checking signatures is removed"},
	{"Threads", "article threads are removed"},
}

// catalogEntries removes the entries of the catalog that are not needed to show the
// pages or to find something in them.
func (c *converter) catalogEntries() {
	for _, removed := range removedFromCatalog {
		if c.catalog[removed.key] != nil {
			c.changed(removed.change)
		}
	}
	removeAllBut(c.catalog, "Type", "Pages", "PageLabels", "Names", "Dests", "ViewerPreferences", "PageLayout", "PageMode",
		"Outlines", "StructTreeRoot", "MarkInfo", "Lang", "OCProperties", "AcroForm", "OpenAction", "NeedsRendering")
	if c.Boolean(c.catalog["NeedsRendering"]) {
		c.refuseXFA()
	}
	delete(c.catalog, "NeedsRendering")
	if c.cleanText(c.catalog["Lang"]) == "" {
		delete(c.catalog, "Lang")
	}
	if _, isDestination := c.Resolve(c.catalog["OpenAction"]).(types.Array); !isDestination && c.catalog["OpenAction"] != nil {
		c.action(c.catalog, "OpenAction", "GoTo")
	}
	if preferences := c.Dict(c.catalog["ViewerPreferences"]); preferences != nil {
		removeAllBut(preferences, "HideToolbar", "HideMenubar", "HideWindowUI", "FitWindow", "CenterWindow", "DisplayDocTitle",
			"NonFullScreenPageMode", "Direction", "PrintScaling", "Duplex", "PickTrayByPDFSize", "NumCopies")
	}
}

func (c *converter) refuseXFA() {
	c.refuseOn(0, ReasonXFA, "the document is an XFA form, whose pages only a program can make", "print the form to a new PDF")
}

// names keeps the named destinations and removes all other names: scripts, files,
// templates, renditions.
func (c *converter) names() {
	names := c.Dict(c.catalog["Names"])
	if names == nil {
		delete(c.catalog, "Names")
		return
	}
	if names["JavaScript"] != nil {
		c.changed("JavaScript is removed")
	}
	removeAllBut(names, "Dests")
}

// outline removes the actions of outline items that PDF/A forbids.
func (c *converter) outline() {
	root := c.Dict(c.catalog["Outlines"])
	if root == nil {
		delete(c.catalog, "Outlines")
		return
	}
	seen := map[int]bool{}
	for queue := []types.Object{root["First"]}; len(queue) > 0 && c.Step(); {
		o := queue[0]
		queue = queue[1:]
		number := objectNumber(o)
		item := c.Dict(o)
		if item == nil || number == 0 || seen[number] {
			continue
		}
		seen[number] = true
		c.action(item, "A", allowedActions...)
		queue = append(queue, item["First"], item["Next"])
	}
}
