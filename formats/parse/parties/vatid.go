package parties

import (
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// hasVatID reports whether a cell has a VAT identifier.
func hasVatID(c *layout.Cell) bool {
	for i := range c.Words() {
		if _, n := candidate.VatIDAt(c.Words()[i:]); n > 0 {
			return true
		}
	}
	return slices.ContainsFunc(c.Row.Find(&lexicon.Words().Header), func(h layout.Hit) bool { return h.First >= c.First && h.Last <= c.Last && h.Field == "vatId" })
}

// labelledVatIDs are the words of a row that follow a label for VAT identifiers.
func (d *draft) labelledVatIDs(r *layout.Row) map[int]bool {
	at := map[int]bool{}
	for _, h := range r.Find(&lexicon.Words().Header) {
		if h.Field != "vatId" && h.Field != "buyerVatId" && h.Field != "taxNumber" { // a Tax ID may be either
			continue
		}
		next := h.Last + 1
		for next < len(r.Words) && len(r.Words[next].Tokens) == 0 {
			next++
		}
		at[next] = true
	}
	return at
}

// belowVatLabel are the cells of a row that are below a label for VAT identifiers with nothing
// beside it.
func (d *draft) belowVatLabel(r *layout.Row) (below []*layout.Cell) {
	if r.Index == 0 || d.Layout.Rows[r.Index-1].Page != r.Page {
		return nil
	}
	above := d.Layout.Rows[r.Index-1]
	if r.Top-above.Bottom > 1.2*above.Height() {
		return nil
	}
	for _, h := range above.Find(&lexicon.Words().Header) {
		left, _ := h.Box()
		if h.Field != "vatId" || !h.StartsCell || above.Cells[above.CellAt(h.First)].Last != h.Last {
			continue
		}
		for i := range r.Cells {
			if math.Abs(r.Cells[i].Left-left) < 3 {
				below = append(below, &r.Cells[i])
			}
		}
	}
	return below
}

// accountWords are the words of a row that are of an IBAN, or behind a label for one: a part
// of them may have the shape of a VAT identifier.
func (d *draft) accountWords(r *layout.Row) map[int]bool {
	of := map[int]bool{}
	mark := func(from, n int) {
		for i := from; i < from+n; i++ {
			of[i] = true
		}
	}
	for i := range r.Words {
		_, words := d.AccountAt(r, i)
		for _, w := range words { // some may be in the row below
			if at := slices.Index(r.Words, w); at >= 0 {
				mark(at, 1)
			}
		}
	}
	for _, h := range r.Find(&lexicon.Words().Header) {
		if h.Field == "iban" {
			_, n := candidate.LabelledIBANAt(r.Words[h.Last+1:])
			mark(h.Last+1, n)
		}
	}
	return of
}

// isBelowBuyer reports whether a word stands right below the address of the buyer, one blank row at
// most between and from the same left edge as it, its label before it or above.
func (d *draft) isBelowBuyer(blocks []*block, role map[*block]string, r *layout.Row, word int) bool {
	const (
		rows  = 4 // with a blank one and a label above
		near  = 3 // points
		aside = 2 // words of a label before it
	)
	for _, b := range blocks {
		if role[b] != "buyer" || b.page != r.Page || !hasCity(b) {
			continue
		}
		last := b.cells[len(b.cells)-1].Row
		if below := r.Top - last.Bottom; below <= 0 || below > rows*last.Height() {
			continue
		}
		for at := word; at >= max(word-aside, 0); at-- {
			if math.Abs(r.Words[at].Box.Left-b.left) < near {
				return true
			}
		}
	}
	return false
}

// roleBelowLines is the role that the label of a block without an address gives it, as below the lines
// where the address is above them: that of the party whose name is in the block, or "".
func (d *draft) roleBelowLines(b *block) string {
	who := d.roleOf(b)
	if name := lexicon.Fold(orNone(d.ByRole[who]).Name.Value); name == "" || !b.names(name) {
		return ""
	}
	return who
}

// A vatID is a VAT identifier of the pages.
type vatID struct {
	candidate.Printed
	who         string // the role of the party that it stands with, or that its label names; "" for none
	isLabelled  bool
	isElsewhere bool // with an address that nothing makes that of a party
	page        int
}

// foundVatIDs are the VAT identifiers of the pages, those first that stand with a party.
func (d *draft) foundVatIDs(blocks []*block, role map[*block]string) []vatID {
	owner, elsewhere := map[*layout.Word]string{}, map[*layout.Word]bool{}
	seller := lexicon.Fold(d.seller().Name.Value)
	for _, b := range blocks {
		isElsewhere := role[b] == "" && hasCity(b) && (seller == "" || !b.names(seller))
		who := role[b]
		if who == "" {
			who = d.roleBelowLines(b)
		}
		for _, c := range b.cells {
			for _, w := range c.Words() {
				owner[w], elsewhere[w] = who, isElsewhere
			}
		}
	}
	var ofParties, others []vatID
	for _, r := range d.sellersFirst() {
		labelled := d.labelledVatIDs(r)
		for _, c := range d.belowVatLabel(r) {
			labelled[c.First] = true
		}
		accounts := d.accountWords(r)
		for i := 0; i < len(r.Words); {
			read := candidate.VatIDAt
			if labelled[i] {
				read = candidate.LabelledVatIDAt
			}
			id, n := read(r.Words[i:])
			if n == 0 || accounts[i] || d.head.Used[r.Words[i]] == "iban" {
				i++
				continue
			}
			who := owner[r.Words[i]]
			if before := max(i-1, 0); who == "" && layout.Near(r.Words[before], r.Words[i]) {
				who = owner[r.Words[before]]
			}
			if who == "" && (d.isBelowBuyer(blocks, role, r, i) || owesVat(r)) || d.head.Used[r.Words[i]] == "buyerVatId" {
				who = "buyer"
			}
			if who == "" && d.isBelowSeller(r) {
				who = "seller"
			}
			found := vatID{candidate.Printed{Value: id, Words: r.Words[i : i+n]}, who, labelled[i], elsewhere[r.Words[i]], r.Page}
			if who == "buyer" || who == "seller" {
				ofParties = append(ofParties, found)
			} else {
				others = append(others, found)
			}
			i += n
		}
	}
	return slices.Concat(ofParties, others)
}

// isBelowSeller reports whether a row is right below one that begins with the seller's name, from the same left edge: in the
// foot of a letter.
func (d *draft) isBelowSeller(r *layout.Row) bool {
	const gap = 1.5 // heights of a row
	name := lexicon.Fold(d.seller().Name.Value)
	if r.Index == 0 || len(name) <= 3 {
		return false
	}
	above := d.Layout.Rows[r.Index-1]
	return above.Page == r.Page && r.Top-above.Bottom < gap*above.Height() && math.Abs(above.Words[0].Box.Left-r.Words[0].Box.Left) < 3 &&
		strings.HasPrefix(lexicon.Fold(layout.TextOf(above.Words)), name)
}

// vatIDs decides whose the VAT identifiers are: by the label, by the block that they
// are in, or else the seller's.
func (d *draft) vatIDs(blocks []*block, role map[*block]string) {
	take := func(who string, v candidate.Printed, owned, isLabelled bool) {
		if d.ByRole[who] == nil {
			d.ByRole[who] = &party{}
		}
		if d.ByRole[who].VatID.Value == "" {
			d.ByRole[who].VatID, d.ByRole[who].Owned, d.ByRole[who].LabelledVatID = v, owned, isLabelled
		}
	}
	if c, ok := d.head.Claims["buyerVatId"]; ok {
		take("buyer", candidate.Printed{Value: c.Value, Words: c.Words}, true, true)
	}
	var second candidate.Printed // of which nothing tells whose it is
	for _, v := range d.foundVatIDs(blocks, role) {
		buyer := d.ByRole["buyer"]
		switch {
		case buyer != nil && buyer.VatID.Value == v.Value:
		case v.who == "buyer":
			take("buyer", v.Printed, true, v.isLabelled)
		case v.isLabelled && v.who == "" && v.page == 1 && (d.SellerVatID() != "" && d.SellerVatID() != v.Value || v.isElsewhere) && second.Value == "":
			second = v.Printed
		default:
			take("seller", v.Printed, v.who == "seller", v.isLabelled)
		}
	}
	d.takeSecondVatID(second)
}

// takeSecondVatID takes a VAT identifier of which nothing tells whose it is for that of the seller, or of the buyer where the
// seller has one.
func (d *draft) takeSecondVatID(second candidate.Printed) {
	if second.Value == "" {
		return
	}
	seller, buyer := d.seller(), d.ByRole["buyer"]
	seller.RivalVatID = true
	switch {
	case seller.VatID.Value == "": // the only one
		seller.VatID, seller.LabelledVatID = second, true
	case buyer != nil && buyer.VatID.Value == "":
		buyer.VatID, buyer.GuessedVatID, buyer.LabelledVatID = second, true, true
	}
}

// sellersFirst are all rows, those first that begin with the seller's name.
func (d *draft) sellersFirst() []*layout.Row {
	name := lexicon.Fold(d.seller().Name.Value)
	var own, rest []*layout.Row
	for _, r := range d.Layout.Rows {
		if len(name) > 3 && strings.HasPrefix(lexicon.Fold(layout.TextOf(r.Words)), name) {
			own = append(own, r)
		} else {
			rest = append(rest, r)
		}
	}
	return append(own, rest...)
}

// owesVat reports whether a row says that the buyer owes the VAT, as in BTW verlegd naar NL...: the identifier in it
// is the buyer's.
func owesVat(r *layout.Row) bool {
	return slices.ContainsFunc(r.Find(&lexicon.Words().Exemptions), func(h layout.Hit) bool { return h.Field == "AE" })
}
