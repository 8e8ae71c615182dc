package lines

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A Line is one line of the invoice, as it is printed.
type Line struct {
	Row     *layout.Row // with the amount
	Numbers map[string]candidate.Number
	Texts   map[string][]*layout.Word
	all     []candidate.Number // of the row, from left to right
	Name    []*layout.Word
	More    [][]*layout.Word // rows below the name
	IsFixed bool             // quantity times price is the amount
	isNamed bool             // the name is in a column beside that of the description

	NetPrice  int64            // where a discount is taken off the price
	Allowance int64            // where a discount is taken off the amount
	Per       candidate.Number // what the price is for, where it is not for one
	PerWords  []*layout.Word
	Columns   []layout.Column
	VatGroup  int // of document.vat, from 1; 0 where none is decided
}

// A Table are the lines of the invoice.
type Table struct {
	Lines  []Line
	IsLine []bool // by index of the row: it belongs to the table
	Cut    bool   // there are more than are read
}

// A draft is what of the table was read so far.
type draft struct {
	*candidate.Pages
	Table
	most     int   // lines that are read
	asRead   bool  // no number is set right that was recognised wrong
	detailed bool  // names have rows of details below them
	running  int64 // the sum of the lines that were read so far
}

// Read reads the lines of some pages.
func Read(p *candidate.Pages, most int, asRead bool) *Table {
	d := &draft{Pages: p, most: most, asRead: asRead}
	d.IsLine = make([]bool, len(p.Layout.Rows))
	d.read()
	return &d.Table
}

// read reads the lines below each head of a table, page after page.
func (d *draft) read() {
	rows := d.Layout.Rows
	var columns []layout.Column
	for i := 0; i < len(rows); i++ {
		head, used := layout.HeadAt(rows, i)
		if head == nil {
			continue
		}
		if columns == nil || len(d.Lines) == 0 || rows[i].Page > d.Lines[len(d.Lines)-1].Row.Page {
			columns = head
			layout.SortColumns(columns)
			columns = d.fitted(i+used, columns)
			d.markLines(i, i+used-1)
			i = d.readTable(i+used, columns) - 1
		}
	}
	if len(d.Lines) == 0 {
		d.readLinesWithoutHead()
	}
	if len(d.Lines) == 0 {
		d.readSummed()
	}
	if len(d.Lines) == 0 {
		d.readBelow()
	}
	d.nameArticles()
	d.namePositions()
	d.markBetween()
	d.endAtTerms()
	edge := d.edge()
	d.detailed = slices.ContainsFunc(d.Lines, func(l Line) bool { return l.hasDetail(edge) })
	for i := range d.Lines {
		d.Lines[i].takeArticle()
		d.takeFactors(i)
		d.Lines[i].Fix()
		d.repair(&d.Lines[i])
		if !d.detailed {
			d.Lines[i].splitName(edge)
		}
	}
	d.cutCodes()
}

// markBetween marks what is between two lines of one table: it is of the first, digits or not.
func (d *draft) markBetween() {
	for i := range max(len(d.Lines)-1, 0) {
		if a, b := d.Lines[i].Row, d.Lines[i+1].Row; a.Page == b.Page {
			d.markLines(a.Index, b.Index)
		}
	}
	if len(d.Lines) == 0 {
		return
	}
	last := &d.Lines[len(d.Lines)-1]
	isNames := func(left float64) bool { // where the names begin, or, where none was read, any text of the row
		if len(last.Name) > 0 {
			return math.Abs(left-last.Name[0].Box.Left) <= 2
		}
		return slices.ContainsFunc(last.Row.Cells, func(c layout.Cell) bool {
			return math.Abs(left-c.Left) <= 2 && strings.ContainsFunc(c.Text(), unicode.IsLetter)
		})
	}
	above := last.Row // and what is right below the last one, in the column of the names
	for i := above.Index + 1; i < len(d.Layout.Rows); i++ {
		r := d.Layout.Rows[i]
		if r.Page != above.Page || r.Top-above.Bottom > 0.7*above.Height() || len(r.Cells) > 1 || !isNames(r.Cells[0].Left) || r.Cells[0].Left < last.Row.Words[0].Box.Left+1 && len(last.Texts["position"]) > 0 || len(r.Find(&lexicon.Words().Totals)) > 0 {
			return
		}
		d.IsLine[i] = true
		above = r
	}
}

// endAtTerms ends the table at a heading such as Terms of payment behind its last line, or at a row that says when or
// where to pay, who a party is, or of what day the invoice is: what is below it is none of the lines.
func (d *draft) endAtTerms() {
	if len(d.Lines) == 0 {
		return
	}
	last := &d.Lines[len(d.Lines)-1]
	for i := last.Row.Index + 1; i < len(d.Layout.Rows); i++ {
		if r := d.Layout.Rows[i]; !isTerms(r) && !saysHowToPay(r) && !isOfHead(r) {
			continue
		}
		last.More = slices.DeleteFunc(last.More, func(of []*layout.Word) bool { return len(of) > 0 && d.Layout.RowOf(of[0]).Index >= i })
		for ; i < len(d.Layout.Rows); i++ {
			d.IsLine[i] = false
		}
	}
}

// isOfHead reports whether a row begins with the heading of a party, or with the label of the number or of the day of the
// invoice.
func isOfHead(r *layout.Row) bool {
	const shortest = 7 // characters of a label that is no word of a text, as Date
	if _, is := lexicon.Words().Parties.Exactly(r.Cells[0].Text()); is {
		return true
	}
	hits := r.Find(&lexicon.Words().Header)
	return len(hits) > 0 && hits[0].First == 0 && (hits[0].Field == "issueDate" || hits[0].Field == "number") && hits[0].Length >= shortest && (hits[0].Colon || hits[0].Last == r.Cells[0].Last)
}

// isTerms reports whether a row is a heading of terms, which may have days below it.
func isTerms(r *layout.Row) bool {
	label, is := r.Cells[0].Label(&lexicon.Words().Header)
	return is && label.Field == "terms" && len(r.Cells) == 1 && label.Used == len(r.Tokens)
}

// saysHowToPay reports whether a cell of a row without amounts begins with a label, and a colon, for the day to pay by or for
// an account.
func saysHowToPay(r *layout.Row) bool {
	return !layout.HasMoney(r) && slices.ContainsFunc(r.Find(&lexicon.Words().Header), func(h layout.Hit) bool {
		return h.StartsCell && h.Colon && (h.Field == "dueDate" || h.Field == "iban")
	})
}

// nameArticles takes what is in the column of item numbers for the names, and the names for
// descriptions, where it has no digit in any line: as where Item has the name.
func (d *draft) nameArticles() {
	found := false
	for i := range d.Lines {
		article := d.Lines[i].Texts["article"]
		found = found || len(article) > 0
		if slices.ContainsFunc(article, func(w *layout.Word) bool { return lexicon.HasDigit(w.Text) }) {
			return
		}
	}
	for i := range d.Lines {
		l := &d.Lines[i]
		article := l.Texts["article"]
		if !found || len(article) == 0 {
			continue
		}
		if len(l.Name) > 0 {
			l.More = append([][]*layout.Word{l.Name}, l.More...)
		}
		l.Name, l.isNamed = article, true
		delete(l.Texts, "article")
	}
}

// namePositions takes what is in the column of positions for the names where no line has a name and
// each has words there: Position is what some call the item.
func (d *draft) namePositions() {
	hasWord := func(w *layout.Word) bool {
		return len(w.Tokens) > 0 && len(w.Text) > 2 && !lexicon.HasDigit(w.Text)
	}
	for i := range d.Lines {
		if len(d.Lines[i].Name) > 0 || !slices.ContainsFunc(d.Lines[i].Texts["position"], hasWord) {
			return
		}
	}
	for i := range d.Lines {
		l := &d.Lines[i]
		l.Name, l.isNamed = l.Texts["position"], true
		delete(l.Texts, "position")
	}
}

// readTable reads the rows below a head, and returns the first row that is not its.
func (d *draft) readTable(from int, columns []layout.Column) int {
	rows, before := d.Layout.Rows, len(d.Lines)
	var current *Line
	var pending [][]*layout.Word      // texts above the first amount
	var half *halfRow                 // numbers without an amount, right above
	last, start := rows[from-1], from // start is the first row below a head
	for i := from; i < len(rows); i++ {
		r := rows[i]
		if r.Page != last.Page {
			if at := headOnPage(rows, i, r.Page); at >= 0 {
				fresh, used := layout.HeadAt(rows, at)
				columns = fresh
				layout.SortColumns(columns)
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
			d.IsLine[i], current, last = true, nil, r
			continue
		case len(d.Lines) > before && isHeadOfVat(r): // what is below may multiply by chance: 10 % of a base does
			return i
		case ends && (field == "" && len(d.Lines) == before || d.goesOn(i+1, columns)): // a head of several rows, or a sum within the table
			d.IsLine[i], current, last = true, nil, r
			continue
		case ends || p.isBesideLines(columns):
			return i
		}
		if (r.Page < len(d.Layout.Pages) || i == start && r.Page > 1) && d.isRunningSum(&p) {
			d.IsLine[i], current, last = true, nil, r
			continue
		}
		if current != nil {
			current.takeBase(d, r, &p)
		}
		if half != nil && half.completes(&p, r) {
			p = half.with(p)
			if current != nil { // the name was taken for a text of the line above
				current.More = current.More[:min(len(current.More), half.more)]
			}
			pending = pending[:min(len(pending), half.pending)]
		}
		half = nil
		_, hasAmount := p.numbers["lineNet"]
		if !hasAmount && p.isHalf() {
			if current != nil && current.lacks(&p, r) {
				current.Numbers["quantity"], current.Numbers["unitPrice"] = p.numbers["quantity"], p.numbers["unitPrice"]
				current.all = append(slices.Clone(p.all), current.all...)
			} else {
				half = &halfRow{row: r, rowParts: p, pending: len(pending)}
				if current != nil {
					half.more = len(current.More)
				}
			}
		}
		if d.Layout.Repeated[i] && !hasAmount || hasAmount && d.IsOfAccount(r) { // between the parts of a table
			d.IsLine[i] = false
			continue
		}
		apart := r.Page == last.Page && r.Top-last.Bottom > 2.2*max(last.Height(), 8)
		switch {
		case hasAmount && p.isLine():
			if len(d.Lines) >= d.most {
				d.Cut = true
				d.IsLine[i] = true
				break
			}
			d.Lines = append(d.Lines, Line{Row: r, Numbers: p.numbers, Texts: p.texts, all: p.all, Columns: columns})
			next := &d.Lines[len(d.Lines)-1]
			d.running += p.numbers["lineNet"].Value
			next.takePer(&p)
			next.Name = p.texts["description"]
			if len(next.Name) == 0 {
				next.takeName(current, &pending)
			}
			current, pending = next, nil
			d.IsLine[i] = true
		case current == nil && len(d.Lines) > 0 || apart && len(d.Lines) > 0:
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
				current.More = append(current.More, p.texts["description"])
				d.takeRate(current, r)
			}
			d.IsLine[i] = true
		}
		last = r
	}
	return len(rows)
}

// A halfRow is a row with quantity and price whose amount is set a part of a row lower,
// as where the cells of a table are aligned in different ways.
type halfRow struct {
	rowParts
	row           *layout.Row
	more, pending int // how many texts there were before
}

// isHalf reports whether a row has all numbers of a line but the amount.
func (p *rowParts) isHalf() bool {
	_, quantity := p.numbers["quantity"]
	_, price := p.numbers["unitPrice"]
	return quantity && price
}

// halfReach is how far the base lines of the two parts of a line may be apart, in
// heights of a row.
const halfReach = 1.6

// completes reports whether a row has the amount that belongs to the half.
func (h *halfRow) completes(p *rowParts, r *layout.Row) bool {
	net, hasAmount := p.numbers["lineNet"]
	_, hasQuantity := p.numbers["quantity"]
	_, hasPrice := p.numbers["unitPrice"]
	quantity, price := h.numbers["quantity"], h.numbers["unitPrice"]
	if !hasAmount || hasQuantity || hasPrice || r.Page != h.row.Page || r.Bottom-h.row.Bottom > halfReach*max(h.row.Height(), 8) {
		return false
	}
	return closes(&quantity, &price, &net) || r.Top < h.row.Bottom+0.3*h.row.Height()
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

// lacks reports whether a line has no quantity and price yet, and a row right below it
// has those that give its amount.
func (l *Line) lacks(p *rowParts, r *layout.Row) bool {
	_, hasQuantity := l.Numbers["quantity"]
	_, hasPrice := l.Numbers["unitPrice"]
	net, quantity, price := l.Numbers["lineNet"], p.numbers["quantity"], p.numbers["unitPrice"]
	return !hasQuantity && !hasPrice && r.Page == l.Row.Page && r.Bottom-l.Row.Bottom < halfReach*max(r.Height(), 8) && closes(&quantity, &price, &net)
}

// isLine reports whether a row with an amount is a line, and not a lone number.
func (p *rowParts) isLine() bool {
	net := p.numbers["lineNet"]
	_, quantity := p.numbers["quantity"]
	_, price := p.numbers["unitPrice"]
	isMoney := net.Decimals >= 2 || net.Currency != ""
	return quantity && price || isMoney && (quantity || price || len(p.texts["description"]) > 0 || len(p.texts["article"]) > 0)
}

// headOnPage is the row of a page that repeats the head; -1 if none does.
func headOnPage(rows []*layout.Row, from, page int) int {
	for i := from; i < len(rows) && rows[i].Page == page; i++ {
		if columns, _ := layout.HeadAt(rows, i); columns != nil {
			return i
		}
	}
	return -1
}

// isBesideLines reports whether a row has an amount alone, with a text that begins to the right of
// the descriptions and the next column: it is none of the lines, but an allowance or a charge.
func (p *rowParts) isBesideLines(columns []layout.Column) bool {
	text, net := p.texts["description"], p.numbers["lineNet"]
	if len(text) == 0 || len(net.Words) == 0 || len(p.all) != 1 || len(p.texts["position"]) > 0 || len(p.texts["article"]) > 0 {
		return false
	}
	at := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == "description" })
	return at >= 0 && at+2 < len(columns) && columns[at].BandRight > 0 && text[0].Box.Left > columns[at].Right && text[0].Box.Left > columns[at+1].Left
}

// markLines marks what is between two parts of a table: letterheads are read once.
func (d *draft) markLines(from, to int) {
	for i := from; i <= to; i++ {
		d.IsLine[i] = true
	}
}

// endsTable reports whether a row is below the lines: a label of the totals with an amount
// behind it, and no other amount before.
func (d *draft) endsTable(r *layout.Row, p *rowParts, columns []layout.Column) (field string, ends bool) {
	hits := r.Find(&lexicon.Words().Totals)
	if len(hits) > 0 && (p.isPriced() || p.isDiscounted()) { // an item that is named like a total
		return "", false
	}
	if len(hits) > 0 && hits[0].StartsCell && hits[0].Field == "carried" && !p.isNumbered(&hits[0]) {
		return "carried", false
	}
	heads := map[string]bool{}
	for k := range hits {
		h := &hits[k]
		if !h.StartsCell {
			continue
		}
		heads[h.Field] = true
		before, behind := d.countMoney(r.Words[:h.First]), d.countMoney(r.Words[h.Last+1:])
		isItem := h.First > 0 && !h.Colon && (h.Field == "allowance" || h.Field == "charge" || h.Field == "carried" && p.isNumbered(h)) // as in 5 Transport 4.90
		if before == 0 && behind > 0 && behind <= 2 && !isItem && !isBelowName(r, h, columns) {
			return h.Field, true
		}
	}
	// The head of a table of totals has their labels alone.
	return "", len(heads) >= 2 && 2*len(heads) >= len(r.Cells) && d.countMoney(r.Words) == 0 || isHeadOfVat(r) || d.isGroupOfVat(r, p) || d.isSumOfLines(p)
}

// isNumbered reports whether the number of a line is before the label of a sum: it is the name of that line.
func (p *rowParts) isNumbered(h *layout.Hit) bool {
	return h.First > 0 && len(p.texts["position"]) > 0 && lexicon.HasDigit(p.texts["position"][0].Text)
}

// isHeadOfVat reports whether all cells of a row name columns of a VAT breakdown: rates, bases
// and taxes, and nothing that lines alone have.
func isHeadOfVat(r *layout.Row) bool {
	fields := map[string]bool{}
	for i := range r.Cells {
		c := &r.Cells[i]
		column, isColumn := c.Label(&lexicon.Words().Columns)
		total, isTotal := c.Label(&lexicon.Words().Totals)
		switch {
		case isColumn && column.Field == "position":
		case isColumn && (column.Field == "vatRate" || column.Field == "vatAmount"):
			fields[column.Field] = true
		case isTotal && slices.Contains([]string{"lineTotal", "net", "vat", "gross"}, total.Field):
			fields[total.Field] = true
		default:
			return false
		}
	}
	return len(fields) >= 2 && (fields["vatRate"] || fields["vatAmount"] || fields["vat"])
}

// isGroupOfVat reports whether a row is a group of the VAT breakdown: a rate, the sum of all
// lines so far, and the tax that follows from both.
func (d *draft) isGroupOfVat(r *layout.Row, p *rowParts) bool {
	if d.running == 0 || p.isPriced() {
		return false
	}
	numbers := d.NumbersOf(r)
	hasSum := slices.ContainsFunc(numbers, func(n candidate.Number) bool { return candidate.Abs(n.Value) == candidate.Abs(d.running) })
	if len(numbers) < 3 || len(numbers) > 6 || !hasSum {
		return false
	}
	return slices.ContainsFunc(d.VatRowsOf(r, numbers), func(group candidate.VatRow) bool {
		return group.Base.Value == d.running && candidate.Abs(group.Base.Value) > candidate.UnitsPerOne && group.Tax.Value != 0 && group.Base.From != nil && group.Base.From.Row == r
	})
}

// isPriced reports whether a row has a quantity and a price that give its amount.
func (p *rowParts) isPriced() bool {
	quantity, hasQuantity := p.numbers["quantity"]
	price, hasPrice := p.numbers["unitPrice"]
	net, hasNet := p.numbers["lineNet"]
	return hasQuantity && hasPrice && hasNet && !price.Percent && closes(&quantity, &price, &net)
}

// isBelowName reports whether a label and all that follows it is below the name of a line,
// as a note on its discount.
func isBelowName(r *layout.Row, h *layout.Hit, columns []layout.Column) bool {
	name := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == "description" })
	if name < 1 || name+1 >= len(columns) || h.Field != "allowance" && h.Field != "charge" {
		return false
	}
	last := r.Words[len(r.Words)-1].Box.Right
	return r.Words[h.First].Box.Left > columns[name].Left-3 && columns[name-1].Right < columns[name].Left && last < columns[len(columns)-1].Left
}

// isRunningSum reports whether a row has nothing but the sum of the lines so far, as one
// that is carried over to the next page.
func (d *draft) isRunningSum(p *rowParts) bool {
	net, ok := p.numbers["lineNet"]
	if !ok || len(p.all) != 1 || len(p.texts["position"]) > 0 || len(p.texts["description"]) > 4 {
		return false
	}
	return len(d.Lines) != 1 && net.HasCents() && net.Value == d.running
}

// isSumOfLines reports whether a row has nothing but the sum of lines that each have a price,
// under whatever name.
func (d *draft) isSumOfLines(p *rowParts) bool {
	net, ok := p.numbers["lineNet"]
	if !ok || len(p.all) != 1 || !net.HasCents() || net.Value != d.running || len(p.texts["position"]) > 0 || len(d.Lines) == 0 {
		return false
	}
	return !slices.ContainsFunc(d.Lines, func(l Line) bool { _, priced := l.Numbers["unitPrice"]; return !priced })
}

// takePer takes the quantity that a price is for out of a column of its own, where it leads
// to the amount.
func (l *Line) takePer(p *rowParts) {
	if quantity, price, net := l.Numbers["quantity"], l.Numbers["unitPrice"], l.Numbers["lineNet"]; p.per.Value > 0 && closesPer(&quantity, &price, &net, p.per.Value) {
		l.Per, l.PerWords = p.per, p.per.Words
	}
}

// takeRate takes the rate of VAT of a line out of a row below its name, as in "VAT 19 %".
func (d *draft) takeRate(l *Line, r *layout.Row) {
	if _, has := l.Numbers["vatRate"]; has {
		return
	}
	for _, list := range []*lexicon.Labels{&lexicon.Words().Columns, &lexicon.Words().Totals} {
		for _, h := range r.Find(list) {
			if h.Field != "vatRate" && h.Field != "vat" || h.Last+1 == len(r.Words) {
				continue
			}
			if n, used := d.Notation.At(r.Words[h.Last+1:]); used > 0 && n.Percent && candidate.IsRate(&n) {
				l.Numbers["vatRate"] = n
				return
			}
		}
	}
}

// takeBase takes the quantity that a price is for (BT-149) out of a row below the price,
// as in per 100 pieces, where it leads to the amount.
func (l *Line) takeBase(d *draft, r *layout.Row, p *rowParts) {
	if _, hasAmount := p.numbers["lineNet"]; hasAmount || l.PerWords != nil || l.Row.Page != r.Page {
		return
	}
	for i := 0; i+1 < len(r.Words); i++ {
		if !lexicon.Words().Per[lexicon.Fold(r.Words[i].Text)] {
			continue
		}
		per, used := d.Notation.At(r.Words[i+1:])
		if used == 0 || per.Value <= 0 || per.Percent || per.Currency != "" {
			continue
		}
		if quantity, price, net := l.Numbers["quantity"], l.Numbers["unitPrice"], l.Numbers["lineNet"]; closesPer(&quantity, &price, &net, per.Value) {
			l.Per, l.PerWords = per, per.Words
			return
		}
	}
}

// goesOn reports whether lines follow soon, of which quantity and price give the amount.
func (d *draft) goesOn(from int, columns []layout.Column) bool {
	const soon = 12 // rows
	rows := d.Layout.Rows
	for i := from; i < len(rows) && i < from+soon && rows[i].Page == rows[from-1].Page; i++ {
		p := d.part(rows[i], columns)
		if _, ends := d.endsTable(rows[i], &p, columns); ends {
			return false
		}
		quantity, price, net := p.numbers["quantity"], p.numbers["unitPrice"], p.numbers["lineNet"]
		if closes(&quantity, &price, &net) && len(p.texts["description"]) > 0 && !price.Percent {
			return true
		}
	}
	return false
}

// countMoney is how many numbers of words are amounts.
func (d *draft) countMoney(of []*layout.Word) (count int) {
	for _, n := range d.Notation.All(of) {
		if !n.Percent && (n.HasCents() || n.Currency != "") {
			count++
		}
	}
	return count
}

// isBelow reports whether a text is in the column of descriptions.
func (d *draft) isBelow(of []*layout.Word, columns []layout.Column) bool {
	for i := range columns {
		if columns[i].Field == "description" {
			return of[0].Box.Left > columns[i].Left-12
		}
	}
	return true
}

func (d *draft) farFromTable(r, last *layout.Row) bool {
	return r.Page != last.Page || r.Top-last.Bottom > 60
}

// nextLine is the next row of the page that is a line; -1 if the table has ended.
func (d *draft) nextLine(from int, columns []layout.Column) int {
	rows := d.Layout.Rows
	for i := from; i < len(rows) && rows[i].Page == rows[from].Page && i < from+8; i++ {
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
func (l *Line) takeName(before *Line, pending *[][]*layout.Word) {
	texts := *pending
	if before != nil && len(before.More) > 0 {
		texts = before.More[len(before.More)-1:]
		before.More = before.More[:len(before.More)-1]
	}
	texts = slices.DeleteFunc(texts, func(t []*layout.Word) bool { return len(t) == 0 })
	if len(texts) > 0 {
		l.Name = texts[0]
		l.More = texts[1:]
	}
}

// bracketed matches the number of an article before its name, as in [4711] Chair.
var bracketed = lexicon.Pattern(`^\[[^\]\s]+\]$`)

// takeArticle takes the number of an article that is in brackets before the name.
func (l *Line) takeArticle() {
	if len(l.Name) > 1 && bracketed().MatchString(l.Name[0].Text) && len(l.Texts["article"]) == 0 {
		article := *l.Name[0]
		article.Text = strings.Trim(article.Text, "[]")
		l.Texts["article"], l.Name = []*layout.Word{&article}, l.Name[1:]
	}
}

// Fix checks that quantity times price is the amount, and looks for two other numbers
// of the row where it is not.
func (l *Line) Fix() {
	net := l.Numbers["lineNet"]
	quantity, hasQuantity := l.Numbers["quantity"]
	price, hasPrice := l.Numbers["unitPrice"]
	if hasQuantity && hasPrice && (closes(&quantity, &price, &net) || l.PerWords != nil) {
		l.IsFixed = true
		return
	}
	if discount, ok := l.Numbers["discount"]; ok && hasQuantity && hasPrice {
		if l.discounted(&quantity, &price, &discount, &net) {
			l.IsFixed = true
			return
		}
	}
	if hasQuantity && hasPrice && l.findDiscount(&quantity, &price, &net) {
		l.IsFixed = true
		return
	}
	l.fixFrom(l.outside(l.Name), &net)
	if !l.IsFixed && !(hasQuantity && hasPrice) { // those below their heads are surer than what a name has
		l.fixFrom(l.all, &net)
	}
	if !l.IsFixed {
		l.fixGrouped(&net)
	}
}

// outside are the numbers of the row that are in no text of some, nor the number of the line or of the article where others are the
// quantity and the price: as many numbers as a row may have, two of them multiply to its amount by chance.
func (l *Line) outside(of []*layout.Word) []candidate.Number {
	_, hasQuantity := l.Numbers["quantity"]
	if _, hasPrice := l.Numbers["unitPrice"]; hasQuantity && hasPrice {
		of = slices.Concat(of, l.Texts["position"], l.Texts["article"])
	}
	return slices.DeleteFunc(slices.Clone(l.all), func(n candidate.Number) bool { return slices.Contains(of, n.Words[0]) })
}

// findDiscount takes the only percentage of the row that leads from quantity times price to the amount for the discount,
// whatever its head is called, and whether it was taken for the rate of VAT that no head asks for.
func (l *Line) findDiscount(quantity, price, net *candidate.Number) bool {
	var found []candidate.Number
	rate, hasRate := l.Numbers["vatRate"]
	isAsked := slices.ContainsFunc(l.Columns, func(c layout.Column) bool { return c.Field == "vatRate" })
	for _, n := range l.all {
		if hasRate && isAsked && rate.Words[0] == n.Words[0] {
			continue
		}
		isLess := n.Percent && candidate.Abs(n.Value) < 100*candidate.UnitsPerOne && !slices.Contains(l.Name, n.Words[0])
		if isLess && (&Line{}).discounted(quantity, price, &n, net) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return false
	}
	if hasRate && rate.Words[0] == found[0].Words[0] {
		delete(l.Numbers, "vatRate")
	}
	l.Numbers["discount"] = found[0]
	return l.discounted(quantity, price, &found[0], net)
}

// fixGrouped joins a whole number whose groups are parted by a space, such as the quantity
// 3 875, where that leads to the amount.
func (l *Line) fixGrouped(net *candidate.Number) {
	price, ok := l.Numbers["unitPrice"]
	for i := 0; ok && i+1 < len(l.all); i++ {
		head, tail := l.all[i], l.all[i+1]
		if head.Decimals != 0 || tail.Decimals != 0 || !layout.Near(head.Words[len(head.Words)-1], tail.Words[0]) || len(tail.Words[0].Text) != 3 || head.Value >= 1000*candidate.UnitsPerOne {
			continue
		}
		whole := head
		whole.Value = head.Value*1000 + tail.Value
		whole.Words = append(slices.Clone(head.Words), tail.Words...)
		if closes(&whole, &price, net) {
			l.Numbers["quantity"], l.IsFixed = whole, true
			l.Name = without(l.Name, tail.Words)
			return
		}
	}
}

// fixFrom looks for a quantity and a price among numbers of the row.
func (l *Line) fixFrom(all []candidate.Number, net *candidate.Number) {
	const most = 12
	all = all[:min(len(all), most)]
	for i := range all {
		for j := i + 1; j < len(all); j++ {
			first, second := all[i], all[j]
			if first.Percent || second.Percent || second.Words[0].Box.Left >= net.Words[0].Box.Left || second.Value == candidate.UnitsPerOne && second.Decimals == 0 {
				continue
			}
			if isPriceFirst(&first, &second, l.Columns) {
				first, second = second, first
			}
			if closes(&first, &second, net) {
				l.Numbers["quantity"], l.Numbers["unitPrice"] = first, second
				l.IsFixed = true
				l.Name = without(without(l.Name, first.Words), second.Words)
				l.findRate(all, net)
				return
			}
		}
	}
}

// findRate takes another number for the rate of VAT where the one that was taken is the
// quantity or the price.
func (l *Line) findRate(all []candidate.Number, net *candidate.Number) {
	rate, has := l.Numbers["vatRate"]
	quantity, price := l.Numbers["quantity"], l.Numbers["unitPrice"]
	if !has || rate.Words[0] != quantity.Words[0] && rate.Words[0] != price.Words[0] {
		return
	}
	delete(l.Numbers, "vatRate")
	for _, n := range all {
		if n.Suits("vatRate") && n.Decimals <= 2 && n.Words[0].Box.Left > price.Words[0].Box.Left && n.Words[0] != net.Words[0] && n.Words[0] != quantity.Words[0] {
			l.Numbers["vatRate"] = n
			return
		}
	}
}

// without is a text without the words of a number that is not part of it after all. A text
// that is nothing else stays.
func without(text, number []*layout.Word) []*layout.Word {
	left := slices.DeleteFunc(slices.Clone(text), func(w *layout.Word) bool { return slices.Contains(number, w) })
	if len(left) == 0 {
		return text
	}
	return left
}

// discounted reports whether a discount leads from quantity times price to the amount. A
// percentage is taken off the price (BT-147) where that closes, else off the amount.
func (l *Line) discounted(quantity, price, discount, net *candidate.Number) bool {
	full := candidate.ToCent(candidate.Times(quantity.Value, price.Value))
	if off := candidate.Abs(full) - candidate.Abs(net.Value); !discount.Percent && off == candidate.Abs(discount.Value) {
		l.Allowance = off
		return true
	}
	percent := candidate.Abs(discount.Value)
	reduced := candidate.Times(price.Value, 100*candidate.UnitsPerOne-percent) / 100
	if amount := candidate.ToCent(candidate.Times(quantity.Value, reduced)); candidate.Abs(candidate.Abs(amount)-candidate.Abs(net.Value)) > candidate.Cent || percent == 0 {
		return false
	}
	if exact := candidate.Times(price.Value, percent)%100 == 0; exact {
		l.NetPrice = reduced
	} else {
		l.Allowance = candidate.Abs(full) - candidate.Abs(net.Value)
	}
	return true
}

// closesPer reports whether quantity times price is the amount, for a price of some units.
func closesPer(quantity, price, net *candidate.Number, per int64) bool {
	product := candidate.Times(quantity.Value, price.Value)
	if per == candidate.UnitsPerOne || candidate.Abs(product) >= candidate.TooLarge/candidate.UnitsPerOne {
		return false
	}
	return candidate.Abs(candidate.ToCent(product*candidate.UnitsPerOne/per)-net.Value) <= net.Rounding() && net.Value != 0
}

// closes reports whether quantity times price is the amount. Of a credit note, the amount alone may have the minus.
func closes(quantity, price, net *candidate.Number) bool {
	product := candidate.ToCent(candidate.Times(quantity.Value, price.Value))
	if net.Value < 0 {
		product = -candidate.Abs(product)
	}
	off := candidate.Abs(product - net.Value)
	if price.Exact != "" { // what is behind the last decimal that counts
		off -= min(off, candidate.Abs(quantity.Value)/candidate.UnitsPerOne)
	}
	if net.IsWhole() { // of an amount without decimals half a unit
		return off <= candidate.UnitsPerOne/2
	}
	return net.Value != 0 && (off == 0 || off <= candidate.Cent && candidate.Abs(net.Value) >= candidate.UnitsPerOne) // a cent may be lost in rounding, but not most of the amount
}

// readLinesWithoutHead takes for lines the rows in which two numbers multiply to a
// third that is to their right, with a text.
func (d *draft) readLinesWithoutHead() {
	for i, r := range d.Layout.Rows {
		numbers := d.NumbersOf(r)
		amounts := slices.DeleteFunc(slices.Clone(numbers), func(n candidate.Number) bool { return n.Percent })
		if len(amounts) < 3 || len(amounts) > 8 || len(d.Lines) >= d.most || d.IsOfAccount(r) {
			continue
		}
		l, ok := lineOf(amounts)
		if !ok {
			continue
		}
		if l.Name = d.nameWithoutHead(i, numbers); len(l.Name) == 0 {
			continue
		}
		if rate := slices.IndexFunc(numbers, func(n candidate.Number) bool { return n.Percent && n.Suits("vatRate") }); rate >= 0 && !slices.Contains(l.Name, numbers[rate].Words[0]) {
			l.Numbers["vatRate"] = numbers[rate]
		}
		l.Row, l.Texts = r, map[string][]*layout.Word{}
		d.Lines = append(d.Lines, l)
		d.IsLine[i] = true
	}
}

// nameWithoutHead is the name of a line that no head is above: the text of its row, with the
// numbers that are at most a space apart from it, or the row above where that text is
// nothing but a unit and signs, as in "3 pcs at 4.90".
func (d *draft) nameWithoutHead(at int, numbers []candidate.Number) (name []*layout.Word) {
	r := d.Layout.Rows[at]
	isNumber := map[*layout.Word]bool{}
	for _, n := range numbers {
		for _, w := range n.Words {
			isNumber[w] = true
		}
	}
	says := func(w *layout.Word) bool {
		_, isUnit := lexicon.UnitCode(w.Text)
		_, isCurrency := lexicon.CurrencyWord(w.Text)
		f := lexicon.Fold(w.Text)
		return !isNumber[w] && !isUnit && !isCurrency && len(f) > 1 && strings.ContainsFunc(f, unicode.IsLetter) && !lexicon.Words().Per[f] && !lexicon.Words().OfBase[f]
	}
	hasText := false
	for i := range r.Cells {
		words := r.Cells[i].Words()
		hasText = hasText || slices.ContainsFunc(words, func(w *layout.Word) bool { return !isNumber[w] })
		if slices.ContainsFunc(words, says) {
			name = append(name, words...)
		}
	}
	if len(name) > 0 || !hasText || at == 0 {
		return name
	}
	above := d.Layout.Rows[at-1]
	if above.Page != r.Page || d.IsLine[at-1] || layout.HasMoney(above) || r.Top-above.Bottom > above.Height() {
		return nil
	}
	return above.Cells[0].Words()
}

func lineOf(numbers []candidate.Number) (Line, bool) {
	for net := len(numbers) - 1; net >= 2; net-- {
		for i := range net {
			for j := i + 1; j < net; j++ {
				if numbers[net].HasCents() && (numbers[j].Decimals >= 2 || numbers[j].IsWhole()) && closes(&numbers[i], &numbers[j], &numbers[net]) && !isShare(numbers[i], numbers[j]) {
					return Line{Numbers: map[string]candidate.Number{"quantity": numbers[i], "unitPrice": numbers[j], "lineNet": numbers[net]}, IsFixed: true}, true
				}
			}
		}
	}
	return Line{}, false
}

// isShare reports whether two numbers are rather a rate and a base of VAT.
func isShare(a, b candidate.Number) bool { return a.Percent || b.Percent }

// edge is the right end of the longest row of a name or description.
func (d *draft) edge() (edge float64) {
	for i := range d.Lines {
		for _, text := range append(d.Lines[i].More, d.Lines[i].Name) {
			if len(text) > 0 {
				edge = max(edge, text[len(text)-1].Box.Right)
			}
		}
	}
	return edge
}

// isPair reports whether a text is a label and a number, as Gross price: 9.90.
func isPair(of []*layout.Word) bool {
	at := slices.IndexFunc(of, func(w *layout.Word) bool { return strings.HasSuffix(w.Text, ":") })
	return at >= 0 && at+1 < len(of) && lexicon.HasDigit(of[at+1].Text)
}

// hasDate reports whether a text begins with a day, as a period does.
func hasDate(of []*layout.Word) bool {
	_, n := candidate.Notation{}.DateAt(of)
	return n > 0
}

// splitName parts the name of a line from what is below it. A row that had to be broken
// because the next word did not fit goes on in the next row.
func (l *Line) splitName(edge float64) {
	for !l.isNamed && l.isFollowed() && l.hadToBreak(edge) {
		l.Name = append(slices.Clone(l.Name), l.More[0]...)
		l.More = l.More[1:]
	}
}

// isFollowed reports whether the row below the name may go on with it: it is set alike, and
// right below.
func (l *Line) isFollowed() bool {
	if len(l.More) == 0 || len(l.Name) == 0 || len(l.More[0]) == 0 {
		return false
	}
	end, next := l.Name[len(l.Name)-1], l.More[0][0]
	sameStyle := end.Bold == next.Bold && math.Abs(end.Size-next.Size) < 0.3
	apart := next.Box.Top-end.Box.Bottom > 0.7*max(end.Size, 4)
	return sameStyle && math.Abs(l.Name[0].Box.Left-next.Box.Left) < 2 && !apart && !isPair(l.More[0]) && !hasDate(l.More[0])
}

// hadToBreak reports whether the first word below the name would not have fitted behind it.
func (l *Line) hadToBreak(edge float64) bool {
	end, next := l.Name[len(l.Name)-1], l.More[0][0]
	return end.Box.Right+next.Box.Right-next.Box.Left+0.3*next.Size >= edge
}

// hasDetail reports whether a line has a row below its name that goes on with nothing: there was
// room for it behind the name. In such a table, no row below a name is a part of it.
func (l *Line) hasDetail(edge float64) bool {
	return !l.isNamed && l.isFollowed() && !l.hadToBreak(edge)
}
