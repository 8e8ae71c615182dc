package archive

import (
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The flags of annotations.
const (
	flagInvisible    = 1 << 0
	flagHidden       = 1 << 1
	flagPrint        = 1 << 2
	flagNoView       = 1 << 5
	flagToggleNoView = 1 << 8

	hidingFlags = flagInvisible | flagHidden | flagNoView | flagToggleNoView
)

// markupAnnotations are the annotations that are kept with their appearance.
var markupAnnotations = []string{"Text", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline",
	"Squiggly", "StrikeOut", "Stamp", "Caret", "Ink", "Watermark", "Redact"}

// annotations keeps links and markup annotations. Form fields, media and files are
// removed, and their appearances are to be drawn on the page.
func (c *converter) annotations(page types.Dict) (toDraw []appearance) {
	var kept types.Array
	for _, o := range c.Array(page["Annots"]) {
		d := c.Dict(o)
		if !isAnnotation(d) || !c.Step() {
			continue
		}
		keep, drawn := c.annotation(d)
		if drawn != nil {
			toDraw = append(toDraw, *drawn)
		}
		if keep {
			kept = append(kept, o)
		} else {
			c.replaceObject(o, nil) // other objects may refer to it
		}
	}
	delete(page, "Annots")
	if len(kept) > 0 {
		page["Annots"] = kept
	}
	return toDraw
}

// isAnnotation reports whether a dictionary can be an annotation, and is not a page or a
// node of a tree that a damaged file refers to.
func isAnnotation(d types.Dict) bool {
	isPage := d["Contents"] != nil && d["MediaBox"] != nil
	return d != nil && d["Kids"] == nil && d["Pages"] == nil && !isPage
}

// annotation reports whether an annotation is kept, and which appearance is drawn
// instead of one that is not.
func (c *converter) annotation(d types.Dict) (keep bool, drawn *appearance) {
	kind := c.Name(d["Subtype"])
	normal := c.normalAppearance(d)
	switch {
	case kind == "Popup":
		return false, nil
	case c.Integer(d["F"], 0)&hidingFlags != 0:
		c.changed("something hidden is removed: " + describe(kind))
		return false, nil
	case kind == "Link":
		return c.link(d), nil
	case slices.Contains(markupAnnotations, kind):
		return c.markup(d, kind, normal), nil
	case kind == "Widget":
		return false, c.field(d, normal)
	case kind == "FileAttachment":
		c.changed("the symbol of an attached file is removed; the file is attached to the document")
	default:
		c.changed("an annotation that PDF/A excludes is removed: " + describe(kind))
	}
	return false, c.placedAppearance(d, normal)
}

func describe(kind string) string {
	if kind == "Widget" {
		return "a field"
	}
	return "an annotation (" + clean(kind) + ")"
}

func (c *converter) link(d types.Dict) (keep bool) {
	c.action(d, "A", allowedActions...)
	c.keepAnnotationEntries(d, "A", "Dest", "H", "QuadPoints", "BS")
	delete(d, "AP")
	return d["A"] != nil || d["Dest"] != nil
}

// markup keeps an annotation with its normal appearance alone.
func (c *converter) markup(d types.Dict, kind string, normal types.Object) (keep bool) {
	c.action(d, "A")
	if normal == nil {
		if kind == "Text" || c.isEmpty(d) {
			c.changed("a note is removed that has no appearance: " + c.cleanText(d["Contents"]))
		} else {
			c.refuse(ReasonAnnotation, "an annotation ("+kind+") has no appearance, so that each program draws it in its own way", remedySave)
		}
		return false
	}
	c.keepAnnotationEntries(d, "AP", "Subj", "T", "RC", "CreationDate", "QuadPoints", "BS", "IC", "L", "Vertices", "InkList", "CL", "LE",
		"DA", "Q", "CA", "IT", "RD", "BE")
	d["AP"] = types.Dict{"N": normal}
	if s, ok := c.Stream(normal); ok {
		s.Dict["Subtype"] = types.Name("Form")
		c.xObject(normal, types.Dict{}, graphicsState{})
	}
	return true
}

// keepAnnotationEntries removes the entries of an annotation, except those that every
// annotation may have and those that are named. The annotation is shown and printed.
func (c *converter) keepAnnotationEntries(d types.Dict, names ...string) {
	removeAllBut(d, append(names, "Type", "Subtype", "Rect", "Contents", "P", "NM", "M", "F", "Border", "C", "StructParent", "OC")...)
	d["F"] = types.Integer(c.Integer(d["F"], 0)&^hidingFlags&math.MaxInt16 | flagPrint)
}

// isEmpty reports whether an annotation covers no area.
func (c *converter) isEmpty(d types.Dict) bool {
	rect := c.Numbers(d["Rect"], 4)
	return rect == nil || rect[0] == rect[2] || rect[1] == rect[3]
}
