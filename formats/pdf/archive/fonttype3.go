package archive

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/content"
)

// glyphs goes through the glyphs of a Type 3 font, which are drawn like forms.
func (c *converter) glyphs(d, resources types.Dict) {
	own := c.dict(d["Resources"])
	if own == nil {
		own = c.copyOf(resources)
		d["Resources"] = own
	}
	procedures := c.dict(d["CharProcs"])
	for _, name := range slices.Sorted(maps.Keys(procedures)) {
		if s, ok := c.at(procedures[name]).(types.StreamDict); ok {
			c.procedure(procedures[name], s, own)
		}
	}
}

func (c *converter) procedure(o types.Object, s types.StreamDict, resources types.Dict) {
	key := streamKey{numberOf(o), graphics{}}
	if c.streams[key] {
		return
	}
	c.streams[key] = true
	data, err := c.content(o)
	if err != nil {
		c.refuse(ReasonDamaged, "a glyph cannot be read", remedyFonts)
		return
	}
	if edits := c.read(data, resources, graphics{}); len(edits) > 0 {
		c.replace(o, s, apply(data, edits))
	}
}

// drawnFont checks that the glyphs of a Type 3 font are there, and makes each as
// wide as the font declares.
func (c *converter) drawnFont(f *usedFont) {
	e := c.encodingOf(f)
	procedures := c.dict(f.dict["CharProcs"])
	widths := map[string]float64{}
	for _, at := range f.codes() {
		u := f.uses[at]
		name := e.name(at.value, standard)
		s, ok := c.at(procedures[name]).(types.StreamDict)
		if !ok || name == ".notdef" {
			c.lacks(f, u)
			continue
		}
		declared, ok := c.widthOf(f, at.value)
		if other, set := widths[name]; !ok || set && math.Abs(other-declared) > wrongWidth {
			c.refuseOn(u.page, ReasonWidths, "the font "+c.label(f)+" contradicts itself about widths", remedyFonts)
			continue
		}
		widths[name] = declared
		c.setAdvance(procedures[name], s, declared)
	}
}

// setAdvance writes a width into the operator with which a glyph begins.
func (c *converter) setAdvance(o types.Object, s types.StreamDict, width float64) {
	data, err := c.content(o)
	if err != nil {
		return // it was refused when it was read
	}
	var edits []edit
	_ = content.Scan(data, func(op *content.Op) error { // as above
		own, _ := op.Arg(0).(content.Number)
		if (op.Name == "d0" || op.Name == "d1") && math.Abs(own.Value-width) > wrongWidth {
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
		c.replace(o, s, apply(data, edits))
	}
}
