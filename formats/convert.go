package formats

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/deadline"
	"einvoice/model/numeral"
	"einvoice/model/pattern"
	"einvoice/model/quote"
)

// An Output says what Convert makes.
type Output struct {
	Syntax model.Syntax
	// CreditNote reports whether a type code (BT-3) is that of a credit note, for
	// which UBL has a root element of its own. The caller provides it, because the
	// list of these codes belongs to the rules. Without it, every document is an
	// invoice.
	CreditNote func(typeCode string) bool
	// Unlimited means that the document may have what only newer versions of the schema
	// allow, such as several preceding invoices in CII.
	Unlimited bool
}

// A Conversion is a document that was made from an invoice.
type Conversion struct {
	Data   []byte
	Syntax model.Syntax
	Root   string // name of the root element with its conventional prefix
	// Losses are all differences between the source document, or the invoice, and
	// the document that was made.
	Losses []Loss
	moved  map[string]*binding.Moved
}

// Violated is the kind of a Loss that is a rule: the result violates it, the source does
// not. Value is the id of the rule. Package service reports it.
const Violated binding.Kind = "violated"

// A Loss is one difference: something that only the source has, that only the
// result has, or that was written in another way.
type Loss struct {
	Kind   binding.Kind `json:"kind"`
	Line   int          `json:"line,omitempty"` // in the source document, from 1
	Column int          `json:"column,omitempty"`
	Path   string       `json:"path,omitempty"`   // XPath in the source document
	Field  string       `json:"field,omitempty"`  // path in the invoice, if it is a term
	BTCode string       `json:"btCode,omitempty"` // of the term
	Value  string       `json:"value"`
	// Entries are those of a list that the loss is about as a whole, which has no Value.
	Entries int    `json:"entries,omitempty"`
	Reason  string `json:"reason"`
}

// Shown is the value in quotes, or how many entries a list has, which say says in a language.
func (l *Loss) Shown(say func(string) string) string {
	if l.Entries > 0 {
		return say(numeral.Count(l.Entries, "entry"))
	}
	return quote.Value(l.Value)
}

// Convert makes a document from the invoice of another, or of none. The losses are
// what the invoice does not have from its source document, and what the new
// document does not have from the invoice; the caller may have changed terms of
// the invoice after reading it. The specification identifier (BT-24) is kept like
// any other term. An error of type *binding.NotXML names a text that XML does not
// allow. The context ends the search for losses with its error.
func Convert(ctx context.Context, doc *model.Document, out Output) (*Conversion, error) {
	f, err := For(out.Syntax)
	if err != nil {
		return nil, err
	}
	DropShared(doc)
	root := f.Root(out.CreditNote != nil && out.CreditNote(doc.Invoice.TypeCode.Raw))
	written, err := f.Write(ctx, doc.Invoice, root, out.Unlimited)
	if err != nil {
		return nil, err
	}
	c := &Conversion{Data: written.Data, Syntax: out.Syntax, Root: root}
	if written.Moved != nil {
		index := model.NewIndex(doc)
		c.moved = map[string]*binding.Moved{}
		for _, m := range written.Moved {
			c.moved[model.Join(index.Path(m.Group), m.Field.Name)] = m
		}
	}
	if c.Losses, err = ReadLosses(ctx, doc); err != nil {
		return nil, err
	}
	if err := c.add(ctx, doc, written.Losses); err != nil {
		return nil, err
	}
	if written.Rest {
		if err := c.addMisread(ctx, doc, f); err != nil {
			return nil, err
		}
	}
	c.addRoot(doc, out)
	slices.SortStableFunc(c.Losses, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c, nil
}

// DropShared removes the groups of an invoice that only its document has, as the table of its
// syntax explains; from here on the invoice is one of any syntax.
func DropShared(doc *model.Document) {
	if doc.Source == nil {
		return
	}
	if from, err := readableAs(doc.Syntax); err == nil {
		from.DropShared(doc)
	}
}

// ReadLosses are the elements and attributes with a value of the document that an
// invoice was read from that are not in the invoice. There are none for an invoice that
// was not read from a document. An error is a *problem.Error unless the context ended.
func ReadLosses(ctx context.Context, doc *model.Document) ([]Loss, error) {
	if doc.Source == nil {
		return nil, nil
	}
	from, err := readableAs(doc.Syntax)
	if err != nil {
		return nil, err
	}
	read, usage, err := from.ReadWithUsage(ctx, doc.Source)
	if end := deadline.Err(ctx); end != nil {
		return nil, end
	}
	if err != nil {
		return nil, tooLarge(err, doc.Source)
	}
	var c Conversion
	err = c.add(ctx, &model.Document{Invoice: read, Syntax: doc.Syntax, Source: doc.Source}, usage.Losses)
	return c.Losses, err
}

// CurrencyLosses are the currencies of amounts that differ from the one that the invoice
// states for them, BT-5 or BT-6. JSON does not have them. An error is the context's.
func CurrencyLosses(ctx context.Context, doc *model.Document) ([]Loss, error) {
	var losses []binding.Loss
	eachTerm("", model.ObjectOf(doc.Invoice), func(_ string, of model.Object, f *model.Field) {
		if f.Kind != model.KindAmount || !of.Amount(f).Currency.Present {
			return
		}
		stated := doc.Invoice.CurrencyCode
		if doc.Invoice.Totals != nil && of.Amount(f) == &doc.Invoice.Totals.TaxTotalAmountInAccountingCurrency {
			stated = doc.Invoice.VatAccountingCurrencyCode
		}
		if is := of.Amount(f).Currency; strings.TrimSpace(is.Raw) != strings.TrimSpace(stated.Raw) {
			losses = append(losses, binding.Loss{
				Kind: binding.Lost, Ref: is.Ref, Group: of, Field: f, Value: is.Raw, Reason: "in JSON an amount is in the currency of the invoice",
			})
		}
	})
	var c Conversion
	err := c.add(ctx, doc, losses)
	return c.Losses, err
}

// lossesPerLook is how many losses are described between two looks at the context.
const lossesPerLook = 1 << 10

// add adds losses with their positions. Their groups belong to the document's
// invoice. The error is that of the context.
func (c *Conversion) add(ctx context.Context, doc *model.Document, losses []binding.Loss) error {
	if losses == nil {
		return nil
	}
	index := model.NewIndex(doc)
	for i, l := range losses {
		if i%lossesPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		added := Loss{Kind: l.Kind, Value: quote.Shorten(l.Value, quote.Most), Reason: l.Reason}
		if l.Field != nil {
			added.BTCode = l.Field.BT
		}
		switch {
		case l.Group.Present() && l.Field != nil:
			added.Field = model.Join(index.Path(l.Group), l.Field.Name)
		case l.Group.Present():
			added.Field = index.Path(l.Group)
		case l.Kind == binding.Added:
			added.Field = pathOf(l.Field)
		}
		if doc.Source != nil && l.Ref != 0 {
			at := doc.Source.Position(l.Ref)
			added.Line, added.Column, added.Path = at.Line, at.Column, quote.Shorten(doc.Source.Path(l.Ref), quote.LongestPath)
		}
		c.Losses = append(c.Losses, added)
	}
	return nil
}

// addRoot adds a loss if the source is a credit note by its root element and not by
// its type code, or the reverse: only the code is a term, so it decides.
func (c *Conversion) addRoot(doc *model.Document, out Output) {
	if doc.Source == nil || out.CreditNote == nil {
		return
	}
	from, err := readableAs(doc.Syntax)
	was := doc.Source.NameOf(doc.Source.Name(doc.Source.Root())).String()
	code := doc.Invoice.TypeCode
	if err != nil || was == from.Root(out.CreditNote(code.Raw)) {
		return
	}
	at := doc.Source.Position(doc.Source.Root().Ref())
	c.Losses = append(c.Losses, Loss{
		Kind: binding.Changed, Line: at.Line, Column: at.Column, Path: doc.Source.Path(doc.Source.Root().Ref()), Field: "typeCode", BTCode: "BT-3",
		Value: was, Reason: "the type code " + quote.Value(code.Raw) + " decides what the document is",
	})
}

// addMisread adds the terms that the document holds and that are read from it as
// something else: the only further note of a line, for example, is read as its first.
func (c *Conversion) addMisread(ctx context.Context, doc *model.Document, f *binding.Format) error {
	made, err := Read(c.Data, Options{Context: ctx})
	if end := deadline.Err(ctx); end != nil {
		return end // the reader's error would blame the document
	}
	if err != nil {
		return fmt.Errorf("%s that was written cannot be read: %w", f.Name, err)
	}
	known := map[string]bool{}
	for _, l := range c.Losses {
		known[withoutIndices(l.Field)] = true
	}
	read := map[string]string{}
	eachTerm("", model.ObjectOf(made.Invoice), func(path string, of model.Object, f *model.Field) { read[path] = canonical(of, f) })
	var misread []binding.Loss
	eachTerm("", model.ObjectOf(doc.Invoice), func(path string, of model.Object, field *model.Field) {
		if value, ok := read[path]; ok && value == canonical(of, field) || reported(known, withoutIndices(path)) {
			return
		}
		misread = append(misread, binding.Loss{
			Kind: binding.Changed, Ref: of.RefOf(field), Group: of, Field: field, Value: of.Raw(field),
			Reason: "a reader of " + f.Name + " takes it for another term of its kind, which comes first",
		})
	})
	if err := c.add(ctx, doc, misread); err != nil {
		return err
	}
	had := map[string]bool{}
	eachTerm("", model.ObjectOf(doc.Invoice), func(path string, _ model.Object, _ *model.Field) { had[path] = true })
	eachTerm("", model.ObjectOf(made.Invoice), func(path string, of model.Object, field *model.Field) {
		if !had[path] && !reported(known, withoutIndices(path)) {
			c.Losses = append(c.Losses, Loss{
				Kind: binding.Changed, Field: path, BTCode: field.BT, Value: of.Raw(field),
				Reason: "a reader of " + f.Name + " takes another term of its kind for it",
			})
		}
	})
	return nil
}

// reported reports whether a loss is about the term at a path, or a group around it.
func reported(known map[string]bool, path string) bool {
	for path != "" && !known[path] {
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return path != ""
}

// eachTerm calls f for every term in a group, with its path.
func eachTerm(path string, o model.Object, f func(path string, of model.Object, field *model.Field)) {
	for i := range o.Type.Fields {
		field := &o.Type.Fields[i]
		path := model.Join(path, field.Name)
		switch {
		case !o.Has(field):
		case field.Kind == model.KindGroup:
			eachTerm(path, o.Group(field), f)
		case field.Kind == model.KindList:
			for i := range o.List(field).Len() {
				eachTerm(path+"["+strconv.Itoa(i)+"]", o.List(field).At(i), f)
			}
		default:
			f(path, o, field)
		}
	}
}

// canonical is the value of a term without what its spelling alone decides.
func canonical(o model.Object, f *model.Field) string {
	switch f.Kind {
	case model.KindNumber, model.KindAmount:
		if n := o.Number(f); n.Valid {
			return n.Value.String()
		}
	case model.KindDate:
		if d := o.Date(f); d.Valid {
			return d.ISO()
		}
	}
	return strings.TrimSpace(o.Raw(f))
}

var listIndex = pattern.Later(`\[[0-9]+\]`)

func withoutIndices(path string) string { return listIndex().ReplaceAllString(path, "") }

// pathOf is the path that a term of an absent group would have.
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

// Lost counts the values of the source that the document does not have.
func Lost(losses []Loss) (n int) {
	for _, l := range losses {
		if l.Kind == binding.Lost {
			n++
		}
	}
	return n
}
