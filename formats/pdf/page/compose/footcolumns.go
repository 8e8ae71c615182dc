package compose

import (
	"fmt"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/typeset"
)

// A footColumn is the texts of a column of the foot, one below the other.
type footColumn struct {
	texts []footText
}

// A footText is a text of the foot; a fixed one is the look's own and shows no term.
type footText struct {
	typeset.Phrase
	fixed bool
}

// betweenColumns is the space between columns of the foot.
const betweenColumns = 5 * typeset.MM

// footTexts are the columns of the foot that show something. Entries that show nothing are noted.
func (c *composer) footTexts() []footColumn {
	columns := make([]footColumn, 0, len(c.look.Foot))
	for i, entries := range c.look.Foot {
		var column footColumn
		for _, e := range c.issuedBy(entries) {
			if text := typeset.Clean(e.Literal()); text != "" {
				column.texts = append(column.texts, footText{typeset.Words(text), true})
				continue
			}
			pairs := c.pairs([]*layout.Entry{e}, c.invoice)
			if len(pairs) == 0 {
				c.footUnused = append(c.footUnused, fmt.Sprintf("foot: column %d: %s shows nothing of an invoice that has every term", i+1, e.Show))
			}
			for _, p := range pairs {
				column.texts = append(column.texts, footText{c.labelled(p), false})
			}
		}
		if len(column.texts) > 0 {
			columns = append(columns, column)
		}
	}
	return columns
}

// fixedTexts are columns without the terms of the invoice.
func fixedTexts(columns []footColumn) []footColumn {
	kept := make([]footColumn, 0, len(columns))
	for _, column := range columns {
		var fixed footColumn
		for _, t := range column.texts {
			if t.fixed {
				fixed.texts = append(fixed.texts, t)
			}
		}
		if len(fixed.texts) > 0 {
			kept = append(kept, fixed)
		}
	}
	return kept
}

// fitFoot finds the width of each column. None is narrower than its longest word; only a word
// that is longer than half of the foot is broken. Where the columns are too wide together, one
// goes below its neighbour, as few texts as possible.
func (c *composer) fitFoot(columns []footColumn) ([]footColumn, []float64) {
	label := &c.style.Label
	for {
		n := len(columns)
		width := c.width() - betweenColumns*float64(n-1)
		least, natural, fit := make([]float64, n), make([]float64, n), make([]column, n)
		sum := 0.0
		for i, column := range columns {
			fit[i].right = true // its words are not broken
			for _, t := range column.texts {
				least[i] = max(least[i], c.fonts.WidestWord(t.Text, label))
				natural[i] = max(natural[i], c.fonts.WidestLine(t.Text, label))
			}
			least[i] = min(least[i], (c.width()-betweenColumns)/2)
			sum += least[i]
		}
		if n == 1 || sum <= width {
			return columns, fitColumns(least, natural, fit, width)
		}
		columns = withOneBelow(columns)
	}
}

// withOneBelow are columns of which one is below its left neighbour: of all neighbours, the last
// two with the fewest texts.
func withOneBelow(columns []footColumn) []footColumn {
	at, fewest := 0, 0
	for i := range len(columns) - 1 {
		texts := len(columns[i].texts) + len(columns[i+1].texts)
		if i == 0 || texts <= fewest {
			at, fewest = i, texts
		}
	}
	fewer := make([]footColumn, 0, len(columns)-1)
	fewer = append(fewer, columns[:at]...)
	both := footColumn{append(append([]footText{}, columns[at].texts...), columns[at+1].texts...)}
	return append(append(fewer, both), columns[at+2:]...)
}
