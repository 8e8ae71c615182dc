package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/lexicon"
)

// SurelyDecimal matches a number with two decimals.
var SurelyDecimal = lexicon.Pattern(`\d([.,])\d{2}\D*$`)

// A Column of a table of lines.
type Column struct {
	Field       string
	Left, Right float64 // of its head, and of what is below it where that is known

	BandLeft, BandRight float64 // of what is below it; both 0 where that is not known
	WithVat             bool    // its head says that the amounts contain VAT
}

// Middle is the middle of the head.
func (c *Column) Middle() float64 { return (c.Left + c.Right) / 2 }

// maxHeadRows is how many rows the head of a table may have.
const maxHeadRows = 6

// maxHeadCells is how many cells a row of a head may have.
const maxHeadCells = 40

// HeadAt are the columns that the rows from an index on name, and how many rows that
// takes; none if no head of a table of lines begins there. A head of several rows has
// names that are broken, as in Unit / price.
func HeadAt(rows []*Row, at int) (columns []Column, used int) {
	columns, used = columnsOf(rows[at]), 1
	for n := 2; n <= maxHeadRows && at+n <= len(rows); n++ {
		last, next := rows[at+n-2], rows[at+n-1]
		if !goesOnWithHead(last, next) || HasMoney(last) {
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

// goesOnWithHead reports whether a row can be of the same head as the one above.
func goesOnWithHead(above, r *Row) bool {
	return r.Page == above.Page && r.Top-above.Bottom <= 0.6*above.Height() && len(r.Cells) <= maxHeadCells && len(above.Cells) <= maxHeadCells && !HasMoney(r)
}

// isRestOfHead reports whether a row overlaps the one above, or has nothing but texts in
// the style of the head that are below its names.
func isRestOfHead(r *Row, head []*Row) bool {
	above := head[len(head)-1]
	if slices.ContainsFunc(r.Words, func(w *Word) bool { return lexicon.HasDigit(w.Text) }) {
		return false
	}
	if r.Top < above.Bottom-0.3*above.Height() {
		return true
	}
	first := head[0].Words[0]
	return slices.IndexFunc(r.Words, func(w *Word) bool { return w.Bold != first.Bold || math.Abs(w.Size-first.Size) > 0.3 }) < 0 && first.Bold
}

// worth says how much of a table of lines columns name: a head with the amount is better
// than one with two other columns.
func worth(columns []Column) int {
	seen := map[string]bool{}
	for _, c := range columns {
		seen[c.Field] = true
	}
	if seen["lineNet"] {
		return len(seen) + 2
	}
	return len(seen)
}

// HasMoney reports whether a row has a number with two decimals.
func HasMoney(r *Row) bool {
	return slices.ContainsFunc(r.Words, func(w *Word) bool { return SurelyDecimal().MatchString(w.Text) })
}

// stacked is a row of which each word has the text of the cells that are below each
// other.
func stacked(rows []*Row) *Row {
	var all []*Word
	for _, r := range rows {
		for i := range r.Cells {
			c := &r.Cells[i]
			w := &Word{Word: c.Words()[0].Word, Page: r.Page}
			w.Text, w.Box.Left, w.Box.Right = c.Text(), c.Left, c.Right
			over := slices.IndexFunc(all, func(o *Word) bool { return o.Box.Left < c.Right && o.Box.Right > c.Left })
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
			o.Box.Left, o.Box.Right = min(o.Box.Left, c.Left), max(o.Box.Right, c.Right)
		}
	}
	for _, w := range all {
		w.Tokens = lexicon.Tokens(w.Text)
	}
	l := &Layout{}
	l.AddRow(all, rows[0].Page)
	return l.Rows[0]
}

// columnsOf are the columns that a row names; nil if it is not a head of a table of lines.
func columnsOf(r *Row) []Column {
	hits := r.Find(&lexicon.Words().Columns)
	if len(hits) < 3 {
		return nil
	}
	var columns []Column
	labelled := 0
	seen := map[string]bool{}
	for i := range hits {
		h := &hits[i]
		left, right := h.Box()
		if i > 0 && hits[i-1].Last == h.First || isInQualifier(r, h) { // as Tax in Price w/o tax
			continue
		}
		if q, ok := QualifierAt(r, h.First); ok && len(columns) > 0 && r.CellAt(q.First) == r.CellAt(hits[i-1].Last) { // as VAT in Amount incl. VAT
			if c := &columns[len(columns)-1]; q.Field == "gross" && (c.Field == "lineNet" || c.Field == "unitPrice" && i+1 == len(hits)) {
				c.Field, c.WithVat = "lineGross", true
			}
			continue
		}
		// Two names of one field in one cell are one head, as in "Artikel / Beschreibung".
		if n := len(columns); n > 0 && columns[n-1].Field == h.Field && (left-columns[n-1].Right < 0.6*r.Words[h.First].Size || isOnlyBetween(r, hits[i-1].Last, h.First)) {
			columns[n-1].Right = right
			continue
		}
		// A price and what it comes to in one name are the amount, as in "Prezzo totale".
		if n := len(columns); n > 0 && h.Field == "lineNet" && columns[n-1].Field == "unitPrice" && h.First == hits[i-1].Last+1 && hits[i-1].First == hits[i-1].Last && left-columns[n-1].Right < 0.4*r.Words[h.First].Size {
			columns[n-1].Field, columns[n-1].Right = "lineNet", right
			seen["lineNet"] = true
			continue
		}
		cell := &r.Cells[r.CellAt(h.First)]
		if cell.First == h.First && (i+1 == len(hits) || hits[i+1].First > cell.Last) { // such as Betrag (EUR)
			right = cell.Right
		}
		columns = append(columns, Column{Field: h.Field, Left: left, Right: right, WithVat: h.Field == "lineGross" || saysWithVat(cell)})
		seen[h.Field] = true
		labelled += h.Last - h.First + 1
	}
	columns = oneDescription(r, columns)
	for _, c := range columns {
		seen[c.Field] = true
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
func (r *Row) namingWords() (n int) {
	for _, w := range r.Words {
		if _, isCurrency := lexicon.CurrencyWord(w.Text); len(w.Tokens) > 0 && !isCurrency {
			n++
		}
	}
	return n
}

// oneDescription makes the first of two columns with names of items that of their numbers, as
// in Article, Description, and takes a column that nobody knows, behind another one, for the
// names where no column has them. A total is no name: beside the others it heads a strip of totals, or the breakdown of the VAT.
func oneDescription(r *Row, columns []Column) []Column {
	switch at := Indexes(columns, "description"); {
	case len(at) > 1 && len(Indexes(columns, "article")) == 0 && !r.inOneCell(columns[at[0]].Left, columns[at[1]].Left):
		columns[at[0]].Field = "article"
	case len(at) == 0:
		for i := 1; i < len(r.Cells); i++ {
			c := &r.Cells[i]
			isKnown := slices.ContainsFunc(columns, func(k Column) bool { return k.Left < c.Right && k.Right > c.Left })
			isTotal := slices.ContainsFunc(r.Find(&lexicon.Words().Totals), func(h Hit) bool { return h.First == c.First })
			if isKnown || isTotal || lexicon.HasDigit(c.Text()) || len(lexicon.Fold(c.Text())) < 4 || i+1 == len(r.Cells) {
				continue
			}
			return append(columns, Column{Field: "description", Left: c.Left, Right: c.Right})
		}
	}
	return columns
}

// inOneCell reports whether two places are in the same cell of a row.
func (r *Row) inOneCell(a, b float64) bool {
	return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Left <= min(a, b) && max(a, b) <= c.Right })
}

// QualifierAt is what says of an amount whether it contains VAT, with the word at a place.
func QualifierAt(r *Row, at int) (Hit, bool) {
	for _, q := range r.Find(&lexicon.Words().WithVat) {
		if q.First <= at && at <= q.Last {
			return q, true
		}
	}
	return Hit{}, false
}

// saysWithVat reports whether a cell has words such as "including VAT".
func saysWithVat(c *Cell) bool {
	return slices.ContainsFunc(c.Row.Find(&lexicon.Words().WithVat), func(h Hit) bool { return h.Field == "gross" && h.First >= c.First && h.Last <= c.Last })
}

// isInQualifier reports whether a name of VAT is a part of words such as "including VAT" behind the
// name of a column.
func isInQualifier(r *Row, h *Hit) bool {
	if h.Field != "vatRate" && h.Field != "vatAmount" || h.StartsCell {
		return false
	}
	q, ok := QualifierAt(r, h.First)
	return ok && q.First < h.First && h.Last <= q.Last
}

// isOnlyBetween reports whether two words are in one cell with nothing but signs between them.
func isOnlyBetween(r *Row, first, second int) bool {
	return r.CellAt(first) == r.CellAt(second) && !slices.ContainsFunc(r.Words[first+1:second], func(w *Word) bool { return len(w.Tokens) > 0 })
}

// lastAmount is the column of amounts under a name that nobody knows: the last cell of a head
// behind all names that are known.
func lastAmount(r *Row, hits []Hit) (Column, bool) {
	cell := &r.Cells[len(r.Cells)-1]
	if hits[len(hits)-1].Last >= cell.First || lexicon.HasDigit(cell.Text()) {
		return Column{}, false
	}
	return Column{Field: "lineNet", Left: cell.Left, Right: cell.Right}, true
}

// oneAmount leaves one column for the amount of a line without VAT: the last one.
func oneAmount(columns []Column) []Column {
	last := -1
	for i := range columns {
		if columns[i].Field == "lineNet" {
			last = i
		}
	}
	if last < 0 { // the only amount may contain VAT; arithmetic finds out
		for i := range columns {
			if columns[i].Field == "lineGross" {
				columns[i].Field, last = "lineNet", i
				break
			}
		}
	}
	if prices := Indexes(columns, "unitPrice"); last < 0 && len(prices) > 1 { // as Unit price and Price
		last = prices[len(prices)-1]
		columns[last].Field = "lineNet"
	}
	for i := range columns {
		if columns[i].Field == "lineNet" && i != last {
			columns[i].Field = "unitPrice"
			if slices.ContainsFunc(columns[:i], func(c Column) bool { return c.Field == "unitPrice" }) {
				columns[i].Field = "otherAmount"
			}
		}
	}
	return columns
}

// Indexes are the places of the columns of a field.
func Indexes(columns []Column, field string) (found []int) {
	for i := range columns {
		if columns[i].Field == field {
			found = append(found, i)
		}
	}
	return found
}

// SortColumns orders columns from left to right.
func SortColumns(columns []Column) {
	slices.SortFunc(columns, func(a, b Column) int { return cmp.Compare(a.Left, b.Left) })
}
