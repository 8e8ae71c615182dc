package compute

import (
	"cmp"
	"strconv"
	"strings"

	"einvoice/model"
)

// Options are values that do not follow from the invoice.
type Options struct {
	// AccountingRate is how many units of the VAT accounting currency (BT-6) one unit of
	// the invoice currency is worth. BT-111 is computed from it.
	AccountingRate model.Number
	// AccountingVat is BT-111 itself.
	AccountingVat model.Amount
	// ZeroRate is how the rate of what no VAT is charged on is written, such as 0.00; 0 without it.
	ZeroRate string
}

// amountDigits are the fraction digits of an amount of EN 16931.
const amountDigits = 2

var (
	hundred = model.NewDecimal(100)
	cents   = model.MustDecimal("0.00")
)

// Complete computes the absent terms that follow from the rest of the invoice.
func Complete(inv *model.Invoice, o Options) {
	number(inv)
	for i := range inv.Lines {
		o.line(&inv.Lines[i])
	}
	eachBesideLines(inv, func(category model.Text, rate *model.Number, _ model.Decimal) { o.zeroRate(category, rate) })
	groups := groupsOfLines(inv)
	eachPercentage(inv, groups, func(p percentageOf) { p.complete() })
	groups.addDocumentLevel(inv)
	breakdown(inv, groups)
	totals(inv, o)
}

// number gives each line and sub invoice line without an identifier its position, or the
// next number that no line has. That of a sub invoice line begins with the identifier of
// the line around it.
func number(inv *model.Invoice) {
	taken := map[string]bool{}
	inv.EachLine(func(l, _ *model.Line) { taken[l.Identifier.Raw] = true })
	numberLines(inv.Lines, "", taken)
}

func numberLines(lines []model.Line, prefix string, taken map[string]bool) {
	next := len(lines)
	for i := range lines {
		l := &lines[i]
		if !l.Identifier.Present {
			id := prefix + strconv.Itoa(i+1)
			for taken[id] {
				next++
				id = prefix + strconv.Itoa(next)
			}
			taken[id] = true
			l.Identifier = model.NewText(id)
		}
		numberLines(l.SubLines, l.Identifier.Raw+".", taken)
	}
}

// line completes a line and the sub invoice lines inside it.
func (o Options) line(l *model.Line) {
	for i := range l.SubLines {
		o.line(&l.SubLines[i])
	}
	if l.Vat != nil {
		o.zeroRate(l.Vat.CategoryCode, &l.Vat.Rate)
	}
	if p := l.Price; p != nil && !p.NetPrice.Present && p.GrossPrice.Valid {
		p.NetPrice = model.AmountOf(netPrice(p))
	}
	eachPercentageOfLine(l, "", func(p percentageOf) { p.complete() })
	if l.Price == nil {
		return
	}
	if !l.NetAmount.Present && l.InvoicedQuantity.Valid && l.Price.NetPrice.Valid {
		if net, ok := netAmount(l); ok {
			l.NetAmount = rounded(net)
		}
	}
}

// netPrice is BT-146: the gross price minus the discount and, in Factur-X EXTENDED,
// further discounts, plus charges.
func netPrice(p *model.Price) model.Decimal {
	net := p.GrossPrice.Value.Sub(valueOf(&p.Discount.Number))
	if p.Details == nil {
		return net
	}
	for i := range p.Details.FurtherAdjustments {
		a := &p.Details.FurtherAdjustments[i]
		switch strings.TrimSpace(a.ChargeIndicator.Raw) {
		case "true", "1":
			net = net.Add(valueOf(&a.Amount.Number))
		default:
			net = net.Sub(valueOf(&a.Amount.Number))
		}
	}
	return net
}

// netAmount is BT-131: the quantity times the price, divided by the base quantity, minus
// the allowances, plus the charges.
func netAmount(l *model.Line) (model.Decimal, bool) {
	value := priced(l)
	if value == nil {
		return model.Decimal{}, false
	}
	net := *value
	for i := range l.Allowances {
		net = net.Sub(valueOf(&l.Allowances[i].Amount.Number))
	}
	for i := range l.Charges {
		net = net.Add(valueOf(&l.Charges[i].Amount.Number))
	}
	return net, true
}

// priced is the quantity times the price, divided by the base quantity; nil where these
// are not known.
func priced(l *model.Line) *model.Decimal {
	if l.Price == nil || !l.InvoicedQuantity.Valid || !l.Price.NetPrice.Valid {
		return nil
	}
	value := l.InvoicedQuantity.Value.Mul(l.Price.NetPrice.Value)
	if base := l.Price.BaseQuantity; base.Present {
		var err error
		if value, err = value.Div(base.Value); err != nil || !base.Valid {
			return nil
		}
	}
	return &value
}

// zeroRate sets the rate of what no VAT is charged on: 0 for each category but O, which
// has no rate (rules 05 of the VAT categories, EN 16931-1, 6.4.3).
func (o Options) zeroRate(category model.Text, rate *model.Number) {
	switch strings.TrimSpace(category.Raw) {
	case "Z", "E", "AE", "K", "G":
		if !rate.Present {
			*rate = model.NewNumber(cmp.Or(o.ZeroRate, "0"))
		}
	}
}

// share is a percentage of an amount. It is exact, because dividing by 100 is.
func share(of, percent model.Decimal) model.Decimal {
	part, _ := of.Mul(percent).Div(hundred)
	return part
}

// rounded is an amount with two fraction digits.
func rounded(d model.Decimal) model.Amount {
	return model.AmountOf(d.RoundHalfUp(amountDigits).Add(cents))
}

// valueOf is the value of a number; 0 if it is absent or not valid.
func valueOf(n *model.Number) model.Decimal {
	if !n.Valid {
		return model.Decimal{}
	}
	return n.Value
}
