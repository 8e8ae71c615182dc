package totals

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
)

// A Ranked are the totals that the ranker finds to fit best; nil where none does.
type Ranked struct {
	Net, Vat, Gross, Due *candidate.Amount
	IsPaid               bool // the pages say that it was paid: nothing may be due
}

// WithRanked are the totals with those of the ranker where the rules find none that close: all three where these add up, and
// else each that is missing and contradicts no other.
func (t *Totals) WithRanked(p *candidate.Pages, of *header.Head, ranked Ranked) *Totals {
	if t.Chain.Closes {
		return t.withRankedDue(ranked)
	}
	d := t.draft(p, of)
	before := d.Chain
	c := &d.Chain
	if ranked.Net != nil && ranked.Vat != nil && ranked.Gross != nil && ranked.Net.Value+ranked.Vat.Value == ranked.Gross.Value && d.canBeTax(ranked.Vat.Value, ranked.Net.Value) && (ranked.Vat.Value != 0 || !d.isReduced(ranked.Gross)) {
		*c = Chain{Net: printed(ranked.Net), Vat: printed(ranked.Vat), Gross: printed(ranked.Gross), Closes: true}
	} else {
		fill(&c.Gross, ranked.Gross)
		if c.Gross.Known && ranked.Net != nil && d.canBeNet(ranked.Net.Value) {
			fill(&c.Net, ranked.Net)
		}
		if c.Net.Known && c.Gross.Known && ranked.Vat != nil && c.Net.Value+ranked.Vat.Value == c.Gross.Value && d.canBeTax(ranked.Vat.Value, c.Net.Value) {
			fill(&c.Vat, ranked.Vat)
		}
	}
	if *c == before {
		return t.withRankedDue(ranked)
	}
	d.completeChain(d.LineSum())
	if !c.Due.Known {
		fill(&c.Due, ranked.Due)
	}
	d.Totals.Vat = nil
	d.readVat()
	d.assignRates()
	return d.Totals.withRankedDue(ranked)
}

// canBeNet reports whether an amount may be the net total beside the VAT and the total with VAT that are known: both are one
// where the pages say that there is no VAT.
func (d *draft) canBeNet(net int64) bool {
	c := &d.Chain
	switch {
	case c.Vat.Known:
		return net+c.Vat.Value == c.Gross.Value
	case net == c.Gross.Value:
		return d.saysUntaxed()
	}
	return candidate.Abs(net) < candidate.Abs(c.Gross.Value)
}

// withRankedDue takes what is due as the ranker finds it where no printed payment leads to what the rules took.
func (t *Totals) withRankedDue(ranked Ranked) *Totals {
	c, due := &t.Chain, ranked.Due
	if due == nil || ranked.IsPaid && c.Due.Value == 0 || !c.Unproved || due.Value == c.Due.Value {
		return t
	}
	out := *t
	out.Chain.Due = printed(due)
	if out.Chain.Paid.Known && c.Gross.Value-c.Paid.Value != due.Value {
		out.Chain.Paid = candidate.Total{}
	}
	return &out
}

func printed(a *candidate.Amount) candidate.Total {
	return candidate.Total{Value: a.Value, From: a, Known: true}
}

// fill gives a total that is not known an amount.
func fill(t *candidate.Total, a *candidate.Amount) {
	if !t.Known && a != nil {
		*t = printed(a)
	}
}
