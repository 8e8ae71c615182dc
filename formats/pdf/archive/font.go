package archive

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/font"
)

// usedFont is a font as content streams use it.
type usedFont struct {
	dict types.Dict
	kind string // its Subtype
	cmap *cmap  // of composite fonts: which characters the bytes of a text stand for
	page int    // where it is used first
	uses map[code]*use
}

// code is a character as the bytes of a text give it.
type code struct{ value, length int }

// use is where and how a code is shown.
type use struct {
	page    int // where it is shown first
	visible bool
}

// fontOf is the font that an object is, met for the first time or not.
func (c *converter) fontOf(o types.Object, resources types.Dict) *usedFont {
	d := c.dict(o)
	if d == nil {
		return nil
	}
	if f := c.fonts[identity(d)]; f != nil {
		return f
	}
	f := &usedFont{dict: d, kind: c.name(d["Subtype"]), page: c.page, uses: map[code]*use{}}
	c.fonts[identity(d)] = f
	c.fontOrder = append(c.fontOrder, f)
	d["Type"] = types.Name("Font")
	switch f.kind {
	case "Type0":
		f.cmap = c.cmapOf(d["Encoding"])
	case "Type3":
		c.glyphs(d, resources)
	}
	return f
}

// show notes the characters of a text.
func (f *usedFont) show(text []byte, visible bool, page int) {
	note := func(c code) {
		u := f.uses[c]
		if u == nil {
			u = &use{page: page}
			f.uses[c] = u
		}
		u.visible = u.visible || visible
	}
	if f.cmap != nil {
		f.cmap.split(text, note)
		return
	}
	for _, b := range text {
		note(code{int(b), 1})
	}
}

// codes are the codes that are shown, in order.
func (f *usedFont) codes() []code {
	return slices.SortedFunc(maps.Keys(f.uses), func(a, b code) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.value, b.value))
	})
}

// visible tells whether any text in the font is rendered.
func (f *usedFont) visible() bool {
	for _, u := range f.uses {
		if u.visible {
			return true
		}
	}
	return false
}

// finishFonts repairs the fonts, when all that is shown in them is known.
func (c *converter) finishFonts() {
	for _, f := range c.fontOrder {
		if c.err != nil {
			return
		}
		c.page = f.page
		if base := c.name(f.dict["BaseFont"]); base != "" {
			f.dict["BaseFont"] = types.Name(legible(base))
		}
		switch f.kind {
		case "Type0":
			c.compositeFont(f)
		case "Type3":
			c.drawnFont(f)
		case "Type1", "MMType1", "TrueType":
			c.simpleFont(f)
		default:
			c.refuse(ReasonFont, "a font is of a kind that PDF does not have", remedyFonts)
		}
	}
	c.page = 0
}

// label is what people call a font.
func (c *converter) label(f *usedFont) string {
	name := clean(c.name(f.dict["BaseFont"]))
	if len(name) > 7 && name[6] == '+' {
		name = name[7:]
	}
	return cmp.Or(name, "without a name")
}

// program reads the font program that a descriptor holds; nil if there is none.
func (c *converter) program(f *usedFont, descriptor types.Dict) (*font.Font, types.Object) {
	for _, key := range []string{"FontFile", "FontFile2", "FontFile3"} {
		if c.at(descriptor[key]) == nil {
			continue
		}
		data, err := c.content(descriptor[key])
		if err == nil {
			var p *font.Font
			if p, err = font.Parse(data); err == nil {
				return p, descriptor[key]
			}
		}
		c.refuse(ReasonFont, "the font "+c.label(f)+" is damaged: "+err.Error(), remedyFonts)
		return nil, descriptor[key]
	}
	return nil, nil
}

// lacks refuses a character that a font has no glyph for.
func (c *converter) lacks(f *usedFont, at *use) {
	c.refuseOn(at.page, ReasonGlyph, "the font "+c.label(f)+" has no glyph for a character that is shown", remedyFonts)
}

// tidy drops from a descriptor the lists of what a font program holds: they are
// optional, and often wrong.
func (c *converter) tidy(descriptor types.Dict) {
	delete(descriptor, "CharSet")
	delete(descriptor, "CIDSet")
	if name := c.name(descriptor["FontName"]); name != "" {
		descriptor["FontName"] = types.Name(legible(name))
	}
	if file, ok := c.at(descriptor["FontFile3"]).(types.StreamDict); ok {
		switch c.name(file.Dict["Subtype"]) {
		case "Type1C", "CIDFontType0C", "OpenType":
		default:
			delete(file.Dict, "Subtype")
		}
	}
}

// wrongWidth is by how many thousandths widths may differ.
const wrongWidth = 1

// setWidths gives the glyphs of a TrueType program other advances, for this font
// alone.
func (c *converter) setWidths(f *usedFont, descriptor types.Dict, program *font.Font, widths map[int]float64) {
	data, err := program.WithWidths(widths)
	if err != nil {
		c.refuse(ReasonWidths, "the font "+c.label(f)+" contradicts itself about widths", remedyFonts)
		return
	}
	c.embed(descriptor, data)
	c.changed("the font " + c.label(f) + " contradicted itself about widths; it keeps those that the pages are laid out with")
}

// embed puts a TrueType program into a descriptor.
func (c *converter) embed(descriptor types.Dict, data []byte) {
	if c.decoded += len(data); c.decoded > c.most {
		c.fail(errTooMuch("the fonts of the PDF have more than the %d bytes that are allowed", c.most))
		return
	}
	file, err := c.addStream(types.Dict{"Length1": types.Integer(len(data))}, data)
	if err != nil {
		c.fail(err)
		return
	}
	delete(descriptor, "FontFile")
	delete(descriptor, "FontFile3")
	descriptor["FontFile2"] = file
}
