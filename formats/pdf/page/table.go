package page

// A column of a table.
type column struct {
	title string
	width float64
	right bool // aligned to the right
}

// A table draws rows below a header that is repeated on each page.
type table struct {
	*composer
	columns []column
	x       float64
	body    *element
}

// The space around the text of cells.
const (
	padX = 4
	padY = 3.2
)

// table begins a table within a section.
func (c *composer) table(section *element, x float64, columns []column) *table {
	e := section.add("Table")
	t := &table{composer: c, columns: columns, x: x}
	head := e.add("THead").add("TR")
	t.header(func() *element {
		th := head.add("TH")
		th.scope = "Column"
		return th
	})
	t.body = e.add("TBody")
	c.afterBreak = func() { t.header(func() *element { return header }) }
	return t
}

func (t *table) width() float64 {
	width := 0.0
	for _, col := range t.columns {
		width += col.width
	}
	return width
}

// header draws the titles of the columns, each as content of an element.
func (t *table) header(element func() *element) {
	cells := t.cells(0)
	height := 0.0
	for i := range cells {
		cells[i].add(t.columns[i].title, styleColumn, element())
		height = max(height, cells[i].height())
	}
	t.shade(t.x, t.y, t.width(), height+2*padY, shadeColour)
	t.y += padY
	t.row(cells...)
	t.y += padY
}

// cells are the empty cells of a row; the second is indented.
func (t *table) cells(indent float64) []cell {
	cells := make([]cell, len(t.columns))
	x := t.x
	for i, col := range t.columns {
		cells[i] = cell{x: x + padX, width: col.width - 2*padX, right: col.right}
		x += col.width
	}
	if indent > 0 && len(cells) > 1 {
		cells[1].x += indent
		cells[1].width -= indent
	}
	return cells
}

// textRow draws a row of texts.
func (t *table) textRow(st *style, texts ...string) {
	row := t.body.add("TR")
	t.y += padY
	cells := t.cells(0)
	for i := range cells {
		td := row.add("TD")
		if texts[i] != "" {
			cells[i].add(texts[i], st, td)
		}
	}
	t.row(cells...)
	t.separate()
}

// separate draws the line between rows.
func (t *table) separate() {
	t.y += padY
	t.horizontalLine(t.x, t.width(), 0.5, lineColour)
}

// carryForward shows the sum so far where the table is broken: at the end of a page,
// and at the beginning of the next one. Nothing is shown if the sum is empty.
func (t *table) carryForward(forward, brought string, sum func() string) {
	height := styleSmall.leading() + 2*padY
	t.bottom -= height
	show := func(words string) {
		text := sum()
		if text == "" {
			return
		}
		label := cell{x: t.x + padX, width: t.width() - 2*padX - 100, right: true}
		label.lines = []textLine{{text: words, style: styleSmall, element: header}}
		amount := cell{x: t.x + t.width() - 100, width: 100 - padX, right: true}
		amount.lines = []textLine{{text: text, style: styleSmall, element: header}}
		t.y += padY
		for _, l := range []cell{label, amount} {
			t.textLine(&l, l.lines[0], t.y)
		}
		t.y += styleSmall.leading() + padY
	}
	repeatHeader := t.afterBreak
	t.beforeBreak = func() { show(forward) }
	t.afterBreak = func() {
		repeatHeader()
		show(brought)
	}
}

// end ends the table.
func (t *table) end() {
	t.beforeBreak, t.afterBreak = nil, nil
	t.bottom = textBottom
}
