package archive

import (
	"encoding/binary"
	"math"

	"einvoice/formats/pdf/font"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// compositeFont checks a Type 0 font with its CIDFont.
func (c *converter) compositeFont(f *usedFont) {
	descendants := c.Array(f.dict["DescendantFonts"])
	if len(descendants) != 1 || c.Dict(descendants[0]) == nil {
		c.refuse(ReasonFont, "the font "+c.label(f)+" is damaged", remedyFonts)
		return
	}
	d := c.Dict(descendants[0])
	descriptor := c.Dict(d["FontDescriptor"])
	program, file := c.fontProgram(f, descriptor)
	if file == nil {
		if f.visible() {
			c.refuse(ReasonFont, "the font "+c.label(f)+" is not embedded", remedyFonts)
		}
		return
	}
	if program == nil {
		return
	}
	if !f.cmap.known {
		c.refuse(ReasonEncoding, "it cannot be told which glyphs the font "+c.label(f)+" shows: its CMap is "+
			clean(c.Name(f.dict["Encoding"])), remedyFonts)
		return
	}
	if f.cmap.maxCID > largestCID {
		c.refuse(ReasonRestriction, "the CMap of the font "+c.label(f)+" has a CID beyond 65,535", remedyFonts)
		return
	}
	if s, ok := c.Stream(f.dict["Encoding"]); ok { // the CMap itself counts
		delete(s.Dict, "WMode")
		if f.cmap.vertical {
			s.Dict["WMode"] = types.Integer(1)
		}
	}
	c.repairDescriptor(descriptor)
	d["Type"] = types.Name("Font")
	if base := c.Name(d["BaseFont"]); base != "" {
		d["BaseFont"] = types.Name(utf8Name(base))
	}
	c.characterCollection(f, d)
	glyphOf, ok := c.cidToGlyph(f, d, program)
	if !ok {
		return
	}
	if glyphOf, ok = c.avoidCIDZero(f, d, program, glyphOf); ok {
		c.checkCIDs(f, d, descriptor, program, glyphOf)
	}
}

// A glyphMap is the glyph of a CID, if it has one.
type glyphMap func(cid int) (glyph int, ok bool)

// avoidCIDZero maps the codes of a font to the numbers of its glyphs if it shows
// something with CID 0, which PDF/A takes for a missing glyph.
func (c *converter) avoidCIDZero(f *usedFont, d types.Dict, program *font.Font, glyphOf glyphMap) (glyphMap, bool) {
	usesZero := false
	declared := c.cidWidths(d)
	glyphs, widths := map[charCode]int{}, map[int]float64{}
	m := &cidCMap{known: true, codeSpaces: f.cmap.codeSpaces, single: map[charCode]int{}}
	for _, code := range f.sortedCodes() {
		cid := f.cmap.cid(code)
		glyph, found := glyphOf(cid)
		if !found || glyph == font.NotDef || !c.Step() {
			continue // refused later
		}
		usesZero = usesZero || cid == 0
		glyphs[code] = glyph
		widths[glyph] = declared(cid)
		m.single[code] = glyph
	}
	if !usesZero {
		return glyphOf, true
	}
	if program.Kind != font.TrueType || c.Name(f.dict["Encoding"]) != "Identity-H" {
		c.refuse(ReasonEncoding, "the font "+c.label(f)+" shows the character that stands for missing ones", remedyFonts)
		return nil, false
	}
	f.dict["Encoding"], f.cmap = c.addCMap(glyphs), m
	d["CIDSystemInfo"], d["CIDToGIDMap"], d["W"] = identitySystem(), types.Name("Identity"), widthArray(widths)
	return func(cid int) (int, bool) { return cid, cid < program.Glyphs }, true
}

// characterCollection makes the character collections of a font and of its CMap the
// same. They have no effect on an embedded font.
func (c *converter) characterCollection(f *usedFont, d types.Dict) {
	s, ok := c.Stream(f.dict["Encoding"])
	if !ok {
		return
	}
	cids := map[charCode]int{}
	for _, code := range f.sortedCodes() {
		cids[code] = f.cmap.cid(code)
	}
	if own := c.Dict(s.Dict["CIDSystemInfo"]); own != nil && c.fingerprint(own, 0) == c.fingerprint(d["CIDSystemInfo"], 0) {
		return
	}
	d["CIDSystemInfo"] = identitySystem()
	s.Dict["CIDSystemInfo"] = identitySystem()
	spaces := f.cmap.codeSpaces
	if len(spaces) == 1 && spaces[0].length == 1 && c.Integer(s.Dict["WMode"], 0) == 0 {
		c.replaceContent(f.dict["Encoding"], s, writeCMap(cids))
	}
}

// cidToGlyph is the map from CIDs to glyphs of a font program.
func (c *converter) cidToGlyph(f *usedFont, d types.Dict, program *font.Font) (glyphMap, bool) {
	kind := c.Name(d["Subtype"])
	switch {
	case program.Kind == font.TrueType && kind == "CIDFontType2":
		return c.cidToGIDMap(f, d, program)
	case program.Kind == font.CFF && kind == "CIDFontType0":
		return program.ByCID, true
	case program.Kind == font.CFF && kind == "CIDFontType2" && (c.Resolve(d["CIDToGIDMap"]) == nil || c.Name(d["CIDToGIDMap"]) == "Identity"):
		d["Subtype"] = types.Name("CIDFontType0")
		delete(d, "CIDToGIDMap")
		return program.ByCID, true
	}
	c.refuse(ReasonFont, "the font "+c.label(f)+" is not of the kind that it says", remedyFonts)
	return nil, false
}

// cidToGIDMap reads the entry CIDToGIDMap; without one, CIDs are glyph numbers.
func (c *converter) cidToGIDMap(f *usedFont, d types.Dict, program *font.Font) (glyphMap, bool) {
	s, mapped := c.Stream(d["CIDToGIDMap"])
	if !mapped {
		d["CIDToGIDMap"] = types.Name("Identity")
		return func(cid int) (int, bool) { return cid, cid >= 0 && cid < program.Glyphs }, true
	}
	data, err := c.content(d["CIDToGIDMap"])
	if err != nil {
		c.refuse(ReasonDamaged, "the font "+c.label(f)+" is damaged", remedyFonts)
		return nil, false
	}
	removeAllBut(s.Dict, streamEntries...)
	return func(cid int) (int, bool) {
		if cid < 0 || 2*cid+1 >= len(data) {
			return font.NotDef, false
		}
		glyph := int(binary.BigEndian.Uint16(data[2*cid:]))
		return glyph, glyph < program.Glyphs
	}, true
}

// checkCIDs checks that the font has each glyph that is shown, and that the declared
// widths are those of the font program. Widths that differ are repaired: of a
// TrueType program in the program, of others in the declaration.
func (c *converter) checkCIDs(f *usedFont, d, descriptor types.Dict, program *font.Font, glyphOf glyphMap) {
	declared := c.cidWidths(d)
	byGlyph, byCID, told := map[int]float64{}, map[int]float64{}, false
	for _, code := range f.sortedCodes() {
		u := f.codes[code]
		if !c.Step() {
			return
		}
		cid := f.cmap.cid(code)
		glyph, found := glyphOf(cid)
		if !found || glyph == font.NotDef {
			c.refuseMissingGlyph(f, u)
			continue
		}
		if !u.visible {
			continue
		}
		width, own := declared(cid), program.Width(glyph)
		if math.Abs(own-width) <= exactness(program) {
			continue
		}
		if program.Kind == font.TrueType {
			if other, set := byGlyph[glyph]; set && math.Abs(other-width) > widthTolerance {
				c.refuseGlyphWidths(f, u.page)
			}
			byGlyph[glyph] = width
			continue
		}
		byCID[cid] = own
		told = told || math.Abs(own-width) > widthTolerance
		if math.Abs(own-width) > maxWidthChange {
			c.refuseWidths(f, u.page)
		}
	}
	if len(byGlyph) > 0 {
		c.setProgramWidths(f, descriptor, program, byGlyph)
	}
	if told {
		c.changed("the font " + c.label(f) + " contradicted itself about widths; those of its glyphs hold")
	}
	if len(byCID) > 0 {
		for _, code := range f.sortedCodes() {
			if cid := f.cmap.cid(code); byCID[cid] == 0 {
				byCID[cid] = declared(cid)
			}
		}
		d["W"] = widthArray(byCID)
	}
}

// maxWidthRanges bounds the ranges of the entry W, which are searched for each CID.
const maxWidthRanges = 10_000

// cidWidths is the width that a CIDFont declares for a CID.
func (c *converter) cidWidths(d types.Dict) func(cid int) float64 {
	defaultWidth, ok := c.Number(d["DW"])
	if !ok {
		defaultWidth = 1000
	}
	type widthRange struct {
		first, last int
		width       float64
	}
	single := map[int]float64{}
	var ranges []widthRange
	c.CIDWidths(d["W"], func(first int, widths types.Array) bool {
		for i, width := range widths {
			single[first+i], _ = c.Number(width)
		}
		return true
	}, func(first, last int, width float64) bool {
		if len(ranges) == maxWidthRanges {
			c.refuse(ReasonRestriction, "a font has too many widths", remedyFonts)
			return false
		}
		ranges = append(ranges, widthRange{first, last, width})
		return true
	})
	return func(cid int) float64 {
		if w, found := single[cid]; found {
			return w
		}
		for _, r := range ranges {
			if cid >= r.first && cid <= r.last {
				return r.width
			}
		}
		return defaultWidth
	}
}
