package archive

import (
	"encoding/binary"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/font"
)

// compositeFont checks a font whose codes may have several bytes.
func (c *converter) compositeFont(f *usedFont) {
	descendants := c.array(f.dict["DescendantFonts"])
	if len(descendants) != 1 || c.dict(descendants[0]) == nil {
		c.refuse(ReasonFont, "the font "+c.label(f)+" is damaged", remedyFonts)
		return
	}
	d := c.dict(descendants[0])
	descriptor := c.dict(d["FontDescriptor"])
	program, file := c.program(f, descriptor)
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
			clean(c.name(f.dict["Encoding"])), remedyFonts)
		return
	}
	c.tidy(descriptor)
	d["Type"] = types.Name("Font")
	if base := c.name(d["BaseFont"]); base != "" {
		d["BaseFont"] = types.Name(legible(base))
	}
	c.system(f, d)
	glyphOf, ok := c.glyphMap(f, d, program)
	if !ok {
		return
	}
	if glyphOf, ok = c.renumber(f, d, program, glyphOf); ok {
		c.checkCIDs(f, d, descriptor, program, glyphOf)
	}
}

// renumber has the characters of a font count as its glyphs do, if the first of
// them, which PDF/A takes for one that is missing, shows something.
func (c *converter) renumber(f *usedFont, d types.Dict, program *font.Font, glyphOf func(int) (int, bool)) (func(int) (int, bool), bool) {
	first := false
	declared := c.cidWidths(d)
	glyphs, widths := map[code]int{}, map[int]float64{}
	m := &cmap{known: true, spaces: f.cmap.spaces, single: map[code]int{}}
	for _, at := range f.codes() {
		cid := f.cmap.cid(at)
		glyph, found := glyphOf(cid)
		if !found || glyph == font.NotDef || !c.tick() {
			continue // refused later
		}
		first = first || cid == 0
		glyphs[at] = glyph
		widths[glyph] = declared(cid)
		m.single[at] = glyph
	}
	if !first {
		return glyphOf, true
	}
	if program.Kind != font.TrueType || c.name(f.dict["Encoding"]) != "Identity-H" {
		c.refuse(ReasonEncoding, "the font "+c.label(f)+" shows the character that stands for missing ones", remedyFonts)
		return nil, false
	}
	system := types.Dict{"Registry": text("Adobe"), "Ordering": text("Identity"), "Supplement": types.Integer(0)}
	codes, err := c.addStream(types.Dict{
		"Type": types.Name("CMap"), "CMapName": types.Name("Codes"), "CIDSystemInfo": system, "WMode": types.Integer(0),
	}, writeCMap(glyphs))
	if err != nil {
		c.fail(err)
		return nil, false
	}
	f.dict["Encoding"], f.cmap = codes, m
	d["CIDSystemInfo"], d["CIDToGIDMap"], d["W"] = system.Clone(), types.Name("Identity"), widthArray(widths)
	return func(cid int) (int, bool) { return cid, cid < program.Glyphs }, true
}

// system makes the character collections of a font and its CMap the same. Where
// the font is embedded they mean nothing.
func (c *converter) system(f *usedFont, d types.Dict) {
	s, ok := c.at(f.dict["Encoding"]).(types.StreamDict)
	if !ok {
		return
	}
	adobe := types.Dict{"Registry": text("Adobe"), "Ordering": text("Identity"), "Supplement": types.Integer(0)}
	cids := map[code]int{}
	for _, at := range f.codes() {
		cids[at] = f.cmap.cid(at)
	}
	if own := c.dict(s.Dict["CIDSystemInfo"]); own != nil && c.fingerprint(own, 0) == c.fingerprint(d["CIDSystemInfo"], 0) {
		return
	}
	d["CIDSystemInfo"] = adobe
	s.Dict["CIDSystemInfo"] = adobe.Clone()
	spaces := f.cmap.spaces
	if len(spaces) == 1 && spaces[0].length == 1 && c.integer(s.Dict["WMode"], 0) == 0 {
		c.replace(f.dict["Encoding"], s, writeCMap(cids))
	}
}

// glyphMap tells the glyph of each character identifier.
func (c *converter) glyphMap(f *usedFont, d types.Dict, program *font.Font) (func(cid int) (int, bool), bool) {
	kind := c.name(d["Subtype"])
	switch {
	case program.Kind == font.TrueType && kind == "CIDFontType2":
		s, mapped := c.at(d["CIDToGIDMap"]).(types.StreamDict)
		if !mapped {
			d["CIDToGIDMap"] = types.Name("Identity")
			return func(cid int) (int, bool) { return cid, cid < program.Glyphs }, true
		}
		data, err := c.content(d["CIDToGIDMap"])
		if err != nil {
			c.refuse(ReasonDamaged, "the font "+c.label(f)+" is damaged", remedyFonts)
			return nil, false
		}
		keep(s.Dict, "Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms")
		return func(cid int) (int, bool) {
			if cid < 0 || 2*cid+1 >= len(data) {
				return font.NotDef, false
			}
			glyph := int(binary.BigEndian.Uint16(data[2*cid:]))
			return glyph, glyph < program.Glyphs
		}, true
	case program.Kind == font.CFF && kind == "CIDFontType0":
		return program.ByCID, true
	case program.Kind == font.CFF && kind == "CIDFontType2" && c.at(d["CIDToGIDMap"]) == nil || c.name(d["CIDToGIDMap"]) == "Identity":
		d["Subtype"] = types.Name("CIDFontType0")
		delete(d, "CIDToGIDMap")
		return program.ByCID, true
	}
	c.refuse(ReasonFont, "the font "+c.label(f)+" is not of the kind that it says", remedyFonts)
	return nil, false
}

func (c *converter) checkCIDs(f *usedFont, d, descriptor types.Dict, program *font.Font, glyphOf func(int) (int, bool)) {
	declared := c.cidWidths(d)
	wrong, own, told := map[int]float64{}, map[int]float64{}, false
	for _, at := range f.codes() {
		u := f.uses[at]
		if !c.tick() {
			return
		}
		cid := f.cmap.cid(at)
		glyph, found := glyphOf(cid)
		if !found || glyph == font.NotDef {
			c.lacks(f, u)
			continue
		}
		if !u.visible {
			continue
		}
		width := declared(cid)
		if math.Abs(program.Width(glyph)-width) <= exact(program) {
			continue
		}
		if program.Kind == font.TrueType {
			if other, set := wrong[glyph]; set && math.Abs(other-width) > wrongWidth {
				c.refuseOn(u.page, ReasonWidths, "the font "+c.label(f)+" gives one glyph several widths", remedyFonts)
			}
			wrong[glyph] = width
			continue
		}
		own[cid] = program.Width(glyph)
		told = told || math.Abs(own[cid]-width) > wrongWidth
		if math.Abs(own[cid]-width) > tolerable {
			c.refuseOn(u.page, ReasonWidths, "the font "+c.label(f)+" contradicts itself about widths", remedyFonts)
		}
	}
	if len(wrong) > 0 {
		c.setWidths(f, descriptor, program, wrong)
	}
	if told {
		c.changed("the font " + c.label(f) + " contradicted itself about widths; those of its glyphs hold")
	}
	if len(own) > 0 {
		for _, at := range f.codes() {
			if cid := f.cmap.cid(at); own[cid] == 0 {
				own[cid] = declared(cid)
			}
		}
		d["W"] = widthArray(own)
	}
}

// cidWidths tells the width that a font declares for a character.
func (c *converter) cidWidths(d types.Dict) func(cid int) float64 {
	const standard = 1000
	otherwise, ok := c.number(d["DW"])
	if !ok {
		otherwise = standard
	}
	type widthRun struct {
		first, last int
		width       float64
	}
	widths := map[int]float64{}
	var runs []widthRun
	list := c.array(d["W"])
	for i := 0; i+1 < len(list) && c.tick(); {
		first := c.integer(list[i], 0)
		if run := c.array(list[i+1]); run != nil {
			for j := range run {
				widths[first+j], _ = c.number(run[j])
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			break
		}
		width, _ := c.number(list[i+2])
		if len(runs) == mostRanges {
			c.refuse(ReasonRestriction, "a font has too many widths", remedyFonts)
			break
		}
		runs = append(runs, widthRun{first, c.integer(list[i+1], 0), width})
		i += 3
	}
	return func(cid int) float64 {
		if w, found := widths[cid]; found {
			return w
		}
		for _, r := range runs {
			if cid >= r.first && cid <= r.last {
				return r.width
			}
		}
		return otherwise
	}
}
