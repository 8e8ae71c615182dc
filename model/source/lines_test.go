package source_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"einvoice/model/source"
)

// The position of every offset is the one that counting from the start gives.
func TestPosition(t *testing.T) {
	for name, text := range map[string]string{
		"short":            "äb\nc",
		"lines":            strings.Repeat("0123456789 äöü\r\n", 1_000),
		"one line":         strings.Repeat("€", 5_000),
		"characters":       "x" + strings.Repeat("𝄞", 5_000),
		"a long last line": strings.Repeat("a\n", 3_000) + strings.Repeat("ü", 5_000),
	} {
		t.Run(name, func(t *testing.T) {
			tree := &source.Tree{Data: text, Elements: make([]source.Element, 2)}
			for offset := 0; offset < len(text); offset++ {
				if !utf8.RuneStart(text[offset]) {
					continue
				}
				tree.Elements[1].Offset = int32(offset)
				if got, want := tree.Position(1), source.PositionIn(text, offset); got != want {
					t.Fatalf("offset %d: got %v, want %v", offset, got, want)
				}
			}
		})
	}
}
