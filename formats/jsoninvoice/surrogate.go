package jsoninvoice

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"einvoice/model/source"
)

// loneSurrogate refuses a string, between an offset and the end of the last token, with one
// half of a pair of UTF-16 units. It stands for no character, and the decoder would put
// another one in its place without a word.
func (p *parser) loneSurrogate(from int) error {
	text := string(p.data[from:p.decoder.InputOffset()])
	high := rune(0) // the unit before, if it is the first half of a pair
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\\')
		if high != 0 && i != 0 {
			return p.lone(from+at-6, high)
		}
		if i < 0 || at+i+1 >= len(text) {
			return nil
		}
		if at += i; text[at+1] != 'u' || at+6 > len(text) {
			if high != 0 {
				return p.lone(from+at-6, high)
			}
			at += 2
			continue
		}
		n, _ := strconv.ParseUint(text[at+2:at+6], 16, 16) // the decoder has checked the digits
		unit := rune(n)
		switch {
		case high != 0 && utf16.DecodeRune(high, unit) == '\uFFFD':
			return p.lone(from+at-6, high)
		case high != 0:
			high = 0
		case utf16.IsSurrogate(unit) && unit >= 0xDC00:
			return p.lone(from+at, unit)
		case utf16.IsSurrogate(unit):
			high = unit
		}
		at += 6
	}
}

func (p *parser) lone(offset int, unit rune) error {
	at := source.PositionIn(string(p.data), offset)
	return &Error{Mistakes: []Mistake{{
		Line: at.Line, Column: at.Column,
		Message: fmt.Sprintf("\\u%04x is one half of a pair of UTF-16 units, and the other half is missing; write the character itself, or both halves", unit),
	}}}
}
