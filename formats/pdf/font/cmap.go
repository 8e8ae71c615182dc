package font

import "unicode"

// A Cmap is a subtable of the table cmap: it maps codes to glyphs.
type Cmap struct {
	Platform, Encoding int
	// Wide is set for a subtable with 32-bit codes, which not every reader of simple fonts
	// knows.
	Wide   bool
	glyphs map[int]int
}

// Glyph is the glyph for a code; NotDef if there is none.
func (c *Cmap) Glyph(code int) int {
	if c == nil {
		return NotDef
	}
	return c.glyphs[code]
}

// Codes are the glyphs of all codes that have one.
func (c *Cmap) Codes() map[int]int {
	if c == nil {
		return nil
	}
	return c.glyphs
}

// maxCmaps bounds the subtables that are read, because they may share their data.
const maxCmaps = 16

func parseCmaps(table []byte) (cmaps []*Cmap) {
	for i := range min(u16(table, 2), maxCmaps) {
		entry := part(table, 4+8*i, 8)
		if len(entry) < 8 {
			break
		}
		c := &Cmap{Platform: u16(entry, 0), Encoding: u16(entry, 2), glyphs: map[int]int{}}
		data := part(table, u32(entry, 4), len(table))
		switch u16(data, 0) {
		case 0:
			for code := range 256 {
				c.set(code, u8(data, 6+code))
			}
		case 4:
			c.segments(data)
		case 6:
			for j := range u16(data, 8) {
				c.set(u16(data, 6)+j, u16(data, 10+2*j))
			}
		case 12:
			c.Wide = true
			c.groups(data)
		}
		cmaps = append(cmaps, c)
	}
	return cmaps
}

func (c *Cmap) set(code, glyph int) {
	if glyph != NotDef {
		c.glyphs[code] = glyph
	}
}

// segments reads format 4.
func (c *Cmap) segments(data []byte) {
	count := u16(data, 6) / 2
	ends, starts := 14, 16+2*count
	deltas, offsets := starts+2*count, starts+4*count
	reached := -1 // the last code that was read: of segments that overlap, each code is read once
	for i := range count {
		start, end := u16(data, starts+2*i), u16(data, ends+2*i)
		delta, offset := u16(data, deltas+2*i), u16(data, offsets+2*i)
		for code := max(start, reached+1); code <= end && code < 0xFFFF; code++ {
			glyph := code
			if offset != 0 {
				if glyph = u16(data, offsets+2*i+offset+2*(code-start)); glyph == NotDef {
					continue
				}
			}
			c.set(code, (glyph+delta)&0xFFFF)
		}
		reached = max(reached, end)
	}
}

// groups reads format 12.
func (c *Cmap) groups(data []byte) {
	reached := -1 // the last code that was read: of groups that overlap, each code is read once
	for i := range min(u32(data, 12), (len(data)-16)/12) {
		first, last, glyph := u32(data, 16+12*i), u32(data, 20+12*i), u32(data, 24+12*i)
		for code := max(first, reached+1); code <= min(last, unicode.MaxRune); code++ {
			c.set(code, glyph+code-first)
		}
		reached = max(reached, last)
	}
}
