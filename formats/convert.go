package formats

import (
	"cmp"
	"fmt"
	"slices"

	"einvoice/formats/binding"
	"einvoice/model"
)

// A Target is what Write and Convert make.
type Target struct {
	Syntax model.Syntax
	// CreditNote reports whether a type code (BT-3) is that of a credit note, for
	// which UBL has a document of its own. Which codes are is a fact of the rules,
	// so the caller brings it; without it everything is an invoice.
	CreditNote func(typeCode string) bool
}

// A Conversion is a document that was made from an invoice.
type Conversion struct {
	Data   []byte
	Syntax model.Syntax
	Root   string // name of the root element with its conventional prefix
	// Losses are all differences between the source and the document.
	Losses []Loss
}

// A Loss is something that the source has and the result has not, or not as it
// was, or the other way round.
type Loss struct {
	Kind   binding.Kind `json:"kind"`
	Line   int          `json:"line,omitempty"` // in the source document, from 1
	Column int          `json:"column,omitempty"`
	Path   string       `json:"path,omitempty"`   // XPath in the source document
	Field  string       `json:"field,omitempty"`  // of the invoice, if it is a term
	BTCode string       `json:"btCode,omitempty"` // of the term
	Value  string       `json:"value"`
	Reason string       `json:"reason"`
}

// For finds the format of a syntax.
func For(syntax model.Syntax) (*binding.Format, error) {
	for _, f := range All {
		if f.Syntax == syntax {
			return f, nil
		}
	}
	return nil, fmt.Errorf("there is no format %q; there are ubl and cii", syntax)
}

// Write makes a document from an invoice. An error of type *binding.NotXML names
// the term that no document can hold.
func Write(invoice *model.Invoice, to Target) (*Conversion, error) {
	return Convert(&model.Document{Invoice: invoice}, to)
}

// Convert makes a document from the invoice of another. What the invoice did not
// take from that one, and what of the invoice has no place in the new one, is
// reported; the caller may have changed terms in between. The specification
// identifier (BT-24) is kept like everything else.
func Convert(doc *model.Document, to Target) (*Conversion, error) {
	f, err := For(to.Syntax)
	if err != nil {
		return nil, err
	}
	root := f.Root(to.CreditNote != nil && to.CreditNote(doc.Invoice.TypeCode.Raw))
	written, err := f.Write(doc.Invoice, root)
	if err != nil {
		return nil, err
	}
	c := &Conversion{Data: written.Data, Syntax: to.Syntax, Root: root}
	if doc.Source != nil {
		from, err := For(doc.Syntax)
		if err != nil {
			return nil, err
		}
		read, account, err := from.ReadAll(doc.Source)
		if err != nil {
			return nil, tooLarge(err, doc.Source)
		}
		c.add(&model.Document{Invoice: read, Syntax: doc.Syntax, Source: doc.Source}, account.Losses)
	}
	c.add(doc, written.Losses)
	c.addRoot(doc, to)
	slices.SortStableFunc(c.Losses, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c, nil
}

// add says where losses are. Their groups are those of the document's invoice.
func (c *Conversion) add(doc *model.Document, losses []binding.Loss) {
	if losses == nil {
		return
	}
	index := model.NewIndex(doc)
	for _, l := range losses {
		o := Loss{Kind: l.Kind, Value: l.Value, Reason: l.Reason}
		if l.Field != nil {
			o.BTCode = l.Field.BT
		}
		switch {
		case l.Group.Present() && l.Field != nil:
			o.Field = model.Join(index.Path(l.Group), l.Field.Name)
		case l.Group.Present():
			o.Field = index.Path(l.Group)
		case l.Kind == binding.Added:
			o.Field = pathOf(l.Field)
		}
		if doc.Source != nil && l.Ref != 0 {
			at := doc.Source.Position(l.Ref)
			o.Line, o.Column, o.Path = at.Line, at.Column, doc.Source.Path(l.Ref)
		}
		c.Losses = append(c.Losses, o)
	}
}

// addRoot tells where the source is a credit note by its root element and not by
// its type code, or the other way round: only the code is a term.
func (c *Conversion) addRoot(doc *model.Document, to Target) {
	if doc.Source == nil || to.CreditNote == nil {
		return
	}
	from, err := For(doc.Syntax)
	was := doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String()
	code := doc.Invoice.TypeCode
	if err != nil || was == from.Root(to.CreditNote(code.Raw)) {
		return
	}
	at := doc.Source.Position(doc.Source.Root().Ref())
	c.Losses = append(c.Losses, Loss{
		Kind: binding.Changed, Line: at.Line, Column: at.Column, Path: doc.Source.Path(doc.Source.Root().Ref()), Field: "typeCode", BTCode: "BT-3",
		Value: was, Reason: fmt.Sprintf("the type code %q decides what the document is", code.Raw),
	})
}

// pathOf is where a term of an absent group would be.
func pathOf(field *model.Field) string {
	for _, f := range All {
		for _, t := range f.Terms() {
			if t.Field == field {
				return t.Path
			}
		}
	}
	return ""
}

// Lost counts what the source has and the document has not.
func Lost(losses []Loss) (n int) {
	for _, l := range losses {
		if l.Kind == binding.Lost {
			n++
		}
	}
	return n
}
