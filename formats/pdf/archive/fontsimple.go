package archive

import (
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/font"
)

// simpleFont repairs a font whose codes are bytes.
func (c *converter) simpleFont(f *usedFont) {
	descriptor := c.dict(f.dict["FontDescriptor"])
	program, file := c.program(f, descriptor)
	switch {
	case file == nil:
		c.substitute(f)
	case program == nil: // refused already
	case program.Kind == font.TrueType:
		c.tidy(descriptor)
		c.trueType(f, descriptor, program)
	default:
		c.tidy(descriptor)
		c.type1(f, program)
	}
}

// widthOf is the width that a simple font declares for a code.
func (c *converter) widthOf(f *usedFont, value int) (float64, bool) {
	first := c.integer(f.dict["FirstChar"], 0)
	widths := c.array(f.dict["Widths"])
	if value < first || value-first >= len(widths) {
		return 0, false
	}
	return c.number(widths[value-first])
}

// declare writes the widths of the codes of a simple font.
func (c *converter) declare(f *usedFont, widths map[int]float64) {
	low, high := 255, 0
	if declared := c.array(f.dict["Widths"]); declared != nil {
		first := c.integer(f.dict["FirstChar"], 0)
		for i := range declared {
			value := first + i
			if _, changed := widths[value]; !changed && value >= 0 && value < 256 {
				widths[value], _ = c.number(declared[i])
			}
		}
	}
	for value := range widths {
		low, high = min(low, value), max(high, value)
	}
	list := types.Array{}
	for value := low; value <= high; value++ {
		list = append(list, numberObject(widths[value]))
	}
	f.dict["FirstChar"], f.dict["LastChar"], f.dict["Widths"] = types.Integer(low), types.Integer(max(low, high)), list
}

// numberObject is a number, written as an integer where it is one.
func numberObject(v float64) types.Object {
	v = math.Round(v*1000) / 1000
	if v == math.Trunc(v) {
		return types.Integer(v)
	}
	return types.Float(v)
}

// spaces are glyphs that show nothing, and so can stand in for one another.
var spaces = []string{"space", "nbspace", "nonbreakingspace", "uni00A0", "nbsp", "spacehackarabic"}

// type1 checks a font whose glyphs have names.
func (c *converter) type1(f *usedFont, program *font.Font) {
	if program.CID { // of a kind that has no names
		c.refuse(ReasonEncoding, "it cannot be told which glyphs the font "+c.label(f)+" shows", remedyFonts)
		return
	}
	if f.kind == "TrueType" {
		f.dict["Subtype"] = types.Name("Type1")
	}
	e := c.encodingOf(f)
	wrong, told := map[int]float64{}, false
	for _, at := range f.codes() {
		u := f.uses[at]
		name := e.name(at.value, program.BuiltIn)
		glyph, found := program.ByName(name)
		if !found && slices.Contains(spaces, name) {
			for _, other := range spaces {
				if glyph, found = program.ByName(other); found {
					c.rename(f, at.value, other)
					break
				}
			}
		}
		if !found || glyph == font.NotDef {
			if found || name == "" || name == ".notdef" || u.visible {
				c.lacks(f, u)
			}
			continue
		}
		if !u.visible {
			continue
		}
		declared, ok := c.widthOf(f, at.value)
		if own := program.Width(glyph); !ok || math.Abs(own-declared) > exact(program) {
			wrong[at.value] = own
			told = told || math.Abs(own-declared) > wrongWidth
			if ok && math.Abs(own-declared) > tolerable {
				c.refuseOn(u.page, ReasonWidths, "the font "+c.label(f)+" contradicts itself about widths", remedyFonts)
			}
		}
	}
	if told {
		c.changed("the font " + c.label(f) + " contradicted itself about widths; those of its glyphs hold")
	}
	if len(wrong) > 0 || f.dict["Widths"] == nil || f.dict["FirstChar"] == nil ||
		len(c.array(f.dict["Widths"])) != c.integer(f.dict["LastChar"], -1)-c.integer(f.dict["FirstChar"], 0)+1 {
		c.declare(f, wrong)
	}
}

// exact is how far declared widths may be from those of the glyphs before they are
// set to them. Some programs cut off the fractions that CFF fonts have, veraPDF
// among them, and what is declared has to agree with both.
func exact(program *font.Font) float64 {
	if program.Kind == font.CFF {
		return 0.01
	}
	return wrongWidth
}

// tolerable is by how many thousandths a glyph may be moved by a repair: less
// than anybody sees.
const tolerable = 30

// rename has a code show the glyph of another name.
func (c *converter) rename(f *usedFont, value int, name string) {
	entries, _ := c.at(f.dict["Encoding"]).(types.Dict)
	changed := types.Dict{"Type": types.Name("Encoding"), "Differences": types.Array{}}
	if base := c.name(f.dict["Encoding"]); base != "" {
		changed["BaseEncoding"] = types.Name(base)
	} else if entries["BaseEncoding"] != nil {
		changed["BaseEncoding"] = entries["BaseEncoding"]
	}
	differences := append(slices.Clone(c.array(entries["Differences"])), types.Integer(value), types.Name(name))
	changed["Differences"] = differences
	f.dict["Encoding"] = changed
}
