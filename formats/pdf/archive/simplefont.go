package archive

import (
	"math"
	"slices"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/font"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// simpleFont repairs a font whose codes are single bytes.
func (c *converter) simpleFont(f *usedFont) {
	descriptor := c.Dict(f.dict["FontDescriptor"])
	program, file := c.fontProgram(f, descriptor)
	switch {
	case file == nil:
		c.substitute(f)
	case program == nil: // refused already
	case program.Kind == font.TrueType:
		c.repairDescriptor(descriptor)
		c.trueType(f, descriptor, program)
	default:
		c.repairDescriptor(descriptor)
		c.type1(f, program)
	}
}

// encodingOf is the encoding of a simple font. A base encoding that PDF does not have
// is ignored.
func (c *converter) encodingOf(f *usedFont) pdf.Encoding {
	e := c.Encoding(f.dict["Encoding"])
	if _, known := font.Encoding(e.Base); !known {
		e.Base = ""
	}
	return e
}

// glyphName is the name of the glyph for a code; builtIn is the font's own encoding.
func glyphName(e pdf.Encoding, code int, builtIn func(int) string) string {
	if name, found := e.Differences[code]; found {
		return name
	}
	if base, found := font.Encoding(e.Base); found && code < len(base) {
		return base[code]
	}
	return builtIn(code)
}

// standardEncoding is the encoding of a font that has none of its own.
func standardEncoding(code int) string {
	e, _ := font.Encoding("StandardEncoding")
	if code >= len(e) {
		return ""
	}
	return e[code]
}

// declaredWidth is the width that a simple font declares for a code.
func (c *converter) declaredWidth(f *usedFont, code int) (float64, bool) {
	first := c.Integer(f.dict["FirstChar"], 0)
	widths := c.Array(f.dict["Widths"])
	if code < first || code-first >= len(widths) {
		return 0, false
	}
	return c.Number(widths[code-first])
}

// declaresAllWidths reports whether a simple font has a width for each code from
// FirstChar to LastChar.
func (c *converter) declaresAllWidths(f *usedFont) bool {
	return f.dict["FirstChar"] != nil &&
		len(c.Array(f.dict["Widths"])) == c.Integer(f.dict["LastChar"], -1)-c.Integer(f.dict["FirstChar"], 0)+1
}

// declareWidths writes the widths of a simple font: these, and for other codes those
// that it declared.
func (c *converter) declareWidths(f *usedFont, widths map[int]float64) {
	low, high := 255, 0
	if declared := c.Array(f.dict["Widths"]); declared != nil {
		first := c.Integer(f.dict["FirstChar"], 0)
		for i := range declared {
			code := first + i
			if _, changed := widths[code]; !changed && code >= 0 && code < 256 {
				widths[code], _ = c.Number(declared[i])
			}
		}
	}
	for code := range widths {
		low, high = min(low, code), max(high, code)
	}
	list := types.Array{}
	for code := low; code <= high; code++ {
		list = append(list, numberObject(widths[code]))
	}
	f.dict["FirstChar"], f.dict["LastChar"], f.dict["Widths"] = types.Integer(low), types.Integer(max(low, high)), list
}

// numberObject is a number with three decimals at most, as an integer if it is one.
func numberObject(v float64) types.Object {
	v = math.Round(v*1000) / 1000
	if v == math.Trunc(v) {
		return types.Integer(v)
	}
	return types.Float(v)
}

// spaceGlyphs are glyphs that draw nothing, so that one can replace another.
var spaceGlyphs = []string{"space", "nbspace", "nonbreakingspace", "uni00A0", "nbsp", "spacehackarabic"}

// writeSecondCodes gives a font without an encoding in its dictionary one with the codes
// that are shown and that its program has in a supplement alone.
func (c *converter) writeSecondCodes(f *usedFont, program *font.Font) {
	if f.dict["Encoding"] != nil {
		return
	}
	var differences types.Array
	for _, code := range f.sortedCodes() {
		if name := program.Second(code.value); name != "" {
			differences = append(differences, types.Integer(code.value), types.Name(name))
		}
	}
	if differences != nil {
		f.dict["Encoding"] = types.Dict{"Type": types.Name("Encoding"), "Differences": differences}
	}
}

// type1 checks a Type 1 or CFF font, whose glyphs have names.
func (c *converter) type1(f *usedFont, program *font.Font) {
	if program.CID {
		c.refuse(ReasonEncoding, "it cannot be told which glyphs the font "+c.label(f)+" shows", remedyFonts)
		return
	}
	if f.kind == "TrueType" {
		f.dict["Subtype"] = types.Name("Type1")
	}
	c.writeSecondCodes(f, program)
	e := c.encodingOf(f)
	corrected, told := map[int]float64{}, false
	for _, code := range f.sortedCodes() {
		u := f.codes[code]
		name := glyphName(e, code.value, program.BuiltIn)
		glyph, found := c.type1Glyph(f, program, code.value, name)
		if !found || glyph == font.NotDef {
			if found || name == "" || name == ".notdef" || u.visible {
				c.refuseMissingGlyph(f, u)
			}
			continue
		}
		if !u.visible {
			continue
		}
		declared, ok := c.declaredWidth(f, code.value)
		if own := program.Width(glyph); !ok || math.Abs(own-declared) > exactness(program) {
			corrected[code.value] = own
			told = told || math.Abs(own-declared) > widthTolerance
			if ok && math.Abs(own-declared) > maxWidthChange {
				c.refuseWidths(f, u.page)
			}
		}
	}
	if told {
		c.changed("the font " + c.label(f) + " contradicted itself about widths; those of its glyphs hold")
	}
	if len(corrected) > 0 || f.dict["Widths"] == nil || !c.declaresAllWidths(f) {
		c.declareWidths(f, corrected)
	}
}

// type1Glyph is the glyph of that name. Of a space that the font does not have,
// another one takes the place.
func (c *converter) type1Glyph(f *usedFont, program *font.Font, code int, name string) (glyph int, found bool) {
	if glyph, found = program.ByName(name); found || !slices.Contains(spaceGlyphs, name) {
		return glyph, found
	}
	for _, other := range spaceGlyphs {
		if glyph, found = program.ByName(other); found {
			c.setGlyphName(f, code, other)
			return glyph, true
		}
	}
	return glyph, false
}

// setGlyphName changes the encoding of a font, so that a code shows the glyph of that
// name.
func (c *converter) setGlyphName(f *usedFont, code int, name string) {
	entries, _ := c.Resolve(f.dict["Encoding"]).(types.Dict)
	changed := types.Dict{"Type": types.Name("Encoding")}
	if base := c.Name(f.dict["Encoding"]); base != "" {
		changed["BaseEncoding"] = types.Name(base)
	} else if entries["BaseEncoding"] != nil {
		changed["BaseEncoding"] = entries["BaseEncoding"]
	}
	changed["Differences"] = append(slices.Clone(c.Array(entries["Differences"])), types.Integer(code), types.Name(name))
	f.dict["Encoding"] = changed
}
