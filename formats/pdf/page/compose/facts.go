package compose

import (
	"slices"
	"strconv"
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// facts draws dates and references in columns, those that the head does not show.
func (c *composer) facts() {
	pairs := c.pairs(c.notShown(c.layout.Facts), c.invoice)
	if len(pairs) == 0 {
		return
	}
	if c.compact {
		section := &tagged.Element{Tag: "Sect", Class: "facts"}
		block := cell{x: c.left(), width: c.width()}
		c.add(&block, c.inline(pairs), &c.style.Text, section.Add("P"))
		c.begin("facts", block.height())
		c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
		c.row(block)
		return
	}
	c.begin("facts", 30)
	c.space(8)
	c.horizontalLine(c.left(), c.width(), 0.5, c.look.Colours.Line.Colour)
	c.y += 8 * c.density
	c.grid(c.root.Section("facts"), pairs, c.width(), 4)
	c.y -= 2
}

// notShown are the entries with a term that is not shown yet.
func (c *composer) notShown(entries []*layout.Entry) []*layout.Entry {
	var rest []*layout.Entry
	for _, e := range entries {
		fresh := false
		each(c.invoice, e.Groups, func(o model.Object) { fresh = fresh || len(e.Facts) > 0 || !c.isShown(e.Template, o) })
		if fresh {
			rest = append(rest, e)
		}
	}
	return rest
}

// technical draws the terms that only programs need.
func (c *composer) technical() {
	pairs := append(c.technicalPairs(), c.smallPrint...)
	if country := c.country(); !country.Empty() {
		pairs = append(pairs, pair{value: country})
	}
	if len(pairs) == 0 {
		return
	}
	small := &c.style.Small
	block := cell{x: c.left(), width: c.width()}
	section := &tagged.Element{Tag: "Sect", Class: "technical"}
	c.add(&block, typeset.Words(c.language.Word("technical")+c.language.Word("colon")).Plus(c.inline(pairs)), small, section.Add("P"))
	above := float64(headingAbove)
	if c.compact {
		above /= 2
	}
	c.begin("technical", block.height()-headingAbove*c.density+above*c.density)
	c.space(above)
	c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
	c.row(block)
}

// technicalPairs are the terms that only programs need, and sums that are zero.
func (c *composer) technicalPairs() []pair {
	if c.forPrograms == nil {
		c.forPrograms = append(make([]pair, 0, 8), c.pairs(c.notShown(c.layout.Technical), c.invoice)...)
	}
	return c.forPrograms
}

// country names the country of seller and buyer, which addresses in it leave out.
func (c *composer) country() typeset.Phrase {
	if c.home == "" {
		return typeset.Phrase{}
	}
	var named typeset.Phrase
	eachCountry(c.invoice, func(o model.Object, f *model.Field) {
		if named.Empty() && o.Raw(f) == c.home {
			named = typeset.Words(c.language.Word("country") + " ").Plus(c.marked(c.language.Leaf(o, f, c.currency), o, f))
		}
	})
	return named
}

// further draws every term that is shown nowhere else.
func (c *composer) further() {
	lines, _ := c.invoice.Type.Field("lines") // the terms of lines are shown with them
	if slices.Contains(c.look.Sections, "technical") {
		c.technicalPairs() // these come later
	}
	if pairs := c.unshown(c.invoice, lines); len(pairs) > 0 {
		c.grid(c.heading("further", c.language.Word("further"), 30), pairs, c.width(), 2)
	}
}

// unshown are the terms of a group that are not shown yet, and marks them as shown: a group
// within it is one text. One field is left out.
func (c *composer) unshown(o model.Object, without *model.Field) (pairs []pair) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case f == without || !o.Has(f):
		case f.Kind.IsLeaf():
			if !c.shown[LeafOf(o, f)] && o.Raw(f) != "" {
				pairs = append(pairs, c.leaf(o, f))
			}
		case f.Kind == model.KindGroup:
			pairs = append(pairs, c.folded(f, "", c.unshown(o.Group(f), without))...)
		default:
			list := o.List(f)
			for j := range list.Len() {
				number := ""
				if list.Len() > 1 {
					number = string(typeset.NoBreakSpace) + strconv.Itoa(j+1)
				}
				pairs = append(pairs, c.folded(f, number, c.unshown(list.At(j), without))...)
			}
		}
	}
	return pairs
}

// folded is what a group has, as one text under its name; a group that readers do not know has
// none.
func (c *composer) folded(f *model.Field, number string, inside []pair) []pair {
	if len(inside) == 0 || number == "" && slices.Contains(c.layout.Silent, f.Name) {
		return inside
	}
	if len(inside) == 1 && slices.Contains(c.layout.Plain, inside[0].name) {
		inside[0].label = ""
	}
	return []pair{{label: c.language.Label(f) + number, value: c.inline(inside)}}
}

// leaf is a term with its unit, or the scheme that it is of.
func (c *composer) leaf(o model.Object, f *model.Field) pair {
	c.markShown(o, f)
	p := pair{label: c.language.Label(f), value: c.value(o, f, ""), name: f.Name}
	if f.Name == indicator {
		p.label = "" // the value is the name of what it is
	}
	for _, companion := range []struct{ name, before, after string }{
		{f.Name + "UnitCode", string(typeset.NoBreakSpace), ""},
		{strings.TrimSuffix(f.Name, "Length") + "UnitCode", string(typeset.NoBreakSpace), ""},
		{map[string]string{"quantity": "unitCode", "measure": "unitCode", "identifier": "schemeId"}[f.Name], " (", ")"},
	} {
		with, known := o.Type.Field(companion.name)
		if !known || with == f || !o.Has(with) || c.shown[LeafOf(o, with)] || o.Raw(with) == "" {
			continue
		}
		if with.Name == "unitCode" {
			companion.before, companion.after = string(typeset.NoBreakSpace), ""
		}
		c.markShown(o, with)
		p.value = p.value.Plus(typeset.Words(companion.before)).Plus(c.value(o, with, "")).Plus(typeset.Words(companion.after))
	}
	return p
}

// grid draws pairs in columns, each label above its value. A long one has a row of its
// own. What belongs to one group of several, as to one account, is an element of its own, so
// that it stays together where the columns are others.
func (c *composer) grid(section *tagged.Element, pairs []pair, width float64, columns int) {
	const (
		between  = 5 * typeset.MM
		maxLines = 5
	)
	label, text := &c.style.Label, &c.style.Text
	columnWidth := (width - between*float64(columns-1)) / float64(columns)
	var row []cell
	flush := func() {
		if len(row) > 0 {
			c.row(row...)
			c.y += 6 * c.density
			row = nil
		}
	}
	within := section
	for i, p := range pairs {
		if p.newRow {
			flush()
			if i > 0 { // further from what is before than its own rows are from each other
				c.y += 8 * c.density
			}
			within = section.Add("Div")
			within.Class = "group"
		}
		e := within.Add("P")
		narrow := cell{x: c.left() + float64(len(row))*(columnWidth+between), width: columnWidth}
		wide := p.wide || c.fonts.WidestWord(p.value.Text, text) > columnWidth ||
			len(c.fonts.Wrap(p.value.Text, text, columnWidth)) >= maxLines
		if wide {
			flush()
			narrow = cell{x: c.left(), width: width}
		}
		c.add(&narrow, typeset.Words(p.label), label, e)
		c.add(&narrow, p.value, text, e)
		if row = append(row, narrow); wide || len(row) == columns {
			flush()
		}
	}
	flush()
}
