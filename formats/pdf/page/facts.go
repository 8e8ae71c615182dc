package page

import (
	"strconv"

	"einvoice/model"
)

// facts draws dates and references in columns.
func (c *composer) facts() {
	pairs := c.pairs(c.layout.Facts, c.invoice)
	if len(pairs) == 0 {
		return
	}
	c.horizontalLine(marginLeft, textWidth, 0.5, lineColour)
	c.y += 8
	c.grid(c.root.add("Sect"), pairs, textWidth, 4)
	c.y -= 2
}

// technical draws the terms that only programs need.
func (c *composer) technical() {
	if pairs := c.pairs(c.layout.Technical, c.invoice); len(pairs) > 0 {
		c.grid(c.heading(c.language.word("technical"), 30), pairs, textWidth, 2)
	}
}

// further draws every term that is shown nowhere else.
func (c *composer) further() {
	lines, _ := c.invoice.Type.Field("lines") // the terms of lines are shown with them
	if pairs := c.unshown(nil, c.invoice, "", lines); len(pairs) > 0 {
		c.grid(c.heading(c.language.word("further"), 30), pairs, textWidth, 2)
	}
}

// unshown appends the terms of a group that are not shown yet, and marks them as
// shown. The prefix is that of their labels; one field is left out.
func (c *composer) unshown(pairs []pair, o model.Object, prefix string, without *model.Field) []pair {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case f == without || !o.Has(f):
		case f.Kind.IsLeaf():
			if c.shown[leafOf(o, f)] || o.Raw(f) == "" {
				continue
			}
			c.markShown(o, f)
			pairs = append(pairs, pair{label: prefix + c.language.label(f), value: c.language.leaf(o, f, c.currency)})
		case f.Kind == model.KindGroup:
			pairs = c.unshown(pairs, o.Group(f), prefix+c.language.label(f)+", ", without)
		default:
			list := o.List(f)
			for j := range list.Len() {
				label := prefix + c.language.label(f)
				if list.Len() > 1 {
					label += " " + strconv.Itoa(j+1)
				}
				pairs = c.unshown(pairs, list.At(j), label+", ", without)
			}
		}
	}
	return pairs
}

// grid draws pairs in columns, each label above its value. A long one has a row of its
// own.
func (c *composer) grid(section *element, pairs []pair, width float64, columns int) {
	const (
		between  = 5 * mm
		maxLines = 5
	)
	columnWidth := (width - between*float64(columns-1)) / float64(columns)
	var row []cell
	flush := func() {
		if len(row) > 0 {
			c.row(row...)
			c.y += 6
			row = nil
		}
	}
	for _, p := range pairs {
		if p.newRow {
			flush()
		}
		e := section.add("P")
		narrow := cell{x: marginLeft + float64(len(row))*(columnWidth+between), width: columnWidth}
		if p.label != "" {
			narrow.add(p.label, styleLabel, e)
		}
		narrow.add(p.value, styleText, e)
		if len(narrow.lines) > maxLines {
			flush()
			wide := cell{x: marginLeft, width: width}
			wide.add(p.label, styleLabel, e)
			wide.add(p.value, styleText, e)
			row = append(row, wide)
			flush()
			continue
		}
		if row = append(row, narrow); len(row) == columns {
			flush()
		}
	}
	flush()
}
