package parse

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// unreadWeight is how bad it may be that something which the pages say, and which is neither posted nor paid by, has no
// place in the invoice.
const unreadWeight = 0.4

// labelledAt are the fields of which the review tells what a label asks for and nothing was taken of.
var labelledAt = map[string]string{
	"dueDate": "/paymentDueDate", "deliveryDate": "/delivery/actualDeliveryDate", "order": "/purchaseOrderReference",
}

// ofAddresses are the addresses of parties, and what they and their parts are called.
var ofAddresses = []struct{ at, whole, street, city string }{
	{"/seller/postalAddress", "seller's address", "seller's street", "seller's city"},
	{"/buyer/postalAddress", "buyer's address", "buyer's street", "buyer's city"},
}

// tellUnread tells what the pages say and no field has: addresses of parties, VAT identifiers, and what is behind a label.
// Other fields that are missing are told by expected.
func (b *builder) tellUnread(tell func(weight float64, message string, fields ...string)) {
	for _, a := range ofAddresses {
		street, city := a.at+"/line1", a.at+"/city"
		switch hasStreet, hasCity := b.result.Fields[street] != nil, b.result.Fields[city] != nil; {
		case !hasStreet && !hasCity:
			tell(unreadWeight, notFound(a.whole), street, city, a.at+"/postCode")
		case !hasStreet:
			tell(unreadWeight, notFound(a.street), street)
		case !hasCity:
			tell(unreadWeight, notFound(a.city), city, a.at+"/postCode")
		}
	}
	told := map[string]bool{}
	for _, r := range b.document.Layout.Rows {
		for _, h := range r.Find(&lexicon.Words().Header) {
			behind := b.document.behindLabel(h)
			if len(behind) == 0 {
				continue
			}
			if h.Field == "vatId" || h.Field == "buyerVatId" {
				id, n := candidate.LabelledVatIDAt(behind)
				if n == 0 {
					id, _ = candidate.NationalVatIDBehind(h.Words(), behind)
				}
				if id != "" && !told[id] && !b.hasVatID(id) {
					told[id] = true
					tell(unreadWeight, fmt.Sprintf("the pages also have the VAT identifier %q, which was not taken; find out whose it is", id), "/seller/vatIdentifier", "/buyer/vatIdentifier")
				}
				continue
			}
			at := labelledAt[h.Field]
			if at == "" || told[at] || b.result.Fields[at] != nil || !h.StartsCell || b.document.IsLine[r.Index] {
				continue
			}
			if printed := layout.TextOf(behind); lexicon.HasDigit(printed) && len(printed) <= mostTold {
				told[at] = true
				tell(unreadWeight, fmt.Sprintf("%q is printed and was not read; compare it with the page and add it", layout.TextOf(h.Words())+" "+printed), at)
			}
		}
	}
}

func notFound(name string) string {
	return "the " + name + " was not found on the pages; read it and add it"
}

// behindLabel are the words behind a label up to the end of its cell, without the colon. Where the label is all of the cell,
// they are the next cell, or the one below, whichever has a digit.
func (d *document) behindLabel(h layout.Hit) []*layout.Word {
	const (
		same      = 4 // points
		mostBelow = 3 // rows; labels beside it may have two
	)
	r := h.Row
	at := r.CellAt(h.First)
	own := &r.Cells[at]
	of := r.Words[h.Last+1 : own.Last+1]
	for len(of) > 0 && len(of[0].Tokens) == 0 {
		of = of[1:]
	}
	if len(of) > 0 {
		return of
	}
	if at+1 < len(r.Cells) {
		of = r.Cells[at+1].Words()
	}
	for i := r.Index + 1; !lexicon.HasDigit(layout.TextOf(of)) && i <= r.Index+mostBelow && i < len(d.Layout.Rows) && d.Layout.Rows[i].Page == r.Page; i++ {
		for j := range d.Layout.Rows[i].Cells {
			if c := &d.Layout.Rows[i].Cells[j]; math.Abs(c.Left-own.Left) < same {
				return c.Words()
			}
		}
	}
	return of
}

// hasVatID reports whether an identifier, with its country or without, is one of a party that was read.
func (b *builder) hasVatID(id string) bool {
	own := strings.Map(lettersAndDigits, id)
	return slices.ContainsFunc([]string{"/seller/vatIdentifier", "/buyer/vatIdentifier", "/seller/taxRegistrationIdentifier", "/seller/legalRegistration/identifier"}, func(pointer string) bool {
		f := b.result.Fields[pointer]
		if f == nil {
			return false
		}
		have := strings.Map(lettersAndDigits, f.Value)
		return strings.HasSuffix(have, own) || strings.HasSuffix(own, have)
	})
}
