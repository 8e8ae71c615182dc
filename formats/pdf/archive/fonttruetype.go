package archive

import (
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/font"
)

// symbolic is the flag of a font whose codes are its own matter.
const symbolic = 1 << 2

// trueType checks a simple TrueType font. PDF/A lets it map codes to glyphs in a
// few ways only; one that does it in another way becomes a composite font with
// a map of its own, and shows the same glyphs.
func (c *converter) trueType(f *usedFont, descriptor types.Dict, program *font.Font) {
	isSymbolic := c.integer(descriptor["Flags"], 0)&symbolic != 0
	e := c.encodingOf(f)
	sound := f.kind == "TrueType" && f.dict["FirstChar"] != nil &&
		len(c.array(f.dict["Widths"])) == c.integer(f.dict["LastChar"], -1)-c.integer(f.dict["FirstChar"], 0)+1
	if isSymbolic {
		sound = sound && f.dict["Encoding"] == nil && (len(program.Cmaps) == 1 || program.Cmap(3, 0) != nil)
	} else {
		sound = sound && (e.base == "WinAnsiEncoding" || e.base == "MacRomanEncoding") && len(e.differences) == 0 &&
			program.Cmap(3, 1) != nil
	}
	glyphs, widths, runes := map[code]int{}, map[int]float64{}, map[code]rune{}
	wrong := map[int]float64{}
	for _, at := range f.codes() {
		u := f.uses[at]
		glyph, r := trueTypeGlyph(program, e, isSymbolic, at.value)
		if r != 0 {
			runes[at] = r
		}
		if glyph == font.NotDef || glyph >= program.Glyphs {
			c.lacks(f, u)
			continue
		}
		glyphs[at] = glyph
		declared, ok := c.widthOf(f, at.value)
		if !ok {
			declared = program.Width(glyph)
			sound = false
		}
		if other, set := widths[glyph]; set && math.Abs(other-declared) > wrongWidth {
			if u.visible {
				c.refuseOn(u.page, ReasonWidths, "the font "+c.label(f)+" gives one glyph several widths", remedyFonts)
			}
			continue
		}
		widths[glyph] = declared
		if math.Abs(program.Width(glyph)-declared) > wrongWidth {
			wrong[glyph] = declared
		}
	}
	if len(wrong) > 0 {
		c.setWidths(f, descriptor, program, wrong)
	}
	if !sound {
		c.compose(f, f.dict["FontDescriptor"], glyphs, widths, runes)
	}
}

// trueTypeGlyph is the glyph for a code, and its character where that is known.
func trueTypeGlyph(program *font.Font, e encoding, isSymbolic bool, value int) (glyph int, r rune) {
	named := e.base != "" || e.differences[value] != ""
	byName := func() int {
		name := e.name(value, standard)
		var known bool
		if r, known = font.Rune(name); known {
			if g := program.Cmap(3, 1).Glyph(int(r)); g != font.NotDef {
				return g
			}
			if g := program.Cmap(0, 3).Glyph(int(r)); g != font.NotDef {
				return g
			}
		}
		if roman, _ := font.Encoding("MacRomanEncoding"); name != "" {
			for i, n := range roman {
				if g := program.Cmap(1, 0).Glyph(i); n == name && g != font.NotDef {
					return g
				}
			}
		}
		if g, found := program.ByName(name); found {
			return g
		}
		return font.NotDef
	}
	byCode := func() int {
		for _, start := range []int{0xF000, 0, 0xF100, 0xF200} {
			if g := program.Cmap(3, 0).Glyph(start + value); g != font.NotDef {
				return g
			}
		}
		for _, cmap := range []*font.Cmap{program.Cmap(1, 0), program.Cmap(3, 1), program.Cmap(0, 3)} {
			if g := cmap.Glyph(value); g != font.NotDef {
				return g
			}
		}
		return font.NotDef
	}
	ways := []func() int{byCode, byName}
	if !isSymbolic || named && (program.Cmap(3, 0) == nil || e.differences[value] != "") {
		ways = []func() int{byName, byCode}
	}
	for _, way := range ways {
		if glyph = way(); glyph != font.NotDef {
			break
		}
	}
	if r == 0 && named {
		r, _ = font.Rune(e.name(value, standard))
	}
	return glyph, r
}

// compose makes a composite font of a simple one: each byte is a character
// whose glyph and width are given.
func (c *converter) compose(f *usedFont, descriptor types.Object, glyphs map[code]int, widths map[int]float64, runes map[code]rune) {
	system := types.Dict{"Registry": text("Adobe"), "Ordering": text("Identity"), "Supplement": types.Integer(0)}
	base := f.dict["BaseFont"]
	if base == nil {
		base = types.Name("Font")
	}
	descendant, err := c.add(types.Dict{
		"Type": types.Name("Font"), "Subtype": types.Name("CIDFontType2"), "BaseFont": base,
		"CIDSystemInfo": system, "FontDescriptor": descriptor, "CIDToGIDMap": types.Name("Identity"),
		"W": widthArray(widths),
	})
	if err != nil {
		c.fail(err)
		return
	}
	codes, err := c.addStream(types.Dict{
		"Type": types.Name("CMap"), "CMapName": types.Name("Codes"), "CIDSystemInfo": system.Clone(), "WMode": types.Integer(0),
	}, writeCMap(glyphs))
	if err != nil {
		c.fail(err)
		return
	}
	toUnicode := f.dict["ToUnicode"]
	if toUnicode == nil && len(runes) > 0 {
		if toUnicode, err = c.addStream(types.Dict{}, writeToUnicode(runes)); err != nil {
			c.fail(err)
			return
		}
	}
	keep(f.dict)
	f.dict["Type"], f.dict["Subtype"], f.dict["BaseFont"] = types.Name("Font"), types.Name("Type0"), base
	f.dict["Encoding"], f.dict["DescendantFonts"] = codes, types.Array{descendant}
	if toUnicode != nil {
		f.dict["ToUnicode"] = toUnicode
	}
}
