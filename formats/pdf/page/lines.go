package page

import (
	"strings"

	"einvoice/model"
)

// A lineTable draws the lines of the invoice, each with its sub lines below it.
type lineTable struct {
	*table
	layout   *layout
	lines    *model.Field
	subLines *model.Field
	subtype  *model.Field
	// The most digits after the decimal mark that a quantity, and a price, has.
	quantityDigits, priceDigits int
	sum                         model.Decimal
	sumValid                    bool // every line so far has an amount
}

// maxIndent is how many levels of sub lines are indented.
const maxIndent = 6

func (c *composer) lines() {
	lines, _ := c.invoice.Type.Field("lines") // the model has it
	subLines, _ := lines.Elem.Field("subLines")
	subtype, _ := lines.Elem.Field("statusReasonCode")
	list := c.invoice.List(lines)
	if list.Len() == 0 {
		return
	}
	w := c.language.word
	section := c.heading(w("lines"), 60)
	t := &lineTable{layout: c.layout, lines: lines, subLines: subLines, subtype: subtype, sumValid: true}
	t.table = c.table(section, marginLeft, []column{
		{w("position"), 14 * mm, false},
		{w("description"), 68 * mm, false},
		{w("quantity"), 25 * mm, true},
		{w("price"), 25 * mm, true},
		{w("vat"), 15 * mm, true},
		{c.inCurrency("net"), 27 * mm, true},
	})
	t.measure(list)
	t.carryForward(w("forward"), w("brought"), func() string {
		if !t.sumValid {
			return ""
		}
		sum := model.NumberOf(t.sum)
		return c.language.money(&sum, c.currency)
	})
	outside := c.shown
	for i := range list.Len() {
		t.line(list.At(i), 0)
	}
	c.shown = outside
	t.end()
}

// measure finds the most digits after the decimal mark, to align numbers by it.
func (t *lineTable) measure(list model.List) {
	const maxDigits = 6
	l := &t.layout.Lines
	for i := range list.Len() {
		o := list.At(i)
		if n := leafNumber(o, l.Quantity); n.Valid {
			t.quantityDigits = max(t.quantityDigits, min(maxDigits, n.Value.FractionDigits()))
		}
		if n := leafNumber(o, l.Price); n.Valid {
			t.priceDigits = max(t.priceDigits, min(maxDigits, n.Value.FractionDigits()))
		}
		t.measure(o.List(t.subLines))
	}
}

// leafNumber is the number that a template shows, which consists of one term.
func leafNumber(o model.Object, s templateSource) *model.Number {
	path := s.parts[0].path
	for _, f := range path[:len(path)-1] {
		o = o.Group(f)
	}
	return o.Number(path[len(path)-1])
}

// line draws a line with its sub lines.
func (t *lineTable) line(o model.Object, depth int) {
	c, l := t.composer, &t.layout.Lines
	if c.err != nil {
		return
	}
	c.shown = map[any]bool{} // the terms of this line
	indent := float64(min(depth, maxIndent)) * 4 * mm
	row := t.body.add("TR")
	cells := t.cells(indent)
	elements := make([]*element, len(cells))
	for i := range cells {
		elements[i] = row.add("TD")
	}
	add := func(i int, s templateSource, st *style) {
		if text := c.fill(s.template, o); text != "" {
			cells[i].add(text, st, elements[i])
		}
	}
	strong := styleStrong
	if depth > 0 {
		strong = styleText
	}
	add(0, l.Position, styleText)
	add(1, l.Name, strong)
	add(1, l.Description, styleSmall)
	add(2, l.Quantity, styleText)
	t.align(&cells[2], leafNumber(o, l.Quantity), t.quantityDigits)
	add(2, l.Unit, styleSmall)
	add(3, l.Price, styleText)
	t.align(&cells[3], leafNumber(o, l.Price), t.priceDigits)
	if per := c.fill(l.Per.template, o); per != "" {
		cells[3].add(strings.Replace(c.language.word("per"), "#", strings.TrimSpace(per), 1), styleSmall, elements[3])
	}
	add(4, l.Rate, styleText)
	add(4, l.Category, styleSmall)
	add(5, l.Amount, styleText)
	details := t.details(o, indent, elements[1])

	height := 2 * padY
	for i := range cells {
		height = max(height, cells[i].height()+2*padY)
	}
	if height += details.height(); height > t.room() && t.room() < maxEmpty {
		t.breakPage()
	}
	t.y += padY
	t.row(cells...)
	if len(details.lines) > 0 {
		t.y++
		t.row(details)
	}
	t.separate()
	if depth == 0 && model.CountsInTotals(*o.Text(t.subtype)) { // sub lines are part of their line
		amount := leafNumber(o, l.Amount)
		t.sumValid = t.sumValid && amount.Valid
		t.sum = t.sum.Add(amount.Value)
	}
	sub := o.List(t.subLines)
	for i := range sub.Len() {
		t.line(sub.At(i), depth+1)
	}
}

// align shifts a number so that its decimal mark is below those of others.
func (t *lineTable) align(in *cell, n *model.Number, digits int) {
	if len(in.lines) != 1 || !n.Valid {
		return
	}
	own := n.Value.FractionDigits()
	if own >= digits {
		return
	}
	l := &in.lines[0]
	blank := strings.Repeat("0", digits-own)
	if own == 0 {
		blank += t.language.Decimal
	}
	if shift := widthOf(blank, l.style); widthOf(l.text, l.style)+shift <= in.width {
		l.shift = shift
	}
}

// details are the other terms of a line, in small text below it.
func (t *lineTable) details(o model.Object, indent float64, e *element) cell {
	c := t.composer
	details := cell{x: t.x + t.columns[0].width + padX + indent, width: -2*padX - indent}
	for _, col := range t.columns[1:5] {
		details.width += col.width
	}
	for _, entries := range t.layout.Lines.Details {
		details.addPairs(c.pairs(entries, o), e)
	}
	details.addPairs(c.unshown(nil, o, "", t.subLines), e)
	return details
}

func (l *cell) addPairs(pairs []pair, e *element) {
	if len(pairs) == 0 {
		return
	}
	texts := make([]string, len(pairs))
	for i, p := range pairs {
		texts[i] = p.value
		if p.label != "" {
			texts[i] = p.label + ": " + p.value
		}
	}
	l.add(strings.Join(texts, "  ·  "), styleSmall, e)
}
