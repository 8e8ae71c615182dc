package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf16"

	"einvoice/formats/pdf/content"
)

// Bounds of marked content.
const (
	maxMarked     = 64 // within each other
	maxActualText = 32 // characters of a replacement
)

// beginMarked begins marked content, with the text that it stands for, if it has one
// (ISO 32000-2, 14.9.4).
func (i *interpreter) beginMarked(op *content.Op) {
	text := ""
	if properties, ok := op.Arg(1).(content.Dict); ok {
		if s, ok := properties["ActualText"].(content.String); ok {
			text = decoded(s)
		}
	}
	if len(i.marked) < maxMarked {
		i.marked = append(i.marked, text)
		name, _ := op.Arg(1).(content.Name)
		tag, _ := op.Arg(0).(content.Name)
		off := tag == "OC" && i.isOff(i.Entries(i.resources["Properties"])[string(name)])
		i.layers = append(i.layers, off)
		i.layersOff += count(off)
	} else {
		i.unmarked++
	}
}

func (i *interpreter) endMarked() {
	switch n := len(i.marked); {
	case i.unmarked > 0:
		i.unmarked--
	case n > 0:
		i.layersOff -= count(i.layers[n-1])
		i.marked, i.layers = i.marked[:n-1], i.layers[:n-1]
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// takeActualText is what the marked content around a glyph stands for, for the first glyph
// in it. It is asked for glyphs whose font does not say what they are, and for no others: a
// page could have it say something else than what it shows.
func (i *interpreter) takeActualText() (text string) {
	if n := len(i.marked); n > 0 {
		text, i.marked[n-1] = i.marked[n-1], ""
	}
	return text
}

// decoded is a text string: UTF-16 with its mark, else one byte for each character.
func decoded(s content.String) string {
	var out []rune
	if units, ok := bytes.CutPrefix(s, []byte{0xFE, 0xFF}); ok {
		var codes []uint16
		for ; len(units) >= 2 && len(codes) < maxActualText; units = units[2:] {
			codes = append(codes, uint16(units[0])<<8|uint16(units[1]))
		}
		out = utf16.Decode(codes)
	} else {
		for _, b := range s[:min(len(s), maxActualText)] {
			out = append(out, rune(b))
		}
	}
	if text := string(out); !isNoText(text) {
		return text
	}
	return ""
}

// isNoText reports whether a text has control characters alone, to which programs map what they
// have no character for.
func isNoText(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return !unicode.IsControl(c) || unicode.IsSpace(c) }) < 0
}
