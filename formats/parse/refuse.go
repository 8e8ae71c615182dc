package parse

import (
	"fmt"
	"strings"

	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/pdf/text"
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
		return &problem.Error{
			Code: CodeLimit, Message: fmt.Sprintf("the pages have %d words, more than the %d that are read", all, limits.Words),
			Remedy: "send the pages of one invoice",
		}
	case all > fewWords:
		return nil
	case len(recognised) > 0:
		return &problem.Error{
			Code: CodeNoText, Message: fmt.Sprintf("in the picture of page %s, %d words could be recognised", strings.Join(recognised, ", "), all),
			Remedy: "send the page upright, sharp and with 200 to 300 pixels per inch",
		}
	case len(pictured) > 0:
		return noOCR(strings.Join(pictured, ", "))
	}
	return &problem.Error{
		Code: CodeNoText, Message: fmt.Sprintf("the PDF has %d pages with %d words and no picture, so there is nothing to read", len(sheets), all),
		Remedy: "send the PDF that shows the invoice",
	}
}

// kinds are what documents are that are no invoices.
var kinds = map[string]string{
	"reminder": "a reminder", "offer": "an offer", "order": "an order", "orderConfirmation": "an order confirmation", "deliveryNote": "a delivery note",
	"proforma": "a pro forma invoice", "statement": "a statement of account", "remittance": "a remittance advice", "menu": "a list of prices", "dispute": "a letter about an invoice",
}

// checkInvoice refuses a document of another kind, and one of several invoices.
func (d *document) checkInvoice() error {
	if kind := kinds[d.title.Kind]; kind != "" {
		return &problem.Error{
			Code: CodeNotInvoice, Message: fmt.Sprintf("the document is %s: it says %q", kind, layout.TextOf(d.title.Words)),
			Remedy: "send an invoice or a credit note",
		}
	}
	var missed []string
	if !d.title.Found {
		missed = append(missed, "a title such as Invoice")
	}
	if _, ok := d.head.Claims["number"]; !ok {
		missed = append(missed, "an invoice number")
	}
	if !d.Chain.Gross.Known && !d.Chain.Net.Known {
		missed = append(missed, "a total")
	}
	unnamed := !d.title.Found && len(missed) == 2 && !d.Chain.Closes // amounts alone, as in a list of prices
	if len(missed) == 3 || len(missed) == 2 && !d.Chain.Gross.Known || unnamed {
		return &problem.Error{
			Code: CodeNotInvoice, Message: "this is no invoice that can be recognised: the pages lack " + strings.Join(missed, " and "),
			Remedy: "send an invoice or a credit note",
		}
	}
	return d.checkSingle()
}

// checkSingle refuses pages on which different invoice numbers are beside a label for
// them and a title.
func (d *document) checkSingle() error {
	type part struct {
		number      string
		first, last int
	}
	var parts []part
	for page := 1; page <= len(d.Layout.Pages); page++ {
		number := header.NumberOn(d.Pages, page)
		if n := len(parts); number == "" || n > 0 && parts[n-1].number == number {
			if n > 0 {
				parts[n-1].last = page
			}
			continue
		}
		parts = append(parts, part{number, page, page})
	}
	if len(parts) < 2 {
		return nil
	}
	var ranges []string
	for _, p := range parts {
		ranges = append(ranges, fmt.Sprintf("%d-%d", p.first, p.last))
	}
	return &problem.Error{
		Code: CodeSeveralInvoices, Message: fmt.Sprintf("the PDF has %d invoices, on the pages %s", len(parts), strings.Join(ranges, ", ")),
		Remedy: "send each as a PDF of its own",
	}
}
