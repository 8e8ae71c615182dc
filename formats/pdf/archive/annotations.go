package archive

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The flags of annotations.
const (
	flagInvisible    = 1 << 0
	flagHidden       = 1 << 1
	flagPrint        = 1 << 2
	flagNoView       = 1 << 5
	flagToggleNoView = 1 << 8
)

// painted are the annotations that show something of their own, and are kept.
var painted = []string{"Text", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline",
	"Squiggly", "StrikeOut", "Stamp", "Caret", "Ink", "Watermark", "Redact"}

// An appearance is drawn on the page: what a field, or something that PDF/A
// excludes, looks like.
type appearance struct {
	form   types.Object
	matrix string
}

// annotations keeps links and remarks. Fields become part of the page; media and
// files go, and what they look like stays.
func (c *converter) annotations(page types.Dict) (drawn []appearance) {
	var kept types.Array
	for _, o := range c.array(page["Annots"]) {
		d := c.dict(o)
		if d == nil || d["Kids"] != nil || d["Pages"] != nil || d["Contents"] != nil && d["MediaBox"] != nil || !c.tick() {
			continue // none, or something else that must not be taken for one
		}
		stays, shown := c.annotation(d)
		if shown != nil {
			drawn = append(drawn, *shown)
		}
		if stays {
			kept = append(kept, o)
		} else {
			c.put(o, nil) // whatever else refers to it
		}
	}
	delete(page, "Annots")
	if len(kept) > 0 {
		page["Annots"] = kept
	}
	return drawn
}

// annotation tells whether one stays, and else what is drawn in its place.
func (c *converter) annotation(d types.Dict) (stays bool, drawn *appearance) {
	kind := c.name(d["Subtype"])
	flags := c.integer(d["F"], 0)
	look := c.look(d)
	hidden := flags&(flagInvisible|flagHidden|flagNoView|flagToggleNoView) != 0
	switch {
	case kind == "Popup":
		return false, nil
	case hidden:
		c.changed("something hidden is removed: " + describe(kind))
		return false, nil
	case kind == "Link":
		return c.link(d), nil
	case slices.Contains(painted, kind):
		return c.remark(d, kind, look), nil
	case kind == "Widget":
		return false, c.field(d, look)
	case kind == "FileAttachment":
		c.changed("the symbol of an attached file is removed; the file is attached to the document")
	default:
		c.changed("an annotation that PDF/A excludes is removed: " + describe(kind))
	}
	return false, c.draw(d, look)
}

func describe(kind string) string {
	if kind == "Widget" {
		return "a field"
	}
	return "an annotation (" + clean(kind) + ")"
}

// look is the stream that shows an annotation; nil if there is none.
func (c *converter) look(d types.Dict) types.Object {
	normal := c.dict(d["AP"])["N"]
	switch n := c.at(normal).(type) {
	case types.StreamDict:
		return normal
	case types.Dict:
		state := n[c.name(d["AS"])]
		if _, ok := c.at(state).(types.StreamDict); ok {
			return state
		}
	}
	return nil
}

func (c *converter) link(d types.Dict) bool {
	c.action(d, "A", allowedActions...)
	c.common(d, "A", "Dest", "H", "QuadPoints", "BS")
	delete(d, "AP")
	return d["A"] != nil || d["Dest"] != nil
}

// remark keeps an annotation with its appearance alone.
func (c *converter) remark(d types.Dict, kind string, look types.Object) bool {
	c.action(d, "A")
	if look == nil {
		if kind == "Text" || c.empty(d) {
			c.changed("a note is removed that has no appearance: " + c.text(d["Contents"]))
		} else {
			c.refuse(ReasonAnnotation, "an annotation ("+kind+") has no appearance, so that each program draws it in its own way", remedySave)
		}
		return false
	}
	c.common(d, "AP", "Subj", "T", "RC", "CreationDate", "QuadPoints", "BS", "IC", "L", "Vertices", "InkList", "CL", "LE", "DA", "Q", "CA", "IT", "RD", "BE")
	d["AP"] = types.Dict{"N": look}
	c.xObjectOf(look)
	return true
}

// xObjectOf goes through an appearance, which has resources of its own or none.
func (c *converter) xObjectOf(look types.Object) {
	if s, ok := c.at(look).(types.StreamDict); ok {
		s.Dict["Subtype"] = types.Name("Form")
		c.xObject(look, types.Dict{}, graphics{})
	}
}

// common keeps what every annotation may have, and these entries.
func (c *converter) common(d types.Dict, more ...string) {
	keep(d, append(more, "Type", "Subtype", "Rect", "Contents", "P", "NM", "M", "F", "Border", "C", "StructParent", "OC")...)
	const kept = ^(flagInvisible | flagHidden | flagNoView | flagToggleNoView)
	d["F"] = types.Integer(c.integer(d["F"], 0)&kept&math.MaxInt16 | flagPrint)
}

func (c *converter) empty(d types.Dict) bool {
	r := c.numbers(d["Rect"], 4)
	return r == nil || r[0] == r[2] || r[1] == r[3]
}

// draw is where and how an appearance is drawn on the page.
func (c *converter) draw(d types.Dict, look types.Object) *appearance {
	rect := c.numbers(d["Rect"], 4)
	s, ok := c.at(look).(types.StreamDict)
	if !ok || rect == nil || c.empty(d) {
		return nil
	}
	s.Dict["Subtype"] = types.Name("Form")
	box := c.numbers(s.Dict["BBox"], 4)
	m := c.numbers(s.Dict["Matrix"], 6)
	if box == nil {
		return nil
	}
	if m == nil {
		m = []float64{1, 0, 0, 1, 0, 0}
	}
	left, bottom, right, top := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, x := range []float64{box[0], box[2]} {
		for _, y := range []float64{box[1], box[3]} {
			u, v := m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5]
			left, right = min(left, u), max(right, u)
			bottom, top = min(bottom, v), max(top, v)
		}
	}
	if right == left || top == bottom {
		return nil
	}
	sx := math.Abs(rect[2]-rect[0]) / (right - left)
	sy := math.Abs(rect[3]-rect[1]) / (top - bottom)
	parts := []float64{sx, 0, 0, sy, min(rect[0], rect[2]) - sx*left, min(rect[1], rect[3]) - sy*bottom}
	numbers := make([]string, len(parts))
	for i, v := range parts {
		numbers[i] = strconv.FormatFloat(math.Round(v*1e5)/1e5, 'f', -1, 64)
	}
	return &appearance{look, strings.Join(numbers, " ")}
}

// field makes a field of a form a part of the page.
func (c *converter) field(d types.Dict, look types.Object) *appearance {
	kind, value := c.inherited(d, "FT"), c.inherited(d, "V")
	if c.name(kind) == "Sig" && value != nil {
		c.signed()
	}
	c.changed("the fields of the form are part of the page")
	drawn := c.draw(d, look)
	shown := c.text(value) != ""
	if drawn == nil && shown && !c.empty(d) && (c.name(kind) == "Tx" || c.name(kind) == "Ch") {
		c.refuse(ReasonField, fmt.Sprintf("the field %s has a value and no appearance", c.text(c.inherited(d, "T"))), remedySave)
	}
	return drawn
}

// inherited is an entry of a field, or of a field above it.
func (c *converter) inherited(d types.Dict, key string) types.Object {
	for depth := 0; d != nil && depth < 20; depth++ {
		if d[key] != nil {
			return d[key]
		}
		d = c.dict(d["Parent"])
	}
	return nil
}

func (c *converter) signed() {
	c.changedOn(0, "the signature is no longer valid and is removed; what it looked like stays")
}

// form drops the form: its fields become part of the pages.
func (c *converter) form() {
	form := c.dict(c.catalog["AcroForm"])
	delete(c.catalog, "AcroForm")
	if form == nil {
		return
	}
	if form["XFA"] != nil {
		c.refuseXFA()
	}
	if c.boolean(form["NeedAppearances"]) && len(c.array(form["Fields"])) > 0 {
		c.changed("fields are shown as the document has them; a program was asked to draw them anew")
	}
	if c.integer(form["SigFlags"], 0)&1 != 0 {
		for _, o := range c.array(form["Fields"]) {
			if d := c.dict(o); c.name(d["FT"]) == "Sig" && d["V"] != nil {
				c.signed()
			}
		}
	}
}
