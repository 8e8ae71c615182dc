package compose

import (
	"math"
	"testing"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// A paragraph that runs from right to left is at the right edge of its cell, each line of it,
// also one that begins with a Latin word; others are at the left one.
func TestRightToLeftAtTheRight(t *testing.T) {
	c := newComposer(t.Context(), &model.Invoice{}, language.Load("en"), &Options{Look: lookNamed("general"), Pages: 2, Keeps: true}, 1)
	const x, width = 100, 120
	block := cell{x: x, width: width}
	e := &tagged.Element{Tag: "P"}
	c.add(&block, typeset.Words("Label"), &c.style.Label, e)
	c.add(&block, typeset.Words("שלום עולם טוב ABC Company Limited International שלום\nLatin שלום"), &c.style.Text, e)
	c.row(block)
	lines := c.page().Items
	if len(lines) < 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines {
		atRight := math.Abs(l.X+l.Width-x-width) < 3 // a blank may be behind a line
		if right := i > 0 && i < len(lines)-1; atRight != right || !right && l.X != x {
			t.Errorf("%q is from %.1f to %.1f", l.Text.Text, l.X, l.X+l.Width)
		}
	}
}
