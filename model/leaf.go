package model

import (
	"encoding/base64"
	"strings"

	"einvoice/model/source"
)

// A Group is embedded in every struct of the model: a business group, or terms
// that belong together. Ref is the element it was read from.
type Group struct {
	Ref source.Ref `json:"-"`
}

// Text is a leaf of characters: text, identifier, code or reference, as
// written. A Text that is Present may be empty.
type Text struct {
	Raw     string
	Ref     source.Ref
	Present bool
}

// NewText is a Text that is present.
func NewText(s string) Text { return Text{Raw: s, Present: true} }

// IsZero reports whether the term is absent.
func (t Text) IsZero() bool { return !t.Present }

// Blank reports whether nothing but white space was written.
func (t Text) Blank() bool { return trimXMLSpace(t.Raw) == "" }

// Binary is an attached document as base64 text, decoded only on request.
type Binary struct {
	Raw     string
	Ref     source.Ref
	Present bool
}

// NewBinary is the attachment with the given bytes.
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

// Number is a leaf that holds a quantity or a percentage. When Present but not
// Valid, Raw is no xs:decimal and Value means nothing.
type Number struct {
	Raw     string
	Value   Decimal
	Ref     source.Ref
	Present bool
	Valid   bool
}

// NewNumber is a Number that is present; whether it is valid depends on raw.
func NewNumber(raw string) Number {
	n := Number{Raw: raw, Present: true}
	n.parse()
	return n
}

// ReadNumber is NewNumber for a term that a document held.
func ReadNumber(raw string, ref source.Ref) Number {
	n := NewNumber(raw)
	n.Ref = ref
	return n
}

// NumberOf is the number with the given value.
func NumberOf(d Decimal) Number {
	return Number{Raw: d.String(), Value: d, Present: true, Valid: true}
}

func (n *Number) parse() {
	d, err := ParseDecimal(n.Raw)
	n.Value, n.Valid = d, err == nil
}

// IsZero reports whether the term is absent; a present 0 is not.
func (n Number) IsZero() bool { return !n.Present }

// Amount is a Number of money. Currency is the currency code where the syntax
// writes one at the amount; the invoice's own applies otherwise.
type Amount struct {
	Number
	Currency Text
}

// NewAmount is an Amount that is present, without a currency of its own.
func NewAmount(raw string) Amount { return Amount{Number: NewNumber(raw)} }

// AmountOf is the amount with the given value.
func AmountOf(d Decimal) Amount { return Amount{Number: NumberOf(d)} }
