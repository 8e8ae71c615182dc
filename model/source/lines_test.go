package source_test

import (
	"math/rand/v2"
	"regexp"
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
		"a CR alone":       strings.Repeat("0123 äöü\r", 2_000) + "\r\r\n\n\r" + strings.Repeat("a\r\r\n", 3_000),
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

// Lines end as in XML and in editors: with LF, CR LF, or a CR alone; and the place that is found for
// a position is that position's again.
func TestLineEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	lineEnd := regexp.MustCompile(`\r\n|\r|\n`)
	for range 600 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString([]string{"\r", "\n", "\r\n", "a", "ü€", strings.Repeat("x", r.IntN(3000))}[r.IntN(6)])
		}
		text := b.String()
		tree := &source.Tree{Data: text, Elements: make([]source.Element, 2)}
		for range 20 {
			offset := r.IntN(len(text) + 1)
			if offset < len(text) && (!utf8.RuneStart(text[offset]) || text[offset] == '\n' && offset > 0 && text[offset-1] == '\r') {
				continue
			}
			lines := lineEnd.Split(text[:offset], -1)
			want := source.Position{Line: len(lines), Column: utf8.RuneCountInString(lines[len(lines)-1]) + 1}
			tree.Elements[1].Offset = int32(offset)
			if got := tree.Position(1); got != want {
				t.Fatalf("%q, offset %d: %v, want %v", text, offset, got, want)
			}
			if again, ok := tree.OffsetOf(want); !ok || again != offset {
				t.Fatalf("%q, %v: offset %d, want %d", text, want, again, offset)
			}
		}
	}
}
