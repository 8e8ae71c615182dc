package parties

import (
	"maps"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/ranker"
)

// A party is the seller, the buyer, or where goods go to.
type party struct {
	Name    candidate.Printed
	Score   float64
	Address Address
	VatID   candidate.Printed
	// Labelled tells that a label says who the party is, and Owned that its VAT identifier is
	// within its address or has a label of its own.
	Labelled, Owned bool
	// LabelledVatID tells that a label for VAT identifiers stands before the one of the party.
	LabelledVatID bool
	// Marked tells that something which sellers add to their address stands in one block with the
	// name (an account, a telephone, a mail address), and BelowSender that the line of the sender,
	// with the name of the seller, is right above the address.
	Marked, BelowSender bool
	// Votes is how many places of the pages say that this is the name of the seller.
	Votes int
	// GuessedVatID tells that nothing but the seller's own says whose VAT identifier it is.
	GuessedVatID bool
	// RivalVatID tells, of the seller, that the page has another VAT identifier of which nothing says whose it is.
	RivalVatID bool
	// Proved tells, of the seller, that the particulars of a company stand behind the name, or its mail has it.
	Proved bool
	// FormApart tells that the legal form was taken out of the name, because the page states it with the capital.
	FormApart bool
	// AddressApart tells, of the seller, that another name is above its address.
	AddressApart bool
	// Part tells that the name may be a part of a longer one.
	Part bool
	// Beside tells of the seller that another address stands beside the one with its name, and no label says whose either is.
	Beside bool
	// GoesOn tells that the cell below the name may be more of it: it has a legal form, and the name has none, or both
	// are set in the same large letters.
	GoesOn bool
	// Ranked tells that the ranker chose the name, and the rules alone would have taken another one, or none.
	Ranked bool
	Others []candidate.Printed // other names that were thought of
}

// Parties are who takes part in an invoice.
type Parties struct {
	ByRole map[string]*party
	Legal  candidate.Printed // the seller's legal form and capital

	saidToBuy []string // folded names below a label of a buyer
}

// SellerVatID is the VAT identifier of the seller; empty where none was found.
func (p *Parties) SellerVatID() string {
	if seller := p.ByRole["seller"]; seller != nil {
		return seller.VatID.Value
	}
	return ""
}

// A draft is what of the parties was found so far.
type draft struct {
	*candidate.Pages
	head    *header.Head
	isLine  []bool
	ranking *ranker.Ranking
	Parties

	labelled map[string]bool // folded names that a label says to be the seller's

	addresses []namedAddress // that may be the seller's, the likeliest first
}

// A namedAddress is an address that may be the seller's, with the name above it.
type namedAddress struct {
	name    string
	address Address
}

// Read finds who sells, who buys, and where the goods go to. The ranker has a vote. Where the buyer issues the invoice, who
// sends it buys.
func Read(p *candidate.Pages, of *header.Head, isLine []bool, ranking *ranker.Ranking, isSelfBilled bool) *Parties {
	d := &draft{Pages: p, head: of, isLine: isLine, ranking: ranking, labelled: map[string]bool{}}
	d.ByRole = map[string]*party{}
	d.read(isSelfBilled)
	if isSelfBilled {
		d.exchange()
	}
	return &d.Parties
}

func (d *draft) read(isSelfBilled bool) {
	blocks := d.blocks()
	forms := d.readForms()
	role, inForms := map[*block]string{}, map[*block]string{}
	for _, b := range blocks {
		if of := d.roleOf(b); forms[of] == nil {
			role[b] = of
		} else {
			inForms[b] = of
		}
	}
	blocks = d.takeSaleLabels(blocks, role)
	d.dropSlips(blocks, role)
	var sellers []nameVote
	for who, p := range forms {
		p.Labelled = true
		if who != "seller" {
			d.ByRole[who] = p
			continue
		}
		d.labelled[lexicon.Fold(p.Name.Value)] = true
		sellers = append(sellers, nameVote{p.Name, lexicon.Weigh().Name.Form})
		d.sellerAddress(p.Name.Value, p.Address)
	}
	windowed := false
	if !d.isNamed(blocks, role, "buyer") && forms["buyer"] == nil {
		b := d.recipient(blocks, role)
		if b == nil {
			b = d.window(blocks, role)
		}
		if b != nil {
			role[b], windowed = "buyer", true
		}
	}
	for _, b := range blocks {
		for _, c := range b.cells {
			sellers = append(sellers, d.senderVotes(c)...)
		}
		switch role[b] {
		case "buyer", "shipTo", "payee":
			if name, address, ok := d.nameAndAddress(b); ok && d.ByRole[role[b]] == nil {
				d.ByRole[role[b]] = &party{Name: name, Address: address, Score: lexicon.Weigh().Name.Label, Labelled: !windowed || role[b] != "buyer"}
			}
		case "seller":
			if name, address, ok := d.nameAndAddress(b); ok {
				weight := lexicon.Weigh().Name.Label
				if !hasCity(b) {
					weight = lexicon.Weigh().Name.Beside
				}
				sellers = append(sellers, nameVote{name, weight})
				d.labelled[lexicon.Fold(name.Value)] = true
				d.sellerAddress(name.Value, address)
			}
		default:
			sellers = append(sellers, d.sellerVotes(b)...)
		}
	}
	sellers = append(sellers, d.besideLabels(blocks, role)...)
	if c, ok := d.head.Claims["accountName"]; ok {
		sellers = append(sellers, nameVote{candidate.Printed{Value: c.Value, Words: c.Words}, lexicon.Weigh().Name.Holder})
	}
	sellers = append(sellers, d.repeated(blocks, role)...)
	isOthers := others(blocks, role)
	imprints := d.imprints(isOthers)
	sellers = slices.Concat(sellers, d.letterhead(blocks, isOthers), imprints)
	if v, ok := d.largest(); ok {
		sellers = append(sellers, v)
	}
	domains := d.domains(isOthers)
	if isSelfBilled {
		sellers = d.labelledAlone(sellers)
	}
	d.elect(sellers, domains)
	sellers = d.electAgain(sellers, domains)
	d.takeRankedBuyer(blocks)
	d.takeLonger(sellers)
	d.takeRegistered(imprints)
	d.takeWhole()
	d.takeOwnAddress()
	seller := d.seller()
	seller.Proved = slices.ContainsFunc(domains, func(domain string) bool { return isDomain(seller.Name.Value, domain) }) || slices.ContainsFunc(imprints, func(v nameVote) bool {
		return lexicon.Fold(v.name.Value) == lexicon.Fold(seller.Name.Value)
	})
	d.separateForm()
	maps.Copy(role, inForms)
	d.takeAddressOfBuyer(blocks, role)
	d.vatIDs(blocks, role)
	d.marks(blocks)
	d.joinRows()
	d.joinForms()
	d.cutBehindForms()
	d.trimNames()
	d.cutTitles()
	d.findParts(blocks, domains)
	seller.Beside = d.isBesideOther(blocks)
}

// labelledAlone are the votes for names that a label says are the seller's, or all votes where there is none: on an invoice
// that the buyer issues, what stands where senders stand is the buyer's.
func (d *draft) labelledAlone(votes []nameVote) []nameVote {
	alone := slices.DeleteFunc(slices.Clone(votes), func(v nameVote) bool { return !d.isLabelled(lexicon.Fold(v.name.Value)) })
	if len(alone) == 0 {
		return votes
	}
	return alone
}

// recipient is the only party with an address besides a labelled seller, where its label says that the goods go to it, as
// Odbiorca does: it is the buyer. nil where there is another.
func (d *draft) recipient(blocks []*block, role map[*block]string) (of *block) {
	if !d.isNamed(blocks, role, "seller") {
		return nil
	}
	for _, b := range blocks {
		switch _, _, ok := d.nameAndAddress(b); {
		case !ok || !hasCity(b) || role[b] == "seller" || d.isFoot(b, blocks, role):
		case role[b] != "shipTo" || of != nil:
			return nil
		default:
			of = b
		}
	}
	return of
}

// exchange makes who was taken for the seller by the place of its name the buyer, and the other way about, unless a label
// says who they are.
func (d *draft) exchange() {
	seller, buyer := d.ByRole["seller"], d.ByRole["buyer"]
	if seller == nil || buyer == nil || seller.Labelled || buyer.Labelled || seller.Name.Value == "" || buyer.Name.Value == "" {
		return
	}
	d.ByRole["seller"], d.ByRole["buyer"] = buyer, seller
}

// marks finds out what stands with the names of seller and buyer, or above them.
func (d *draft) marks(blocks []*block) {
	for _, role := range []string{"seller", "buyer"} {
		p := d.ByRole[role]
		if p == nil || p.Name.Value == "" {
			continue
		}
		name := lexicon.Fold(p.Name.Value)
		p.Marked = slices.ContainsFunc(blocks, func(b *block) bool {
			return b.names(name) && slices.ContainsFunc(b.goingOn(blocks), d.isSellersMark)
		})
	}
	seller, buyer := d.ByRole["seller"], d.ByRole["buyer"]
	if seller == nil || buyer == nil || seller.Name.Value == "" || buyer.Name.Value == "" {
		return
	}
	first := buyer.Name.Words[0]
	for _, b := range blocks {
		for _, c := range b.cells {
			below := first.Box.Top - c.Row.Bottom
			if c.Row.Page == first.Page && below > -1 && below < senderReach && math.Abs(c.Left-first.Box.Left) < 6 && senderParts(c) != nil {
				buyer.BelowSender = buyer.BelowSender || strings.HasPrefix(lexicon.Fold(c.Text()), lexicon.Fold(seller.Name.Value))
			}
		}
	}
}

// names reports whether a cell of a block has a folded name.
func (b *block) names(name string) bool {
	return slices.ContainsFunc(b.cells, func(c *layout.Cell) bool { return strings.Contains(lexicon.Fold(c.Text()), name) })
}

// dropSlips takes the role from what is labelled below the lines, where addresses are above
// them: on the slip of a payment, To is the seller.
func (d *draft) dropSlips(blocks []*block, role map[*block]string) {
	last := -1
	for i, is := range d.isLine {
		if is {
			last = i
		}
	}
	isBelow := func(b *block) bool { return last >= 0 && b.cells[0].Row.Index > last }
	above := 0
	for _, b := range blocks {
		if b.page == 1 && !isBelow(b) && hasCity(b) {
			above++
		}
	}
	if above < 2 {
		return
	}
	for _, b := range blocks {
		if isBelow(b) {
			role[b] = ""
		}
	}
}

// takeSaleLabels gives the address of the seller the role of a block that has the label of a seller and the name, as below
// the lines, and notes the names below labels of a buyer. It reads labels that slips of payments have not. What is above the
// name in the address of the seller, such as a row of the sender, becomes a block of its own. A name below Buyer gives no
// role: a slip may have the seller's there.
func (d *draft) takeSaleLabels(blocks []*block, role map[*block]string) []*block {
	for _, labelled := range blocks {
		if len(labelled.cells) < 2 || !lexicon.Words().SaleLabels[lexicon.Fold(labelled.cells[0].Text())] {
			continue
		}
		name := lexicon.Fold(labelled.cells[1].Text())
		if role[labelled] == "buyer" {
			d.saidToBuy = append(d.saidToBuy, name)
		}
		if role[labelled] != "seller" || hasCity(labelled) {
			continue
		}
		b, at := addressOf(blocks, role, name)
		if b == nil {
			continue
		}
		role[b] = "seller"
		if at > 0 {
			blocks = append(blocks, b.cutAbove(at))
		}
	}
	return blocks
}

// SaysSellerBuys reports whether a label says that who was taken for the seller buys.
func (p *Parties) SaysSellerBuys() bool {
	name := lexicon.Fold(orNone(p.ByRole["seller"]).Name.Value)
	return name != "" && slices.Contains(p.saidToBuy, name)
}

// takeAddressOfBuyer gives a buyer without an address the only one that the name stands above, as where the label is below the
// lines.
func (d *draft) takeAddressOfBuyer(blocks []*block, role map[*block]string) {
	buyer := orNone(d.ByRole["buyer"])
	if buyer.Name.Value == "" || buyer.Address.City.Value != "" {
		return
	}
	b, at := addressOf(blocks, role, lexicon.Fold(buyer.Name.Value))
	if b != nil && (at == 0 || at == 1 && endsSender(b.cells[0])) {
		if _, address, ok := d.nameAndAddress(b); ok {
			role[b], buyer.Address = "buyer", address
		}
	}
}

// addressOf is the address without a role that has a folded name, and where in it the name is: at its beginning, if one
// address has it there. nil where there are several, or none.
func addressOf(blocks []*block, role map[*block]string, name string) (of *block, at int) {
	for _, b := range blocks {
		i := slices.IndexFunc(b.cells, func(c *layout.Cell) bool { return lexicon.Fold(c.Text()) == name })
		switch {
		case i < 0 || role[b] != "" || !hasCity(b):
		case of == nil || i == 0 && at > 0:
			of, at = b, i
		case i == at || at > 0:
			return nil, 0
		}
	}
	return of, at
}

// separateForm takes the legal form out of the seller's name where the page states it
// apart from the name, together with the capital (BT-33), and no cell has the name with its form and nothing else.
func (d *draft) separateForm() {
	p := d.ByRole["seller"]
	statement, form := d.legalStatement()
	if p == nil || form == "" {
		return
	}
	d.Legal = statement
	if name, cut := withoutForm(p.Name, form); cut && isName(name.Value) && !d.standsAlone(p.Name) && !d.isRightBehind(name, statement) {
		p.Others = append([]candidate.Printed{p.Name}, p.Others...)
		p.Name = name
		p.FormApart = true
	}
}

// isRightBehind reports whether words stand right behind a name, with nothing between.
func (d *draft) isRightBehind(name, of candidate.Printed) bool {
	r := d.Layout.RowOf(of.Words[0])
	at, n := slices.Index(r.Words, of.Words[0]), len(name.Words)
	if at < n {
		return false
	}
	before := layout.TextOf(r.Words[at-n : at])
	return lexicon.Fold(before) == lexicon.Fold(name.Value) && !strings.ContainsAny(before[len(before)-1:], ",;:|")
}

// standsAlone reports whether a name has a cell of its own.
func (d *draft) standsAlone(name candidate.Printed) bool {
	key := lexicon.Fold(name.Value)
	return slices.ContainsFunc(d.Layout.Rows, func(r *layout.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c layout.Cell) bool { return lexicon.Fold(c.Text()) == key })
	})
}

// isNamed reports whether a block with a role has a name; one with identifiers alone, below
// the label of the party, has none.
func (d *draft) isNamed(blocks []*block, roles map[*block]string, role string) bool {
	return slices.ContainsFunc(blocks, func(b *block) bool {
		if roles[b] != role {
			return false
		}
		_, _, ok := d.nameAndAddress(b)
		return ok
	})
}
