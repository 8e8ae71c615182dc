package parse

import (
	"maps"
	"slices"
)

// Totals are the amounts of an invoice that agree with each other, and the lines that they
// are about.
type totals struct {
	table
	grossLines bool // the amounts of the lines contain VAT
	amounts    []amount
	chain      chain
	vat        []vatRow
	currency   printed
}

// A totalsDraft is what was decided so far.
type totalsDraft struct {
	*pages
	head *head
	totals
	byLabels bool // totals by their labels alone, to measure what the chain is worth
	asRead   bool // no number is set right that was recognised wrong
}

// readTotals decides the totals, the VAT breakdown and the currency, and which lines count.
func readTotals(p *pages, read *table, of *head, byLabels, asRead bool) *totals {
	d := &totalsDraft{pages: p, head: of, totals: totals{table: read.clone()}, byLabels: byLabels, asRead: asRead}
	d.readAmounts()
	d.dropStrays()
	d.foldSubLines()
	d.solve()
	d.sameSigns()
	d.exchangeDigits()
	d.readVat()
	d.assignRates()
	d.readCurrency()
	return &d.totals
}

// clone is a copy that may be changed.
func (t *table) clone() table {
	c := table{slices.Clone(t.lines), slices.Clone(t.isLine), t.cut}
	for i := range c.lines {
		c.lines[i].numbers = maps.Clone(c.lines[i].numbers)
	}
	return c
}

// again decides what follows from the totals and the lines where some of them are others.
func (t *totals) again(p *pages, of *head) *totals {
	d := t.draft(p, of)
	if c := &d.chain; c.closes {
		*c = chain{net: c.net, vat: c.vat, gross: c.gross, closes: true, score: c.score}
		d.completeChain(d.lineSum())
	} else {
		kept := *c
		d.solve()
		if !d.chain.closes { // the lines changed nothing
			d.chain = kept
		}
	}
	d.vat = nil
	d.readVat()
	d.assignRates()
	return &d.totals
}

// withVat are the totals with another VAT breakdown.
func (t *totals) withVat(p *pages, of *head, rows []vatRow) *totals {
	d := t.draft(p, of)
	d.vat = rows
	d.assignRates()
	return &d.totals
}

func (t *totals) draft(p *pages, of *head) *totalsDraft {
	d := &totalsDraft{pages: p, head: of, totals: *t}
	d.table = t.clone()
	return d
}
