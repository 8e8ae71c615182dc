// Package cmap reads CMaps, which map the codes of a font to text (ISO 32000-1, 9.10.3) or to
// the numbers of its characters, CIDs (9.7.5).
package cmap

import (
	"slices"
	"sort"
	"unicode/utf16"

	"einvoice/formats/pdf/content"
)

// maxMappings bounds the entries of one CMap. A font has at most 65,536 glyphs.
const maxMappings = 200_000

// A Map is what a CMap maps the codes of a font to.
type Map struct {
	single      map[int]string
	ranges      []unicodeRange // sorted by low
	CodeLengths map[int]bool   // in bytes, of the code space ranges
	cids        []cidRange     // sorted by low
}

// A cidRange maps consecutive codes to consecutive CIDs.
type cidRange struct{ low, high, cid int }

// A unicodeRange maps consecutive codes to consecutive characters.
type unicodeRange struct {
	low, high int
	text      []uint16 // of low, in UTF-16; the last unit is counted up
}

// maxUnits bounds the text of one code, which ISO 32000-1, 9.10.3 limits to 512 bytes.
const maxUnits = 256

// Parse reads a CMap up to the first syntax error, or until spend, which is told of bytes that
// are read, has an error.
func Parse(data []byte, spend func(int) error) *Map {
	m := &Map{single: map[int]string{}, CodeLengths: map[int]bool{}}
	_ = content.Scan{Spend: spend}.Operators(data, func(op *content.Op) error {
		switch op.Name {
		case "endcodespacerange":
			for i := 0; i+1 < len(op.Args); i += 2 {
				if s, ok := op.Args[i].(content.String); ok && len(s) > 0 && len(s) <= 4 {
					m.CodeLengths[len(s)] = true
				}
			}
		case "endbfchar":
			for i := 0; i+1 < len(op.Args); i += 2 {
				m.addChar(op.Args[i], op.Args[i+1])
			}
		case "endbfrange":
			for i := 0; i+2 < len(op.Args); i += 3 {
				m.addRange(op.Args[i], op.Args[i+1], op.Args[i+2])
			}
		case "endcidchar":
			for i := 0; i+1 < len(op.Args); i += 2 {
				m.addCIDs(op.Args[i], op.Args[i], op.Args[i+1])
			}
		case "endcidrange":
			for i := 0; i+2 < len(op.Args); i += 3 {
				m.addCIDs(op.Args[i], op.Args[i+1], op.Args[i+2])
			}
		}
		return nil
	})
	slices.SortStableFunc(m.ranges, func(a, b unicodeRange) int { return a.low - b.low })
	slices.SortStableFunc(m.cids, func(a, b cidRange) int { return a.low - b.low })
	return m
}

func (m *Map) addChar(code, text any) {
	c, ok := code.(content.String)
	t, isText := text.(content.String)
	if ok && isText && len(m.single) < maxMappings {
		m.single[c.Code()] = string(utf16.Decode(units(t)))
	}
}

func (m *Map) addRange(low, high, to any) {
	l, ok := low.(content.String)
	h, okHigh := high.(content.String)
	if !ok || !okHigh {
		return
	}
	switch to := to.(type) {
	case content.String:
		if t := units(to); len(t) > 0 && len(m.ranges) < maxMappings {
			m.ranges = append(m.ranges, unicodeRange{l.Code(), h.Code(), t})
		}
	case content.Array:
		for i, text := range to {
			if s, ok := text.(content.String); ok && len(m.single) < maxMappings {
				m.single[l.Code()+i] = string(utf16.Decode(units(s)))
			}
		}
	}
}

func (m *Map) addCIDs(low, high, cid any) {
	l, ok := low.(content.String)
	h, okHigh := high.(content.String)
	n, okCID := cid.(content.Number)
	if ok && okHigh && okCID && len(m.cids) < maxMappings {
		m.cids = append(m.cids, cidRange{l.Code(), h.Code(), int(n.Value)})
	}
}

// CID is the number of the character of a code.
func (m *Map) CID(code int) (int, bool) {
	i := sort.Search(len(m.cids), func(i int) bool { return m.cids[i].low > code }) - 1
	if i < 0 || code > m.cids[i].high {
		return 0, false
	}
	return m.cids[i].cid + code - m.cids[i].low, true
}

// Text is the text of a code.
func (m *Map) Text(code int) (string, bool) {
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

// units are the UTF-16 units of a string; a single byte is a unit.
func units(s content.String) []uint16 {
	if len(s) == 1 {
		return []uint16{uint16(s[0])}
	}
	out := make([]uint16, min(len(s)/2, maxUnits))
	for i := range out {
		out[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return out
}
