package header

import (
	"maps"
	"slices"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// Take gives a field a value that no label asks for, unless another field has its words: the number of an invoice may be
// what the payer is to say as well.
func (h *Head) Take(field, value string, of []*layout.Word) bool {
	for _, w := range of {
		if user := h.Used[w]; user != "" && user != "remittance" && user != "ownReference" {
			return false
		}
	}
	h.Claims[field] = Claim{Field: field, Value: value, Words: of, Score: lexicon.Weigh().Head.First}
	for _, w := range of {
		h.Used[w] = field
	}
	return true
}

// titleRow is the row of the title.
func (d *draft) titleRow() *layout.Row { return d.Layout.RowOf(d.title.Words[0]) }

// IsLabelled reports whether a label asks for the value of a field, or the words before it do.
func (h *Head) IsLabelled(field string) bool {
	c := h.Claims[field]
	return c.hit.Row != nil || c.Score >= lexicon.Weigh().Head.Titled
}

// HeadsCell reports whether the label of a field begins its cell, as no word of a sentence does.
func (h *Head) HeadsCell(field string) bool {
	c := h.Claims[field]
	return c.hit.Row != nil && c.hit.StartsCell
}

// WithoutVatID is the head without the tax number where that is the VAT identifier of the seller.
func (h *Head) WithoutVatID(id string) *Head {
	if id == "" || h.Claims["taxNumber"].Value != id {
		return h
	}
	claims := maps.Clone(h.Claims)
	delete(claims, "taxNumber")
	return &Head{claims, h.Alternatives, h.Used, h.cited}
}

// NamesInvoice reports whether a label that says so, or a title, has the number of the invoice in
// the upper half of a page of some height: it is that of no other document.
func (h *Head) NamesInvoice(height float64) bool {
	c, found := h.Claims["number"]
	if !found || c.Words[0].Box.Top > 0.5*height {
		return false
	}
	return c.hit.Row == nil || c.hit.StartsCell && c.hit.Length > shortNumber && !lexicon.Words().AnyNumber[lexicon.Fold(layout.TextOf(c.hit.Words()))]
}

// IsListed reports whether the number is in a row of a list of invoices, as of the instalments before a final one.
func (h *Head) IsListed(l *layout.Layout) bool {
	c, found := h.Claims["number"]
	return found && c.hit.Row != nil && isListed(l, c.hit.Row)
}

// CallsInvoice reports whether the label of the number or of the day calls the document an invoice, or the
// row of a title that has the number, as in Mietrechnung Nr. 17. A label within a sentence in small letters, as
// in a receipt "in settlement of invoice no. 17", names another document.
func (h *Head) CallsInvoice(l *layout.Layout) bool {
	if c, found := h.Claims["number"]; found && c.hit.Row == nil {
		if r := l.RowOf(c.Words[0]); r != nil && !isOfList(r) && lexicon.CallsInvoice(layout.TextOf(r.Words)) {
			return true
		}
	}
	return slices.ContainsFunc([]string{"number", "issueDate"}, func(field string) bool {
		c := h.Claims[field]
		return h.HasOwn(l, field) && c.hit.Row != nil && (c.hit.StartsCell || c.hit.Row.Words[c.hit.First].Size >= large*l.Usual) && callsInvoice(&c.hit)
	})
}

// CitesInvoice reports whether the words before the number in its row call it that of an invoice, as in "we
// charge with invoice 17". That says less than a label: other documents cite invoices too.
func (h *Head) CitesInvoice(l *layout.Layout) bool {
	c, found := h.Claims["number"]
	if !found {
		return false
	}
	r := l.RowOf(c.Words[0])
	return r != nil && !isListHead(l, r) && lexicon.CallsInvoice(layout.TextOf(r.Words[:slices.Index(r.Words, c.Words[0])]))
}

// SaysWhyNoVat reports whether the first page has the reason for no VAT, which invoices alone have to state.
func SaysWhyNoVat(l *layout.Layout) bool {
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool { return r.Page == 1 && len(r.Find(&lexicon.Words().Exemptions)) > 0 })
}

// SaysHowToPay reports whether a cell of the first page begins with the label of the terms of payment, of the
// day to pay by or of an account, or says that one is debited.
func SaysHowToPay(l *layout.Layout) bool {
	w := lexicon.Words()
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool {
		return r.Page == 1 && (len(r.Find(&w.Debits)) > 0 || slices.ContainsFunc(r.Find(&w.Header), func(h layout.Hit) bool {
			return h.StartsCell && (h.Field == "terms" || h.Field == "dueDate" || h.Field == "iban")
		}))
	})
}

// HasOwn reports whether a field was found, and neither in a list of invoices nor in a sentence, as in
// "Invoice 17 follows with the next post, please do not pay from this slip."
func (h *Head) HasOwn(l *layout.Layout, field string) bool {
	c, found := h.Claims[field]
	return found && (c.hit.Row == nil || !isListHead(l, c.hit.Row) && !beginsSentence(&c.hit))
}

// shortNumber is how many characters a label has at most that may mean other numbers.
const shortNumber = 4
