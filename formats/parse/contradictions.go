package parse

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
)

// A contradiction is printed amounts that cannot all be right, because the arithmetic between them is not. The review
// tells it, and of the values that no other arithmetic proves none is sure.
type contradiction struct {
	weight  float64
	message string
	fields  []string // that are told, as JSON pointers
	unsure  []string
}

// contradictions are those of the pages: of each line, of the VAT, of what is due, and of the sum of the lines.
//
// The scorer cannot know them: pages that are made to train it with add up, and letters nearly always do, so that it takes
// a quantity that leads to no amount for as sure as others. So they bound what it says, here alone.
func (d *document) contradictions() (all []contradiction) {
	for i := range d.Lines {
		if product, is := d.UnexplainedLine(&d.Lines[i], d.Notation); is {
			at := fmt.Sprintf("%s/%d", linesAt, i)
			factors := []string{at + "/invoicedQuantity", at + "/price/netPrice"}
			all = append(all, contradiction{
				grave, fmt.Sprintf("quantity times price of this line are %s, and its amount is %s; compare them with the page", candidate.AmountText(product), candidate.AmountText(d.Lines[i].Numbers["lineNet"].Value)),
				append([]string{at + "/netAmount"}, factors...), factors,
			})
		}
	}
	all = append(all, d.contradictionsOfVat()...)
	if d.Chain.Unproved || d.DueContradicted() {
		all = append(all, contradiction{0.95, unexplainedDue, dueFields, []string{totalsAt + "amountDueForPayment", totalsAt + "paidAmount"}})
	} else if c := &d.Chain; c.Due.Known && c.Gross.Known && c.Due.Value != c.Gross.Value-c.Paid.Value+c.Rounding.Value { // a tax is withheld
		all = append(all, contradiction{0.95, unexplainedDue, dueFields, nil})
	}
	return append(append(all, d.contradictionsOfSum()...), d.contradictionsOfTotal()...)
}

// contradictionsOfTotal are those of a total that nothing proves, and of which a line is more, as of an amount that stands
// behind "Total" in the name of an item.
func (d *document) contradictionsOfTotal() (all []contradiction) {
	if d.Chain.Closes || !d.Chain.Gross.Known {
		return nil
	}
	for i := range d.Lines {
		if net := d.Lines[i].Numbers["lineNet"].Value; d.Lines[i].IsFixed && candidate.Abs(net) > candidate.Abs(d.Chain.Gross.Value) {
			total := totalsAt + "totalAmountWithVat"
			return []contradiction{{
				grave, fmt.Sprintf("the amount of this line is %s, which is more than the total of %s; compare them with the page", candidate.AmountText(net), candidate.AmountText(d.Chain.Gross.Value)),
				[]string{fmt.Sprintf("%s/%d/netAmount", linesAt, i), total}, []string{total, totalsAt + "totalAmountWithoutVat", totalsAt + "taxTotalAmount", totalsAt + "amountDueForPayment"},
			}}
		}
	}
	return nil
}

const unexplainedDue = "what is due is not the total less a printed payment; see what was paid, withheld or is asked for"

var dueFields = []string{totalsAt + "amountDueForPayment", totalsAt + "totalAmountWithVat", totalsAt + "paidAmount"}

// contradictionsOfSum are those of the sum of the lines. The amount of a line that its quantity and price lead to is no less
// right where another line is missing.
func (d *document) contradictionsOfSum() (all []contradiction) {
	unsure := []string{totalsAt + "sumOfLineNetAmounts"}
	if sum := d.LineSum(); len(d.Lines) > 0 && d.Chain.LineTotal.Known && sum != d.Chain.LineTotal.Value && !d.GrossLines {
		return []contradiction{{grave, "the amounts of the lines add up to " + candidate.AmountText(sum) + ", which is not their printed sum; a line may be missing or read twice", []string{linesAt}, append(d.unprovedLines(), unsure...)}}
	}
	if value, is := d.OtherSum(); is {
		return []contradiction{{grave, "a sum of the lines of " + candidate.AmountText(value) + " is printed, which the lines do not come to; compare it with the page", []string{totalsAt + "sumOfLineNetAmounts"}, unsure}}
	}
	return nil
}

// unprovedLines are the pointers of the numbers of lines that may be none, or other ones, where the lines do not come to
// their sum: quantity times price does not lead to the amount, as where a row of the VAT is taken for a line, or does so only
// with an amount that is not below those of the other lines.
func (d *document) unprovedLines() (pointers []string) {
	edges := make([]float64, len(d.Lines))
	for i := range d.Lines {
		if of := d.Lines[i].Numbers["lineNet"].Words; len(of) > 0 {
			edges[i] = of[len(of)-1].Box.Right
		}
	}
	middle := slices.Clone(edges)
	slices.Sort(middle)
	for i := range d.Lines {
		l := &d.Lines[i]
		if !l.IsFixed || math.Abs(edges[i]-middle[len(middle)/2]) > l.Row.Height() {
			for _, name := range []string{"/netAmount", "/invoicedQuantity", "/price/netPrice", "/vat/rate"} {
				pointers = append(pointers, fmt.Sprintf("%s/%d", linesAt, i)+name)
			}
		}
	}
	return pointers
}

// contradictionsOfVat are those of rates, bases and taxes. The base and the tax of an only group are totals, which prove
// each other.
func (d *document) contradictionsOfVat() (all []contradiction) {
	for i := range d.Vat {
		g := &d.Vat[i]
		tax, is := d.TaxContradicted(g)
		if !is {
			continue
		}
		at := fmt.Sprintf("%s/%d", vatAt, i)
		fields := []string{at + "/rate", at + "/taxableAmount", at + "/taxAmount"}
		unsure := append(d.ratesOf(g.Rate), fields...)
		if g.Base.Value == d.Chain.Net.Value && g.Tax.Value == d.Chain.Vat.Value {
			unsure = append(d.ratesOf(g.Rate), at+"/rate")
		}
		all = append(all, contradiction{grave, fmt.Sprintf("%s %% of %s are %s, and the VAT is %s; compare them with the page",
			candidate.DecimalText(g.Rate, 0), candidate.AmountText(g.Base.Value), candidate.AmountText(tax), candidate.AmountText(g.Tax.Value)), fields, unsure})
	}
	if d.BasesContradicted(d.saysUntaxed()) {
		var fields []string
		for i := range d.Vat {
			at := fmt.Sprintf("%s/%d", vatAt, i)
			fields = append(fields, at+"/rate", at+"/taxableAmount", at+"/taxAmount")
		}
		all = append(all, contradiction{grave, "what the taxes are the VAT of does not come to the net total of " + candidate.AmountText(d.Chain.Net.Value) + "; compare the rates, bases and taxes with the page", fields, fields})
	}
	if d.RatesContradicted() {
		fields := d.ratesOf(-1)
		all = append(all, contradiction{grave, "the lines do not come to the VAT by their rates; compare the rates with the page", append([]string{totalsAt + "taxTotalAmount"}, fields...), fields})
	}
	return all
}

// saysUntaxed reports whether the pages print a rate of 0 or a reason for no VAT.
func (d *document) saysUntaxed() bool {
	return header.SaysWhyNoVat(d.Layout) || slices.ContainsFunc(d.Layout.Rows, func(r *layout.Row) bool {
		return slices.ContainsFunc(d.NumbersOf(r), func(n candidate.Number) bool { return n.Percent && n.Value == 0 })
	})
}

// ratesOf are the pointers of the rates of lines that are a rate, printed or not; of all of them for one below 0.
func (d *document) ratesOf(rate int64) (pointers []string) {
	for i := range d.Lines {
		if own, has := d.Lines[i].Numbers["vatRate"]; rate < 0 || own.Value == rate || !has && (len(d.Vat) == 1 || d.Lines[i].VatGroup > 0 && d.Vat[d.Lines[i].VatGroup-1].Rate == rate) {
			pointers = append(pointers, fmt.Sprintf("%s/%d/vat/rate", linesAt, i))
		}
	}
	return pointers
}

// capContradicted takes confidence from what the arithmetic of the pages contradicts.
func (b *builder) capContradicted() {
	b.contradictions = b.document.contradictions()
	for _, c := range b.contradictions {
		for _, pointer := range c.unsure {
			if f := b.result.Fields[pointer]; f != nil {
				f.Confidence = min(f.Confidence, contradicted)
			}
		}
	}
}

// addOtherDays adds the other day to those that are printed in figures and may be two, as 05/03/2026. It comes behind the
// scorer, for which an alternative is another place on the pages.
func (b *builder) addOtherDays() {
	for pointer, f := range b.result.Fields {
		if !strings.HasSuffix(pointer, "Date") || !b.document.Notation.Unsure(f.Printed) {
			continue
		}
		if other := b.document.Notation.OtherDay(f.Printed, f.Value); other != "" {
			f.alternative(Alternative{other, f.Printed, f.Page, f.Box})
		}
	}
}

// tellContradictions tells what the arithmetic of the pages contradicts.
func (b *builder) tellContradictions(tell func(weight float64, message string, fields ...string)) {
	for _, c := range b.contradictions {
		var fields []string
		for _, pointer := range c.fields {
			if b.result.Fields[pointer] != nil || strings.HasPrefix(pointer, totalsAt) || pointer == linesAt {
				fields = append(fields, pointer)
			}
		}
		tell(c.weight, c.message, fields...)
	}
}
