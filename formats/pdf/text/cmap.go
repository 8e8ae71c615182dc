package text

import (
	"sort"
	"unicode/utf16"

	"einvoice/formats/pdf/content"
)

// mostMappings bounds the entries of one map. A font has at most 65,536 glyphs.
const mostMappings = 200_000

// A cmap maps the codes of a font to text, as its ToUnicode stream says.
type cmap struct {
	single map[int]string
	ranges []cmapRange
	widths map[int]bool // in bytes, that codes have
}

// A cmapRange maps consecutive codes to consecutive characters.
type cmapRange struct {
	low, high int
	text      []uint16 // of low, in UTF-16; the last unit counts up
}

func parseCMap(data []byte) *cmap {
	m := &cmap{single: map[int]string{}, widths: map[int]bool{}}
	// What is damaged ends the map; what came before is used.
	_ = content.Scan(data, func(op *content.Op) error {
		switch op.Name {
		case "endcodespacerange":
			for i := 0; i+1 < len(op.Args); i += 2 {
				if s, ok := op.Args[i].(content.String); ok && len(s) > 0 && len(s) <= 4 {
					m.widths[len(s)] = true
				}
			}
		case "endbfchar":
			for i := 0; i+1 < len(op.Args); i += 2 {
				m.char(op.Args[i], op.Args[i+1])
			}
		case "endbfrange":
			for i := 0; i+2 < len(op.Args); i += 3 {
				m.between(op.Args[i], op.Args[i+1], op.Args[i+2])
			}
		}
		return nil
	})
	sort.SliceStable(m.ranges, func(i, j int) bool { return m.ranges[i].low < m.ranges[j].low })
	return m
}

func (m *cmap) char(code, text any) {
	c, ok := code.(content.String)
	t, isText := text.(content.String)
	if ok && isText && len(m.single) < mostMappings {
		m.single[codeOf(c)] = string(utf16.Decode(units(t)))
	}
}

func (m *cmap) between(low, high, to any) {
	l, ok := low.(content.String)
	h, okHigh := high.(content.String)
	if !ok || !okHigh {
		return
	}
	switch to := to.(type) {
	case content.String:
		if t := units(to); len(t) > 0 && len(m.ranges) < mostMappings {
			m.ranges = append(m.ranges, cmapRange{codeOf(l), codeOf(h), t})
		}
	case content.Array:
		for i, text := range to {
			if s, ok := text.(content.String); ok && len(m.single) < mostMappings {
				m.single[codeOf(l)+i] = string(utf16.Decode(units(s)))
			}
		}
	}
}

// text is what a code stands for.
func (m *cmap) text(code int) (string, bool) {
	if s, ok := m.single[code]; ok {
		return s, true
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].low > code }) - 1
	if i < 0 || code > m.ranges[i].high {
		return "", false
	}
	r := m.ranges[i]
	out := append([]uint16{}, r.text...)
	out[len(out)-1] += uint16(code - r.low)
	return string(utf16.Decode(out)), true
}

func codeOf(s []byte) (code int) {
	for _, b := range s[:min(len(s), 4)] {
		code = code<<8 | int(b)
	}
	return code
}

// units are the units of UTF-16 that bytes hold; one byte alone is one of them.
func units(s []byte) []uint16 {
	if len(s) == 1 {
		return []uint16{uint16(s[0])}
	}
	out := make([]uint16, len(s)/2)
	for i := range out {
		out[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return out
}
