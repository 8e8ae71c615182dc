package typeset

import (
	"encoding/binary"

	"einvoice/formats/pdf/font"
)

// ForText is the font with the characters of a text, for browsers.
func (t *Face) ForText(text string) ([]byte, error) {
	glyphs, chars := []int{font.NotDef}, map[rune]int{}
	for _, r := range text {
		if _, seen := chars[r]; seen {
			continue
		}
		if g := t.Glyph(r); g != font.NotDef {
			chars[r] = g
			glyphs = append(glyphs, g)
		}
	}
	numbers := make([]byte, 2*len(glyphs)) // what the glyphs are called in the subset
	for i, g := range glyphs {
		binary.BigEndian.PutUint16(numbers[2*i:], uint16(g))
	}
	subset, err := t.SubsetFor(glyphs, numbers)
	if err != nil {
		return nil, err
	}
	renamed := map[int]int{}
	for i, g := range glyphs {
		renamed[g] = int(binary.BigEndian.Uint16(numbers[2*i:]))
	}
	for r, g := range chars {
		chars[r] = renamed[g]
	}
	return t.ForScreens(subset, chars)
}
