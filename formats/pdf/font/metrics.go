package font

import "math"

// Metrics are the dimensions of a font, in thousandths of the font size.
type Metrics struct {
	Ascent, Descent, CapHeight int
	Box                        [4]int // left, bottom, right, top
	Weight                     int    // 400 is regular, 700 bold
}

// Metrics are those of a TrueType font.
func (f *Font) Metrics() (m Metrics) {
	head, hhea := f.tables["head"], f.tables["hhea"]
	perEm := float64(u16(head, 18))
	if perEm == 0 {
		return m
	}
	scale := func(v int) int { return int(math.Round(float64(v) * 1000 / perEm)) }
	m.Ascent, m.Descent = scale(i16(hhea, 4)), scale(i16(hhea, 6))
	m.CapHeight, m.Weight = m.Ascent, 400
	if os2 := f.tables["OS/2"]; u16(os2, 0) > 1 {
		m.CapHeight, m.Weight = scale(i16(os2, 88)), u16(os2, 4)
	}
	for i := range m.Box {
		m.Box[i] = scale(i16(head, 36+2*i))
	}
	return m
}

// EmbeddingPermission is the field fsType of the table OS/2, which says how a font may be
// embedded; 0 if there is no such table.
func (f *Font) EmbeddingPermission() int { return u16(f.tables["OS/2"], 8) }
