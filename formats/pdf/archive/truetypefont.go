package archive

import (
	"math"
	"slices"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/cmap"
	"einvoice/formats/pdf/font"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// symbolicFlag is the flag of a font descriptor whose font has an encoding of its own.
const symbolicFlag = 1 << 2

// trueType checks a simple TrueType font. PDF/A allows it to map codes to glyphs in a
// few ways only. A font that does it in another way becomes a composite font that
// shows the same glyphs.
func (c *converter) trueType(f *usedFont, descriptor types.Dict, program *font.Font) {
	symbolic := c.Integer(descriptor["Flags"], 0)&symbolicFlag != 0
	e := c.encodingOf(f)
	allowed := c.isAllowedTrueType(f, symbolic, e, program)
	glyphs, widths, runes := map[charCode]int{}, map[int]float64{}, map[charCode]rune{}
	corrected := map[int]float64{}
	for _, code := range f.sortedCodes() {
		u := f.codes[code]
		glyph, r := trueTypeGlyph(program, e, symbolic, code.value)
		if r != 0 {
			runes[code] = r
		}
		if name := glyphName(e, code.value, standardEncoding); !symbolic && (name == "" || name == ".notdef") {
			allowed = false // by its encoding the code shows nothing, whatever the font program has
		}
		if glyph == font.NotDef || glyph >= program.Glyphs {
			c.refuseMissingGlyph(f, u)
			continue
		}
		glyphs[code] = glyph
		declared, ok := c.declaredWidth(f, code.value)
		if !ok {
			declared = program.Width(glyph)
			allowed = false
		}
		if other, set := widths[glyph]; set && math.Abs(other-declared) > widthTolerance {
			if u.visible {
				c.refuseGlyphWidths(f, u.page)
			}
			continue
		}
		widths[glyph] = declared
		if math.Abs(program.Width(glyph)-declared) > widthTolerance {
			corrected[glyph] = declared
		}
	}
	if len(corrected) > 0 {
		c.setProgramWidths(f, descriptor, program, corrected)
	}
	if !allowed {
		c.makeComposite(f, f.dict["FontDescriptor"], glyphs, widths, runes)
	}
}

// isAllowedTrueType reports whether PDF/A allows the way in which a simple TrueType font
// maps codes to glyphs.
func (c *converter) isAllowedTrueType(f *usedFont, symbolic bool, e pdf.Encoding, program *font.Font) bool {
	if f.kind != "TrueType" || !c.declaresAllWidths(f) {
		return false
	}
	if slices.ContainsFunc(program.Cmaps, func(m *font.Cmap) bool { return m.Wide && (m.Platform == 3 || m.Platform == 1) && m.Encoding <= 1 }) {
		return false
	}
	if symbolic {
		return f.dict["Encoding"] == nil && (len(program.Cmaps) == 1 || program.Cmap(3, 0) != nil)
	}
	return (e.Base == "WinAnsiEncoding" || e.Base == "MacRomanEncoding") && len(e.Differences) == 0 && program.Cmap(3, 1) != nil
}

// trueTypeGlyph is the glyph for a code, and its character if it is known.
func trueTypeGlyph(program *font.Font, e pdf.Encoding, symbolic bool, code int) (glyph int, r rune) {
	named := e.Base != "" || e.Differences[code] != ""
	name := glyphName(e, code, standardEncoding)
	byName := !symbolic || named && (program.Cmap(3, 0) == nil || e.Differences[code] != "")
	if byName {
		glyph = trueTypeGlyphByName(program, name)
	}
	if glyph == font.NotDef {
		glyph = trueTypeGlyphByCode(program, code)
	}
	if glyph == font.NotDef && !byName {
		glyph, byName = trueTypeGlyphByName(program, name), true
	}
	if byName || named {
		r, _ = font.Rune(name)
	}
	return glyph, r
}

// trueTypeGlyphByName finds a glyph by its character in a Unicode table, by its code
// in a Macintosh table, or by its name in the table post.
func trueTypeGlyphByName(program *font.Font, name string) int {
	if r, known := font.Rune(name); known {
		for _, table := range []*font.Cmap{program.Cmap(3, 1), program.Cmap(0, 3)} {
			if glyph := table.Glyph(int(r)); glyph != font.NotDef {
				return glyph
			}
		}
	}
	if roman, _ := font.Encoding("MacRomanEncoding"); name != "" {
		for code, n := range roman {
			if glyph := program.Cmap(1, 0).Glyph(code); n == name && glyph != font.NotDef {
				return glyph
			}
		}
	}
	if glyph, found := program.ByName(name); found {
		return glyph
	}
	return font.NotDef
}

// trueTypeGlyphByCode finds a glyph by its code: in a symbol table, where codes may
// have an offset, or in another one.
func trueTypeGlyphByCode(program *font.Font, code int) int {
	for _, offset := range []int{0xF000, 0, 0xF100, 0xF200} {
		if glyph := program.Cmap(3, 0).Glyph(offset + code); glyph != font.NotDef {
			return glyph
		}
	}
	for _, table := range []*font.Cmap{program.Cmap(1, 0), program.Cmap(3, 1), program.Cmap(0, 3)} {
		if glyph := table.Glyph(code); glyph != font.NotDef {
			return glyph
		}
	}
	return font.NotDef
}

// makeComposite turns a simple font into a composite one: each code becomes a CID with
// a glyph and a width.
func (c *converter) makeComposite(f *usedFont, descriptor types.Object, glyphs map[charCode]int, widths map[int]float64, runes map[charCode]rune) {
	base := f.dict["BaseFont"]
	if base == nil {
		base = types.Name("Font")
	}
	descendant := c.Add(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("CIDFontType2"), "BaseFont": base,
		"CIDSystemInfo": identitySystem(), "FontDescriptor": descriptor, "CIDToGIDMap": types.Name("Identity"),
		"W": widthArray(widths),
	})
	cmap := c.addCMap(glyphs)
	texts := c.textsOf(f, glyphs, runes)
	clear(f.dict)
	f.dict["Type"], f.dict["Subtype"], f.dict["BaseFont"] = types.Name("Font"), types.Name("Type0"), base
	f.dict["Encoding"], f.dict["DescendantFonts"] = cmap, types.Array{descendant}
	if len(texts) > 0 {
		f.dict["ToUnicode"] = c.AddStream(types.Dict{}, writeToUnicode(texts))
	}
}

// textsOf is what the codes of a simple font mean: by its own map, which may have some of them
// alone, or else by the names of the glyphs, which a composite font has no more.
func (c *converter) textsOf(f *usedFont, glyphs map[charCode]int, runes map[charCode]rune) map[charCode]string {
	var own *cmap.Map
	if data, err := c.content(f.dict["ToUnicode"]); err == nil {
		own = cmap.Parse(data, c.Bytes)
	}
	texts := map[charCode]string{}
	for code := range glyphs {
		if own != nil {
			if text, ok := own.Text(code.value); ok {
				texts[code] = text
				continue
			}
		}
		if r, ok := runes[code]; ok {
			texts[code] = string(r)
		}
	}
	return texts
}
