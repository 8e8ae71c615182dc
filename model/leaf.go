package model

import (
	"encoding/base64"
	"strings"

	"einvoice/model/source"
)

// A Group is embedded in every struct of the model, which is a business group or a
// group of terms that belong together. Ref is the element that it was read from.
type Group struct {
	Ref source.Ref `json:"-"`
}

// Text is a leaf that is a text, identifier, code or reference, as written. A Text that
// is Present may be empty.
type Text struct {
	Raw     string
	Ref     source.Ref
	Present bool
}

// NewText makes a Text that is present.
func NewText(s string) Text { return Text{Raw: s, Present: true} }

// IsZero reports whether the term is absent.
func (t Text) IsZero() bool { return !t.Present }

// Blank reports whether the text is absent, empty or only white space.
func (t Text) Blank() bool { return trimXMLSpace(t.Raw) == "" }

// Binary is an attached document as base64 text. Decode decodes it.
type Binary struct {
	Raw     string
	Ref     source.Ref
	Present bool
}

// NewBinary makes the attachment with the given bytes.
func NewBinary(data []byte) Binary {
	return Binary{Raw: base64.StdEncoding.EncodeToString(data), Present: true}
}

// IsZero reports whether the term is absent.
func (b Binary) IsZero() bool { return !b.Present }

// Decode returns the attached bytes; white space between the characters is
// allowed, as in xs:base64Binary.
func (b Binary) Decode() ([]byte, error) {
	compact := strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, b.Raw)
	return base64.StdEncoding.DecodeString(compact)
}

// Number is a leaf that is a quantity or a percentage. If it is Present but not Valid,
// Raw is not an xs:decimal and Value has no meaning.
type Number struct {
	Raw     string
	Value   Decimal
	Ref     source.Ref
	Present bool
	Valid   bool
}

// NewNumber makes a Number that is present. It is valid if raw is an xs:decimal.
func NewNumber(raw string) Number {
	n := Number{Raw: raw, Present: true}
	n.parse()
	return n
}

// ReadNumber is NewNumber for a term that was read from a document.
func ReadNumber(raw string, ref source.Ref) Number {
	n := NewNumber(raw)
	n.Ref = ref
	return n
}

// NumberOf makes the number with the given value.
func NumberOf(d Decimal) Number {
	return Number{Raw: d.String(), Value: d, Present: true, Valid: true}
}

func (n *Number) parse() {
	d, err := ParseDecimal(n.Raw)
	n.Value, n.Valid = d, err == nil
}

// IsZero reports whether the term is absent; a present 0 is not.
func (n Number) IsZero() bool { return !n.Present }

// Amount is a Number that is an amount of money. Currency is the currency code at the
// amount, if the document has one there; otherwise the invoice's currency applies.
type Amount struct {
	Number
	Currency Text
}

// NewAmount makes an Amount that is present, without a currency.
func NewAmount(raw string) Amount { return Amount{Number: NewNumber(raw)} }

// AmountOf makes the amount with the given value.
func AmountOf(d Decimal) Amount { return Amount{Number: NumberOf(d)} }
