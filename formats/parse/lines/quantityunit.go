package lines

import (
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// quantityWithUnit matches a quantity and its unit without a space between, as in 20Stk.
var quantityWithUnit = lexicon.Pattern(`^([-–]?\d{1,6}(?:[.,]\d{1,4})?)(\p{L}{1,8}\.?)$`)

// addQuantityWithUnit parts a quantity from its unit, in the column of quantities.
func (p *rowParts) addQuantityWithUnit(d *draft, w *layout.Word, columns []layout.Column) bool {
	m := quantityWithUnit().FindStringSubmatch(w.Text)
	if _, taken := p.numbers["quantity"]; m == nil || taken {
		return false
	}
	c := columnFor(w, columns, true)
	if _, known := lexicon.UnitCode(m[2]); !known || c == nil || c.Field != "quantity" {
		return false
	}
	first, second := w.Word, w.Word
	middle := w.Box.Left + (w.Box.Right-w.Box.Left)*float64(len(m[1]))/float64(len(w.Text))
	first.Text, first.Box.Right, second.Text, second.Box.Left = m[1], middle, m[2], middle
	n, used := d.Notation.At([]*layout.Word{layout.NewWord(first, w.Page)})
	if used == 0 {
		return false
	}
	p.numbers["quantity"] = n
	p.all = append(p.all, n)
	p.texts["quantityUnit"] = append(p.texts["quantityUnit"], layout.NewWord(second, w.Page))
	return true
}
