// Package printed finds what an invoice says on the pages of the PDF that it is attached to.
package printed

import (
	"regexp"
	"strings"
	"unicode"

	"einvoice/model"
)

// leastText is how many letters and digits pages have that show an invoice. Fewer
// are those of a picture with a stamp or a page number on it.
const leastText = 20

// AmountDue looks for the amount due (BT-115) on pages, given as their texts. It returns nil where
// nothing can be said: the invoice has no such amount, or the pages have too little text.
func AmountDue(pages []string, invoice *model.Invoice) *model.PrintedText {
	text := strings.Join(pages, "\n")
	if invoice.Totals == nil || !invoice.Totals.AmountDueForPayment.Valid || !readable(text) {
		return nil
	}
	found := amountPattern(invoice.Totals.AmountDueForPayment.Value).FindStringSubmatch(text)
	if found == nil {
		return &model.PrintedText{}
	}
	return &model.PrintedText{AmountDue: model.NewText(found[1])}
}

func readable(text string) bool {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if n++; n >= leastText {
				return true
			}
		}
	}
	return false
}

// amountPattern matches an amount as people write it: with a point, a comma or
// nothing between groups of three digits, a comma or a point before two digits or
// as many as the amount has, and without these where they are zeros. Its sign may
// stand before or after it, or be brackets, and is not looked at.
func amountPattern(amount model.Decimal) *regexp.Regexp {
	const group, digit = `[.,'’ \x{a0}\x{2009}\x{202f}]?`, `[.,·]`
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(amount.String(), "-"), ".")
	fraction = strings.TrimRight(fraction, "0")
	var b strings.Builder
	b.WriteString(`(?:^|[^0-9.,'’]|(?:^|[^0-9])[.,'’])(`)
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(group)
		}
		b.WriteRune(c)
	}
	if len(fraction) == 1 {
		fraction += "0"
	}
	if fraction == "" {
		b.WriteString(`(?:` + digit + `(?:0+|-|–|—))?`)
	} else {
		b.WriteString(digit + fraction + `0*`)
	}
	b.WriteString(`)(?:$|[^0-9.,]|[.,](?:$|[^0-9]))`)
	return regexp.MustCompile(b.String())
}
