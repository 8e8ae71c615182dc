package parse

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A column of a table of lines.
type column struct {
	field       string
	left, right float64 // of its head, and of what is below it where that is known

	bandLeft, bandRight float64 // of what is below it; both 0 where that is not known
	withVat             bool    // its head says that the amounts contain VAT
}

func (c *column) middle() float64 { return (c.left + c.right) / 2 }

// numeric are the columns whose values are numbers.
var numeric = map[string]bool{"quantity": true, "unitPrice": true, "vatRate": true, "vatAmount": true, "discount": true, "lineNet": true, "lineGross": true}

// maxHeadRows is how many rows the head of a table may have.
const maxHeadRows = 6

// maxHeadCells is how many cells a row of a head may have.
const maxHeadCells = 40

// headAt are the columns that the rows from an index on name, and how many rows that
// takes; none if no head of a table of lines begins there. A head of several rows has
// names that are broken, as in Unit / price.
func headAt(rows []*row, at int) (columns []column, used int) {
	columns, used = columnsOf(rows[at]), 1
	for n := 2; n <= maxHeadRows && at+n <= len(rows); n++ {
		last, next := rows[at+n-2], rows[at+n-1]
		if !goesOnWithHead(last, next) || hasMoney(last) {
			break
		}
		more := columnsOf(stacked(rows[at : at+n]))
		if worth(more) > worth(columns) {
			columns, used = more, n
		}
	}
	if columns == nil {
		return nil, 0
	}
	// The last words of names of several rows are beside or below the other names.
	for used < maxHeadRows && at+used < len(rows) && goesOnWithHead(rows[at+used-1], rows[at+used]) && isRestOfHead(rows[at+used], rows[at:at+used]) {
		used++
	}
	return columns, used
}

// goesOnWithHead tells whether a row can be of the same head as the one above.
func goesOnWithHead(above, r *row) bool {
	return r.page == above.page && r.top-above.bottom <= 0.6*above.height() && len(r.cells) <= maxHeadCells && len(above.cells) <= maxHeadCells && !hasMoney(r)
}

// isRestOfHead tells whether a row overlaps the one above, or has nothing but texts in
// the style of the head that are below its names.
func isRestOfHead(r *row, head []*row) bool {
	above := head[len(head)-1]
	if slices.ContainsFunc(r.words, func(w *word) bool { return hasDigit(w.Text) }) {
		return false
	}
	if r.top < above.bottom-0.3*above.height() {
		return true
	}
	first := head[0].words[0]
	return slices.IndexFunc(r.words, func(w *word) bool { return w.Bold != first.Bold || math.Abs(w.Size-first.Size) > 0.3 }) < 0 && first.Bold
}

// worth says how much of a table of lines columns name: a head with the amount is better
// than one with two other columns.
func worth(columns []column) int {
	seen := map[string]bool{}
	for _, c := range columns {
		seen[c.field] = true
	}
	if seen["lineNet"] {
		return len(seen) + 2
	}
	return len(seen)
}

// hasMoney tells whether a row has a number with two decimals.
func hasMoney(r *row) bool {
	return slices.ContainsFunc(r.words, func(w *word) bool { return surelyDecimal().MatchString(w.Text) })
}

// stacked is a row of which each word has the text of the cells that are below each
// other.
func stacked(rows []*row) *row {
	var all []*word
	for _, r := range rows {
		for i := range r.cells {
			c := &r.cells[i]
			w := &word{Word: c.words()[0].Word, page: r.page}
			w.Text, w.Box.Left, w.Box.Right = c.text(), c.left, c.right
			over := slices.IndexFunc(all, func(o *word) bool { return o.Box.Left < c.right && o.Box.Right > c.left })
			if over < 0 {
				all = append(all, w)
				continue
			}
			o := all[over]
			if before, broken := strings.CutSuffix(o.Text, "-"); broken {
				o.Text = before + w.Text
			} else {
				o.Text += " " + w.Text
			}
			o.Box.Left, o.Box.Right = min(o.Box.Left, c.left), max(o.Box.Right, c.right)
		}
	}
	for _, w := range all {
		w.tokens = tokens(w.Text)
	}
	l := &layout{}
	l.addRow(all, rows[0].page)
	return l.rows[0]
}

// columnsOf are the columns that a row names; nil if it is no head of a table of lines.
func columnsOf(r *row) []column {
	hits := r.find(&words().Columns)
	if len(hits) < 3 {
		return nil
	}
	var columns []column
	labelled := 0
	seen := map[string]bool{}
	for i := range hits {
		h := &hits[i]
		left, right := h.box()
		if i > 0 && hits[i-1].last == h.first || isInQualifier(r, h) { // as Tax in Price w/o tax
			continue
		}
		if q, ok := qualifierAt(r, h.first); ok && len(columns) > 0 && r.cellAt(q.first) == r.cellAt(hits[i-1].last) { // as VAT in Amount incl. VAT
			if c := &columns[len(columns)-1]; q.field == "gross" && (c.field == "lineNet" || c.field == "unitPrice" && i+1 == len(hits)) {
				c.field, c.withVat = "lineGross", true
			}
			continue
		}
		// Two names of one field in one cell are one head, as in "Artikel / Beschreibung".
		if n := len(columns); n > 0 && columns[n-1].field == h.field && (left-columns[n-1].right < 0.6*r.words[h.first].Size || isOnlyBetween(r, hits[i-1].last, h.first)) {
			columns[n-1].right = right
			continue
		}
		// A price and what it comes to in one name are the amount, as in "Prezzo totale".
		if n := len(columns); n > 0 && h.field == "lineNet" && columns[n-1].field == "unitPrice" && h.first == hits[i-1].last+1 && hits[i-1].first == hits[i-1].last && left-columns[n-1].right < 0.4*r.words[h.first].Size {
			columns[n-1].field, columns[n-1].right = "lineNet", right
			seen["lineNet"] = true
			continue
		}
		cell := &r.cells[r.cellAt(h.first)]
		if cell.first == h.first && (i+1 == len(hits) || hits[i+1].first > cell.last) { // such as Betrag (EUR)
			right = cell.right
		}
		columns = append(columns, column{field: h.field, left: left, right: right, withVat: h.field == "lineGross" || saysWithVat(cell)})
		seen[h.field] = true
		labelled += h.last - h.first + 1
	}
	columns = oneDescription(r, columns)
	for _, c := range columns {
		seen[c.field] = true
	}
	if c, ok := lastAmount(r, hits); ok && !seen["lineNet"] && !seen["lineGross"] && seen["unitPrice"] {
		columns = append(columns, c)
		seen["lineNet"] = true
		labelled++
	}
	hasAmount := seen["lineNet"] || seen["lineGross"] || seen["unitPrice"]
	hasItem := seen["description"] || seen["article"] || seen["quantity"]
	if !hasAmount || !hasItem || len(seen) < 3 || 2*labelled < r.namingWords() {
		return nil
	}
	return oneAmount(columns)
}

// namingWords is how many words of a head may name its columns: those that are more than signs
// and currencies.
func (r *row) namingWords() (n int) {
	for _, w := range r.words {
		if _, isCurrency := currencyWord(w.Text); len(w.tokens) > 0 && !isCurrency {
			n++
		}
	}
	return n
}

// oneDescription makes the first of two columns with names of items that of their numbers, as
// in Article, Description, and takes a column that nobody knows, behind another one, for the
// names where no column has them.
func oneDescription(r *row, columns []column) []column {
	switch at := indexes(columns, "description"); {
	case len(at) > 1 && len(indexes(columns, "article")) == 0 && !r.inOneCell(columns[at[0]].left, columns[at[1]].left):
		columns[at[0]].field = "article"
	case len(at) == 0:
		for i := 1; i < len(r.cells); i++ {
			c := &r.cells[i]
			isKnown := slices.ContainsFunc(columns, func(k column) bool { return k.left < c.right && k.right > c.left })
			if isKnown || hasDigit(c.text()) || len(fold(c.text())) < 4 || i+1 == len(r.cells) {
				continue
			}
			return append(columns, column{field: "description", left: c.left, right: c.right})
		}
	}
	return columns
}

// inOneCell tells whether two places are in the same cell of a row.
func (r *row) inOneCell(a, b float64) bool {
	return slices.ContainsFunc(r.cells, func(c cell) bool { return c.left <= min(a, b) && max(a, b) <= c.right })
}

// qualifierAt is what says of an amount whether it contains VAT, with the word at a place.
func qualifierAt(r *row, at int) (hit, bool) {
	for _, q := range r.find(&words().WithVat) {
		if q.first <= at && at <= q.last {
			return q, true
		}
	}
	return hit{}, false
}

// saysWithVat tells whether a cell has words such as "including VAT".
func saysWithVat(c *cell) bool {
	return slices.ContainsFunc(c.row.find(&words().WithVat), func(h hit) bool { return h.field == "gross" && h.first >= c.first && h.last <= c.last })
}

// isInQualifier tells whether a name of VAT is a part of words such as "including VAT" behind the
// name of a column.
func isInQualifier(r *row, h *hit) bool {
	if h.field != "vatRate" && h.field != "vatAmount" || h.startsCell {
		return false
	}
	q, ok := qualifierAt(r, h.first)
	return ok && q.first < h.first && h.last <= q.last
}

// isOnlyBetween tells whether two words are in one cell with nothing but signs between them.
func isOnlyBetween(r *row, first, second int) bool {
	return r.cellAt(first) == r.cellAt(second) && !slices.ContainsFunc(r.words[first+1:second], func(w *word) bool { return len(w.tokens) > 0 })
}

// lastAmount is the column of amounts under a name that nobody knows: the last cell of a head
// behind all names that are known.
func lastAmount(r *row, hits []hit) (column, bool) {
	cell := &r.cells[len(r.cells)-1]
	if hits[len(hits)-1].last >= cell.first || hasDigit(cell.text()) {
		return column{}, false
	}
	return column{field: "lineNet", left: cell.left, right: cell.right}, true
}

// oneAmount leaves one column for the amount of a line without VAT: the last one.
func oneAmount(columns []column) []column {
	last := -1
	for i := range columns {
		if columns[i].field == "lineNet" {
			last = i
		}
	}
	if last < 0 { // the only amount may contain VAT; arithmetic finds out
		for i := range columns {
			if columns[i].field == "lineGross" {
				columns[i].field, last = "lineNet", i
				break
			}
		}
	}
	if prices := indexes(columns, "unitPrice"); last < 0 && len(prices) > 1 { // as Unit price and Price
		last = prices[len(prices)-1]
		columns[last].field = "lineNet"
	}
	for i := range columns {
		if columns[i].field == "lineNet" && i != last {
			columns[i].field = "unitPrice"
			if slices.ContainsFunc(columns[:i], func(c column) bool { return c.field == "unitPrice" }) {
				columns[i].field = "otherAmount"
			}
		}
	}
	return columns
}

func indexes(columns []column, field string) (found []int) {
	for i := range columns {
		if columns[i].field == field {
			found = append(found, i)
		}
	}
	return found
}

// columnFor is the column that a word belongs to. Numbers are right-aligned below heads
// of another width, so the nearest of edges and middles counts.
func columnFor(w *word, columns []column, number bool) *column {
	best, distance := -1, 0.0
	for i := range columns {
		c := &columns[i]
		if !number && numeric[c.field] {
			continue
		}
		d := min(math.Abs(w.Box.Left-c.left), math.Abs(w.Box.Right-c.right), math.Abs(w.middle()-c.middle()))
		if w.middle() >= c.left && w.middle() <= c.right {
			d = min(d, 1)
		}
		if c.bandRight > 0 && w.middle() >= c.bandLeft && w.middle() <= c.bandRight {
			d = 0
		}
		if best < 0 || d < distance {
			best, distance = i, d
		}
	}
	if best < 0 {
		return nil
	}
	return &columns[best]
}

// A rowParts are the words of a row, by the field of their column.
type rowParts struct {
	numbers map[string]number
	texts   map[string][]*word
	all     []number // from left to right
	per     number   // what the price is for
	loose   []number // those that are neither in a text nor a position or an article's number
}

// part assigns the words of a row to columns.
func (d *lineDraft) part(r *row, columns []column) rowParts {
	p := rowParts{numbers: map[string]number{}, texts: map[string][]*word{}}
	description := slices.IndexFunc(columns, func(c column) bool { return c.field == "description" })
	for i := 0; i < len(r.words); {
		w := r.words[i]
		n, used := d.notation.at(r.words[i:])
		if used == 0 && p.addQuantityWithUnit(d, w, columns) {
			i++
			continue
		}
		if used > 0 {
			span := n.span()
			c := columnFor(&span, columns, true)
			if c.field == "per" {
				p.per = n
				i += used
				continue
			}
			p.all = append(p.all, n)
			_, taken := p.numbers[c.field]
			inText := description >= 0 && i > 0 && near(r.words[i-1], w) && len(p.texts["description"]) > 0 &&
				slices.Contains(p.texts["description"], r.words[i-1]) && (c.field == "description" || !covers(c, &span))
			if (numeric[c.field] || description >= 0 && c.field != "position" && c.field != "article") && !inText {
				p.loose = append(p.loose, n)
			}
			if numeric[c.field] && !taken && !inText && n.suits(c.field) {
				p.numbers[c.field] = n
				i += used
				continue
			}
			if c.field == "position" && len(p.texts["position"]) == 0 || c.field == "article" && !inText {
				p.texts[c.field] = append(p.texts[c.field], w)
				i++
				continue
			}
			if numeric[c.field] && !inText && (n.currency != "" || n.percent || n.decimals == 2) { // of a column that nobody knows
				i += used
				continue
			}
		}
		for range max(used, 1) { // a number in a text may be of several words
			p.addText(r.words[i], r.words[max(i-1, 0)], columns)
			i++
		}
	}
	p.inOrder(columns)
	p.takeAmount(columns)
	return p
}

// inOrder gives each number the column at its place from the left where there are as many of
// both: heads may be set to the left and numbers to the right of columns, so that the nearest
// head is that of another column.
func (p *rowParts) inOrder(columns []column) {
	var fields []string
	for i := range columns {
		if numeric[columns[i].field] {
			fields = append(fields, columns[i].field)
		}
	}
	if len(p.loose) != len(fields) || len(p.numbers) == len(fields) {
		return
	}
	for i := range fields {
		if !p.loose[i].suits(fields[i]) || slices.Contains(fields[:i], fields[i]) {
			return
		}
	}
	for i, field := range fields {
		p.numbers[field] = p.loose[i]
		for other, text := range p.texts {
			p.texts[other] = without(text, p.loose[i].words)
		}
	}
}

// takeAmount takes the last number of a row for its amount where the amounts are the
// last column and none is below its head.
func (p *rowParts) takeAmount(columns []column) {
	if _, found := p.numbers["lineNet"]; found || len(p.all) < 2 {
		return
	}
	at := slices.IndexFunc(columns, func(c column) bool { return c.field == "lineNet" })
	if at < 0 || at+1 < len(columns) {
		return
	}
	last := p.all[len(p.all)-1]
	if last.percent || last.decimals != 2 || last.words[0].Box.Right < columns[max(at-1, 0)].left {
		return
	}
	for i := range columns { // such as a quantity whose amount is in the row below
		if span := last.span(); i != at && numeric[columns[i].field] && covers(&columns[i], &span) {
			return
		}
	}
	for field, n := range p.numbers {
		if n.words[0] == last.words[0] {
			delete(p.numbers, field)
		}
	}
	p.numbers["lineNet"] = last
}

// span is one word as wide as the number.
func (n *number) span() word {
	span := *n.words[0]
	span.Box.Right = n.words[len(n.words)-1].Box.Right
	return span
}

func covers(c *column, w *word) bool {
	return w.middle() >= c.left && w.middle() <= c.right || math.Abs(w.Box.Right-c.right) < 3
}

// suits tells whether a number can be one of a column.
func (n *number) suits(field string) bool {
	switch field {
	case "lineNet", "lineGross", "vatAmount":
		return !n.percent
	case "vatRate":
		return n.value >= 0 && n.value <= 30*unitsPerOne && n.currency == ""
	case "quantity", "unitPrice":
		return !n.percent
	}
	return true
}

// addText adds a word that is no number of a column. A word that follows a word of the
// description after no more than a space goes on with it.
func (p *rowParts) addText(w, before *word, columns []column) {
	list := p.texts["description"]
	if len(list) > 0 && list[len(list)-1] == before && near(before, w) {
		p.texts["description"] = append(list, w)
		return
	}
	if w.Text == "%" || p.isBehindNumber(w, before, columns) { // of a rate that is not there, or as in 21% VAT
		return
	}
	c := columnFor(w, columns, false)
	field := "description"
	switch {
	case c == nil:
	case c.field == "unit" || c.field == "position" || c.field == "article" || c.field == "per" || c.field == "other":
		field = c.field
	}
	if q, ok := p.numbers["quantity"]; ok && q.words[len(q.words)-1] == before && near(before, w) && strings.ContainsFunc(w.Text, unicode.IsLetter) { // as in 4 plots
		field = "unit"
	}
	if _, isUnit := unitCode(w.Text); isUnit && len(p.numbers) > 0 && (field != "unit") {
		if q, ok := p.numbers["quantity"]; ok && (len(list) == 0 || w.Box.Left > q.words[0].Box.Left) {
			field = "unit"
		}
	}
	if _, isCurrency := currencyWord(w.Text); isCurrency {
		field = "currency"
	}
	p.texts[field] = append(p.texts[field], w)
}

// isBehindNumber tells whether a word that is no unit goes on behind the number of a column, and
// is not below the head of the descriptions.
func (p *rowParts) isBehindNumber(w, before *word, columns []column) bool {
	if _, isUnit := unitCode(w.Text); isUnit || !near(before, w) {
		return false
	}
	for i := range columns {
		if c := &columns[i]; c.field == "description" && (c.bandRight == 0 || w.middle() >= c.bandLeft && w.middle() <= c.bandRight) {
			return false
		}
	}
	for _, n := range p.numbers {
		if n.words[len(n.words)-1] == before {
			return true
		}
	}
	return false
}

// plural matches what may be added to a unit, as in Unit(s).
var plural = pattern(`\((?:s|e|n|en|es)\)$`)

// unitCode is the code of a unit that is printed.
func unitCode(s string) (string, bool) {
	return words().Units.exactly(plural().ReplaceAllString(s, ""))
}

// sortColumns orders columns from left to right.
func sortColumns(columns []column) {
	slices.SortFunc(columns, func(a, b column) int { return cmp.Compare(a.left, b.left) })
}
