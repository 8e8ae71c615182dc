package xmlparse

import "math"

// Limits bound what one document may cost. A field that is zero has the value in
// DefaultLimits.
type Limits struct {
	Bytes      int // of the document, before decoding
	Depth      int // of nested elements
	Elements   int // in the document
	Attributes int // and namespace declarations, of one element
	Namespaces int // declarations in scope at one element
	Names      int // different names
	NameBytes  int // of one name, or of the name of a namespace
	TextBytes  int // the text of one element, or one attribute value
}

// DefaultLimits are sufficient for an invoice with attachments and thousands of lines.
// A hostile document within them costs no more than a large ordinary one.
func DefaultLimits() Limits {
	return Limits{
		Bytes:      64 << 20,
		Depth:      256,
		Elements:   4_000_000,
		Attributes: 256,
		Namespaces: 256,
		Names:      20_000,
		NameBytes:  1000,
		TextBytes:  64 << 20,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	if l == (Limits{}) {
		return d
	}
	for _, f := range []struct{ have, standard *int }{
		{&l.Bytes, &d.Bytes}, {&l.Depth, &d.Depth}, {&l.Elements, &d.Elements}, {&l.Attributes, &d.Attributes},
		{&l.Namespaces, &d.Namespaces}, {&l.Names, &d.Names}, {&l.NameBytes, &d.NameBytes}, {&l.TextBytes, &d.TextBytes},
	} {
		if *f.have <= 0 {
			*f.have = *f.standard
		}
	}
	// The tree stores the number of attributes in 16 bits and offsets in 31.
	l.Attributes = min(l.Attributes, math.MaxUint16)
	l.Bytes = min(l.Bytes, math.MaxInt32)
	return l
}
