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
// wherever its heads are. Where each has a number below its head, the number of the line, that of an article and those in a text
// are none of them: with so many in a row, two multiply to a third by chance.
func (p *rowParts) multiply(columns []layout.Column) {
	of := p.all
	if _, hasNet := p.numbers["lineNet"]; hasNet && p.isHalf() {
		of = p.loose
	}
	if p.takeOne(); len(of) < 3 || len(of) > mostMultiplied || p.isPriced() || p.isDiscounted() {
		return
	}
	var found [3]candidate.Number
	ways := 0
	for k := range of {
		for i := range of {
			for j := i + 1; j < len(of); j++ {
				first, second, net := of[i], of[j], of[k]
				if i == k || j == k || first.Percent || second.Percent || net.Percent || !net.HasCents() || isOne(&first) || isOne(&second) || max(first.Decimals, second.Decimals) < 2 && !first.IsWhole() && !second.IsWhole() || !closes(&first, &second, &net) {
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

// takeOne gives a row with a quantity of one its price and its amount: the last two numbers, which are one amount. Where columns
// of prices and amounts with VAT have heads alike, either may be below none.
func (p *rowParts) takeOne() {
	quantity, has := p.numbers["quantity"]
	n := len(p.loose)
	if !has || !isOne(&quantity) || n < 3 || p.isPriced() {
		return
	}
	price, net := p.loose[n-2], p.loose[n-1]
	if price.Value != net.Value || price.Percent || net.Percent || !price.HasCents() || !net.HasCents() || price.Words[0] == quantity.Words[0] {
		return
	}
	for field, other := range p.numbers {
		if other.Words[0] == price.Words[0] || other.Words[0] == net.Words[0] {
			delete(p.numbers, field)
		}
	}
	p.numbers["unitPrice"], p.numbers["lineNet"] = price, net
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

// Unexplained returns quantity times price where that is not the amount, within what rounding them may be, and nothing of
// the line explains it: neither a discount or a charge, nor a rate, nor another factor. Rates are those of VAT that one of
// price and amount may contain.
func (l *Line) Unexplained(of candidate.Notation, rates []int64) (product int64, is bool) {
	quantity, hasQuantity := l.Numbers["quantity"]
	price, hasPrice := l.Numbers["unitPrice"]
	net, hasNet := l.Numbers["lineNet"]
	if l.IsFixed || !hasQuantity || !hasPrice || !hasNet {
		return 0, false
	}
	product = candidate.ToCent(candidate.Times(quantity.Value, price.Value))
	off := roundedOff(&quantity, &price) + net.Rounding()
	leads := func(from, to int64) bool { return candidate.Abs(candidate.Abs(from)-candidate.Abs(to)) <= off }
	if leads(product, net.Value) {
		return product, false
	}
	for _, rate := range rates {
		if leads(product+candidate.Share(product, rate), net.Value) || leads(product, net.Value+candidate.Share(net.Value, rate)) {
			return product, false
		}
	}
	others := l.others(of)
	isMoney := func(n *candidate.Number) bool { return !n.Percent && (n.HasCents() || n.Currency != "") }
	for i, n := range others {
		for _, more := range others[i+1:] { // two discounts, or two charges
			if both := candidate.Abs(n.Value) + candidate.Abs(more.Value); isMoney(&n) && isMoney(&more) && leads(both, candidate.Abs(product)-candidate.Abs(net.Value)) {
				return product, false
			}
		}
		share := candidate.Share(product, n.Value)
		switch {
		case isMoney(&n) && (leads(product-n.Value, net.Value) || leads(product+n.Value, net.Value)),
			n.Percent && (leads(product-share, net.Value) || leads(product+share, net.Value)),
			!n.Percent && (leads(candidate.Times(product, n.Value), net.Value) || leads(product, candidate.Times(net.Value, n.Value))):
			return product, false
		}
	}
	return product, true
}

// roundedOff is by how much quantity times price may miss the amount where both, and the amount, are rounded: a price to a
// cent at least, and a quantity that has as many decimals.
func roundedOff(quantity, price *candidate.Number) int64 {
	const money = 2 // decimals
	half := func(decimals int) int64 {
		part := int64(candidate.UnitsPerOne)
		for range max(decimals, money) {
			part /= 10
		}
		return part / 2
	}
	off := candidate.Abs(candidate.Times(quantity.Value, half(price.Decimals)))
	if quantity.Decimals >= money {
		off += candidate.Abs(candidate.Times(price.Value, half(quantity.Decimals)))
	}
	return off
}

// others are the numbers of a line besides its quantity, price and amount, the number of the line and that of the article.
func (l *Line) others(of candidate.Notation) (numbers []candidate.Number) {
	const most = 20
	known := slices.Concat(l.Texts["position"], l.Texts["article"])
	for _, field := range []string{"quantity", "unitPrice", "lineNet"} {
		known = append(known, l.Numbers[field].Words...)
	}
	numbers = slices.Clone(l.all)
	for _, row := range l.More {
		numbers = append(numbers, of.All(row)...)
	}
	numbers = slices.DeleteFunc(numbers, func(n candidate.Number) bool {
		return n.Value == 0 || slices.ContainsFunc(n.Words, func(w *layout.Word) bool { return slices.Contains(known, w) })
	})
	return numbers[:min(len(numbers), most)]
}
