package parse

import (
	"einvoice/formats/parse/layout"
)

// A Kind says what a document is.
type Kind struct {
	// Name is invoice, creditNote, reminder, offer, order, orderConfirmation, deliveryNote,
	// proforma, statement, remittance, receipt or other.
	Name string `json:"name"`
	// Confidence is from 0 to 1.
	Confidence float64 `json:"confidence"`
	// Says are the words that say so; empty where none do.
	Says string `json:"says,omitempty"`
}

// The kinds that are read.
const (
	kindInvoice    = "invoice"
	kindCreditNote = "creditNote"
	kindOther      = "other"
)

// titles are the kinds of other documents by what their title is in the lexicon, and what
// people call them.
var titles = map[string]struct{ kind, article string }{
	"reminder": {"reminder", "a reminder"}, "offer": {"offer", "an offer"}, "order": {"order", "an order"},
	"orderConfirmation": {"orderConfirmation", "an order confirmation"}, "deliveryNote": {"deliveryNote", "a delivery note"},
	"proforma": {"proforma", "a pro forma invoice"}, "statement": {"statement", "a statement of account"}, "remittance": {"remittance", "a remittance advice"},
	"receipt": {"receipt", "a receipt"}, "menu": {kindOther, "a list of prices"}, "dispute": {kindOther, "a letter about an invoice"},
	"contract": {kindOther, "a contract"}, "report": {kindOther, "a report or a form"},
}

// creditNotes are the codes of UNTDID 1001 that titles of credit notes have.
var creditNotes = map[string]bool{"381": true}

// What the kind of an invoice loses where a part of one is missing.
const (
	withoutTitle  = 0.3
	withoutNumber = 0.15
	withoutChain  = 0.1
)

// kind is what the document is. Of an invoice, title, number and totals say so together.
func (d *document) kind() Kind {
	if d.title.Kind != "" {
		return Kind{titles[d.title.Kind].kind, rounded(d.title.Sure), layout.TextOf(d.title.Words)}
	}
	k := Kind{Name: kindInvoice, Confidence: 1, Says: layout.TextOf(d.title.Words)}
	if creditNotes[d.title.Code] {
		k.Name = kindCreditNote
	}
	if d.title.Found {
		k.Confidence = d.title.Sure
	} else {
		k.Confidence -= withoutTitle
	}
	if _, ok := d.head.Claims["number"]; !ok {
		k.Confidence -= withoutNumber
	}
	if !d.Chain.Closes {
		k.Confidence -= withoutChain
	}
	k.Confidence = rounded(k.Confidence)
	return k
}
