package totals

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/lines"
)

// Totals are the amounts of an invoice that agree with each other, and the lines that they
// are about.
type Totals struct {
	lines.Table
	GrossLines bool // the amounts of the lines contain VAT
	Amounts    []candidate.Amount
	Chain      Chain
	Vat        []candidate.VatRow
	Currency   candidate.Printed
	SharedSign bool // nothing but a sign that several currencies have says which it is
}

// A draft is what was decided so far.
type draft struct {
	*candidate.Pages
	head *header.Head
	Totals
	byLabels bool           // totals by their labels alone, to measure what the chain is worth
	asRead   bool           // no number is set right that was recognised wrong
	percents map[int64]bool // of other rows than those of allowances and charges; nil where they were not looked for
}

// Read decides the totals, the VAT breakdown and the currency, and which lines count.
func Read(p *candidate.Pages, read *lines.Table, of *header.Head, byLabels, asRead bool) *Totals {
	d := &draft{Pages: p, head: of, Totals: Totals{Table: read.Clone()}, byLabels: byLabels, asRead: asRead}
	d.readAmounts()
	d.dropStrays()
	d.foldSubLines()
	d.solve()
	d.sameSigns()
	d.exchangeDigits()
	d.readVat()
	d.assignRates()
	d.readCurrency()
	return &d.Totals
}

// Again decides what follows from the totals and the lines where some of them are others.
func (t *Totals) Again(p *candidate.Pages, of *header.Head) *Totals {
	d := t.draft(p, of)
	if c := &d.Chain; c.Closes {
		*c = Chain{Net: c.Net, Vat: c.Vat, Gross: c.Gross, Closes: true, score: c.score}
		d.completeChain(d.LineSum())
	} else {
		kept := *c
		d.solve()
		if !d.Chain.Closes { // the lines changed nothing
			d.Chain = kept
		}
	}
	d.Vat = nil
	d.readVat()
	d.assignRates()
	return &d.Totals
}

// WithVat are the totals with another VAT breakdown.
func (t *Totals) WithVat(p *candidate.Pages, of *header.Head, rows []candidate.VatRow) *Totals {
	d := t.draft(p, of)
	d.Vat = rows
	d.assignRates()
	return &d.Totals
}

func (t *Totals) draft(p *candidate.Pages, of *header.Head) *draft {
	d := &draft{Pages: p, head: of, Totals: *t}
	d.Table = t.Clone()
	return d
}
