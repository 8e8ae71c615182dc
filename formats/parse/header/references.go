package header

import (
	"math"
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// Bounds of what is said of a party below its heading.
const (
	partyGap  = 1.5 // between its rows at most, in heights of a row
	partyRows = 40  // of the page, with those of other columns between
)

// leastOfWord is how many letters a word has at least that is none of those that only join others.
const leastOfWord = 4

// isOfParty reports whether a label is one of those below the heading of a party, at the same left edge and
// without a gap between: what is called a number there is the party's.
func (d *draft) isOfParty(h *layout.Hit) bool {
	last, left := h.Row, h.Row.Cells[h.Row.CellAt(h.First)].Left
	for i := last.Index - 1; i >= max(h.Row.Index-partyRows, 0); i-- {
		r := d.Layout.Rows[i]
		if r.Page != last.Page || last.Top-r.Bottom > partyGap*last.Height() {
			return false
		}
		at := slices.IndexFunc(r.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-left) < 3 })
		if at < 0 {
			continue
		}
		if last = r; isPartyHeading(&r.Cells[at]) {
			return true
		}
	}
	return false
}

// isPartyHeading reports whether a cell has the labels of parties alone, as in Buyer / Customer.
func isPartyHeading(c *layout.Cell) bool {
	if c.Token >= len(c.Row.Tokens) || c.Row.Tokens[c.Token].Word != c.First {
		return false
	}
	of := c.Row.Tokens[c.Token:c.Row.CellEnd(c.Token)]
	for len(of) > 0 {
		p, is := lexicon.Words().Parties.Longest(of)
		if !is {
			return false
		}
		of = of[p.Used:]
	}
	return true
}

// withBuyers are labels of which one for a VAT identifier is the buyer's where a word before or
// behind it says so, as in Your VAT no or NIF cliente.
func withBuyers(hits []layout.Hit) []layout.Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		h := &hits[i]
		if h.Field != "vatId" {
			continue
		}
		if isBehindBuyer(hits[:i], h) {
			h.Field = "buyerVatId"
			continue
		}
		cell := &h.Row.Cells[h.Row.CellAt(h.First)]
		of := func(first, last int) string { return lexicon.Fold(layout.TextOf(h.Row.Words[first : last+1])) }
		if h.First > cell.First && lexicon.Words().BuyersBefore[of(h.First-1, h.First-1)] {
			h.Field, h.First = "buyerVatId", h.First-1
			h.StartsCell = h.First == cell.First
			continue
		}
		for n := 2; n >= 1; n-- {
			if last := h.Last + n; last <= cell.Last && lexicon.Words().BuyersBehind[of(h.Last+1, last)] {
				h.Field, h.Last = "buyerVatId", last
				break
			}
		}
	}
	return hits
}

// isBehindBuyer reports whether a label follows the heading of the buyer in its row, with no more than other labelled
// identifiers between, as in Customer: Reg. no: 17 VAT no: 18.
func isBehindBuyer(before []layout.Hit, h *layout.Hit) bool {
	r := h.Row
	isIdentifier := func(word int) bool {
		return word == h.First || slices.ContainsFunc(before, func(o layout.Hit) bool { return o.First == word && o.Field == "registration" })
	}
	for at := r.CellAt(h.First); at >= 0; at-- {
		c := &r.Cells[at]
		if party, is := c.Label(&lexicon.Words().Parties); is {
			behind := r.Tokens[c.Token+party.Used-1].Word + 1
			return party.Field == "buyer" && (behind > c.Last || isIdentifier(behind))
		}
		if !isIdentifier(c.First) {
			return false
		}
	}
	return false
}

// decideOwnReference decides what a number of reference is: that of a document that has no other, else what the payer is
// to say.
func (d *draft) decideOwnReference() {
	c, ok := d.Claims["ownReference"]
	if !ok {
		return
	}
	delete(d.Claims, "ownReference")
	field := "remittance"
	if _, numbered := d.Claims["number"]; !numbered && d.title.Found {
		if id, n := candidate.IDAt(c.Words); n == len(c.Words) {
			field, c.Value = "number", id
		}
	}
	if _, taken := d.Claims[field]; !taken {
		c.Field = field
		d.Claims[field] = c
	}
}

// decideYourReference decides what "your reference" is: the number of an order where no
// other label asks for one and the value is a single identifier, else the buyer's
// reference. A reference on an invoice without a number is that number.
func (d *draft) decideYourReference() {
	c, ok := d.Claims["yourReference"]
	if !ok {
		return
	}
	delete(d.Claims, "yourReference")
	field := "buyerReference"
	isColumn := c.hit.Tokens == 1 && !slices.Contains(c.hit.Row.Words, c.Words[0])
	if isColumn && slices.ContainsFunc(d.Layout.Rows[:c.hit.Row.Index], layout.HasMoney) {
		return // Reference above a column below the amounts is that of what is attached
	}
	value := c.Words
	for len(value) > 1 && value[0].Text == ":" { // French has a space before a colon
		value = value[1:]
	}
	if id, n := candidate.IDAt(value); n == len(value) && !leitweg().MatchString(id) {
		field = "order"
		if _, numbered := d.Claims["number"]; !numbered && c.hit.Tokens == 1 && d.title.Found { // Reference alone, on an invoice without a number
			field = "number"
		}
	}
	if _, taken := d.Claims[field]; taken {
		field = "buyerReference"
	}
	if _, taken := d.Claims[field]; !taken {
		c.Field = field
		d.Claims[field] = c
	}
}

// leitweg matches the routing identifier of German authorities.
var leitweg = lexicon.Pattern(`^\d{2,12}-[0-9A-Za-z]{1,30}-\d{2}$`)
