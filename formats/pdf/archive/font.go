package archive

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"einvoice/formats/pdf/content"
	"einvoice/formats/pdf/font"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A usedFont is a font dictionary with the codes that content streams show in it.
type usedFont struct {
	dict  types.Dict
	kind  string   // its Subtype
	cmap  *cidCMap // of composite fonts
	page  int      // where it is used first
	codes map[charCode]*codeUse
}

// A charCode is a character code in a string.
type charCode struct{ value, length int }

func compareCodes(a, b charCode) int {
	return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.value, b.value))
}

// A codeUse is where and how a code is shown.
type codeUse struct {
	page    int // where it is shown first
	visible bool
}

// mostFonts bounds the fonts that pages use: each may need a program of its own.
const mostFonts = 2000

// fontOf is the font that a resource refers to.
func (c *converter) fontOf(o types.Object, resources types.Dict) *usedFont {
	d := c.Dict(o)
	if d == nil {
		return nil
	}
	if f := c.fonts[identity(d)]; f != nil {
		return f
	}
	if len(c.fonts) == mostFonts {
		c.Fail(limitExceeded("the pages of the PDF use more than the %d fonts that are allowed", mostFonts))
		return nil
	}
	f := &usedFont{dict: d, kind: c.Name(d["Subtype"]), page: c.page, codes: map[charCode]*codeUse{}}
	c.fonts[identity(d)] = f
	c.fontOrder = append(c.fontOrder, f)
	d["Type"] = types.Name("Font")
	switch f.kind {
	case "Type0":
		f.cmap = c.cmapOf(d["Encoding"])
	case "Type3":
		c.glyphProcedures(d, resources)
	}
	return f
}

// maxCodes bounds the codes that are shown in a font: a font has 65,536 glyphs at most.
const maxCodes = 1 << 16

// use notes the codes of a string that is shown. It reports whether they are as many as a
// font has at most.
func (f *usedFont) use(text content.String, visible bool, page int) bool {
	note := func(code charCode) {
		u := f.codes[code]
		if u == nil {
			u = &codeUse{page: page}
			f.codes[code] = u
		}
		u.visible = u.visible || visible
	}
	if f.cmap != nil {
		return f.cmap.split(text, func(code charCode) bool {
			note(code)
			return len(f.codes) <= maxCodes
		})
	}
	for _, b := range text {
		note(charCode{int(b), 1})
	}
	return true
}

// sortedCodes are the codes that are shown.
func (f *usedFont) sortedCodes() []charCode {
	return slices.SortedFunc(maps.Keys(f.codes), compareCodes)
}

// visible reports whether any text in the font is visible.
func (f *usedFont) visible() bool {
	for _, u := range f.codes {
		if u.visible {
			return true
		}
	}
	return false
}

// finishFonts repairs the fonts, when all that is shown in them is known.
func (c *converter) finishFonts() {
	for _, f := range c.fontOrder {
		if !c.InTime() {
			return
		}
		c.page = f.page
		if base := c.Name(f.dict["BaseFont"]); base != "" {
			f.dict["BaseFont"] = types.Name(utf8Name(base))
		} else if f.kind != "Type3" { // it has no effect on an embedded font, and has to be there
			f.dict["BaseFont"] = types.Name("Unnamed")
		}
		switch f.kind {
		case "Type0":
			c.compositeFont(f)
		case "Type3":
			c.type3Font(f)
		case "Type1", "MMType1", "TrueType":
			c.simpleFont(f)
		default:
			c.refuse(ReasonFont, "a font is of a kind that PDF does not have", remedyFonts)
		}
	}
	c.page = 0
}

// label is the name of a font in messages, without the tag of a subset.
func (c *converter) label(f *usedFont) string {
	name := clean(c.Name(f.dict["BaseFont"]))
	if len(name) > 7 && name[6] == '+' {
		name = name[7:]
	}
	return cmp.Or(name, "without a name")
}

// fontProgram reads the font program that a descriptor refers to. The file is nil if
// there is none; the program is nil, and the font refused, if it cannot be read.
func (c *converter) fontProgram(f *usedFont, descriptor types.Dict) (program *font.Font, file types.Object) {
	for _, key := range []string{"FontFile", "FontFile2", "FontFile3"} {
		if c.Resolve(descriptor[key]) == nil {
			continue
		}
		data, err := c.content(descriptor[key])
		if err == nil {
			if program, err = font.Parse(data); err == nil {
				return program, c.repairFontFile(f, descriptor, key, program)
			}
		}
		c.refuse(ReasonFont, "the font "+c.label(f)+" is damaged: "+err.Error(), remedyFonts)
		return nil, descriptor[key]
	}
	return nil, nil
}

// repairFontFile gives the file of a font program the entries that programs expect of its
// kind, and returns it. Of an OpenType font with CFF outlines, only these are kept: more is
// not used, and many programs do not read it.
func (c *converter) repairFontFile(f *usedFont, descriptor types.Dict, key string, program *font.Font) types.Object {
	subtype := types.Name("Type1C")
	if f.kind == "Type0" {
		subtype = "CIDFontType0C"
	}
	s, _ := c.Stream(descriptor[key])
	switch {
	case program.Outlines != nil:
		delete(descriptor, key)
		key = "FontFile3"
		c.Decoded(len(program.Outlines))
		descriptor[key] = c.AddStream(types.Dict{"Subtype": subtype}, program.Outlines)
	case program.Kind == font.CFF:
		s.Dict["Subtype"] = subtype
		file := descriptor[key]
		delete(descriptor, key)
		key = "FontFile3"
		descriptor[key] = file
	case program.Kind == font.TrueType && program.Incomplete:
		if single, err := program.WithWidths(nil); err == nil {
			c.embedTrueType(descriptor, single)
			key = "FontFile2"
		}
	case program.Kind == font.Type1 && key == "FontFile" && program.Lengths[1] > 0:
		if data, err := c.content(descriptor[key]); err == nil && !bytes.Equal(data, program.Plain) && c.Decoded(len(program.Plain)) {
			c.replaceContent(descriptor[key], s, program.Plain)
		}
		for i, entry := range []string{"Length1", "Length2", "Length3"} {
			s.Dict[entry] = types.Integer(program.Lengths[i])
		}
	}
	return descriptor[key]
}

// refuseMissingGlyph refuses a character that a font has no glyph for.
func (c *converter) refuseMissingGlyph(f *usedFont, u *codeUse) {
	c.refuseOn(u.page, ReasonGlyph, "the font "+c.label(f)+" has no glyph for a character that is shown", remedyFonts)
}

func (c *converter) refuseWidths(f *usedFont, page int) {
	c.refuseOn(page, ReasonWidths, "the font "+c.label(f)+" contradicts itself about widths", remedyFonts)
}

// refuseGlyphWidths refuses a glyph that is shown with different widths.
func (c *converter) refuseGlyphWidths(f *usedFont, page int) {
	c.refuseOn(page, ReasonWidths, "the font "+c.label(f)+" gives one glyph several widths", remedyFonts)
}

// repairDescriptor removes the lists of glyphs from a font descriptor: they are
// optional, and often wrong.
func (c *converter) repairDescriptor(descriptor types.Dict) {
	delete(descriptor, "CharSet")
	delete(descriptor, "CIDSet")
	if name := c.Name(descriptor["FontName"]); name != "" {
		descriptor["FontName"] = types.Name(utf8Name(name))
	}
	if file, ok := c.Stream(descriptor["FontFile3"]); ok {
		switch c.Name(file.Dict["Subtype"]) {
		case "Type1C", "CIDFontType0C", "OpenType":
		default:
			delete(file.Dict, "Subtype")
		}
	}
}

// widthTolerance is by how many thousandths PDF/A lets declared widths differ from
// those of the font program.
const widthTolerance = 1

// maxWidthChange is by how many thousandths a repair may change the position of a
// glyph: less than is visible.
const maxWidthChange = 30

// exactness is how far declared widths may differ from those of the font program
// before they are replaced. Some programs ignore the fractions that CFF fonts have,
// among them veraPDF, and the declared widths have to agree with both.
func exactness(program *font.Font) float64 {
	if program.Kind == font.CFF {
		return 0.01
	}
	return widthTolerance
}

// setProgramWidths changes the advances of glyphs in a copy of a TrueType program for
// this font.
func (c *converter) setProgramWidths(f *usedFont, descriptor types.Dict, program *font.Font, widths map[int]float64) {
	data, err := program.WithWidths(widths)
	if err != nil {
		c.refuseWidths(f, c.page)
		return
	}
	c.embedTrueType(descriptor, data)
	c.changed("the font " + c.label(f) + " contradicted itself about widths; it keeps those that the pages are laid out with")
}

// embedTrueType puts a TrueType program into a descriptor.
func (c *converter) embedTrueType(descriptor types.Dict, data []byte) {
	if len(data) > c.DecodeLeft() {
		c.Fail(limitExceeded("the fonts of the PDF have more than the %d bytes that are allowed", c.mostDecoded))
		return
	}
	c.Decoded(len(data))
	delete(descriptor, "FontFile")
	delete(descriptor, "FontFile3")
	descriptor["FontFile2"] = c.AddStream(types.Dict{"Length1": types.Integer(len(data))}, data)
}

// identitySystem is the character collection of CIDs that are codes or glyph numbers.
func identitySystem() types.Dict {
	return types.Dict{"Registry": textString("Adobe"), "Ordering": textString("Identity"), "Supplement": types.Integer(0)}
}
