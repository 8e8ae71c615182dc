package parse

import (
	"fmt"
	"strings"

	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// headerTerms are the terms that labels of the head give, by label.
var headerTerms = []struct{ field, pointer string }{
	{"number", "/number"}, {"issueDate", "/issueDate"}, {"dueDate", "/paymentDueDate"}, {"buyerReference", "/buyerReference"},
	{"project", "/projectReference"}, {"contract", "/contractReference"}, {"order", "/purchaseOrderReference"},
	{"salesOrder", "/salesOrderReference"}, {"deliveryNote", "/despatchAdviceReference"},
	{"precedingInvoice", "/precedingInvoices/0/reference"}, {"deliveryDate", "/delivery/actualDeliveryDate"},
	{"remittance", "/paymentInstructions/remittanceInformation"}, {"taxNumber", "/seller/taxRegistrationIdentifier"},
}

// build makes the result of what was found out, but for its confidences and the review.
func (d *document) build() *builder {
	b := &builder{
		result: &Result{Invoice: &model.Invoice{}, Fields: map[string]*Field{}, Pages: d.pageList(), Review: []Review{}, sheets: d.layout.pages},
		sheets: d.layout.pages, byModel: d.byModel, document: d,
	}
	if d.title.found {
		b.put("/typeCode", d.title.code, d.title.words, 0.9)
	}
	b.put("/currencyCode", d.currency.value, d.currency.words, 0.95)
	for _, term := range headerTerms {
		c, ok := d.head.claims[term.field]
		if !ok {
			continue
		}
		f := b.put(term.pointer, c.value, c.words, 0.55+0.32*c.score)
		for _, other := range d.head.alternatives[term.field] {
			b.alternatives(f, printed{other.value, other.words})
		}
	}
	if c, ok := d.head.claims["period"]; ok {
		start, end, _ := strings.Cut(c.value, "/")
		b.put("/invoicingPeriod/startDate", start, c.words, 0.85)
		b.put("/invoicingPeriod/endDate", end, c.words, 0.85)
	}
	d.putParties(b)
	d.putPayment(b)
	d.putTotals(b)
	d.putVat(b)
	nets := d.netsOfGross()
	for i := range d.lines {
		d.putLine(b, i)
		d.putNetOfGross(b, i, nets)
	}
	return b
}

func (d *document) pageList() []Page {
	pages := []Page{}
	for i := range d.layout.pages {
		s := &d.layout.pages[i]
		page := Page{Width: s.Width, Height: s.Height, Rotation: s.Rotation, Source: SourceText, Words: len(s.Words), Confidence: 1, Pictured: rounded(s.Pictured)}
		if s.Recognised {
			page.Source, page.Confidence = SourceOCR, rounded(certainty(s.Words))
		}
		pages = append(pages, page)
	}
	return pages
}

// certainty is the mean confidence of words; 0 of none.
func certainty(of []text.Word) float64 {
	sum := 0.0
	for i := range of {
		sum += 1 - of[i].Doubt
	}
	return sum / float64(max(len(of), 1))
}

func (d *document) putParties(b *builder) {
	for _, p := range []struct{ role, at string }{{"seller", "/seller"}, {"buyer", "/buyer"}} {
		found := d.byRole[p.role]
		if found == nil {
			continue
		}
		f := b.put(p.at+"/name", found.name.value, found.name.words, 0.35+0.45*found.score)
		b.alternatives(f, found.others...)
		if p.role == "seller" {
			b.put("/seller/additionalLegalInformation", d.legal.value, d.legal.words, 0.85)
		}
		b.put(p.at+"/vatIdentifier", found.vatID.value, found.vatID.words, 0.95)
		putAddress(b, p.at+"/postalAddress", &found.address)
		if country := found.address.country.value; country == "" && found.vatID.value != "" && found.address.city.value != "" {
			b.put(p.at+"/postalAddress/countryCode", countryOfVatID(found.vatID.value), found.vatID.words, 0.85)
		}
	}
	if to := d.byRole["shipTo"]; to != nil {
		b.put("/delivery/partyName", to.name.value, to.name.words, 0.8)
		putAddress(b, "/delivery/address", &to.address)
	}
	if payee := d.byRole["payee"]; payee != nil {
		b.put("/payee/name", payee.name.value, payee.name.words, 0.8)
	}
}

// countryOfVatID is the country code of a VAT identifier: Greece has another prefix,
// and Northern Ireland one of its own.
func countryOfVatID(id string) string {
	switch code := id[:2]; code {
	case "EL":
		return "GR"
	case "XI":
		return "GB"
	default:
		return code
	}
}

func putAddress(b *builder, at string, a *address) {
	for _, part := range []struct {
		name string
		of   printed
	}{{"line1", a.line1}, {"line2", a.line2}, {"city", a.city}, {"postCode", a.postCode}, {"countryCode", a.country}} {
		b.put(at+"/"+part.name, part.of.value, part.of.words, 0.85)
	}
}

// putPayment adds each IBAN as a credit transfer (UNTDID 4461 code 30).
func (d *document) putPayment(b *builder) {
	c, ok := d.head.claims["iban"]
	if !ok {
		for _, r := range d.layout.rows {
			for i := range r.words {
				if iban, n := ibanAt(r.words[i:]); n > 0 && !ok {
					c, ok = claim{value: iban, words: r.words[i : i+n]}, true
				}
			}
		}
	}
	if !ok {
		return
	}
	const at = meansAt
	confidence := 0.85
	if ibanChecks(c.value) {
		confidence = 0.98
	}
	b.put(at+"/typeCode", "30", c.words, 0.6)
	b.put(accountAt, c.value, c.words, confidence)
	if bic, ok := d.head.claims["bic"]; ok {
		b.put(at+"/creditTransfers/0/serviceProviderIdentifier", bic.value, bic.words, 0.9)
	}
	if name, ok := d.head.claims["accountName"]; ok {
		b.put(at+"/creditTransfers/0/accountName", name.value, name.words, 0.8)
	}
}

func (d *document) putTotals(b *builder) {
	c := &d.chain
	confidence := 0.6
	if c.closes {
		confidence = 0.98
	}
	for _, t := range []struct {
		name string
		of   total
	}{
		{"roundingAmount", c.rounding}, {"sumOfLineNetAmounts", c.lineTotal}, {"sumOfAllowances", c.allowance}, {"sumOfCharges", c.charge}, {"totalAmountWithoutVat", c.net},
		{"taxTotalAmount", c.vat}, {"totalAmountWithVat", c.gross}, {"paidAmount", c.paid}, {"amountDueForPayment", c.due},
	} {
		putTotal(b, "/totals/"+t.name, t.of, confidence)
	}
	if c.closes {
		return
	}
	for _, t := range []struct{ pointer, field string }{{"/totals/totalAmountWithoutVat", "net"}, {"/totals/taxTotalAmount", "vat"}, {"/totals/totalAmountWithVat", "gross"}} {
		for i := range d.amounts {
			if a := &d.amounts[i]; a.labels[t.field] > 0.5 {
				b.alternatives(b.result.Fields[t.pointer], printed{amountText(a.value), a.words})
			}
		}
	}
}

// exchangedDigit is the confidence of an amount of which a digit was exchanged.
const exchangedDigit = 0.65

func putTotal(b *builder, pointer string, t total, confidence float64) {
	switch {
	case !t.known:
	case t.from != nil && t.from.readAs != "":
		f := b.put(pointer, amountText(t.value), t.from.words, min(confidence, exchangedDigit))
		b.alternatives(f, printed{t.from.readAs, t.from.words})
	case t.from != nil:
		b.put(pointer, amountText(t.value), t.from.words, confidence)
	default:
		b.compute(pointer, amountText(t.value), confidence-0.03)
	}
}

func (d *document) putVat(b *builder) {
	for i, row := range d.vat {
		at := fmt.Sprintf("/vatBreakdowns/%d", i)
		putTotal(b, at+"/taxableAmount", row.base, 0.97)
		putTotal(b, at+"/taxAmount", row.tax, 0.97)
		switch {
		case row.category.value != "":
			b.put(at+"/categoryCode", row.category.value, row.category.words, 0.8)
			b.put(at+"/exemptionReasonText", textOf(row.category.words), row.category.words, 0.7)
			b.put(at+"/rate", "0", row.category.words, 0.8)
		case len(row.printed) > 0:
			b.put(at+"/rate", decimalText(row.rate, 0), row.printed, 0.97)
			if row.rate > 0 {
				b.put(at+"/categoryCode", "S", row.printed, 0.9)
			}
		}
	}
}

func (d *document) putLine(b *builder, i int) {
	l := &d.lines[i]
	at := fmt.Sprintf("/lines/%d", i)
	confidence := 0.7
	if l.isFixed {
		confidence = 0.95
	}
	if position := l.texts["position"]; len(position) == 1 && len(position[0].Text) <= 12 {
		b.put(at+"/identifier", strings.Trim(position[0].Text, ". "), position, 0.9)
	} else {
		b.compute(at+"/identifier", fmt.Sprint(i+1), 0.7)
	}
	put := func(pointer, field string) {
		switch n, ok := l.numbers[field]; {
		case !ok:
		case n.computed:
			b.compute(at+pointer, n.decimal(), exchangedDigit)
		case n.readAs != "":
			f := b.put(at+pointer, n.decimal(), n.words, exchangedDigit)
			b.alternatives(f, printed{n.readAs, n.words})
		default:
			b.put(at+pointer, n.decimal(), n.words, confidence)
		}
	}
	put("/invoicedQuantity", "quantity")
	if unit := l.unit(); len(unit.words) > 0 {
		b.put(at+"/invoicedQuantityUnitCode", unit.value, unit.words, 0.9)
	}
	if !d.grossLines {
		put("/netAmount", "lineNet")
		if l.netPrice != 0 {
			put("/price/grossPrice", "unitPrice")
			b.compute(at+"/price/discount", decimalText(l.numbers["unitPrice"].value-l.netPrice, 0), confidence)
			b.compute(at+"/price/netPrice", decimalText(l.netPrice, 0), confidence)
		} else {
			put("/price/netPrice", "unitPrice")
		}
		d.putLineAllowance(b, at, l)
	}
	if l.perWords != nil && !d.grossLines {
		b.put(at+"/price/baseQuantity", l.per.decimal(), l.perWords, confidence)
	}
	d.putLineVat(b, at, l)
	b.put(at+"/item/name", textOf(l.name), l.name, confidence-0.1)
	if article := l.texts["article"]; len(article) > 0 {
		b.put(at+"/item/sellerIdentifier", textOf(article), article, 0.85)
	}
	var more []*word
	for _, row := range l.more {
		more = append(more, row...)
	}
	b.put(at+"/item/description", textOf(more), more, 0.6)
}

// putLineAllowance adds the amount by which the line is less than quantity times price
// (BG-27), where the row has it as a discount.
func (d *document) putLineAllowance(b *builder, at string, l *line) {
	if l.allowance == 0 {
		return
	}
	discount := l.numbers["discount"]
	if discount.percent {
		b.compute(at+"/allowances/0/amount", amountText(l.allowance), 0.9)
		b.put(at+"/allowances/0/percentage", decimalText(abs(discount.value), 0), discount.words, 0.9)
	} else {
		b.put(at+"/allowances/0/amount", amountText(l.allowance), discount.words, 0.9)
	}
	b.compute(at+"/allowances/0/baseAmount", amountText(toCent(times(l.numbers["quantity"].value, l.numbers["unitPrice"].value))), 0.9)
}

// putLineVat adds the VAT rate of a line: that in its row, or the
// only one there is, or the one that the bases of the breakdown leave it.
func (d *document) putLineVat(b *builder, at string, l *line) {
	if n, ok := l.numbers["vatRate"]; ok {
		b.put(at+"/vat/rate", decimalText(n.value, 0), n.words, 0.95)
		if n.value > 0 {
			b.put(at+"/vat/categoryCode", "S", n.words, 0.9)
		}
		return
	}
	group := l.vatGroup
	if len(d.vat) == 1 {
		group = 1
	}
	if group == 0 {
		return
	}
	row := d.vat[group-1]
	switch {
	case row.category.value != "":
		b.compute(at+"/vat/categoryCode", row.category.value, 0.75)
		b.compute(at+"/vat/rate", "0", 0.75)
	case len(row.printed) > 0:
		b.compute(at+"/vat/rate", decimalText(row.rate, 0), 0.9)
		if row.rate > 0 {
			b.compute(at+"/vat/categoryCode", "S", 0.85)
		}
	}
}
