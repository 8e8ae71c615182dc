package parse

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/lines"
	"einvoice/formats/parse/parties"
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

// guessed is the confidence of a VAT identifier that is the buyer's because another one is the
// seller's.
const guessed = 0.6

// nearly is how much less the label of a rival counts that is nearly as good.
const nearly = 0.1

// build makes the result of what was found out, but for its confidences and the review.
func (d *document) build() *builder {
	b := &builder{
		result: &Result{Invoice: &model.Invoice{}, Fields: map[string]*Field{}, Kind: d.kind(), Review: []Review{}, sheets: d.Layout.Pages},
		sheets: d.Layout.Pages, byModel: d.byModel, document: d, rivalled: map[string]bool{}, byCode: map[string]bool{},
	}
	if d.title.Found {
		code, sure := d.title.TypeCode()
		b.put("/typeCode", code, d.title.Words, sure)
	}
	b.put("/currencyCode", d.Currency.Value, d.Currency.Words, 0.95)
	b.rivalled["/currencyCode"] = d.SharedSign
	for _, term := range headerTerms {
		c, ok := d.head.Claims[term.field]
		if !ok || term.field == "precedingInvoice" && c.Value == d.head.Claims["number"].Value { // as of Corrected invoice 17, its title
			continue
		}
		f := b.put(term.pointer, c.Value, c.Words, 0.55+0.32*c.Score)
		for _, other := range d.head.Alternatives[term.field] {
			b.alternatives(f, candidate.Printed{Value: other.Value, Words: other.Words})
			b.rivalled[term.pointer] = b.rivalled[term.pointer] || other.Score > c.Score-nearly
		}
	}
	if c, ok := d.head.Claims["period"]; ok {
		start, end, _ := strings.Cut(c.Value, "/")
		b.put("/invoicingPeriod/startDate", start, c.Words, 0.85)
		b.put("/invoicingPeriod/endDate", end, c.Words, 0.85)
	}
	d.putParties(b)
	d.putPayment(b)
	d.putTotals(b)
	d.putVat(b)
	nets := d.NetsOfGross()
	for i := range d.Lines {
		d.putLine(b, i)
		d.putNetOfGross(b, i, nets)
	}
	return b
}

// pageList are the pages of a file.
func pageList(sheets []text.Sheet) []Page {
	pages := []Page{}
	for i := range sheets {
		s := &sheets[i]
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
		found := d.ByRole[p.role]
		if found == nil {
			continue
		}
		f := b.put(p.at+"/name", found.Name.Value, found.Name.Words, 0.35+0.45*found.Score)
		b.alternatives(f, found.Others...)
		if p.role == "seller" {
			b.put("/seller/additionalLegalInformation", d.Legal.Value, d.Legal.Words, 0.85)
		}
		ofVatID := 0.95
		if found.GuessedVatID {
			ofVatID = guessed
		}
		b.put(p.at+"/vatIdentifier", found.VatID.Value, found.VatID.Words, ofVatID)
		putAddress(b, p.at+"/postalAddress", &found.Address)
		if country := found.Address.Country.Value; country == "" && found.VatID.Value != "" && found.Address.City.Value != "" {
			b.put(p.at+"/postalAddress/countryCode", countryOfVatID(found.VatID.Value), found.VatID.Words, 0.85)
		}
	}
	d.putCountryOfBuyer(b)
	if to := d.ByRole["shipTo"]; to != nil {
		b.put("/delivery/partyName", to.Name.Value, to.Name.Words, 0.8)
		putAddress(b, "/delivery/address", &to.Address)
	}
	if payee := d.ByRole["payee"]; payee != nil {
		b.put("/payee/name", payee.Name.Value, payee.Name.Words, 0.8)
	}
}

// putCountryOfBuyer adds the country of a buyer whose address and VAT identifier name none: letters within a country do not. It is
// the seller's where the postal code has the form of that country.
func (d *document) putCountryOfBuyer(b *builder) {
	seller, buyer := orNone(d.ByRole["seller"]), orNone(d.ByRole["buyer"])
	if buyer.Address.City.Value == "" || buyer.Address.Country.Value != "" || buyer.VatID.Value != "" {
		return
	}
	country := seller.Address.Country.Value
	if country == "" && seller.VatID.Value != "" {
		country = countryOfVatID(seller.VatID.Value)
	}
	if shape := lexicon.Words().PostCodes[country]; shape.Regexp != nil && shape.MatchString(buyer.Address.PostCode.Value) {
		b.compute("/buyer/postalAddress/countryCode", country, 0.6)
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

func putAddress(b *builder, at string, a *parties.Address) {
	for _, part := range []struct {
		name string
		of   candidate.Printed
	}{{"line1", a.Line1}, {"line2", a.Line2}, {"city", a.City}, {"postCode", a.PostCode}, {"countryCode", a.Country}} {
		b.put(at+"/"+part.name, part.of.Value, part.of.Words, 0.85)
	}
}

// putPayment adds each IBAN as a credit transfer (UNTDID 4461 code 30).
func (d *document) putPayment(b *builder) {
	c, ok := d.head.Claims["iban"]
	if !ok {
		for _, account := range d.accounts() {
			c, ok = header.Claim{Value: account.Value, Words: account.Words}, true
			break
		}
	}
	if !ok {
		return
	}
	broken := c
	c, isBroken := d.wholeBefore(c)
	const at = meansAt
	confidence := 0.85
	if model.HasCheckDigits(c.Value) {
		confidence = 0.98
	}
	b.put(at+"/typeCode", "30", c.Words, 0.6)
	f := b.put(accountAt, c.Value, c.Words, confidence)
	b.misread(f, c.Words)
	others, apart := d.otherAccounts(c.Value, c.Words)
	b.alternatives(f, others...)
	b.rivalled[accountAt] = apart || isBroken
	if isBroken {
		b.alternatives(f, candidate.Printed{Value: broken.Value, Words: broken.Words})
	}
	if bic, ok := d.head.Claims["bic"]; ok {
		b.put(at+"/creditTransfers/0/serviceProviderIdentifier", bic.Value, bic.Words, 0.9)
	}
	if name, ok := d.head.Claims["accountName"]; ok {
		b.put(at+"/creditTransfers/0/accountName", name.Value, name.Words, 0.8)
	}
}

// wholeBefore is the first account with right check digits in the place of a printed one with wrong ones, where there is one:
// nobody can pay to the other. What was recognised in a picture may be misread, and stays.
func (d *document) wholeBefore(c header.Claim) (account header.Claim, isBroken bool) {
	if model.HasCheckDigits(c.Value) || len(c.Words) == 0 || d.Layout.Pages[c.Words[0].Page-1].Recognised {
		return c, false
	}
	for _, whole := range d.accounts() {
		if model.HasCheckDigits(whole.Value) {
			return header.Claim{Value: whole.Value, Words: whole.Words}, true
		}
	}
	return c, false
}

// accounts yields the accounts on the pages that are not debited, with their rows.
func (d *document) accounts() iter.Seq2[*layout.Row, candidate.Printed] {
	return func(yield func(*layout.Row, candidate.Printed) bool) {
		for _, r := range d.Layout.Rows {
			for i := range r.Words {
				if iban, words := d.AccountAt(r, i); len(words) > 0 && !d.IsDebited(r, i) && !yield(r, candidate.Printed{Value: iban, Words: words}) {
					return
				}
			}
		}
	}
}

// otherAccounts are other accounts than one, with right check digits, that are not debited. They are apart where one of
// them may be that of somebody else: the accounts of a seller stand together in a list, and that of a factor elsewhere or
// in a sentence.
func (d *document) otherAccounts(account string, of []*layout.Word) (others []candidate.Printed, apart bool) {
	at := d.Layout.RowOf(of[0])
	isOwnSaid := at != nil && isOfSentence(d.Layout, at, slices.Index(at.Words, of[0]))
	for r, other := range d.accounts() {
		if other.Value == account || !model.HasCheckDigits(other.Value) {
			continue
		}
		isFar := at == nil || r.Page != at.Page || r.Index < at.Index-rowsTogether || r.Index > at.Index+rowsTogether
		apart = apart || isFar || isOwnSaid || isOfSentence(d.Layout, r, slices.Index(r.Words, other.Words[0]))
		others = append(others, other)
	}
	return others, apart
}

// isOfSentence reports whether words in small letters, which are more than labels and the names of banks have, lead to a
// word of a row, in its cell or the one above.
func isOfSentence(l *layout.Layout, r *layout.Row, word int) bool {
	const (
		least   = 3 // words
		letters = 3 // of each
		same    = 3 // points
	)
	if word < 0 {
		return false
	}
	own := &r.Cells[r.CellAt(word)]
	before := r.Words[own.First:word]
	if r.Index > 0 && l.Rows[r.Index-1].Page == r.Page && r.Top-l.Rows[r.Index-1].Bottom < r.Height() {
		for _, c := range l.Rows[r.Index-1].Cells {
			if math.Abs(c.Left-own.Left) < same {
				before = slices.Concat(c.Words(), before)
			}
		}
	}
	n := 0
	for _, w := range before {
		if first, _ := utf8.DecodeRuneInString(w.Text); unicode.IsLower(first) && utf8.RuneCountInString(w.Text) >= letters {
			n++
		}
	}
	return n >= least
}

// rowsTogether is how many rows below each other have the accounts of a seller.
const rowsTogether = 3

func (d *document) putTotals(b *builder) {
	c := &d.Chain
	confidence := 0.6
	if c.Closes {
		confidence = 0.98
	}
	for name, of := range c.Named() {
		putTotal(b, totalsAt+name, of, confidence)
	}
	if c.Closes {
		return
	}
	for _, t := range []struct{ pointer, field string }{{"/totals/totalAmountWithoutVat", "net"}, {"/totals/taxTotalAmount", "vat"}, {"/totals/totalAmountWithVat", "gross"}} {
		for i := range d.Amounts {
			if a := &d.Amounts[i]; a.Labels[t.field] > 0.5 {
				b.alternatives(b.result.Fields[t.pointer], candidate.Printed{Value: candidate.AmountText(a.Value), Words: a.Words})
			}
		}
	}
}

// exchangedDigit is the confidence of an amount of which a digit was exchanged.
const exchangedDigit = 0.65

func putTotal(b *builder, pointer string, t candidate.Total, confidence float64) {
	switch {
	case !t.Known:
	case t.From != nil && t.From.ReadAs != "":
		f := b.put(pointer, candidate.AmountText(t.Value), t.From.Words, min(confidence, exchangedDigit))
		b.alternatives(f, candidate.Printed{Value: t.From.ReadAs, Words: t.From.Words})
	case t.From != nil:
		b.put(pointer, candidate.AmountText(t.Value), t.From.Words, confidence)
	default:
		b.compute(pointer, candidate.AmountText(t.Value), confidence-0.03)
	}
}

// outsideOfVat is the category of what is not subject to VAT. It has no rate (BR-O-05), not even zero.
const outsideOfVat = "O"

func (d *document) putVat(b *builder) {
	for i, row := range d.Vat {
		at := fmt.Sprintf("/vatBreakdowns/%d", i)
		putTotal(b, at+"/taxableAmount", row.Base, 0.97)
		putTotal(b, at+"/taxAmount", row.Tax, 0.97)
		switch {
		case row.Category.Value != "":
			b.put(at+"/categoryCode", row.Category.Value, row.Category.Words, 0.8)
			b.put(at+"/exemptionReasonText", layout.TextOf(row.Category.Words), row.Category.Words, 0.7)
			if row.Category.Value != outsideOfVat {
				b.put(at+"/rate", "0", row.Category.Words, 0.8)
			}
		case len(row.Printed) > 0:
			b.put(at+"/rate", candidate.DecimalText(row.Rate, 0), row.Printed, 0.97)
			if row.Rate > 0 {
				b.put(at+"/categoryCode", "S", row.Printed, 0.9)
			}
		}
	}
}

func (d *document) putLine(b *builder, i int) {
	l := &d.Lines[i]
	at := fmt.Sprintf("/lines/%d", i)
	confidence := 0.7
	if l.IsFixed {
		confidence = 0.95
	}
	if position := l.Texts["position"]; len(position) == 1 && len(position[0].Text) <= 12 {
		b.put(at+"/identifier", strings.Trim(position[0].Text, ". "), position, 0.9)
	} else {
		b.compute(at+"/identifier", fmt.Sprint(i+1), 0.7)
	}
	put := func(pointer, field string) {
		switch n, ok := l.Numbers[field]; {
		case !ok:
		case n.Computed:
			b.compute(at+pointer, n.Decimal(), exchangedDigit)
		case n.ReadAs != "":
			f := b.put(at+pointer, n.Decimal(), n.Words, exchangedDigit)
			b.alternatives(f, candidate.Printed{Value: n.ReadAs, Words: n.Words})
		default:
			b.put(at+pointer, n.Decimal(), n.Words, confidence)
		}
	}
	put("/invoicedQuantity", "quantity")
	if unit := l.Unit(); len(unit.Words) > 0 {
		b.put(at+"/invoicedQuantityUnitCode", unit.Value, unit.Words, 0.9)
	}
	if !d.GrossLines {
		put("/netAmount", "lineNet")
		if l.NetPrice != 0 {
			put("/price/grossPrice", "unitPrice")
			b.compute(at+"/price/discount", candidate.DecimalText(l.Numbers["unitPrice"].Value-l.NetPrice, 0), confidence)
			b.compute(at+"/price/netPrice", candidate.DecimalText(l.NetPrice, 0), confidence)
		} else {
			put("/price/netPrice", "unitPrice")
		}
		d.putLineAllowance(b, at, l)
	}
	if l.PerWords != nil && !d.GrossLines {
		b.put(at+"/price/baseQuantity", l.Per.Decimal(), l.PerWords, confidence)
	}
	d.putLineVat(b, at, l)
	b.put(at+"/item/name", layout.TextOf(l.Name), l.Name, confidence-0.1)
	if article := l.Texts["article"]; len(article) > 0 {
		b.put(at+"/item/sellerIdentifier", layout.TextOf(article), article, 0.85)
	}
	var more []*layout.Word
	for _, row := range l.More {
		more = append(more, row...)
	}
	b.put(at+"/item/description", layout.TextOf(more), more, 0.6)
}

// putLineAllowance adds the amount by which the line is less than quantity times price
// (BG-27), where the row has it as a discount.
func (d *document) putLineAllowance(b *builder, at string, l *lines.Line) {
	if l.Allowance == 0 {
		return
	}
	discount := l.Numbers["discount"]
	if discount.Percent {
		b.compute(at+"/allowances/0/amount", candidate.AmountText(l.Allowance), 0.9)
		b.put(at+"/allowances/0/percentage", candidate.DecimalText(candidate.Abs(discount.Value), 0), discount.Words, 0.9)
	} else {
		b.put(at+"/allowances/0/amount", candidate.AmountText(l.Allowance), discount.Words, 0.9)
	}
	b.compute(at+"/allowances/0/baseAmount", candidate.AmountText(candidate.ToCent(candidate.Times(l.Numbers["quantity"].Value, l.Numbers["unitPrice"].Value))), 0.9)
}

// categoryWithoutVat is the category of the only group of the breakdown with a rate of 0; "" where
// there are several, or the pages do not say it.
func (d *document) categoryWithoutVat() string {
	groups, category := 0, ""
	for _, row := range d.Vat {
		if row.Rate == 0 {
			groups, category = groups+1, row.Category.Value
		}
	}
	if groups > 1 {
		return ""
	}
	return category
}

// putLineVat adds the VAT rate of a line: that in its row, or the
// only one there is, or the one that the bases of the breakdown leave it.
func (d *document) putLineVat(b *builder, at string, l *lines.Line) {
	isOutside := len(d.Vat) == 1 && d.Vat[0].Category.Value == outsideOfVat
	if n, ok := l.Numbers["vatRate"]; ok && !(isOutside && n.Value == 0) {
		b.put(at+"/vat/rate", candidate.DecimalText(n.Value, 0), n.Words, 0.95)
		if n.Value > 0 {
			b.put(at+"/vat/categoryCode", "S", n.Words, 0.9)
		} else if category := d.categoryWithoutVat(); category != "" {
			b.compute(at+"/vat/categoryCode", category, 0.75)
		}
		return
	}
	group := l.VatGroup
	if len(d.Vat) == 1 {
		group = 1
	}
	if group == 0 {
		return
	}
	row := d.Vat[group-1]
	switch {
	case row.Category.Value != "":
		b.compute(at+"/vat/categoryCode", row.Category.Value, 0.75)
		if row.Category.Value != outsideOfVat {
			b.compute(at+"/vat/rate", "0", 0.75)
		}
	case len(row.Printed) > 0:
		b.compute(at+"/vat/rate", candidate.DecimalText(row.Rate, 0), 0.9)
		if row.Rate > 0 {
			b.compute(at+"/vat/categoryCode", "S", 0.85)
		}
	}
}
