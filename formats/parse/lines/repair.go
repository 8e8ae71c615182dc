package lines

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
)

// repair completes a line of a recognised page in which quantity times price is not the
// amount: one of the three that was not recognised follows from the others, and one that
// was recognised wrong is what another reading of the page has, or what one digit makes of
// it that looks like another, if that closes the line in exactly one way.
func (d *draft) repair(l *Line) {
	if l.IsFixed || !d.Layout.Pages[l.Row.Page-1].Recognised || d.asRead || l.Numbers["discount"].Value != 0 {
		return
	}
	quantity, hasQuantity := l.Numbers["quantity"]
	price, hasPrice := l.Numbers["unitPrice"]
	net := l.Numbers["lineNet"]
	switch {
	case hasQuantity && hasPrice:
		l.IsFixed = d.exchangeInLine(l, d.OtherReadings) || d.exchangeInLine(l, candidate.LikeValues)
	case hasPrice && hasColumn(l.Columns, "quantity"):
		l.IsFixed = l.computeFactor("quantity", &price, &net)
	case hasQuantity && hasColumn(l.Columns, "unitPrice"):
		l.IsFixed = l.computeFactor("unitPrice", &quantity, &net)
	}
}

func hasColumn(columns []layout.Column, field string) bool {
	return len(layout.Indexes(columns, field)) > 0
}

// factorDecimals is how many decimals a quantity or a price that is computed has at most: of
// more, every amount has one.
const factorDecimals = 2

// computeFactor takes for a number that was not recognised what leads from the other factor
// to the amount, where that has few decimals.
func (l *Line) computeFactor(field string, other, net *candidate.Number) bool {
	if other.Value == 0 || net.Value == 0 || candidate.Abs(net.Value) > candidate.TooLarge/candidate.UnitsPerOne {
		return false
	}
	part := int64(candidate.UnitsPerOne)
	for range factorDecimals {
		part /= 10
	}
	value := net.Value * (candidate.UnitsPerOne / part) / other.Value * part
	found := candidate.Number{Value: value, Computed: true}
	for rest := value; rest%candidate.UnitsPerOne != 0; rest *= 10 {
		found.Decimals++
	}
	if exact := candidate.ToCent(candidate.Times(value, other.Value)) == net.Value; !exact || value == 0 {
		return false
	}
	l.Numbers[field] = found
	return true
}

// exchangeInLine takes another value for quantity, price or amount, where exactly one closes
// the line.
func (d *draft) exchangeInLine(l *Line, values func(*candidate.Number) []int64) bool {
	fields := [3]string{"quantity", "unitPrice", "lineNet"}
	var of [3]candidate.Number
	for i, field := range fields {
		of[i] = l.Numbers[field]
	}
	found, ways := -1, 0
	var taken candidate.Number
	for i := range of {
		for _, value := range values(&of[i]) {
			tried := of
			tried[i].Value = value
			if closes(&tried[0], &tried[1], &tried[2]) {
				found, taken = i, tried[i]
				ways++
			}
		}
	}
	if ways != 1 {
		return false
	}
	taken.ReadAs = of[found].Decimal()
	l.Numbers[fields[found]] = taken
	return true
}
