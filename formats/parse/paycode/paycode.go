// Package paycode reads the payment codes of an invoice: QR codes as the guideline
// EPC069-12 of the European Payments Council and the Swiss QR-bill (SIX, version 2)
// lay them down.
//
//	for _, code := range paycode.Find(grey) {
//		fmt.Println(code.IBAN, code.Amount, code.Reference)
//	}
//
// Other QR codes, such as links, are not a payment codes.
package paycode

import (
	"strings"

	"einvoice/model/pattern"
)

// A Code is a payment code. What it does not have is empty.
type Code struct {
	IBAN      string // without spaces
	Amount    string // a decimal number with a point
	Currency  string // ISO 4217
	Name      string // who is paid
	Reference string // structured: ISO 11649, or the Swiss QR reference
	Text      string // for whoever is paid
	// Left, Top, Right and Bottom are around the middles of the code's three corners, as
	// shares of the picture.
	Left, Top, Right, Bottom float64
}

var (
	ibanShape   = pattern.Later(`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`)
	amountShape = pattern.Later(`^\d{1,9}(?:\.\d{1,2})?$`)
	euroShape   = pattern.Later(`^([A-Z]{3})(\d{1,9}(?:\.\d{1,2})?)$`)
)

// maxText is more than a payment code holds (331 bytes of EPC069-12, 997 of the QR-bill).
const maxText = 2000

// Parse reads the text of a QR code; false where it is not a payment code.
func Parse(text string) (Code, bool) {
	if len(text) > maxText {
		return Code{}, false
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	at := func(i int) string {
		if i < len(lines) {
			return lines[i]
		}
		return ""
	}
	var c Code
	switch {
	case at(0) == "BCD" && (at(1) == "001" || at(1) == "002") && at(3) == "SCT":
		c = Code{Name: at(5), IBAN: at(6), Reference: at(9), Text: at(10)}
		if m := euroShape().FindStringSubmatch(at(7)); m != nil {
			c.Currency, c.Amount = m[1], m[2]
		}
	case at(0) == "SPC" && strings.HasPrefix(at(1), "02"):
		c = Code{IBAN: at(3), Name: at(5), Currency: at(19), Reference: at(28), Text: at(29)}
		if amountShape().MatchString(at(18)) {
			c.Amount = at(18)
		}
	default:
		return Code{}, false
	}
	c.IBAN = strings.ToUpper(strings.ReplaceAll(c.IBAN, " ", ""))
	return c, ibanShape().MatchString(c.IBAN)
}
