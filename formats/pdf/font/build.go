package font

import (
	"encoding/binary"
	"errors"
)

// An Outline is a glyph to build a font of, in units of the font.
type Outline struct {
	Advance  int
	Contours [][]Point
}

// A Point is on the outline, or controls a quadratic curve.
type Point struct {
	X, Y int
	On   bool
}

// Build is a TrueType font of glyphs, numbered by their order; the first is the one for
// characters that the font does not have. It has what a font in a PDF needs.
func Build(perEm int, glyphs []Outline) ([]byte, error) {
	if len(glyphs) == 0 || len(glyphs) > 0xffff || perEm < 16 || perEm > 16384 {
		return nil, errors.New("a font has 1 to 65,535 glyphs, and 16 to 16,384 units")
	}
	put := binary.BigEndian.AppendUint16
	var outlines, offsets, metrics []byte
	box := [4]int{0, 0, perEm, perEm}
	mostPoints, mostContours, widest := 0, 0, 0
	for _, g := range glyphs {
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(outlines)))
		own, data := simpleGlyph(g.Contours)
		outlines = append(outlines, data...)
		outlines = append(outlines, make([]byte, -len(outlines)&3)...)
		metrics = put(put(metrics, uint16(g.Advance)), uint16(own[0]))
		points := 0
		for _, c := range g.Contours {
			points += len(c)
		}
		mostPoints, mostContours, widest = max(mostPoints, points), max(mostContours, len(g.Contours)), max(widest, g.Advance)
		box = [4]int{min(box[0], own[0]), min(box[1], own[1]), max(box[2], own[2]), max(box[3], own[3])}
	}
	offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(outlines)))

	head := make([]byte, 54)
	binary.BigEndian.PutUint32(head, 0x00010000)
	binary.BigEndian.PutUint32(head[12:], 0x5F0F3CF5) // the magic number of the format
	binary.BigEndian.PutUint16(head[16:], 0x000b)     // the base line is at 0, the left side bearing as well
	binary.BigEndian.PutUint16(head[18:], uint16(perEm))
	for i, v := range box {
		binary.BigEndian.PutUint16(head[36+2*i:], uint16(v))
	}
	binary.BigEndian.PutUint16(head[46:], 8) // the least size in pixels
	binary.BigEndian.PutUint16(head[48:], 2) // from left to right
	binary.BigEndian.PutUint16(head[50:], 1) // long offsets

	hhea := make([]byte, 36)
	binary.BigEndian.PutUint32(hhea, 0x00010000)
	binary.BigEndian.PutUint16(hhea[4:], uint16(box[3]))
	binary.BigEndian.PutUint16(hhea[6:], uint16(box[1]))
	binary.BigEndian.PutUint16(hhea[10:], uint16(widest))
	binary.BigEndian.PutUint16(hhea[18:], 1) // the caret is upright
	binary.BigEndian.PutUint16(hhea[34:], uint16(len(glyphs)))

	maxp := make([]byte, 32)
	binary.BigEndian.PutUint32(maxp, 0x00010000)
	binary.BigEndian.PutUint16(maxp[4:], uint16(len(glyphs)))
	binary.BigEndian.PutUint16(maxp[6:], uint16(mostPoints))
	binary.BigEndian.PutUint16(maxp[8:], uint16(mostContours))
	binary.BigEndian.PutUint16(maxp[14:], 2) // zones

	return writeFont(embeddedTables, map[string][]byte{
		"head": head, "hhea": hhea, "maxp": maxp, "hmtx": metrics, "loca": offsets, "glyf": outlines,
	}), nil
}

// simpleGlyph is the description of a glyph, with its bounds; empty for a blank.
func simpleGlyph(contours [][]Point) (box [4]int, data []byte) {
	if len(contours) == 0 {
		return box, nil
	}
	first := contours[0][0]
	box = [4]int{first.X, first.Y, first.X, first.Y}
	for _, c := range contours {
		for _, p := range c {
			box = [4]int{min(box[0], p.X), min(box[1], p.Y), max(box[2], p.X), max(box[3], p.Y)}
		}
	}
	put := binary.BigEndian.AppendUint16
	data = put(data, uint16(len(contours)))
	for _, v := range box {
		data = put(data, uint16(v))
	}
	last := -1
	for _, c := range contours {
		last += len(c)
		data = put(data, uint16(last))
	}
	data = put(data, 0) // no instructions
	var xs, ys []byte
	var at Point
	for _, c := range contours {
		for _, p := range c {
			flag := byte(0)
			if p.On {
				flag = 1
			}
			data = append(data, flag)
			xs, ys = put(xs, uint16(p.X-at.X)), put(ys, uint16(p.Y-at.Y))
			at = p
		}
	}
	return box, append(append(data, xs...), ys...)
}

// ReadCmaps reads a table cmap.
func ReadCmaps(table []byte) []*Cmap { return parseCmaps(table) }
