package compose

import (
	"slices"
	"strings"

	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

// A column of a table.
type column struct {
	title string
	right bool // aligned to the right, for numbers; its values are not broken
	grows bool // takes the width that others leave
}

// A table draws rows below a header that is repeated on each page. All rows are known
// before the first is drawn: columns take the width that their values need.
type table struct {
	*composer
	class   string
	columns []column
	widths  []float64
	x, full float64
	rows    []tableRow
	body    *tagged.Element
	// carried is the sum that is shown where the table is broken, after so many rows; nil
	// for none.
	carried func(rows int) string
	drawn   int
	tail    float64 // the height of what follows, which has a row above it on its page
}

// A tableRow is a row before it is drawn.
type tableRow struct {
	cells  []tableCell
	indent float64         // of the column that grows
	below  []tagged.Styled // under the row, beside its first cell
	class  string          // what HTML calls it
}

// A tableCell is the texts of a cell, one below the other.
type tableCell struct {
	texts []tagged.Styled
	shift float64          // to the left, so that decimal marks are below each other
	first [2]tagged.Styled // where texts are, unless there are more
}

func (t *tableCell) add(p typeset.Phrase, st *typeset.Style) {
	if p.Empty() {
		return
	}
	if t.texts == nil {
		t.texts = t.first[:0]
	}
	t.texts = append(t.texts, tagged.Styled{Phrase: p, Style: st})
}

// The space around the text of cells.
const (
	padX = 4
	padY = 3.2
)

// table begins a table of a width.
func (c *composer) table(class string, x, width float64, columns []column) *table {
	return &table{composer: c, class: class, columns: columns, x: x, full: width}
}

// textRow adds a row of texts.
func (t *table) textRow(st *typeset.Style, texts ...typeset.Phrase) {
	row := tableRow{cells: make([]tableCell, len(t.columns))}
	for i, p := range texts {
		row.cells[i].add(p, st)
	}
	t.rows = append(t.rows, row)
}

// measure finds the widths of the columns: what values need that are not broken, then what
// headers and texts would like to have; what is left is for the columns that grow.
func (t *table) measure() {
	n := len(t.columns)
	least, natural := make([]float64, n), make([]float64, n)
	for i, col := range t.columns {
		least[i] = t.fonts.WidestWord(col.title, &t.style.Column)
		natural[i] = min(t.fonts.Width(col.title, &t.style.Column), least[i]*2.4)
	}
	for r := range t.rows {
		if t.stopped() {
			break
		}
		for i := range t.rows[r].cells {
			extra := t.rows[r].cells[i].shift
			if t.columns[i].grows {
				extra = t.rows[r].indent
			}
			texts := t.rows[r].cells[i].texts
			for j := range texts {
				p := &texts[j]
				p.Width = t.fonts.WidestLine(p.Text, p.Style)
				wide := p.Width + extra
				natural[i] = max(natural[i], wide)
				if wide > least[i] && strings.ContainsAny(p.Text, " \n") {
					wide = min(wide, t.fonts.WidestWord(p.Text, p.Style)+extra)
				}
				least[i] = max(least[i], wide)
			}
		}
	}
	t.widths = fitColumns(least, natural, t.columns, t.full-2*padX*float64(n))
	for i := range t.widths {
		t.widths[i] += 2 * padX
	}
}

// widestText is the most of the width of a table that a column of text takes which does
// not grow.
const widestText = 0.3

// fitColumns shares a width among columns.
func fitColumns(least, natural []float64, columns []column, width float64) []float64 {
	n := len(columns)
	sum := func(values []float64) (s float64) {
		for _, v := range values {
			s += v
		}
		return s
	}
	grown, growing := 0.0, 0
	for i, col := range columns {
		natural[i] = max(natural[i], least[i])
		if !col.right {
			// A word that is wider than a column is broken, so that one has room for others.
			least[i] = min(least[i], widestText*width)
			if !col.grows {
				natural[i] = max(least[i], min(natural[i], widestText*width))
			}
		}
		if col.grows {
			growing++
			grown += natural[i]
		}
	}
	if over := sum(least) - width; over > 0 { // texts give way first, then everything
		texts := 0.0
		for i, col := range columns {
			if !col.right {
				texts += least[i]
			}
		}
		share := 0.0
		if texts > 0 {
			share = max(0.4, 1-over/texts)
		}
		for i, col := range columns {
			if !col.right {
				least[i] *= share
			}
		}
		if total := sum(least); total > width {
			floor := min(12, width/float64(2*n)) // a letter, in any case
			for i := range least {
				least[i] = floor + least[i]*(width-floor*float64(n))/total
			}
		}
		return least
	}
	widths := append(make([]float64, 0, n), least...)
	rest := width - sum(least)
	wanted := 0.0
	for i, col := range columns {
		if !col.grows {
			wanted += natural[i] - least[i]
		}
	}
	// Columns that grow are given what they need before others become wider than necessary.
	reserve := 0.0
	for i, col := range columns {
		if col.grows {
			reserve += max(0, min(natural[i], 0.4*width)-least[i])
		}
	}
	if wanted > 0 {
		share := min(1, max(0, rest-reserve)/wanted)
		for i, col := range columns {
			if !col.grows {
				widths[i] += share * (natural[i] - least[i])
			}
		}
	}
	rest = width - sum(widths)
	for i, col := range columns {
		switch {
		case growing == 0:
			widths[i] += rest / float64(n)
		case col.grows:
			widths[i] += rest * natural[i] / max(grown, 1)
		}
	}
	return widths
}

// headerHeight is the height of the header.
func (t *table) headerHeight() float64 {
	height := 0.0
	for _, col := range t.cells(0) {
		height = max(height, col.height())
	}
	for i, col := range t.columns {
		lines := len(t.fonts.Wrap(col.title, &t.style.Column, t.widths[i]-2*padX))
		height = max(height, float64(lines)*t.style.Column.Leading())
	}
	return height + 2*padY
}

// height is that of the whole table, as far as it is on one page.
func (t *table) height() float64 {
	if t.widths == nil {
		t.measure()
	}
	height := t.headerHeight()
	for i := range t.rows {
		height += t.rowHeight(&t.rows[i])
	}
	return height
}

// begins is the height of the header with the first rows, which stay together with the
// heading above: two where there are enough for the next page, and all with what follows
// where there are few.
func (t *table) begins() float64 {
	if t.widths == nil {
		t.measure()
	}
	height := t.headerHeight() + min(t.rowHeight(&t.rows[0]), maxEmpty)
	switch n := len(t.rows); {
	case n >= 4:
		height += t.rowHeight(&t.rows[1])
	case n == 1:
		height += t.tail
	}
	return min(height, t.pageRoom())
}

// pageRoom is the height that a page has for a table.
func (t *table) pageRoom() float64 {
	return typeset.PageHeight - (t.look.Page.Bottom+t.look.Page.Top)*typeset.MM - 40
}

// breaksBefore reports whether a row begins the next page although it fits this one: the last two
// rows stay together, and with what follows.
func (t *table) breaksBefore(i int) bool {
	n := len(t.rows)
	if i != max(0, n-2) || i == 0 || t.carried == nil && t.tail == 0 {
		return false
	}
	height := t.tail
	for j := i; j < n; j++ {
		height += t.rowHeight(&t.rows[j])
	}
	return height > t.room()+t.reserved+tolerance && height+t.headerHeight()+t.reserved < t.pageRoom()
}

func (t *table) rowHeight(r *tableRow) float64 {
	scratch := &tagged.Element{Tag: "TD", Artifact: true}
	cells, below := t.fill(r, func() *tagged.Element { return scratch })
	return t.heightOf(cells, &below)
}

func (t *table) heightOf(cells []cell, below *cell) float64 {
	height := 0.0
	for i := range cells {
		height = max(height, cells[i].height())
	}
	if len(below.lines) > 0 {
		height += 1 + below.height()
	}
	return height + 2*t.padding()
}

func (t *table) padding() float64 { return padY * t.density }

// draw draws the table within a section.
func (t *table) draw(section *tagged.Element) {
	if t.widths == nil {
		t.measure()
	}
	e := section.Add("Table")
	e.Class = t.class
	head := e.Add("THead").Add("TR")
	t.header(func(i int) *tagged.Element {
		th := head.Add("TH")
		th.Scope, th.Right = "Column", t.columns[i].right
		return th
	})
	t.body = e.Add("TBody")
	t.afterBreak = func() { t.header(func(int) *tagged.Element { return tagged.Header }) }
	if t.carried != nil {
		t.reserved = t.reserve()
		t.carryForward()
	}
	for i := range t.rows {
		if t.err == nil && t.breaksBefore(i) {
			t.breakPage()
		}
		t.drawRow(&t.rows[i])
		t.drawn++
	}
	t.beforeBreak, t.afterBreak = nil, nil
	t.reserved = 0
}

// header draws the titles of the columns, each as content of an element.
func (t *table) header(element func(int) *tagged.Element) {
	cells := t.cells(0)
	height := 0.0
	for i := range cells {
		t.add(&cells[i], typeset.Words(t.columns[i].title), &t.style.Column, element(i))
		height = max(height, cells[i].height())
	}
	t.shade(t.x, t.y, t.full, height+2*padY, t.look.Colours.Shade.Colour)
	t.y += padY
	t.row(cells...)
	t.y += padY
}

// cells are the empty cells of a row; the one that grows is indented.
func (t *table) cells(indent float64) []cell {
	cells := make([]cell, len(t.columns))
	x := t.x
	for i, col := range t.columns {
		cells[i] = cell{x: x + padX, width: t.widths[i] - 2*padX, right: col.right}
		if col.grows {
			cells[i].x += indent
			cells[i].width -= indent
		}
		x += t.widths[i]
	}
	return cells
}

// fill makes the cells of a row, and what is below it.
func (t *table) fill(r *tableRow, element func() *tagged.Element) (cells []cell, below cell) {
	cells = t.cells(r.indent)
	under := max(0, slices.IndexFunc(t.columns, func(c column) bool { return c.grows }))
	for i := range cells {
		e := element()
		e.Right = t.columns[i].right
		for j := range r.cells[i].texts {
			t.addStyled(&cells[i], &r.cells[i].texts[j], e)
		}
		if n := len(cells[i].lines); n > 0 && r.cells[i].shift > 0 { // the number is the first line
			if l := &cells[i].lines[0]; t.fonts.Width(l.Text, l.style)+r.cells[i].shift <= cells[i].width+tolerance {
				l.shift = r.cells[i].shift
				e.Shift = l.shift / l.style.Size
			}
		}
		if i == under {
			below = cell{x: cells[i].x, width: t.x + t.full - padX - cells[i].x}
			if n := len(cells) - 1; n > i { // the last column is that of the amounts
				below.width -= t.widths[n]
			}
		}
		if i == under && len(r.below) > 0 {
			if n := len(cells[i].lines); n > 0 {
				cells[i].lines[n-1].goesOn = true
			}
			for _, p := range r.below {
				t.add(&below, p.Phrase, p.Style, e)
			}
		}
	}
	return cells, below
}

func (t *table) drawRow(r *tableRow) {
	if t.err != nil {
		return
	}
	row := t.body.Add("TR")
	row.Class = r.class
	cells, below := t.fill(r, func() *tagged.Element { return row.Add("TD") })
	if height := t.heightOf(cells, &below); height > t.room() && (t.room() < maxEmpty || height < t.pageRoom()-t.headerHeight()-t.reserved) && t.y > t.top()+t.headerHeight() {
		t.breakPage()
	}
	t.y += t.padding()
	t.row(cells...)
	if len(below.lines) > 0 {
		t.y++
		t.row(below)
	}
	t.y += t.padding()
	t.horizontalLine(t.x, t.full, 0.5, t.look.Colours.Line.Colour)
}

// reserve is the height of the line with the sum so far.
func (t *table) reserve() float64 { return t.style.Detail.Leading() + 2*padY }

// carryForward shows the sum so far where the table is broken: at the end of a page,
// and at the beginning of the next one. Nothing is shown if the sum is empty.
func (t *table) carryForward() {
	detail := &t.style.Detail
	amountWidth := t.widths[len(t.widths)-1]
	show := func(label string) {
		text := t.carried(t.drawn)
		if text == "" || t.drawn == 0 {
			return
		}
		before := cell{x: t.x + padX, width: t.full - padX - amountWidth, right: true}
		amount := cell{x: t.x + t.full - amountWidth, width: amountWidth - padX, right: true}
		t.y += padY
		t.textLine(&before, &textLine{Phrase: typeset.Words(label), style: detail, element: tagged.Header}, t.y)
		t.textLine(&amount, &textLine{Phrase: typeset.Words(text), style: detail, element: tagged.Header}, t.y)
		t.y += detail.Leading() + padY
	}
	repeatHeader := t.afterBreak
	t.beforeBreak = func() { show(t.language.Word("forward")) }
	t.afterBreak = func() {
		repeatHeader()
		show(t.language.Word("brought"))
	}
}
