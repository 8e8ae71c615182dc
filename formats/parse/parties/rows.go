package parties

import (
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// joinRows joins the rows of the names of seller and buyer that were set in several: where the upper one ends so that it has
// to go on, the lower one is no more than a legal form, another place of the pages has both in one cell, or, for the seller,
// both are set in the same large letters, which is not sure.
func (d *draft) joinRows() {
	const (
		most  = 3 // rows more
		least = 3 // words of a row above that ends with one such as of
	)
	for _, role := range []string{"seller", "buyer"} {
		p := d.ByRole[role]
		if p == nil || len(p.Name.Words) == 0 {
			continue
		}
		for range most {
			of := p.Name.Words
			cell := d.cellAbove(of[0])
			if cell == nil || d.isExplained(cell) || lexicon.Words().Salutation.MatchString(cell.Text()) {
				break
			}
			above := cell.Words()
			isCut := hasToGoOn(above) && len(above) >= least || lexicon.Words().LegalForms[lexicon.Fold(p.Name.Value)]
			isHeading := role == "seller" && d.isHeadingOf(above, of)
			if !d.mayBeOne(above, of) || !isCut && !isHeading && (hasToGoOn(above) || !d.isInOneCell(above, of)) { // Sold by / Reed Ltd
				break
			}
			p.Name, p.Part = nameOf(slices.Concat(above, of)), p.Part || isHeading
		}
		first := p.Name.Words[0] // of the last row
		for range most {
			cell := d.cellBelow(first)
			if cell == nil || d.isExplained(cell) {
				break
			}
			of, below := p.Name.Words, cell.Words()
			isHeading := role == "seller" && d.isHeadingOf(of, below)
			if !d.mayBeOne(of, below) || !hasToGoOn(of) && !isHeading && !d.isInOneCell(of, below) {
				break
			}
			p.Name, first, p.Part = nameOf(slices.Concat(of, below)), below[0], p.Part || isHeading
		}
	}
}

// mayBeOne reports whether the words of two rows may be one name: the upper one has no legal form, and none has the other.
func (d *draft) mayBeOne(above, below []*layout.Word) bool {
	a, b := lexicon.Fold(layout.TextOf(above)), lexicon.Fold(layout.TextOf(below))
	isForm := lexicon.Words().LegalForms[b]
	return len(above)+len(below) <= longName && !HasLegalForm(above) && (isForm || isName(layout.TextOf(below))) && !strings.Contains(a, b) && !strings.Contains(b, a)
}

// hasToGoOn reports whether a row of a name cannot be its last one: it ends with a word such as of, in small letters, or a
// sign that joins.
func hasToGoOn(of []*layout.Word) bool {
	last := of[len(of)-1].Text
	return last == "&" || strings.HasSuffix(last, "-") || lexicon.Words().NameJoiners[lexicon.Fold(last)] && last == strings.ToLower(last)
}

// isHeadingOf reports whether two rows are set in the same letters, which are larger than those of the text, with no more
// between them than rows of one text have.
func (d *draft) isHeadingOf(above, below []*layout.Word) bool {
	const (
		larger = 1.15 // than the letters of the text
		near   = 0.5  // heights of a row
		same   = 0.5  // points
	)
	last := above[len(above)-1]
	return last.Size > larger*d.Layout.Usual && math.Abs(below[0].Size-last.Size) < same && below[0].Box.Top-last.Box.Bottom < near*last.Size
}

// isInOneCell reports whether a cell of the pages has the words of two rows behind each other. Cells beside each other, such
// as the names of both parties in two columns, are no text.
func (d *draft) isInOneCell(above, below []*layout.Word) bool {
	whole := lexicon.Fold(layout.TextOf(above)) + lexicon.Fold(layout.TextOf(below))
	return slices.ContainsFunc(d.Layout.Rows, func(r *layout.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c layout.Cell) bool { return strings.Contains(lexicon.Fold(c.Text()), whole) })
	})
}

// joinForms adds to the names of seller and buyer the legal form that stands right behind them, or that the cell below
// them is.
func (d *draft) joinForms() {
	for _, role := range []string{"seller", "buyer"} {
		p := d.ByRole[role]
		if p == nil || len(p.Name.Words) == 0 {
			continue
		}
		if of := d.formBehind(p.Name.Words); len(of) > 0 && !p.FormApart {
			p.Name = nameOf(slices.Concat(p.Name.Words, of))
			continue
		}
		below := d.cellBelow(p.Name.Words[0])
		if below != nil && completesForm(p.Name.Words, below) {
			of := slices.Concat(p.Name.Words, below.Words())
			p.Name = candidate.Printed{Value: layout.TextOf(of), Words: of}
		}
	}
}

// formBehind are the words of a legal form right behind a name without one, as in Hoteles Azahar, S.L. · NIF B66201872.
func (d *draft) formBehind(name []*layout.Word) []*layout.Word {
	last := name[len(name)-1]
	r := d.Layout.RowOf(last)
	if r == nil || HasLegalForm(name) {
		return nil
	}
	at := slices.Index(r.Words, last)
	behind := r.Words[at+1 : r.Cells[r.CellAt(at)].Last+1]
	if n := restOfForm(behind); n > 0 && layout.Near(last, behind[0]) && isOfName(behind[0].Text) {
		return behind[:n]
	}
	return nil
}

// completesForm reports whether a cell below a name is its legal form, or the rest of it, as r.l. below S.à.
func completesForm(name []*layout.Word, below *layout.Cell) bool {
	const most = 2 // words of a form that the name ends with
	rest := lexicon.Fold(below.Text())
	if !HasLegalForm(name) && lexicon.Words().LegalForms[rest] || HasLegalForm(name) && lexicon.Words().FormJoins[rest] { // UG / (haftungsbeschränkt)
		return true
	}
	for n := 1; n <= most && n < len(name); n++ {
		if lexicon.Words().LegalForms[lexicon.Fold(layout.TextOf(name[len(name)-n:]))+rest] {
			return true
		}
	}
	return false
}

// cellBelow is the cell right below the one that a word begins, from the same left edge; nil where none is.
func (d *draft) cellBelow(w *layout.Word) *layout.Cell {
	row := d.Layout.RowOf(w)
	if row == nil {
		return nil
	}
	for _, r := range d.Layout.Rows[row.Index+1:] {
		if r.Page != row.Page || r.Top-row.Bottom >= 2*row.Height() {
			return nil
		}
		if at := slices.IndexFunc(r.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-w.Box.Left) < 3 }); at >= 0 {
			return &r.Cells[at]
		}
	}
	return nil
}

// cellAbove is the cell right above the one that a word begins, from the same left edge; nil where none is.
func (d *draft) cellAbove(w *layout.Word) *layout.Cell {
	row := d.Layout.RowOf(w)
	if row == nil {
		return nil
	}
	for i := row.Index - 1; i >= 0; i-- {
		r := d.Layout.Rows[i]
		if r.Page != row.Page || row.Top-r.Bottom >= row.Height() {
			return nil
		}
		if at := slices.IndexFunc(r.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-w.Box.Left) < 3 }); at >= 0 {
			return &r.Cells[at]
		}
	}
	return nil
}

// isRestOfForm reports whether a text is a legal form, or the end of one that a narrow column broke, as o.o. and z o.o.: no
// name is.
func isRestOfForm(s string) bool {
	folded := lexicon.Fold(s)
	if lexicon.Words().LegalForms[folded] {
		return true
	}
	const least = 2 // letters
	for form := range lexicon.Words().LegalForms {
		if len(folded) >= least && strings.Contains(s, ".") && len(form) > len(folded) && strings.HasSuffix(form, folded) {
			return true
		}
	}
	return false
}

// goesOnBelow reports whether the cells below a name may be more of it: one has a legal form, with nothing between that
// is explained otherwise, or the first is set in the same letters, which are larger than those of the text, with no more
// between the two than rows of one text have.
func (d *draft) goesOnBelow(p *party) bool {
	const mostRows = 3 // that a name has
	at := p.Name.Words[0]
	isPassed := false // a row that is a label, but may be a word of the name too, as Transport and del
	for range mostRows {
		below := d.cellBelow(at)
		if below == nil {
			return false
		}
		next := below.Words()[0]
		switch {
		case isRestOfForm(below.Text()), !isPassed && (HasLegalForm(below.Words()) || endsInForm(below.Row.Words[below.Last].Text)):
			return true
		case d.isExplained(below) && (lexicon.HasDigit(below.Text()) || strings.HasSuffix(below.Text(), ":")):
			return false
		case d.isExplained(below):
			isPassed = true
		case d.isHeadingOf([]*layout.Word{at}, below.Words()):
			return true
		}
		at = next
	}
	return false
}
