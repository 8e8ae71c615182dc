package font

import (
	"bytes"
	"errors"
	"sync"
)

// Kind is the format of a font program.
type Kind int

// The formats.
const (
	TrueType Kind = iota + 1
	CFF
	Type1
)

// NotDef is the glyph that is shown for a character that a font does not have.
const NotDef = 0

// A Font is a font program. It can be used by several goroutines at a time.
type Font struct {
	Kind   Kind
	Glyphs int // the number of glyphs
	// Outlines is the table CFF of an OpenType font; nil for fonts that are nothing but
	// their outlines, and for TrueType.
	Outlines []byte
	// Plain is a Type 1 font as PDF has it: without segments, with the encrypted part in
	// binary. Lengths are those of its clear text, encrypted part and zeros.
	Plain   []byte
	Lengths [3]int
	// Incomplete is set for a font that is not a whole file by itself, and has to be written
	// again: the first of a collection, or one whose tables of metrics
	// or names are too short.
	Incomplete bool
	CID        bool // glyphs have CIDs instead of names
	Cmaps      []*Cmap

	widths  []float64 // of each glyph, in thousandths
	names   []string  // of each glyph; nil if there are none
	byName  map[string]int
	index   sync.Once      // fills byName
	cids    map[int]int    // the glyph of each CID
	builtIn map[int]string // the font's own encoding
	second  map[int]string // what is in it for glyphs that have a code already
	tables  map[string][]byte
}

var errDamaged = errors.New("the font program is damaged")

// Parse reads a font program in any of the formats.
func Parse(data []byte) (*Font, error) {
	switch {
	case bytes.HasPrefix(data, []byte("%!")), bytes.HasPrefix(data, []byte{0x80, 0x01}):
		return parseType1(data)
	case len(data) > 4 && data[0] == 1 && data[1] == 0 && data[2] >= 4 && (data[3] >= 1 && data[3] <= 4):
		return parseCFF(data)
	}
	return parseSFNT(data)
}

// Width is the advance width of a glyph in thousandths of the font size.
func (f *Font) Width(glyph int) float64 {
	if glyph < 0 || glyph >= len(f.widths) {
		return 0
	}
	return f.widths[glyph]
}

// Name is the name of a glyph; empty if it has none.
func (f *Font) Name(glyph int) string {
	if glyph < 0 || glyph >= len(f.names) {
		return ""
	}
	return f.names[glyph]
}

// ByName is the glyph with that name.
func (f *Font) ByName(name string) (glyph int, found bool) {
	f.index.Do(func() {
		f.byName = map[string]int{}
		for i, n := range f.names {
			if _, known := f.byName[n]; !known && n != "" {
				f.byName[n] = i
			}
		}
	})
	glyph, found = f.byName[name]
	return glyph, found
}

// ByCID is the glyph of a CID. In a font without CIDs, the CID is the number of the
// glyph.
func (f *Font) ByCID(cid int) (glyph int, found bool) {
	if f.cids == nil {
		return cid, cid >= 0 && cid < f.Glyphs
	}
	glyph, found = f.cids[cid]
	return glyph, found
}

// BuiltIn is the name of the glyph for a code in the font's own encoding.
func (f *Font) BuiltIn(code int) string { return f.builtIn[code] }

// Second is the name of the glyph for a code of the font's own encoding that is not the
// glyph's first: in a supplement of the encoding of a CFF font, which not every reader knows.
func (f *Font) Second(code int) string { return f.second[code] }

// Cmap is the character table for a platform and an encoding; nil if there is none.
func (f *Font) Cmap(platform, encoding int) *Cmap {
	for _, c := range f.Cmaps {
		if c.Platform == platform && c.Encoding == encoding {
			return c
		}
	}
	return nil
}

// Damaged fonts refer to data beyond their end: it is read as zero.

func u8(b []byte, at int) int {
	if at < 0 || at >= len(b) {
		return 0
	}
	return int(b[at])
}

func u16(b []byte, at int) int { return u8(b, at)<<8 | u8(b, at+1) }

func i16(b []byte, at int) int { return int(int16(u16(b, at))) }

func u32(b []byte, at int) int { return u16(b, at)<<16 | u16(b, at+2) }

// part is a part of b, as far as it is there.
func part(b []byte, from, length int) []byte {
	if from < 0 || from > len(b) || length < 0 {
		return nil
	}
	return b[from:min(from+length, len(b))]
}
