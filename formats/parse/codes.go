package parse

import (
	"image"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/paycode"
	"einvoice/formats/parse/picture"
	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// A pageCode is a payment code on a page.
type pageCode struct {
	paycode.Code
	page int // from 1
}

// codeSides are how many pixels the longer side of a picture has that is searched for codes,
// until one is found: the modules of codes, of 0.4 mm and more, have three at first. The
// library misses some codes at one size and finds them at another.
var codeSides = []int{2200, 1000, 1750, 3508}

// codesOf finds the payment codes of the picture of a page.
func codesOf(grey *image.Gray, page int) (codes []pageCode) {
	for i, side := range codeSides {
		if i > 0 && max(grey.Rect.Dx(), grey.Rect.Dy()) <= min(side, codeSides[0]) {
			continue // the same picture
		}
		for _, c := range paycode.Find(picture.Shrink(grey, side)) {
			codes = append(codes, pageCode{c, page})
		}
		if len(codes) > 0 {
			return codes
		}
	}
	return nil
}

// mentionsCode reports whether a page with text says that it has a payment code.
func mentionsCode(s *text.Sheet) bool {
	l := &layout.Layout{}
	l.AddPage(s, 1)
	for _, r := range l.Rows {
		if len(r.Find(&lexicon.Words().PaymentCodes)) > 0 {
			return true
		}
	}
	return false
}

// A CodeContradiction is where a payment code says something else than its page, or than another code.
type CodeContradiction struct {
	Pointer       string
	Page          int
	Code, Printed string
	ByCode        bool // Printed is what another code says
}

// How sure values are that a payment code says too, and those that one contradicts.
const (
	confirmed    = 0.98
	contradicted = 0.5
	fromCode     = 0.9
)

// checkCodes compares what was read with payment codes. What the pages lack is taken from
// the first code: it is on the page too, and recognised in a picture.
func (b *builder) checkCodes(codes []pageCode) {
	var accounts []pageCode
	for _, c := range codes {
		if lexicon.Words().IBANLengths[c.IBAN[:2]] == len(c.IBAN) {
			accounts = append(accounts, c)
		}
	}
	if len(accounts) == 0 {
		return
	}
	code := b.holdAccount(accounts)
	if b.result.Fields[meansAt+"/typeCode"] == nil {
		b.putCode(meansAt+"/typeCode", "30", code)
	}
	if amount, ok := codeAmount(code.Amount); ok {
		const due = totalsAt + "amountDueForPayment"
		b.hold(due, candidate.AmountText(amount), code, code.Amount)
	}
	b.checkReference(code)
}

// holdAccount compares the account of the pages with those of codes, and returns the code that is meant: the one whose
// account is printed, or else the first one.
func (b *builder) holdAccount(codes []pageCode) pageCode {
	f, unread := b.result.Fields[accountAt], b.document.unreadAccounts("")
	code := codes[0]
	for _, c := range codes {
		if f != nil && (f.Value == c.IBAN || isNearly(f.Value, c.IBAN)) || f == nil && unread.has(c.IBAN) {
			code = c
			break
		}
	}
	switch {
	case f != nil && f.Source == SourceOCR && !model.HasCheckDigits(f.Value) && model.HasCheckDigits(code.IBAN):
		taken := b.putCode(accountAt, code.IBAN, code)
		taken.Alternatives = []Alternative{{f.Value, f.Printed, f.Page, f.Box}}
		if !isNearly(f.Value, code.IBAN) {
			b.contradictCode(accountAt, taken, code, f.Value)
		}
	case f != nil:
		b.hold(accountAt, code.IBAN, code, code.IBAN)
	default:
		taken := b.putCode(accountAt, code.IBAN, code)
		if i := slices.IndexFunc(unread, func(u unreadAccount) bool { return u.isIBAN }); i >= 0 && !unread.has(code.IBAN) {
			b.contradictCode(accountAt, taken, code, unread[i].printed)
		}
		for _, other := range codes {
			if other.IBAN != code.IBAN { // nothing on the page says which is meant
				b.hold(accountAt, other.IBAN, other, other.IBAN)
			}
		}
	}
	return code
}

// contradictCode notes that a value of a code is another one than the page shows.
func (b *builder) contradictCode(pointer string, f *Field, code pageCode, printed string) {
	f.Confidence = min(f.Confidence, contradicted)
	b.result.CodeContradictions = append(b.result.CodeContradictions, CodeContradiction{pointer, code.page, f.Value, printed, false})
}

// codeAmount is the amount of a code, with a point before its cents.
func codeAmount(s string) (int64, bool) {
	var n candidate.Number
	ok := s != "" && candidate.Notation{Decimal: '.'}.Parse(s, &n) && n.Value > 0
	return n.Value, ok
}

// hold compares a value with that of a code.
func (b *builder) hold(pointer, value string, code pageCode, shown string) {
	f := b.result.Fields[pointer]
	switch {
	case f == nil:
		b.putCode(pointer, value, code)
	case f.Value == value:
		confirm(pointer, f)
	default:
		f.Confidence = min(f.Confidence, contradicted)
		f.alternative(Alternative{value, shown, code.page, code.box()})
		b.result.CodeContradictions = append(b.result.CodeContradictions, CodeContradiction{pointer, code.page, value, f.Value, b.byCode[pointer]})
	}
}

// confirm makes a value sure that a payment code says too. An account that no bank has stays unsure: page
// and code are made from the same data.
func confirm(pointer string, f *Field) {
	if !isFaulty(pointer, f.Value) {
		f.Confidence = max(f.Confidence, confirmed)
	}
}

// checkReference compares what the payer is to state (BT-83). A code may have it within a
// longer text, and there the number of the invoice too.
func (b *builder) checkReference(code pageCode) {
	const at = "/paymentInstructions/remittanceInformation"
	said := strings.TrimSpace(code.Reference + " " + code.Text)
	if said == "" {
		return
	}
	has := func(f *Field) bool {
		return f != nil && lexicon.Fold(f.Value) != "" && strings.Contains(lexicon.Fold(said), lexicon.Fold(f.Value))
	}
	if f := b.result.Fields["/number"]; has(f) {
		confirm("/number", f)
	}
	f := b.result.Fields[at]
	switch {
	case f == nil:
		b.putCode(at, said, code)
	case has(f) || strings.Contains(lexicon.Fold(f.Value), lexicon.Fold(said)):
		confirm(at, f)
	case code.Reference != "":
		b.hold(at, code.Reference, code, code.Reference)
	default: // a text in other words contradicts nothing
		f.alternative(Alternative{said, said, code.page, code.box()})
	}
}

// putCode adds the value of a code.
func (b *builder) putCode(pointer, value string, code pageCode) *Field {
	f := &Field{Value: value, Printed: value, Page: code.page, Box: code.box(), Confidence: fromCode, raw: fromCode, Source: SourceOCR}
	if isFaulty(pointer, value) {
		f.Confidence = contradicted
	}
	b.add(pointer, f)
	b.byCode[pointer] = true
	return f
}

func (c *pageCode) box() *Box {
	part := func(v float64) float64 { return float64(int(min(max(v, 0), 1)*10_000+0.5)) / 10_000 }
	return &Box{part(c.Left), part(c.Top), part(c.Right), part(c.Bottom)}
}
