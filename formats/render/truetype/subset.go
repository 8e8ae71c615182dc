package truetype

import (
	"encoding/binary"
	"slices"
)

// The flags of a part of a glyph that is composed of others.
const (
	wordArguments = 1 << 0
	oneScale      = 1 << 3
	moreParts     = 1 << 5
	twoScales     = 1 << 6
	fourScales    = 1 << 7
)

// Subset is a font with the glyphs given, numbered in their order; a glyph may be
// given more than once. The first must be 0, which stands for what is missing.
// Glyphs that others are composed of follow them. There is no table of
// characters: in a PDF, text names glyphs.
func (f *Font) Subset(glyphs []uint16) []byte {
	cut := &cut{font: f, glyphs: slices.Clone(glyphs), number: map[uint16]uint16{}}
	for i, g := range glyphs {
		if _, ok := cut.number[g]; !ok {
			cut.number[g] = uint16(i)
		}
	}
	cut.run()
	return assemble(map[string][]byte{
		"cvt ": f.tables["cvt "], "fpgm": f.tables["fpgm"], "prep": f.tables["prep"],
		"head": patched(f.tables["head"], 50, 1), // places are long
		"hhea": patched(f.tables["hhea"], 34, uint16(len(cut.glyphs))),
		"maxp": patched(f.tables["maxp"], 4, uint16(len(cut.glyphs))),
		"hmtx": cut.hmtx, "loca": cut.loca, "glyf": cut.glyf,
	})
}

type cut struct {
	font             *Font
	glyphs           []uint16 // grows while parts of glyphs are found
	number           map[uint16]uint16
	glyf, loca, hmtx []byte
}

func (c *cut) run() {
	metrics := int(u16(c.font.tables["hhea"], 34))
	hmtx := c.font.tables["hmtx"]
	for i := 0; i < len(c.glyphs); i++ {
		g := int(c.glyphs[i])
		c.loca = binary.BigEndian.AppendUint32(c.loca, uint32(len(c.glyf)))
		start := len(c.glyf)
		c.glyf = append(c.glyf, c.font.tables["glyf"][c.font.places[g]:c.font.places[g+1]]...)
		c.renumberParts(c.glyf[start:])
		for len(c.glyf)%4 != 0 {
			c.glyf = append(c.glyf, 0)
		}
		bearing := 4*g + 2
		if g >= metrics {
			bearing = 4*metrics + 2*(g-metrics)
		}
		c.hmtx = binary.BigEndian.AppendUint16(c.hmtx, c.font.widths[g])
		c.hmtx = binary.BigEndian.AppendUint16(c.hmtx, u16(hmtx, bearing))
	}
	c.loca = binary.BigEndian.AppendUint32(c.loca, uint32(len(c.glyf)))
}

func (c *cut) renumberParts(glyph []byte) {
	if len(glyph) == 0 || int16(u16(glyph, 0)) >= 0 {
		return // empty, or drawn by itself
	}
	for at, flags := 10, uint16(moreParts); flags&moreParts != 0; {
		flags = u16(glyph, at)
		part := u16(glyph, at+2)
		number, ok := c.number[part]
		if !ok {
			number = uint16(len(c.glyphs))
			c.number[part] = number
			c.glyphs = append(c.glyphs, part)
		}
		binary.BigEndian.PutUint16(glyph[at+2:], number)
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&fourScales != 0:
			at += 8
		}
	}
}

func patched(table []byte, at int, value uint16) []byte {
	table = slices.Clone(table)
	binary.BigEndian.PutUint16(table[at:], value)
	return table
}

// assemble writes the tables in the order of their names, as the format wants.
func assemble(tables map[string][]byte) []byte {
	var names []string
	for name, table := range tables {
		if len(table) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	binary.BigEndian.PutUint32(tables["head"][8:], 0) // counts as 0 in the sum of the font
	log := 0
	for 2<<log <= len(names) {
		log++
	}
	font := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, n := range []int{len(names), 16 << log, log, 16*len(names) - 16<<log} {
		font = binary.BigEndian.AppendUint16(font, uint16(n))
	}
	place := 12 + 16*len(names)
	for _, name := range names {
		font = append(font, name...)
		for _, n := range []uint32{sum(tables[name]), uint32(place), uint32(len(tables[name]))} {
			font = binary.BigEndian.AppendUint32(font, n)
		}
		place += (len(tables[name]) + 3) &^ 3
	}
	head := 0
	for _, name := range names {
		if name == "head" {
			head = len(font)
		}
		font = append(font, tables[name]...)
		for len(font)%4 != 0 {
			font = append(font, 0)
		}
	}
	binary.BigEndian.PutUint32(font[head+8:], 0xb1b0afba-sum(font))
	return font
}

func sum(table []byte) (total uint32) {
	for len(table) >= 4 {
		total += u32(table, 0)
		table = table[4:]
	}
	var last [4]byte
	copy(last[:], table)
	return total + u32(last[:], 0)
}
