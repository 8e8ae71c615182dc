package compute

import "einvoice/model"

// totals computes BG-22.
func totals(inv *model.Invoice, o Options) {
	if inv.Totals == nil {
		inv.Totals = &model.Totals{}
	}
	t := inv.Totals
	set := func(into *model.Amount, sum model.Decimal) {
		if !into.Present {
			*into = rounded(sum)
		}
	}
	set(&t.SumOfLineNetAmounts, lines(inv))
	if inv.Allowances != nil {
		set(&t.SumOfAllowances, sum(inv.Allowances, func(a *model.DocumentAllowance) *model.Amount { return &a.Amount }))
	}
	if inv.Charges != nil || inv.LogisticsServiceCharges != nil {
		logistics := sum(inv.LogisticsServiceCharges, func(c *model.LogisticsServiceCharge) *model.Amount { return &c.Amount })
		set(&t.SumOfCharges, sum(inv.Charges, func(c *model.DocumentCharge) *model.Amount { return &c.Amount }).Add(logistics))
	}
	set(&t.TotalAmountWithoutVat, value(&t.SumOfLineNetAmounts).Sub(value(&t.SumOfAllowances)).Add(value(&t.SumOfCharges)))
	set(&t.TaxTotalAmount, sum(inv.VatBreakdowns, func(b *model.VatBreakdown) *model.Amount { return &b.TaxAmount }))
	accountingVat(t, o)
	set(&t.TotalAmountWithVat, value(&t.TotalAmountWithoutVat).Add(value(&t.TaxTotalAmount)))
	due := value(&t.TotalAmountWithVat).Sub(value(&t.PaidAmount)).Add(value(&t.RoundingAmount))
	// What is collected for third parties is due in addition to the invoice: in the
	// XRechnung extension, and in Factur-X EXTENDED.
	due = due.Add(sum(inv.ThirdPartyPayments, func(p *model.ThirdPartyPayment) *model.Amount { return &p.Amount }))
	due = due.Add(sum(inv.FinancialAdjustments, func(a *model.FinancialAdjustment) *model.Amount { return &a.Amount }))
	set(&t.AmountDueForPayment, due)
}

// accountingVat sets BT-111, which does not follow from the invoice, from the options.
func accountingVat(t *model.Totals, o Options) {
	switch into := &t.TaxTotalAmountInAccountingCurrency; {
	case into.Present:
	case o.AccountingVat.Present:
		*into = o.AccountingVat
	case o.AccountingRate.Valid:
		*into = converted(t, o)
	}
}

// converted is the VAT total in the accounting currency, by the rate of the options.
func converted(t *model.Totals, o Options) model.Amount {
	return rounded(value(&t.TaxTotalAmount).Mul(o.AccountingRate.Value))
}

// lines are the net amounts of the lines that count.
func lines(inv *model.Invoice) (total model.Decimal) {
	inv.EachLine(func(l, around *model.Line) {
		if model.CountsInTotals(l.Subtype(around)) {
			total = total.Add(value(&l.NetAmount))
		}
	})
	return total
}

func value(a *model.Amount) model.Decimal { return valueOf(&a.Number) }

func sum[T any](entries []T, amount func(*T) *model.Amount) (total model.Decimal) {
	for i := range entries {
		total = total.Add(value(amount(&entries[i])))
	}
	return total
}
