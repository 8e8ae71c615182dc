package compose

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"

	"rsc.io/qr"
)

// A creditTransfer is a SEPA credit transfer for a QR code (EPC069-12).
type creditTransfer struct {
	bic, name, iban, amount string
	reference               string // a creditor reference (ISO 11649); empty if there is none
	text                    string // unstructured remittance information; empty if there is none
}

// Limits of EPC069-12.
const (
	maxNameLength = 70
	maxTextLength = 140
	maxModules    = 4*13 + 17 // of version 13
)

var (
	maxAmount = model.MustDecimal("999999999.99")
	cents     = model.MustDecimal("0.00") // added to an amount, it gives two digits after the point
)

// transferOf is the credit transfer that pays an invoice; nil if the invoice asks for
// none, or for one that the QR code cannot express.
func transferOf(inv *model.Invoice, l *layout.Layout) *creditTransfer {
	if inv.Payment == nil || inv.Totals == nil || inv.CurrencyCode.Raw != "EUR" ||
		slices.Contains(l.Payment.Refunds, inv.TypeCode.Raw) {
		return nil
	}
	due := inv.Totals.AmountDueForPayment
	if !due.Valid || due.Value.Sign() <= 0 || due.Value.Cmp(maxAmount) > 0 ||
		!due.Value.RoundHalfUp(2).Equal(due.Value) || due.Currency.Present && due.Currency.Raw != "EUR" {
		return nil
	}
	for i := range inv.Payment.Means {
		means := &inv.Payment.Means[i]
		if !slices.Contains(l.Payment.Transfers, means.TypeCode.Raw) {
			continue
		}
		for j := range means.CreditTransfers {
			if t := transferTo(&means.CreditTransfers[j], inv); t != nil && slices.Contains(l.Payment.Sepa, t.iban[:2]) {
				return t
			}
		}
	}
	return nil
}

func transferTo(account *model.CreditTransfer, inv *model.Invoice) *creditTransfer {
	t := &creditTransfer{
		iban:   compact(account.AccountIdentifier.Raw),
		bic:    compact(account.ServiceProviderIdentifier.Raw),
		amount: inv.Totals.AmountDueForPayment.Value.RoundHalfUp(2).Add(cents).String(),
		name:   oneLine(account.AccountName.Raw),
		text:   oneLine(inv.Payment.RemittanceInformation.Raw),
	}
	if !isIBAN(t.iban) {
		return nil
	}
	if !isBIC(t.bic) {
		t.bic = "" // it is optional
	}
	if t.name == "" && inv.Payee != nil {
		t.name = oneLine(inv.Payee.Name.Raw)
	}
	if t.name == "" && inv.Seller != nil {
		t.name = oneLine(inv.Seller.Name.Raw)
	}
	if t.name == "" {
		return nil
	}
	if runes := []rune(t.name); len(runes) > maxNameLength {
		t.name = strings.TrimSpace(string(runes[:maxNameLength]))
	}
	if t.text == "" || utf8.RuneCountInString(t.text) > maxTextLength {
		t.text = oneLine(inv.Number.Raw)
	}
	if utf8.RuneCountInString(t.text) > maxTextLength {
		t.text = ""
	}
	if isCreditorReference(compact(t.text)) {
		t.reference, t.text = compact(t.text), ""
	}
	return t
}

// payload is the content of the QR code: a line each for service tag, version,
// character set (UTF-8), identification, BIC, name, IBAN, amount, purpose, reference
// and text.
func (t *creditTransfer) payload() string {
	lines := []string{"BCD", "002", "1", "SCT", t.bic, t.name, t.iban, "EUR" + t.amount, "", t.reference, t.text}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

var errTooMuch = errors.New("the transfer does not fit into a code of version 13")

// code is the QR code, without the text if it would be too large with it.
func (t *creditTransfer) code() (*qr.Code, error) {
	code, err := qr.Encode(t.payload(), qr.M)
	if err == nil && code.Size > maxModules {
		short := *t
		short.text = ""
		code, err = qr.Encode(short.payload(), qr.M)
	}
	if err == nil && code.Size > maxModules {
		err = errTooMuch
	}
	return code, err
}

func compact(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }

func oneLine(s string) string { return strings.Join(strings.Fields(typeset.Clean(s)), " ") }

// isIBAN checks form and check digits (ISO 13616).
func isIBAN(s string) bool {
	return len(s) >= 15 && len(s) <= 34 && letters(s[:2]) && model.HasCheckDigits(s)
}

// groupedIBAN is an IBAN in groups of four, as it is printed (ISO 13616); any other
// account as it is written.
func groupedIBAN(s string) string {
	iban := compact(s)
	if len(iban) < 5 || !isIBAN(iban) {
		return typeset.Solid(typeset.Clean(s))
	}
	var b strings.Builder
	for i := 0; i < len(iban); i += 4 {
		if i > 0 {
			b.WriteRune(typeset.NoBreakSpace)
		}
		b.WriteString(iban[i:min(i+4, len(iban))])
	}
	return b.String()
}

// isCreditorReference checks form and check digits (ISO 11649).
func isCreditorReference(s string) bool {
	return len(s) > 4 && len(s) <= 25 && strings.HasPrefix(s, "RF") && model.HasCheckDigits(s)
}

// isBIC checks the form (ISO 9362).
func isBIC(s string) bool {
	if len(s) != 8 && len(s) != 11 || !letters(s[4:6]) {
		return false
	}
	for i := range len(s) {
		if !digit(s[i]) && !letters(s[i:i+1]) {
			return false
		}
	}
	return true
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func letters(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}
