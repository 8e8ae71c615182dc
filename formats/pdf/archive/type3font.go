package archive

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"einvoice/formats/pdf/content"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// glyphProcedures converts the glyphs of a Type 3 font, which are content streams.
func (c *converter) glyphProcedures(d, resources types.Dict) {
	own := c.Dict(d["Resources"])
	if own == nil {
		own = c.copyResources(resources)
		d["Resources"] = own
	}
	procedures := c.Dict(d["CharProcs"])
	for _, name := range slices.Sorted(maps.Keys(procedures)) {
		if s, ok := c.Stream(procedures[name]); ok {
			c.glyphProcedure(procedures[name], s, own)
		}
	}
}

func (c *converter) glyphProcedure(o types.Object, s types.StreamDict, resources types.Dict) {
	key := streamKey{objectNumber(o), graphicsState{}}
	if c.streams[key] {
		return
	}
	c.streams[key] = true
	data, err := c.content(o)
	if err != nil {
		c.refuse(ReasonDamaged, "a glyph cannot be read", remedyFonts)
		return
	}
	if edits := c.scanContent(data, resources, graphicsState{}); len(edits) > 0 {
		c.replaceContent(o, s, applyEdits(data, edits))
	}
}

// type3Font checks that the glyphs of a Type 3 font are there, and gives each the
// width that the font declares.
func (c *converter) type3Font(f *usedFont) {
	e := c.encodingOf(f)
	procedures := c.Dict(f.dict["CharProcs"])
	widths := map[string]float64{}
	for _, code := range f.sortedCodes() {
		u := f.codes[code]
		name := glyphName(e, code.value, standardEncoding)
		s, ok := c.Stream(procedures[name])
		if !ok || name == ".notdef" {
			c.refuseMissingGlyph(f, u)
			continue
		}
		declared, ok := c.declaredWidth(f, code.value)
		if other, set := widths[name]; !ok || set && math.Abs(other-declared) > widthTolerance {
			c.refuseWidths(f, u.page)
			continue
		}
		widths[name] = declared
		c.setGlyphWidth(procedures[name], s, declared)
	}
}

// setGlyphWidth writes a width into the operator d0 or d1 that a glyph begins with.
func (c *converter) setGlyphWidth(o types.Object, s types.StreamDict, width float64) {
	data, err := c.content(o)
	if err != nil {
		return // refused by glyphProcedure
	}
	var edits []edit
	_ = content.Scan{Spend: c.Bytes}.Operators(data, func(op *content.Op) error { // a syntax error was refused as well
		own, _ := op.Arg(0).(content.Number)
		if (op.Name == "d0" || op.Name == "d1") && math.Abs(own.Value-width) > widthTolerance {
			with := fmt.Sprintf("%g", width)
			for _, a := range op.Args[1:] {
				if n, ok := a.(content.Number); ok {
					with += fmt.Sprintf(" %g", n.Value)
				}
			}
			edits = append(edits, edit{op.From, op.To, with + " " + op.Name})
		}
		return nil
	})
	if len(edits) > 0 {
		c.replaceContent(o, s, applyEdits(data, edits))
	}
}
