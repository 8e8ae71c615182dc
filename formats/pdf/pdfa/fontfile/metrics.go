package fontfile

import "math"

// Metrics say how far the glyphs of a font reach, in thousandths of its size.
type Metrics struct {
	Ascent, Descent int
	Box             [4]int // left, bottom, right, top
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
	for i := range m.Box {
		m.Box[i] = scale(i16(head, 36+2*i))
	}
	return m
}
