package page

// A column of a table.
type column struct {
	title string
	width float64
	right bool // set to the right
}

// A table prints rows below a header that is repeated on each page.
type table struct {
	*composer
	columns []column
	x       float64
	body    *element
	element *element
}

// Room around the text of cells.
const (
	padX = 4
	padY = 3.2
)

// table begins a table within a section.
func (c *composer) table(section *element, x float64, columns []column) *table {
	t := &table{composer: c, columns: columns, x: x, element: section.add("Table")}
	head := t.element.add("THead").add("TR")
	t.header(func(int) *element {
		th := head.add("TH")
		th.scope = "Column"
		return th
	})
	t.body = t.element.add("TBody")
	c.enter = func() { t.header(func(int) *element { return header }) }
	return t
}

func (t *table) width() float64 {
	width := 0.0
	for _, col := range t.columns {
		width += col.width
	}
	return width
}

func (t *table) header(element func(int) *element) {
	cells := t.cells(0)
	height := 0.0
	for i := range cells {
		cells[i].add(t.columns[i].title, styleColumn, element(i))
		height = max(height, cells[i].height())
	}
	p := t.page()
	p.rectangle(decoration, t.x, t.y, t.width(), height+2*padY, tint)
	t.y += padY
	t.row(cells...)
	t.y += padY
}

// cells are the empty cells of a row.
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

// separate draws the line between rows.
func (t *table) separate() {
	t.y += padY
	t.rule(t.x, t.width(), 0.5, rule)
}

// carry makes the table say, where it is broken, what was summed up so far.
func (t *table) carry(forward, brought string, sum func() string) {
	height := styleSmall.leading() + 2*padY
	t.bottom -= height
	say := func(words string) {
		text := sum()
		if text == "" {
			return
		}
		label := cell{x: t.x + padX, width: t.width() - 2*padX - 100, right: true}
		label.lines = []line{{text: words, style: styleSmall, element: header}}
		amount := cell{x: t.x + t.width() - 100, width: 100 - padX, right: true}
		amount.lines = []line{{text: text, style: styleSmall, element: header}}
		t.y += padY
		for _, l := range []cell{label, amount} {
			t.print(&l, l.lines[0], t.y)
		}
		t.y += styleSmall.leading() + padY
	}
	head := t.enter
	t.leave = func() { say(forward) }
	t.enter = func() {
		head()
		say(brought)
	}
}

// end closes the table.
func (t *table) end() {
	t.enter, t.leave = nil, nil
	t.bottom = textBottom
}
