package lines

import (
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
)

// mostMultiplied is how many numbers of a row are tried.
const mostMultiplied = 10

// multiply gives quantity, price and amount the only three numbers of a row of which two
// multiply to the third, where those below the heads do not: a line is what makes this true,
// wherever its heads are.
func (p *rowParts) multiply(columns []layout.Column) {
	if len(p.all) < 3 || len(p.all) > mostMultiplied || p.isPriced() || p.isDiscounted() {
		return
	}
	var found [3]candidate.Number
	ways := 0
	for k := range p.all {
		for i := range p.all {
			for j := i + 1; j < len(p.all); j++ {
				first, second, net := p.all[i], p.all[j], p.all[k]
				if i == k || j == k || first.Percent || second.Percent || net.Percent || net.Decimals != 2 || isOne(&first) || isOne(&second) || max(first.Decimals, second.Decimals) < 2 || !closes(&first, &second, &net) {
					continue
				}
				if isPriceFirst(&first, &second, columns) {
					first, second = second, first
				}
				if ways > 0 && (found[0].Value != first.Value || found[1].Value != second.Value || found[2].Value != net.Value) {
					return
				}
				found, ways = [3]candidate.Number{first, second, net}, ways+1
			}
		}
	}
	if ways == 0 {
		return
	}
	for field, n := range p.numbers {
		if slices.ContainsFunc(found[:], func(f candidate.Number) bool { return f.Words[0] == n.Words[0] }) {
			delete(p.numbers, field)
		}
	}
	for i, field := range []string{"quantity", "unitPrice", "lineNet"} {
		p.numbers[field] = found[i]
		for other, text := range p.texts {
			p.texts[other] = without(text, found[i].Words)
		}
	}
}

func isOne(n *candidate.Number) bool { return candidate.Abs(n.Value) == candidate.UnitsPerOne }

// isDiscounted reports whether a discount leads from quantity and price to the amount.
func (p *rowParts) isDiscounted() bool {
	quantity, price, net, discount := p.numbers["quantity"], p.numbers["unitPrice"], p.numbers["lineNet"], p.numbers["discount"]
	return discount.Words != nil && (&Line{}).discounted(&quantity, &price, &discount, &net)
}

// isPriceFirst reports whether the first of two numbers of a row is the price: it has the decimals
// or the currency of one, or the heads have this order.
func isPriceFirst(first, second *candidate.Number, columns []layout.Column) bool {
	switch {
	case first.Currency != "" && second.Currency == "":
		return true
	case second.Currency != "" && first.Currency == "":
		return false
	case second.Decimals < 2 && first.Decimals >= 2:
		return true
	case first.Decimals < 2:
		return false
	}
	price := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == "unitPrice" })
	quantity := slices.IndexFunc(columns, func(c layout.Column) bool { return c.Field == "quantity" })
	return price >= 0 && price < quantity
}
