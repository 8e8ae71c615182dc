package page

import (
	"strings"

	"einvoice/model"
)

// lineTable prints the lines of the invoice, sub lines below their own.
type lineTable struct {
	*table
	layout   *layout
	lines    *model.Field
	subLines *model.Field
	// fractions are the most digits after the decimal mark that quantities and
	// prices have.
	quantities, prices int
	sum                model.Decimal
	summed             bool // every line so far has an amount
}

// deepestIndent is how many levels of sub lines are moved to the right.
const deepestIndent = 6

func (c *composer) lines() {
	lines, _ := c.invoice.Type.Field("lines") // the model has it
	subLines, _ := lines.Elem.Field("subLines")
	list := c.invoice.List(lines)
	if list.Len() == 0 {
		return
	}
	w := c.language.word
	section := c.heading(w("lines"), 60)
	t := &lineTable{layout: c.layout, lines: lines, subLines: subLines, summed: true}
	t.table = c.table(section, marginLeft, []column{
		{w("position"), 14 * mm, false},
		{w("description"), 68 * mm, false},
		{w("quantity"), 25 * mm, true},
		{w("price"), 25 * mm, true},
		{w("vat"), 15 * mm, true},
		{c.inCurrency("net"), 27 * mm, true},
	})
	t.measure(list)
	t.carry(w("forward"), w("brought"), func() string {
		if !t.summed {
			return ""
		}
		sum := model.NumberOf(t.sum)
		return c.language.money(&sum, c.currency)
	})
	outside := c.seen
	for i := range list.Len() {
		t.line(list.At(i), 0)
	}
	c.seen = outside
	t.end()
}

// measure finds how many digits there are to align.
func (t *lineTable) measure(list model.List) {
	const most = 6
	l := &t.layout.Lines
	for i := range list.Len() {
		o := list.At(i)
		if n := leafNumber(o, l.Quantity); n.Valid {
			t.quantities = max(t.quantities, min(most, n.Value.FractionDigits()))
		}
		if n := leafNumber(o, l.Price); n.Valid {
			t.prices = max(t.prices, min(most, n.Value.FractionDigits()))
		}
		t.measure(o.List(t.subLines))
	}
}

// leafNumber is the number that a template of one term shows.
func leafNumber(o model.Object, s source) *model.Number {
	path := s.parts[0].path
	for _, f := range path[:len(path)-1] {
		o = o.Group(f)
	}
	return o.Number(path[len(path)-1])
}

func (t *lineTable) line(o model.Object, depth int) {
	c, l := t.composer, &t.layout.Lines
	c.seen = map[any]bool{} // what is printed of this line
	indent := float64(min(depth, deepestIndent)) * 4 * mm
	row := t.body.add("TR")
	cells := t.cells(indent)
	elements := make([]*element, len(cells))
	for i := range cells {
		elements[i] = row.add("TD")
	}
	add := func(i int, s source, st *style) {
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
	t.align(&cells[2], leafNumber(o, l.Quantity), t.quantities)
	add(2, l.Unit, styleSmall)
	add(3, l.Price, styleText)
	t.align(&cells[3], leafNumber(o, l.Price), t.prices)
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
	if height += details.height(); height > t.room() && t.room() < most {
		t.breakPage()
	}
	t.y += padY
	t.row(cells...)
	if len(details.lines) > 0 {
		t.y++
		t.row(details)
	}
	t.separate()
	if depth == 0 { // sub lines are part of their line
		amount := leafNumber(o, l.Amount)
		t.summed = t.summed && amount.Valid
		t.sum = t.sum.Add(amount.Value)
	}
	sub := o.List(t.subLines)
	for i := range sub.Len() {
		t.line(sub.At(i), depth+1)
	}
}

// align moves a number so that its decimal mark stands below that of others.
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

// details is what there is to say below a line.
func (t *lineTable) details(o model.Object, indent float64, e *element) cell {
	c := t.composer
	details := cell{x: t.x + t.columns[0].width + padX + indent, width: -2*padX - indent}
	for _, col := range t.columns[1:5] {
		details.width += col.width
	}
	for _, entries := range t.layout.Lines.Details {
		details.addPairs(c.pairs(entries, o), e)
	}
	details.addPairs(c.rest(nil, o, "", t.subLines), e)
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
