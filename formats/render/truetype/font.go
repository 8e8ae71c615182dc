package truetype

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A Font is a parsed TrueType font. Measures are in thousandths of the font size,
// as PDF has them.
type Font struct {
	Ascent, Descent, CapHeight float64
	Box                        [4]float64 // left, bottom, right, top of all glyphs
	Weight                     int        // 400 is regular, 700 bold

	tables map[string][]byte
	em     float64
	widths []uint16
	places []uint32 // of the glyphs in glyf, and its end
	basic  []uint16 // glyphs of the first 65,536 characters
	others map[rune]uint16
}

var errDamaged = errors.New("the font is damaged: a table ends too early")

// Parse reads a font. The font keeps data.
func Parse(data []byte) (font *Font, err error) {
	defer func() {
		if recover() != nil { // a table was shorter than it says
			font, err = nil, errDamaged
		}
	}()
	data = slices.Clip(data)
	f := &Font{tables: map[string][]byte{}, basic: make([]uint16, 1<<16), others: map[rune]uint16{}}
	for i := range int(u16(data, 4)) {
		entry := data[12+16*i:]
		start := u32(entry, 8)
		f.tables[string(entry[:4])] = data[start : start+u32(entry, 12)]
	}
	for _, name := range []string{"head", "hhea", "hmtx", "maxp", "loca", "glyf", "cmap", "OS/2"} {
		if f.tables[name] == nil {
			return nil, fmt.Errorf("the font has no table %s; use a TrueType font", name)
		}
	}
	f.readMeasures()
	f.readGlyphs()
	return f, f.readCharacters()
}

func (f *Font) readMeasures() {
	head, hhea, os2 := f.tables["head"], f.tables["hhea"], f.tables["OS/2"]
	f.em = float64(u16(head, 18))
	for i := range f.Box {
		f.Box[i] = f.scaled(head, 36+2*i)
	}
	f.Ascent, f.Descent = f.scaled(hhea, 4), f.scaled(hhea, 6)
	f.Weight = int(u16(os2, 4))
	f.CapHeight = f.Ascent
	if u16(os2, 0) > 1 {
		f.CapHeight = f.scaled(os2, 88)
	}
}

func (f *Font) readGlyphs() {
	count := int(u16(f.tables["maxp"], 4))
	metrics := int(u16(f.tables["hhea"], 34))
	f.widths = make([]uint16, count)
	for i := range f.widths {
		f.widths[i] = u16(f.tables["hmtx"], 4*min(i, metrics-1))
	}
	f.places = make([]uint32, count+1)
	long := u16(f.tables["head"], 50) != 0
	for i := range f.places {
		if long {
			f.places[i] = u32(f.tables["loca"], 4*i)
		} else {
			f.places[i] = 2 * uint32(u16(f.tables["loca"], 2*i))
		}
	}
}

// readCharacters reads the tables of Unicode characters: format 4 for the first
// 65,536, format 12 for all.
func (f *Font) readCharacters() error {
	cmap, found := f.tables["cmap"], false
	for i := range int(u16(cmap, 2)) {
		entry := cmap[4+8*i:]
		platform, encoding := u16(entry, 0), u16(entry, 2)
		if platform != 0 && (platform != 3 || encoding != 1 && encoding != 10) {
			continue
		}
		table := cmap[u32(entry, 4):]
		switch u16(table, 0) {
		case 4:
			f.readSegments(table)
			found = true
		case 12:
			f.readRanges(table)
			found = true
		}
	}
	if !found {
		return errors.New("the font has no table of Unicode characters; use one that has")
	}
	return nil
}

func (f *Font) readSegments(table []byte) {
	size := int(u16(table, 6)) // of an array with one number a segment
	ends, starts := table[14:], table[16+size:]
	deltas, offsets := table[16+2*size:], table[16+3*size:]
	for i := 0; i < size; i += 2 {
		start, end := int(u16(starts, i)), int(u16(ends, i))
		delta, offset := u16(deltas, i), int(u16(offsets, i))
		for c := start; c <= end && c != 0xffff; c++ {
			glyph := uint16(c)
			if offset != 0 {
				glyph = u16(offsets, i+offset+2*(c-start))
				if glyph == 0 {
					continue
				}
			}
			f.basic[c] = glyph + delta
		}
	}
}

func (f *Font) readRanges(table []byte) {
	for i := range int(u32(table, 12)) {
		entry := table[16+12*i:]
		start, end, glyph := u32(entry, 0), u32(entry, 4), u32(entry, 8)
		for c := start; c <= end; c++ {
			if c < uint32(len(f.basic)) {
				f.basic[c] = uint16(glyph + c - start)
			} else {
				f.others[rune(c)] = uint16(glyph + c - start)
			}
		}
	}
}

// Glyph is the number of a character's glyph, 0 where the font has none.
func (f *Font) Glyph(r rune) uint16 {
	if uint32(r) < uint32(len(f.basic)) {
		return f.basic[r]
	}
	return f.others[r]
}

// Width is how far a glyph advances.
func (f *Font) Width(glyph uint16) float64 { return float64(f.widths[glyph]) * 1000 / f.em }

func (f *Font) scaled(b []byte, at int) float64 {
	return float64(int16(u16(b, at))) * 1000 / f.em
}

func u16(b []byte, at int) uint16 { return binary.BigEndian.Uint16(b[at:]) }
func u32(b []byte, at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
