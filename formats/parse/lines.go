package parse

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// A line is one line of the invoice, as it is printed.
type line struct {
	row     *row // with the amount
	numbers map[string]number
	texts   map[string][]*word
	all     []number // of the row, from left to right
	name    []*word
	more    [][]*word // rows below the name
	isFixed bool      // quantity times price is the amount
	isNamed bool      // the name is in a column beside that of the description

	netPrice  int64  // where a discount is taken off the price
	allowance int64  // where a discount is taken off the amount
	per       number // what the price is for, where it is not for one
	perWords  []*word
	columns   []column
	vatGroup  int // of document.vat, from 1; 0 where none is decided
}

// A table are the lines of the invoice.
type table struct {
	lines  []line
	isLine []bool // by index of the row: it belongs to the table
	cut    bool   // there are more than are read
}

// A lineDraft is what of the table was read so far.
type lineDraft struct {
	*pages
	table
	most    int   // lines that are read
	asRead  bool  // no number is set right that was recognised wrong
	running int64 // the sum of the lines that were read so far
}

// readLines reads the lines of some pages.
func readLines(p *pages, most int, asRead bool) *table {
	d := &lineDraft{pages: p, most: most, asRead: asRead}
	d.isLine = make([]bool, len(p.layout.rows))
	d.read()
	return &d.table
}

// read reads the lines below each head of a table, page after page.
func (d *lineDraft) read() {
	rows := d.layout.rows
	var columns []column
	for i := 0; i < len(rows); i++ {
		head, used := headAt(rows, i)
		if head == nil {
			continue
		}
		if columns == nil || len(d.lines) == 0 || rows[i].page > d.lines[len(d.lines)-1].row.page {
			columns = head
			sortColumns(columns)
			columns = d.fitted(i+used, columns)
			d.markLines(i, i+used-1)
			i = d.readTable(i+used, columns) - 1
		}
	}
	if len(d.lines) == 0 {
		d.readLinesWithoutHead()
	}
	d.nameArticles()
	edge := d.edge()
	for i := range d.lines {
		d.lines[i].takeArticle()
		d.lines[i].fix()
		d.repair(&d.lines[i])
		d.lines[i].splitName(edge)
	}
}

// nameArticles takes what is in the column of item numbers for the names, and the names for
// descriptions, where it has no digit in any line: as where Item has the name.
func (d *lineDraft) nameArticles() {
	found := false
	for i := range d.lines {
		article := d.lines[i].texts["article"]
		found = found || len(article) > 0
		if slices.ContainsFunc(article, func(w *word) bool { return hasDigit(w.Text) }) {
			return
		}
	}
	for i := range d.lines {
		l := &d.lines[i]
		article := l.texts["article"]
		if !found || len(article) == 0 {
			continue
		}
		if len(l.name) > 0 {
			l.more = append([][]*word{l.name}, l.more...)
		}
		l.name, l.isNamed = article, true
		delete(l.texts, "article")
	}
}

// readTable reads the rows below a head, and returns the first row that is not its.
func (d *lineDraft) readTable(from int, columns []column) int {
	rows, before := d.layout.rows, len(d.lines)
	var current *line
	var pending [][]*word             // texts above the first amount
	var half *halfRow                 // numbers without an amount, right above
	last, start := rows[from-1], from // start is the first row below a head
	for i := from; i < len(rows); i++ {
		r := rows[i]
		if r.page != last.page {
			if at := headOnPage(rows, i, r.page); at >= 0 {
				fresh, used := headAt(rows, at)
				columns = fresh
				sortColumns(columns)
				columns = d.fitted(at+used, columns)
				d.markLines(i, at+used-1)
				i, current, pending = at+used-1, nil, nil
				last, start = rows[i], i+1
				continue
			}
			current = nil
		}
		p := d.part(r, columns)
		switch field, ends := d.endsTable(r, &p, columns); {
		case field == "carried":
			d.isLine[i], current, last = true, nil, r
			continue
		case ends && (field == "" && len(d.lines) == before || d.goesOn(i+1, columns)): // a head of several rows, or a sum within the table
			d.isLine[i], current, last = true, nil, r
			continue
		case ends || p.isBesideLines(columns):
			return i
		}
		if (r.page < len(d.layout.pages) || i == start && r.page > 1) && d.isRunningSum(&p) {
			d.isLine[i], current, last = true, nil, r
			continue
		}
		if current != nil {
			current.takeBase(d, r, &p)
		}
		if half != nil && half.completes(&p, r) {
			p = half.with(p)
			if current != nil { // the name was taken for a text of the line above
				current.more = current.more[:min(len(current.more), half.more)]
			}
			pending = pending[:min(len(pending), half.pending)]
		}
		half = nil
		_, hasAmount := p.numbers["lineNet"]
		if !hasAmount && p.isHalf() {
			if current != nil && current.lacks(&p, r) {
				current.numbers["quantity"], current.numbers["unitPrice"] = p.numbers["quantity"], p.numbers["unitPrice"]
				current.all = append(slices.Clone(p.all), current.all...)
			} else {
				half = &halfRow{row: r, rowParts: p, pending: len(pending)}
				if current != nil {
					half.more = len(current.more)
				}
			}
		}
		if d.layout.repeated[i] && !hasAmount { // between the parts of a table
			d.isLine[i] = false
			continue
		}
		apart := r.page == last.page && r.top-last.bottom > 2.2*max(last.height(), 8)
		switch {
		case hasAmount && p.isLine():
			if len(d.lines) >= d.most {
				d.cut = true
				d.isLine[i] = true
				break
			}
			d.lines = append(d.lines, line{row: r, numbers: p.numbers, texts: p.texts, all: p.all, columns: columns})
			next := &d.lines[len(d.lines)-1]
			d.running += p.numbers["lineNet"].value
			next.takePer(&p)
			next.name = p.texts["description"]
			if len(next.name) == 0 {
				next.takeName(current, &pending)
			}
			current, pending = next, nil
			d.isLine[i] = true
		case current == nil && len(d.lines) > 0 || apart && len(d.lines) > 0:
			current = nil
			if d.farFromTable(r, last) {
				if next := d.nextLine(i, columns); next < 0 {
					return i
				}
			}
			pending = append(pending, p.texts["description"])
		case len(p.texts["description"]) > 0 && d.isBelow(p.texts["description"], columns):
			if current == nil {
				pending = append(pending, p.texts["description"])
			} else {
				current.more = append(current.more, p.texts["description"])
				d.takeRate(current, r)
			}
			d.isLine[i] = true
		}
		last = r
	}
	return len(rows)
}

// A halfRow is a row with quantity and price whose amount is set a part of a row lower,
// as where the cells of a table are aligned in different ways.
type halfRow struct {
	rowParts
	row           *row
	more, pending int // how many texts there were before
}

// isHalf tells whether a row has all numbers of a line but the amount.
func (p *rowParts) isHalf() bool {
	_, quantity := p.numbers["quantity"]
	_, price := p.numbers["unitPrice"]
	return quantity && price
}

// halfReach is how far the base lines of the two parts of a line may be apart, in
// heights of a row.
const halfReach = 1.6

// completes tells whether a row has the amount that belongs to the half.
func (h *halfRow) completes(p *rowParts, r *row) bool {
	net, hasAmount := p.numbers["lineNet"]
	_, hasQuantity := p.numbers["quantity"]
	_, hasPrice := p.numbers["unitPrice"]
	quantity, price := h.numbers["quantity"], h.numbers["unitPrice"]
	if !hasAmount || hasQuantity || hasPrice || r.page != h.row.page || r.bottom-h.row.bottom > halfReach*max(h.row.height(), 8) {
		return false
	}
	return closes(&quantity, &price, &net) || r.top < h.row.bottom+0.3*h.row.height()
}

// with joins the half with the row that has the amount.
func (h *halfRow) with(p rowParts) rowParts {
	for field, n := range h.numbers {
		if _, taken := p.numbers[field]; !taken {
			p.numbers[field] = n
		}
	}
	for field, text := range h.rowParts.texts {
		p.texts[field] = append(slices.Clone(text), p.texts[field]...)
	}
	p.all = append(slices.Clone(h.all), p.all...)
	return p
}

// lacks tells whether a line has no quantity and price yet, and a row right below it
// has those that give its amount.
func (l *line) lacks(p *rowParts, r *row) bool {
	_, hasQuantity := l.numbers["quantity"]
	_, hasPrice := l.numbers["unitPrice"]
	net, quantity, price := l.numbers["lineNet"], p.numbers["quantity"], p.numbers["unitPrice"]
	return !hasQuantity && !hasPrice && r.page == l.row.page && r.bottom-l.row.bottom < halfReach*max(r.height(), 8) && closes(&quantity, &price, &net)
}

// isLine tells whether a row with an amount is a line, and not a lone number.
func (p *rowParts) isLine() bool {
	net := p.numbers["lineNet"]
	_, quantity := p.numbers["quantity"]
	_, price := p.numbers["unitPrice"]
	isMoney := net.decimals >= 2 || net.currency != ""
	return quantity && price || isMoney && (quantity || price || len(p.texts["description"]) > 0 || len(p.texts["article"]) > 0)
}

// headOnPage is the row of a page that repeats the head; -1 if none does.
func headOnPage(rows []*row, from, page int) int {
	for i := from; i < len(rows) && rows[i].page == page; i++ {
		if columns, _ := headAt(rows, i); columns != nil {
			return i
		}
	}
	return -1
}

// isBesideLines tells whether a row has an amount alone, with a text that begins to the right of
// the descriptions and the next column: it is none of the lines, but an allowance or a charge.
func (p *rowParts) isBesideLines(columns []column) bool {
	text, net := p.texts["description"], p.numbers["lineNet"]
	if len(text) == 0 || len(net.words) == 0 || len(p.all) != 1 || len(p.texts["position"]) > 0 || len(p.texts["article"]) > 0 {
		return false
	}
	at := slices.IndexFunc(columns, func(c column) bool { return c.field == "description" })
	return at >= 0 && at+2 < len(columns) && columns[at].bandRight > 0 && text[0].Box.Left > columns[at].right && text[0].Box.Left > columns[at+1].left
}

// markLines marks what is between two parts of a table: letterheads are read once.
func (d *lineDraft) markLines(from, to int) {
	for i := from; i <= to; i++ {
		d.isLine[i] = true
	}
}

// endsTable tells whether a row is below the lines: a label of the totals with an amount
// behind it, and no other amount before.
func (d *lineDraft) endsTable(r *row, p *rowParts, columns []column) (field string, ends bool) {
	hits := r.find(&words().Totals)
	if len(hits) > 0 && p.isPriced() { // an item that is named like a total
		return "", false
	}
	if len(hits) > 0 && hits[0].startsCell && hits[0].field == "carried" {
		return "carried", false
	}
	heads := map[string]bool{}
	for k := range hits {
		h := &hits[k]
		if !h.startsCell {
			continue
		}
		heads[h.field] = true
		before, behind := d.countMoney(r.words[:h.first]), d.countMoney(r.words[h.last+1:])
		isItem := h.first > 0 && (h.field == "allowance" || h.field == "charge") // as in 5 Transport 4.90
		if before == 0 && behind > 0 && behind <= 2 && !isItem && !isBelowName(r, h, columns) {
			return h.field, true
		}
	}
	// The head of a table of totals has their labels alone.
	return "", len(heads) >= 2 && 2*len(heads) >= len(r.cells) && d.countMoney(r.words) == 0 || isHeadOfVat(r) || d.isGroupOfVat(r, p) || d.isSumOfLines(p)
}

// isHeadOfVat tells whether all cells of a row name columns of a VAT breakdown: rates, bases
// and taxes, and nothing that lines alone have.
func isHeadOfVat(r *row) bool {
	fields := map[string]bool{}
	for i := range r.cells {
		c := &r.cells[i]
		column, isColumn := c.label(&words().Columns)
		total, isTotal := c.label(&words().Totals)
		switch {
		case isColumn && column.field == "position":
		case isColumn && (column.field == "vatRate" || column.field == "vatAmount"):
			fields[column.field] = true
		case isTotal && slices.Contains([]string{"lineTotal", "net", "vat", "gross"}, total.field):
			fields[total.field] = true
		default:
			return false
		}
	}
	return len(fields) >= 2 && (fields["vatRate"] || fields["vatAmount"] || fields["vat"])
}

// isGroupOfVat tells whether a row is a group of the VAT breakdown: a rate, the sum of all
// lines so far, and the tax that follows from both.
func (d *lineDraft) isGroupOfVat(r *row, p *rowParts) bool {
	if d.running == 0 || p.isPriced() {
		return false
	}
	numbers := d.numbersOf(r)
	hasSum := slices.ContainsFunc(numbers, func(n number) bool { return abs(n.value) == abs(d.running) })
	if len(numbers) < 3 || len(numbers) > 6 || !hasSum {
		return false
	}
	return slices.ContainsFunc(d.vatRowsOf(r, numbers), func(group vatRow) bool {
		return group.base.value == d.running && abs(group.base.value) > unitsPerOne && group.tax.value != 0 && group.base.from != nil && group.base.from.row == r
	})
}

// isPriced tells whether a row has a quantity and a price that give its amount.
func (p *rowParts) isPriced() bool {
	quantity, hasQuantity := p.numbers["quantity"]
	price, hasPrice := p.numbers["unitPrice"]
	net, hasNet := p.numbers["lineNet"]
	return hasQuantity && hasPrice && hasNet && !price.percent && closes(&quantity, &price, &net)
}

// isBelowName tells whether a label and all that follows it is below the name of a line,
// as a note on its discount.
func isBelowName(r *row, h *hit, columns []column) bool {
	name := slices.IndexFunc(columns, func(c column) bool { return c.field == "description" })
	if name < 1 || name+1 >= len(columns) || h.field != "allowance" && h.field != "charge" {
		return false
	}
	last := r.words[len(r.words)-1].Box.Right
	return r.words[h.first].Box.Left > columns[name].left-3 && columns[name-1].right < columns[name].left && last < columns[len(columns)-1].left
}

// isRunningSum tells whether a row has nothing but the sum of the lines so far, as one
// that is carried over to the next page.
func (d *lineDraft) isRunningSum(p *rowParts) bool {
	net, ok := p.numbers["lineNet"]
	if !ok || len(p.all) != 1 || len(p.texts["position"]) > 0 || len(p.texts["description"]) > 4 {
		return false
	}
	return len(d.lines) != 1 && net.decimals == 2 && net.value == d.running
}

// isSumOfLines tells whether a row has nothing but the sum of lines that each have a price,
// under whatever name.
func (d *lineDraft) isSumOfLines(p *rowParts) bool {
	net, ok := p.numbers["lineNet"]
	if !ok || len(p.all) != 1 || net.decimals != 2 || net.value != d.running || len(p.texts["position"]) > 0 || len(d.lines) == 0 {
		return false
	}
	return !slices.ContainsFunc(d.lines, func(l line) bool { _, priced := l.numbers["unitPrice"]; return !priced })
}

// takePer takes the quantity that a price is for out of a column of its own, where it leads
// to the amount.
func (l *line) takePer(p *rowParts) {
	if quantity, price, net := l.numbers["quantity"], l.numbers["unitPrice"], l.numbers["lineNet"]; p.per.value > 0 && closesPer(&quantity, &price, &net, p.per.value) {
		l.per, l.perWords = p.per, p.per.words
	}
}

// takeRate takes the rate of VAT of a line out of a row below its name, as in "VAT 19 %".
func (d *lineDraft) takeRate(l *line, r *row) {
	if _, has := l.numbers["vatRate"]; has {
		return
	}
	for _, list := range []*labels{&words().Columns, &words().Totals} {
		for _, h := range r.find(list) {
			if h.field != "vatRate" && h.field != "vat" || h.last+1 == len(r.words) {
				continue
			}
			if n, used := d.notation.at(r.words[h.last+1:]); used > 0 && n.percent && isRate(&n) {
				l.numbers["vatRate"] = n
				return
			}
		}
	}
}

// takeBase takes the quantity that a price is for (BT-149) out of a row below the price,
// as in per 100 pieces, where it leads to the amount.
func (l *line) takeBase(d *lineDraft, r *row, p *rowParts) {
	if _, hasAmount := p.numbers["lineNet"]; hasAmount || l.perWords != nil || l.row.page != r.page {
		return
	}
	for i := 0; i+1 < len(r.words); i++ {
		if !words().Per[fold(r.words[i].Text)] {
			continue
		}
		per, used := d.notation.at(r.words[i+1:])
		if used == 0 || per.value <= 0 || per.percent || per.currency != "" {
			continue
		}
		if quantity, price, net := l.numbers["quantity"], l.numbers["unitPrice"], l.numbers["lineNet"]; closesPer(&quantity, &price, &net, per.value) {
			l.per, l.perWords = per, per.words
			return
		}
	}
}

// goesOn tells whether lines follow soon, of which quantity and price give the amount.
func (d *lineDraft) goesOn(from int, columns []column) bool {
	const soon = 12 // rows
	rows := d.layout.rows
	for i := from; i < len(rows) && i < from+soon && rows[i].page == rows[from-1].page; i++ {
		p := d.part(rows[i], columns)
		if _, ends := d.endsTable(rows[i], &p, columns); ends {
			return false
		}
		quantity, price, net := p.numbers["quantity"], p.numbers["unitPrice"], p.numbers["lineNet"]
		if closes(&quantity, &price, &net) && len(p.texts["description"]) > 0 && !price.percent {
			return true
		}
	}
	return false
}

// countMoney is how many numbers of words are amounts.
func (d *lineDraft) countMoney(of []*word) (count int) {
	for i := 0; i < len(of); {
		n, used := d.notation.at(of[i:])
		if used > 0 && !n.percent && (n.decimals == 2 || n.currency != "") {
			count++
		}
		i += max(used, 1)
	}
	return count
}

// isBelow tells whether a text is in the column of descriptions.
func (d *lineDraft) isBelow(of []*word, columns []column) bool {
	for i := range columns {
		if columns[i].field == "description" {
			return of[0].Box.Left > columns[i].left-12
		}
	}
	return true
}

func (d *lineDraft) farFromTable(r, last *row) bool {
	return r.page != last.page || r.top-last.bottom > 60
}

// nextLine is the next row of the page that is a line; -1 if the table has ended.
func (d *lineDraft) nextLine(from int, columns []column) int {
	rows := d.layout.rows
	for i := from; i < len(rows) && rows[i].page == rows[from].page && i < from+8; i++ {
		p := d.part(rows[i], columns)
		if _, ends := d.endsTable(rows[i], &p, columns); ends {
			return -1
		}
		_, amount := p.numbers["lineNet"]
		_, quantity := p.numbers["quantity"]
		_, price := p.numbers["unitPrice"]
		if amount && (quantity || price) {
			return i
		}
	}
	return -1
}

// takeName takes the texts above a row without a name: those since the last line, of
// which the first belongs to that line.
func (l *line) takeName(before *line, pending *[][]*word) {
	texts := *pending
	if before != nil && len(before.more) > 0 {
		texts = before.more[len(before.more)-1:]
		before.more = before.more[:len(before.more)-1]
	}
	texts = slices.DeleteFunc(texts, func(t []*word) bool { return len(t) == 0 })
	if len(texts) > 0 {
		l.name = texts[0]
		l.more = texts[1:]
	}
}

// bracketed matches the number of an article before its name, as in [4711] Chair.
var bracketed = pattern(`^\[[^\]\s]+\]$`)

// takeArticle takes the number of an article that is in brackets before the name.
func (l *line) takeArticle() {
	if len(l.name) > 1 && bracketed().MatchString(l.name[0].Text) && len(l.texts["article"]) == 0 {
		article := *l.name[0]
		article.Text = strings.Trim(article.Text, "[]")
		l.texts["article"], l.name = []*word{&article}, l.name[1:]
	}
}

// fix checks that quantity times price is the amount, and looks for two other numbers
// of the row where it is not.
func (l *line) fix() {
	net := l.numbers["lineNet"]
	quantity, hasQuantity := l.numbers["quantity"]
	price, hasPrice := l.numbers["unitPrice"]
	if hasQuantity && hasPrice && (closes(&quantity, &price, &net) || l.perWords != nil) {
		l.isFixed = true
		return
	}
	if discount, ok := l.numbers["discount"]; ok && hasQuantity && hasPrice {
		if l.discounted(&quantity, &price, &discount, &net) {
			l.isFixed = true
			return
		}
	}
	if outside := slices.DeleteFunc(slices.Clone(l.all), func(n number) bool { return slices.Contains(l.name, n.words[0]) }); len(outside) < len(l.all) {
		if l.fixFrom(outside, &net); l.isFixed {
			return
		}
	}
	l.fixFrom(l.all, &net)
	if !l.isFixed {
		l.fixGrouped(&net)
	}
}

// fixGrouped joins a whole number whose groups are parted by a space, such as the quantity
// 3 875, where that leads to the amount.
func (l *line) fixGrouped(net *number) {
	price, ok := l.numbers["unitPrice"]
	for i := 0; ok && i+1 < len(l.all); i++ {
		head, tail := l.all[i], l.all[i+1]
		if head.decimals != 0 || tail.decimals != 0 || !near(head.words[len(head.words)-1], tail.words[0]) || len(tail.words[0].Text) != 3 || head.value >= 1000*unitsPerOne {
			continue
		}
		whole := head
		whole.value = head.value*1000 + tail.value
		whole.words = append(slices.Clone(head.words), tail.words...)
		if closes(&whole, &price, net) {
			l.numbers["quantity"], l.isFixed = whole, true
			l.name = without(l.name, tail.words)
			return
		}
	}
}

// fixFrom looks for a quantity and a price among numbers of the row.
func (l *line) fixFrom(all []number, net *number) {
	const most = 12
	all = all[:min(len(all), most)]
	for i := range all {
		for j := i + 1; j < len(all); j++ {
			first, second := all[i], all[j]
			if first.percent || second.percent || second.words[0].Box.Left >= net.words[0].Box.Left || second.value == unitsPerOne && second.decimals == 0 {
				continue
			}
			if second.decimals < 2 && first.decimals >= 2 { // price before quantity
				first, second = second, first
			}
			if closes(&first, &second, net) {
				l.numbers["quantity"], l.numbers["unitPrice"] = first, second
				l.isFixed = true
				l.name = without(without(l.name, first.words), second.words)
				l.findRate(all, net)
				return
			}
		}
	}
}

// findRate takes another number for the rate of VAT where the one that was taken is the
// quantity or the price.
func (l *line) findRate(all []number, net *number) {
	rate, has := l.numbers["vatRate"]
	quantity, price := l.numbers["quantity"], l.numbers["unitPrice"]
	if !has || rate.words[0] != quantity.words[0] && rate.words[0] != price.words[0] {
		return
	}
	delete(l.numbers, "vatRate")
	for _, n := range all {
		if n.suits("vatRate") && n.decimals <= 2 && n.words[0].Box.Left > price.words[0].Box.Left && n.words[0] != net.words[0] && n.words[0] != quantity.words[0] {
			l.numbers["vatRate"] = n
			return
		}
	}
}

// without is a text without the words of a number that is no part of it after all. A text
// that is nothing else stays.
func without(text, number []*word) []*word {
	left := slices.DeleteFunc(slices.Clone(text), func(w *word) bool { return slices.Contains(number, w) })
	if len(left) == 0 {
		return text
	}
	return left
}

// discounted tells whether a discount leads from quantity times price to the amount. A
// percentage is taken off the price (BT-147) where that closes, else off the amount.
func (l *line) discounted(quantity, price, discount, net *number) bool {
	full := toCent(times(quantity.value, price.value))
	if off := abs(full) - abs(net.value); !discount.percent && off == abs(discount.value) {
		l.allowance = off
		return true
	}
	percent := abs(discount.value)
	reduced := times(price.value, 100*unitsPerOne-percent) / 100
	if amount := toCent(times(quantity.value, reduced)); abs(abs(amount)-abs(net.value)) > cent || percent == 0 {
		return false
	}
	if exact := times(price.value, percent)%100 == 0; exact {
		l.netPrice = reduced
	} else {
		l.allowance = abs(full) - abs(net.value)
	}
	return true
}

// closesPer tells whether quantity times price is the amount, for a price of some units.
func closesPer(quantity, price, net *number, per int64) bool {
	product := times(quantity.value, price.value)
	if per == unitsPerOne || abs(product) >= tooLarge/unitsPerOne {
		return false
	}
	return abs(toCent(product*unitsPerOne/per)-net.value) <= cent && net.value != 0
}

func closes(quantity, price, net *number) bool {
	off := abs(toCent(times(quantity.value, price.value)) - net.value)
	if price.exact != "" { // what is behind the last decimal that counts
		off -= min(off, abs(quantity.value)/unitsPerOne)
	}
	return net.value != 0 && (off == 0 || off <= cent && abs(net.value) >= unitsPerOne) // a cent may be lost in rounding, but not most of the amount
}

// readLinesWithoutHead takes for lines the rows in which two numbers multiply to a
// third that is to their right, with a text.
func (d *lineDraft) readLinesWithoutHead() {
	for i, r := range d.layout.rows {
		var numbers []number
		for j := 0; j < len(r.words); {
			n, used := d.notation.at(r.words[j:])
			if used > 0 {
				numbers = append(numbers, n)
			}
			j += max(used, 1)
		}
		amounts := slices.DeleteFunc(slices.Clone(numbers), func(n number) bool { return n.percent })
		if len(amounts) < 3 || len(amounts) > 8 || len(d.lines) >= d.most {
			continue
		}
		l, ok := lineOf(amounts)
		if !ok {
			continue
		}
		if l.name = d.nameWithoutHead(i, numbers); len(l.name) == 0 {
			continue
		}
		if rate := slices.IndexFunc(numbers, func(n number) bool { return n.percent && n.suits("vatRate") }); rate >= 0 && !slices.Contains(l.name, numbers[rate].words[0]) {
			l.numbers["vatRate"] = numbers[rate]
		}
		l.row, l.texts = r, map[string][]*word{}
		d.lines = append(d.lines, l)
		d.isLine[i] = true
	}
}

// nameWithoutHead is the name of a line that no head is above: the text of its row, with the
// numbers that are no more than a space apart from it, or the row above where that text is
// nothing but a unit and signs, as in "3 pcs at 4.90".
func (d *lineDraft) nameWithoutHead(at int, numbers []number) (name []*word) {
	r := d.layout.rows[at]
	isNumber := map[*word]bool{}
	for _, n := range numbers {
		for _, w := range n.words {
			isNumber[w] = true
		}
	}
	says := func(w *word) bool {
		_, isUnit := unitCode(w.Text)
		_, isCurrency := currencyWord(w.Text)
		f := fold(w.Text)
		return !isNumber[w] && !isUnit && !isCurrency && len(f) > 1 && strings.ContainsFunc(f, unicode.IsLetter) && !words().Per[f] && !words().OfBase[f]
	}
	hasText := false
	for i := range r.cells {
		words := r.cells[i].words()
		hasText = hasText || slices.ContainsFunc(words, func(w *word) bool { return !isNumber[w] })
		if slices.ContainsFunc(words, says) {
			name = append(name, words...)
		}
	}
	if len(name) > 0 || !hasText || at == 0 {
		return name
	}
	above := d.layout.rows[at-1]
	if above.page != r.page || d.isLine[at-1] || hasMoney(above) || r.top-above.bottom > above.height() {
		return nil
	}
	return above.cells[0].words()
}

func lineOf(numbers []number) (line, bool) {
	for net := len(numbers) - 1; net >= 2; net-- {
		for i := range net {
			for j := i + 1; j < net; j++ {
				if numbers[net].decimals == 2 && numbers[j].decimals >= 2 && closes(&numbers[i], &numbers[j], &numbers[net]) && !isShare(numbers[i], numbers[j]) {
					return line{numbers: map[string]number{"quantity": numbers[i], "unitPrice": numbers[j], "lineNet": numbers[net]}, isFixed: true}, true
				}
			}
		}
	}
	return line{}, false
}

// isShare tells whether two numbers are rather a rate and a base of VAT.
func isShare(a, b number) bool { return a.percent || b.percent }

// edge is the right end of the longest row of a name or description.
func (d *lineDraft) edge() (edge float64) {
	for i := range d.lines {
		for _, text := range append(d.lines[i].more, d.lines[i].name) {
			if len(text) > 0 {
				edge = max(edge, text[len(text)-1].Box.Right)
			}
		}
	}
	return edge
}

// isPair tells whether a text is a label and a number, as Gross price: 9.90.
func isPair(of []*word) bool {
	at := slices.IndexFunc(of, func(w *word) bool { return strings.HasSuffix(w.Text, ":") })
	return at >= 0 && at+1 < len(of) && hasDigit(of[at+1].Text)
}

// hasDate tells whether a text begins with a day, as a period does.
func hasDate(of []*word) bool {
	_, n := notation{}.dateAt(of)
	return n > 0
}

// splitName parts the name of a line from what is below it. A row that had to be broken
// because the next word did not fit goes on in the next row.
func (l *line) splitName(edge float64) {
	for !l.isNamed && len(l.more) > 0 && len(l.name) > 0 && len(l.more[0]) > 0 {
		end, next := l.name[len(l.name)-1], l.more[0][0]
		sameStyle := end.Bold == next.Bold && math.Abs(end.Size-next.Size) < 0.3
		aligned := math.Abs(l.name[0].Box.Left-next.Box.Left) < 2
		apart := next.Box.Top-end.Box.Bottom > 0.7*max(end.Size, 4)
		if !sameStyle || !aligned || apart || isPair(l.more[0]) || hasDate(l.more[0]) || end.Box.Right+next.Box.Right-next.Box.Left+0.3*next.Size < edge {
			return
		}
		l.name = append(slices.Clone(l.name), l.more[0]...)
		l.more = l.more[1:]
	}
}
