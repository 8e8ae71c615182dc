package parse

import (
	"fmt"
	"strings"

	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/pdf/text"
	"einvoice/model/numeral"
	"einvoice/model/problem"
)

// fewWords is how many words a page may have and yet be none that can be read: a page
// number, or a stamp on a scan.
const fewWords = 8

// checkText refuses pages that show no text, or too much.
func checkText(sheets []text.Sheet, limits Limits) error {
	all, pictured, recognised := 0, []string{}, []string{}
	for i := range sheets {
		s := &sheets[i]
		all += len(s.Words)
		switch {
		case s.Recognised:
			recognised = append(recognised, fmt.Sprint(i+1))
		case s.Pictured > leastPictured:
			pictured = append(pictured, fmt.Sprint(i+1))
		}
	}
	switch {
	case all > limits.Words:
		return tooManyWords(limits)
	case all > fewWords:
		return nil
	case len(recognised) > 0:
		return &problem.Error{
			Code: CodeNoText, Message: fmt.Sprintf("in the picture of page %s, %s could be recognised", strings.Join(recognised, ", "), numeral.Count(all, "word")),
			Remedy: "send the page upright, sharp and with 200 to 300 pixels per inch",
		}
	case len(pictured) > 0:
		return noOCR(strings.Join(pictured, ", "))
	}
	return &problem.Error{
		Code: CodeNoText, Message: fmt.Sprintf("the PDF has %s with %s and no picture, so there is nothing to read", numeral.Count(len(sheets), "page"), numeral.Count(all, "word")),
		Remedy: "send the PDF that shows the invoice",
	}
}

func tooManyWords(limits Limits) error {
	return &problem.Error{
		Code: CodeLimit, Message: fmt.Sprintf("the pages have more than the %d words that are read", limits.Words),
		Remedy: "send the pages of one invoice",
	}
}

// missing is what pages lack that have one of three things at most: a title, a number and a total. It is said whole,
// because an "and" between parts that are translated would be a second language.
var missing = map[[3]bool]string{
	{false, false, true}:  "a title such as Invoice and an invoice number",
	{false, true, false}:  "a title such as Invoice and a total",
	{true, false, false}:  "an invoice number and a total",
	{false, false, false}: "a title such as Invoice and an invoice number and a total",
}

// checkInvoice refuses a document of another kind.
func (d *document) checkInvoice() error {
	if d.title.Kind != "" {
		return &problem.Error{
			Code: CodeNotInvoice, Message: fmt.Sprintf("the document is %s: it says %q", titles[d.title.Kind].article, layout.TextOf(d.title.Words)),
			Remedy: "send an invoice or a credit note",
		}
	}
	_, numbered := d.head.Claims["number"]
	missed, lacks := missing[[3]bool{d.title.Found, numbered, d.Chain.Gross.Known || d.Chain.Net.Known}]
	unnamed := !d.title.Found && !d.Chain.Closes // amounts alone, as in a list of prices
	if lacks && (unnamed || !d.Chain.Gross.Known) {
		return &problem.Error{
			Code: CodeNotInvoice, Message: "this is not an invoice that can be recognised: the pages lack " + missed,
			Remedy: "send an invoice or a credit note",
		}
	}
	if !d.title.Own && !d.title.Called && !d.head.CallsInvoice(d.Layout) && !d.asksToPay() && !d.citesItself() {
		return &problem.Error{
			Code: CodeNotInvoice, Message: "this is not an invoice that can be recognised: neither a title nor the label of a number calls it one",
			Remedy: "send an invoice or a credit note",
		}
	}
	return nil
}

// asksToPay reports whether a page that nothing heads has what invoices alone have together: a number and a
// total with a day to pay by; an account to pay to and totals that add up, with a number or a day to pay by; an
// account and a word that asks for a payment with net total, VAT and their sum, where nothing speaks of another
// document; or a sentence that bills, with a number, or with a total and an account or totals that add up.
func (d *document) asksToPay() bool {
	_, hasAccount := d.head.Claims["iban"]
	for range d.accounts() {
		hasAccount = true
		break
	}
	hasNumber, hasDay := d.head.HasOwn(d.Layout, "number"), d.head.HasOwn(d.Layout, "dueDate")
	return hasNumber && hasDay && d.Chain.Gross.Known ||
		hasAccount && d.Chain.Closes && (hasNumber || hasDay) ||
		hasAccount && d.printsTotals() && header.AsksForPayment(d.Layout) && !header.SpeaksOfAnother(d.Layout) ||
		(hasNumber || d.Chain.Gross.Known && (hasAccount || d.Chain.Closes)) && header.Bills(d.Layout)
}
