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

// numeric are the columns whose values are numbers.
var numeric = map[string]bool{"quantity": true, "unitPrice": true, "vatRate": true, "vatAmount": true, "discount": true, "lineNet": true, "lineGross": true}

// columnFor is the column that a word belongs to. Numbers are right-aligned below heads
// of another width, so the nearest of edges and middles counts.
func columnFor(w *layout.Word, columns []layout.Column, number bool) *layout.Column {
	best, distance := -1, 0.0
	for i := range columns {
		c := &columns[i]
		if !number && numeric[c.Field] {
			continue
		}
		d := min(math.Abs(w.Box.Left-c.Left), math.Abs(w.Box.Right-c.Right), math.Abs(w.Middle()-c.Middle()))
		if w.Middle() >= c.Left && w.Middle() <= c.Right {
			d = min(d, 1)
		}
		if c.BandRight > 0 && w.Middle() >= c.BandLeft && w.Middle() <= c.BandRight {
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
	numbers map[string]candidate.Number
	texts   map[string][]*layout.Word
	all     []candidate.Number // from left to right
	per     candidate.Number   // what the price is for
	loose   []candidate.Number // those that are neither in a text nor a position or an article's number
}

// detailsIn is the cell of a row that says more of a line, each with its label, as in Order line: 10 · Price before discount:
// 78.93 · Price discount: 7.893; nil where there is none. Its numbers are in no column, and those that multiply do so by chance.
func detailsIn(r *layout.Row) *layout.Cell {
	for i := range r.Cells {
		words := r.Cells[i].Words()
		isLabel := func(w *layout.Word) bool { return strings.HasSuffix(w.Text, ":") }
		isBetween := func(w *layout.Word) bool { return w.Text == "·" }
		if slices.ContainsFunc(words, isLabel) && slices.ContainsFunc(words, isBetween) {
			return &r.Cells[i]
		}
	}
	return nil
}

// part assigns the words of a row to columns.
func (d *draft) part(r *layout.Row, columns []layout.Column) rowParts {
	p := rowParts{numbers: map[string]candidate.Number{}, texts: map[string][]*layout.Word{}}
	description := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == "description" })
	details := detailsIn(r)
	for i := 0; i < len(r.Words); {
		w := r.Words[i]
		n, used := d.Notation.At(r.Words[i:])
		if used > 0 && details != nil && i >= details.First && i <= details.Last { // they are what their labels say
			used = 0
		}
		if used == 0 && p.addQuantityWithUnit(d, w, columns) {
			i++
			continue
		}
		if used > 0 {
			span := n.Span()
			c := columnFor(&span, columns, true)
			if at := columnOf(columns, "quantity"); at != nil && c.Field == "lineNet" && n.Currency == "" && isUnitAt(r, i+used) {
				c = at
			}
			if at := columnOf(columns, "unitPrice"); at != nil && c.Field == "per" && n.HasCents() { // the head Cena za j. is of the price
				c = at
			}
			if c.Field == "per" {
				p.per = n
				i += used
				continue
			}
			p.all = append(p.all, n)
			_, taken := p.numbers[c.Field]
			inText := description >= 0 && i > 0 && layout.Near(r.Words[i-1], w) && len(p.texts["description"]) > 0 &&
				slices.Contains(p.texts["description"], r.Words[i-1]) && (c.Field == "description" || !covers(c, &span))
			if (numeric[c.Field] || description >= 0 && c.Field != "position" && c.Field != "article") && !inText {
				p.loose = append(p.loose, n)
			}
			if numeric[c.Field] && !taken && !inText && n.Suits(c.Field) {
				p.numbers[c.Field] = n
				i += used
				continue
			}
			if c.Field == "position" && len(p.texts["position"]) == 0 || c.Field == "article" && !inText {
				p.texts[c.Field] = append(p.texts[c.Field], w)
				i++
				continue
			}
			if numeric[c.Field] && !inText && (n.Currency != "" || n.Percent || n.HasCents()) { // of a column that nobody knows
				i += used
				continue
			}
		}
		for range max(used, 1) { // a number in a text may be of several words
			p.addText(r.Words[i], r.Words[max(i-1, 0)], columns)
			i++
		}
	}
	p.inOrder(columns)
	p.takeAmount(columns)
	p.multiply(columns)
	p.takePercent(columns)
	return p
}

// takePercent takes for the rate of VAT the only number of a row that is in percent below the head of
// rates, where another one without a sign was taken, such as the number of an article.
func (p *rowParts) takePercent(columns []layout.Column) {
	rate, has := p.numbers["vatRate"]
	if !has || rate.Percent {
		return
	}
	var found []candidate.Number
	for _, n := range p.all {
		span := n.Span()
		if n.Percent && candidate.IsRate(&n) && columnFor(&span, columns, true).Field == "vatRate" {
			found = append(found, n)
		}
	}
	if len(found) == 1 {
		p.numbers["vatRate"] = found[0]
	}
}

// columnOf is the first column of a field; nil where there is none.
func columnOf(columns []layout.Column, field string) *layout.Column {
	at := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == field })
	if at < 0 {
		return nil
	}
	return &columns[at]
}

// isUnitAt reports whether a word of a row is the unit of the number before it.
func isUnitAt(r *layout.Row, at int) bool {
	if at >= len(r.Words) || !layout.Near(r.Words[at-1], r.Words[at]) {
		return false
	}
	_, isUnit := lexicon.UnitCode(r.Words[at].Text)
	return isUnit
}

// inOrder gives each number the column at its place from the left where there are as many of
// both: heads may be set to the left and numbers to the right of columns, so that the nearest
// head is that of another column.
func (p *rowParts) inOrder(columns []layout.Column) {
	var fields []string
	for i := range columns {
		if numeric[columns[i].Field] {
			fields = append(fields, columns[i].Field)
		}
	}
	if len(p.loose) != len(fields) || len(p.numbers) == len(fields) {
		return
	}
	for i := range fields {
		if !p.loose[i].Suits(fields[i]) || slices.Contains(fields[:i], fields[i]) {
			return
		}
	}
	for i, field := range fields {
		p.numbers[field] = p.loose[i]
		for other, text := range p.texts {
			p.texts[other] = without(text, p.loose[i].Words)
		}
	}
}

// takeAmount takes the last number of a row for its amount where the amounts are the
// last column and none is below its head.
func (p *rowParts) takeAmount(columns []layout.Column) {
	if _, found := p.numbers["lineNet"]; found || len(p.all) < 2 {
		return
	}
	at := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == "lineNet" })
	if at < 0 || at+1 < len(columns) {
		return
	}
	last := p.all[len(p.all)-1]
	if p.hasUnit(&last) || last.Percent || !last.HasCents() || last.Words[0].Box.Right < columns[max(at-1, 0)].Left {
		return
	}
	for i := range columns { // such as a quantity whose amount is in the row below
		if span := last.Span(); i != at && numeric[columns[i].Field] && covers(&columns[i], &span) {
			return
		}
	}
	for field, n := range p.numbers {
		if n.Words[0] == last.Words[0] {
			delete(p.numbers, field)
		}
	}
	p.numbers["lineNet"] = last
}

// hasUnit reports whether the unit of a quantity follows a number.
func (p *rowParts) hasUnit(n *candidate.Number) bool {
	for _, text := range p.texts {
		for _, w := range text {
			if _, isUnit := lexicon.UnitCode(w.Text); isUnit && w.Box.Left > n.Words[0].Box.Left && layout.Near(n.Words[len(n.Words)-1], w) {
				return true
			}
		}
	}
	return false
}

func covers(c *layout.Column, w *layout.Word) bool {
	return w.Middle() >= c.Left && w.Middle() <= c.Right || math.Abs(w.Box.Right-c.Right) < 3
}

// addText adds a word that is not a number of a column. A word that follows a word of the
// description after no more than a space goes on with it.
func (p *rowParts) addText(w, before *layout.Word, columns []layout.Column) {
	list := p.texts["description"]
	if len(list) > 0 && list[len(list)-1] == before && layout.Near(before, w) {
		p.texts["description"] = append(list, w)
		return
	}
	if w.Text == "%" || p.isBehindNumber(w, before, columns) { // of a rate that is not there, or as in 21% VAT
		return
	}
	if rates := columnFor(w, columns, true); len(list) > 0 && rates != nil && rates.Field == "vatRate" && covers(rates, w) { // as in VAT 20 %
		return
	}
	c := columnFor(w, columns, false)
	field := "description"
	switch {
	case c == nil:
	case c.Field == "unit" || c.Field == "position" || c.Field == "article" || c.Field == "per" || c.Field == "other":
		field = c.Field
	}
	if q, ok := p.numbers["quantity"]; ok && q.Words[len(q.Words)-1] == before && layout.Near(before, w) && !startsDescription(w, columns) && strings.ContainsFunc(w.Text, unicode.IsLetter) { // as in 4 plots
		field = "unit"
	}
	if _, isUnit := lexicon.UnitCode(w.Text); isUnit && len(p.numbers) > 0 && (field != "unit") {
		q, ok := p.numbers["quantity"]
		isOfName := ok && startsDescription(w, columns) && !layout.Near(q.Words[len(q.Words)-1], w) // Hours of assembly
		if ok && !isOfName && (len(list) == 0 || w.Box.Left > q.Words[0].Box.Left) {
			field = "unit"
		}
	}
	if _, isCurrency := lexicon.CurrencyWord(w.Text); isCurrency {
		field = "currency"
	}
	p.texts[field] = append(p.texts[field], w)
}

// startsDescription reports whether a word is at the left edge of the descriptions.
func startsDescription(w *layout.Word, columns []layout.Column) bool {
	return slices.ContainsFunc(columns, func(c layout.Column) bool {
		return c.Field == "description" && (math.Abs(w.Box.Left-c.Left) < 2 || c.BandRight > 0 && math.Abs(w.Box.Left-c.BandLeft) < 2)
	})
}

// isBehindNumber reports whether a word that is not a unit goes on behind the number of a column, and
// is not below the head of the descriptions.
func (p *rowParts) isBehindNumber(w, before *layout.Word, columns []layout.Column) bool {
	if _, isUnit := lexicon.UnitCode(w.Text); isUnit || !layout.Near(before, w) {
		return false
	}
	for i := range columns {
		if c := &columns[i]; c.Field == "description" && (c.BandRight == 0 || w.Middle() >= c.BandLeft && w.Middle() <= c.BandRight) {
			return false
		}
	}
	for _, n := range p.numbers {
		if n.Words[len(n.Words)-1] == before {
			return true
		}
	}
	return false
}
