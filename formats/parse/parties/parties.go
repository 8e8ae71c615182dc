package parties

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// A nameVote is a name that may be a party's.
type nameVote struct {
	name   candidate.Printed
	weight float64
}

// Parties are who takes part in an invoice.
type Parties struct {
	ByRole map[string]*party
	Legal  candidate.Printed // the seller's legal form and capital
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
	d.read()
	if isSelfBilled {
		d.exchange()
	}
	return &d.Parties
}

func (d *draft) read() {
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

// isFoot reports whether a block begins with the name of a labelled seller: it says once more who that is.
func (d *draft) isFoot(b *block, blocks []*block, role map[*block]string) bool {
	return slices.ContainsFunc(blocks, func(seller *block) bool {
		name, _, ok := d.nameAndAddress(seller)
		return ok && role[seller] == "seller" && b != seller && b.names(lexicon.Fold(name.Value))
	})
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

// partyLabel is the label of a party that a cell begins with, and the words behind it.
func partyLabel(c *layout.Cell) (role string, rest []*layout.Word) {
	p, ok := c.Label(&lexicon.Words().Parties)
	if !ok {
		return "", nil
	}
	all := c.Row.Tokens
	next := c.Token + p.Used
	for next < len(all) && all[next].Word <= c.Last { // as in Buyer / Customer
		more, again := lexicon.Words().Parties.Longest(all[next:c.Row.CellEnd(next)])
		if !again {
			break
		}
		next += more.Used
	}
	last := all[next-1].Word
	rest = c.Row.Words[last+1 : c.Last+1]
	colon := strings.HasSuffix(c.Row.Words[last].Text, ":")
	if len(rest) > 0 && rest[0].Text == ":" { // as French has it
		rest, colon = rest[1:], true
	}
	if isInBrackets(rest) { // as in Buyer (who issues the invoice)
		return p.Field, nil
	}
	// Without a colon, a label that goes on is a word of a name or a sentence, or has the number
	// of a customer behind it.
	if len(rest) > 0 && !colon {
		if lexicon.Words().ToWords[lexicon.Fold(layout.TextOf(c.Row.Words[c.First:last+1]))] && legalForm(rest) > 0 { // For Reed Ltd, 2 Mill Lane
			return p.Field, rest
		}
		if len(rest) == 1 && len(rest[0].Text) >= leastCustomer && !strings.ContainsFunc(rest[0].Text, func(c rune) bool { return !unicode.IsDigit(c) }) {
			return p.Field, nil
		}
		return "", nil
	}
	return p.Field, rest
}

// isInBrackets reports whether words are an aside as a whole.
func isInBrackets(of []*layout.Word) bool {
	return len(of) > 0 && strings.HasPrefix(of[0].Text, "(") && strings.HasSuffix(strings.TrimRight(of[len(of)-1].Text, ":"), ")")
}

// leastCustomer is how many digits the number of a customer has, which Customer 1 has not.
const leastCustomer = 4

// labelShift is how many points the label above an address may be moved to its side.
const labelShift = 20

// roleOf is the role that a label in the first cell of a block gives it, or right above.
func (d *draft) roleOf(b *block) string {
	if b.isAccount() { // below Customer 4711, as a bank and its IBAN in a column of particulars
		return ""
	}
	if role, _ := partyLabel(b.cells[0]); role != "" {
		return role
	}
	if role := d.roleOfHeads(b); role != "" {
		return role
	}
	first := b.cells[0]
	for i := first.Row.Index - 1; i >= 0 && i >= first.Row.Index-3; i-- {
		r := d.Layout.Rows[i]
		if r.Page != b.page || first.Row.Top-r.Bottom > 25 {
			break
		}
		for j := range r.Cells {
			if role, rest := partyLabel(&r.Cells[j]); role != "" && len(rest) == 0 && math.Abs(r.Cells[j].Left-b.left) < labelShift {
				return role
			}
		}
	}
	return ""
}

// isAccount reports whether a block is a bank and an account there, with or without the number of a customer above.
func (b *block) isAccount() bool {
	cells := b.cells
	if role, rest := partyLabel(cells[0]); role != "" && len(rest) == 0 {
		cells = cells[1:]
	}
	return len(cells) > 1 && isBank(cells[0].Words()) && slices.ContainsFunc(cells[1:], hasAccount)
}

// hasAccount reports whether a cell has an IBAN.
func hasAccount(c *layout.Cell) bool {
	of := c.Words()
	for i := range of {
		if _, n := candidate.IBANAt(of[i:]); n > 0 {
			return true
		}
	}
	return false
}

// roleOfHeads is the role that a row of nothing but labels of parties right above a block gives it, as Seller and Buyer
// in the middle of two columns: that of the label whose middle is nearest.
func (d *draft) roleOfHeads(b *block) string {
	at := b.cells[0].Row.Index - 1
	if at < 0 {
		return ""
	}
	r := d.Layout.Rows[at]
	if r.Page != b.page || len(r.Cells) < 2 || b.cells[0].Row.Top-r.Bottom > 25 {
		return ""
	}
	left, right := b.left, b.left
	for _, c := range b.cells {
		right = max(right, c.Right)
	}
	role, nearest := "", math.Inf(1)
	for i := range r.Cells {
		of, rest := partyLabel(&r.Cells[i])
		if of == "" || len(rest) > 0 {
			return ""
		}
		if off := math.Abs(r.Cells[i].Left + r.Cells[i].Right - left - right); off < nearest {
			role, nearest = of, off
		}
	}
	return role
}

// window is the block in the address window of a letter: the first with a city that is
// in the left half of the first page, above its middle.
func (d *draft) window(blocks []*block, role map[*block]string) *block {
	page := d.Layout.Pages[0]
	if b := d.unmarked(blocks, role); b != nil {
		return b
	}
	var left, right *block
	isSenders := d.isSenders(blocks)
	for _, b := range blocks {
		if b.page != 1 || role[b] != "" || b.top > 0.45*page.Height || b.top < 0.06*page.Height || !hasCity(b) || len(b.cells) < 2 || isSenders(b) {
			continue
		}
		if b.left < 0.4*page.Width && b.top > 0.1*page.Height && left == nil {
			left = b
		}
		if b.left >= 0.4*page.Width && right == nil && b.top > 0.1*page.Height {
			right = b
		}
	}
	const letterhead = 0.15 // of the page's height
	switch {
	case left != nil && right != nil && left.top < letterhead*page.Height && right.top > left.bottom(): // the sender's, and a window at the right
		return right
	case left != nil:
		return left
	case right != nil:
		return right
	}
	if b := belowSender(blocks, role); b != nil {
		return b
	}
	return d.highWindow(blocks, role)
}

// isSenders reports of a block whether it begins with the name of who sends the page, where another block does not: the name that
// is printed largest, or one that the particulars of a company follow at another place.
func (d *draft) isSenders(blocks []*block) func(*block) bool {
	const least = 5 // letters of a name
	votes := d.imprints(func(*layout.Cell) bool { return false })
	if v, ok := d.largest(); ok {
		votes = append(votes, v)
	}
	is := map[*block]bool{}
	others := 0
	for _, b := range blocks {
		if b.page != 1 || b.top > addressPart*d.Layout.Pages[0].Height || !hasCity(b) || len(b.cells) < 2 {
			continue
		}
		first := lexicon.Fold(b.cells[0].Text())
		is[b] = slices.ContainsFunc(votes, func(v nameVote) bool {
			name := lexicon.Fold(v.name.Value)
			isAlike := strings.HasPrefix(first, name) || strings.HasPrefix(name, first)
			return isAlike && min(len(first), len(name)) >= least && !slices.ContainsFunc(b.cells, func(c *layout.Cell) bool { return slices.Contains(c.Words(), v.name.Words[0]) })
		})
		if !is[b] {
			others++
		}
	}
	return func(b *block) bool { return others > 0 && is[b] }
}

// unmarked is the only address at the top of the page that has nothing which a seller adds to
// its own (an account, a telephone, a mail address), where another one has. A VAT identifier
// tells them apart where they stand beside each other and one has none: buyers have one as well.
func (d *draft) unmarked(blocks []*block, role map[*block]string) *block {
	page := d.Layout.Pages[0]
	var addressed []*block
	var marked, owning, plain []*block // with a seller's mark, with a VAT identifier alone, with neither
	for _, b := range blocks {
		if b.page != 1 || b.top > addressPart*page.Height || role[b] != "" || !hasCity(b) || len(b.cells) < 2 {
			continue
		}
		if isAddressed(b) {
			addressed = append(addressed, b)
		}
		switch cells := b.goingOn(blocks); {
		case slices.ContainsFunc(cells, d.isSellersMark):
			marked = append(marked, b)
		case slices.ContainsFunc(cells, hasVatID):
			owning = append(owning, b)
		default:
			plain = append(plain, b)
		}
	}
	switch {
	case len(addressed) == 1 && len(marked)+len(owning)+len(plain) > 1:
		return addressed[0]
	case len(marked) == 1 && len(owning) == 1 && len(plain) == 0:
		return owning[0]
	case len(marked)+len(owning) != 1 || len(plain) != 1 || !d.isAddressAlone(plain[0]):
		return nil
	}
	seller, found := append(marked, owning...)[0], plain[0]
	isBeside := found.top < seller.bottom() && seller.top < found.bottom()
	if !isBeside && len(marked) == 0 {
		return nil
	}
	return found
}

// isAddressed reports whether a block begins as a letter is addressed, as in Spett.le Rossi S.r.l. or For the
// attention of Ms Reed.
func isAddressed(b *block) bool {
	first := b.cells[0].Text()
	word, _, _ := strings.Cut(first, " ")
	return lexicon.Words().Addressed[lexicon.Fold(word)] || lexicon.Words().Attention.MatchString(first)
}

// goingOn are the cells of an address and of what goes on below it from the same left edge, or to the
// same right one, with no more than a blank row or two between. Blocks are in the order of their first
// rows, so nothing behind one that is too far below goes on.
func (b *block) goingOn(blocks []*block) []*layout.Cell {
	cells := slices.Clone(b.cells)
	from, _ := slices.BinarySearchFunc(blocks, b.row(), func(o *block, row int) int { return cmp.Compare(o.row(), row) })
	for _, below := range blocks[from:] {
		end := cells[len(cells)-1]
		gap, reach := below.top-end.Row.Bottom, addressGap*max(end.Row.Height(), 8)
		if below.page != b.page || gap > 2*reach || len(cells) > mostGoingOn { // the tops of rows are in order but for their letters' size
			break
		}
		isAligned := math.Abs(below.left-b.left) < 3 || math.Abs(below.cells[0].Right-end.Right) < 2
		if isAligned && gap > 0 && gap < reach && !hasCity(below) {
			cells = append(cells, below.cells...)
		}
	}
	return cells
}

// row is the place of a block's first row among those of the document.
func (b *block) row() int { return b.cells[0].Row.Index }

// mostGoingOn is how many cells of a column belong to the address at its top, at most: a column of
// thousands is a list.
const mostGoingOn = 5 * addressRows

// addressPart is the upper part of the first page that has the addresses.
const addressPart = 0.45

// isSellersMark reports whether a cell has what sellers alone print below their address.
func (d *draft) isSellersMark(c *layout.Cell) bool {
	if s := c.Text(); strings.Contains(s, "@") || strings.Contains(s, "www.") || telephone().MatchString(s) || hasPhone(c.Words()) {
		return true
	}
	if lexicon.Words().SellersOwn[lexicon.Fold(c.Words()[0].Text)] && lexicon.HasDigit(c.Text()) { // RCS Lille 420 918 757
		return true
	}
	return slices.ContainsFunc(c.Row.Find(&lexicon.Words().Header), func(h layout.Hit) bool {
		isOfBoth := h.Field == "taxNumber" && lexicon.Words().BuyersToo[lexicon.Fold(layout.TextOf(h.Words()))]
		return h.First >= c.First && h.Last <= c.Last && (h.Field == "iban" || h.Field == "bic" || h.Field == "taxNumber" && !isOfBoth)
	})
}

// telephone matches a number with its country, or in a form of its own, as (718) 555-0147 and 06 12 34 56 78.
var telephone = lexicon.Pattern(`\+\d{1,3}[ (]|\(\d{3}\) ?\d{3}-\d{4}|\b0\d(?:[ .]\d\d){4}\b`)

// leastOfPhone is how many digits a telephone number has at least.
const leastOfPhone = 5

// hasPhone reports whether words have a word for a telephone with a number behind it.
func hasPhone(of []*layout.Word) bool {
	for i, w := range of {
		if !lexicon.Words().Phones[lexicon.Fold(strings.Trim(w.Text, ".:"))] {
			continue
		}
		digits := 0
		for _, behind := range of[i+1:] {
			if strings.ContainsFunc(behind.Text, unicode.IsLetter) {
				break
			}
			for _, c := range behind.Text {
				if unicode.IsDigit(c) {
					digits++
				}
			}
		}
		if digits >= leastOfPhone {
			return true
		}
	}
	return false
}

// bottom is the lower end of the last row of a block.
func (b *block) bottom() float64 { return b.cells[len(b.cells)-1].Row.Bottom }

// highWindow is the block of an address alone in the right half of the page, at its very top,
// where the seller is named elsewhere.
func (d *draft) highWindow(blocks []*block, role map[*block]string) *block {
	page := d.Layout.Pages[0]
	var found *block
	named := false
	for _, b := range blocks {
		if b.page == 1 && b.left > 0.4*page.Width && b.top < 0.45*page.Height && role[b] == "" && d.isAddressAlone(b) && found == nil {
			found = b
			continue
		}
		named = named || slices.ContainsFunc(b.cells, func(c *layout.Cell) bool { return HasLegalForm(c.Words()) || senderParts(c) != nil })
	}
	if !named {
		return nil
	}
	return found
}

// isAddressAlone reports whether a block has a name, a street, a city and no more than a country.
func (d *draft) isAddressAlone(b *block) bool {
	at := slices.IndexFunc(b.cells, isCityCell)
	if at < 2 || at > 4 || len(b.cells) > at+2 {
		return false
	}
	return !slices.ContainsFunc(b.cells, func(c *layout.Cell) bool { return d.startsHeader(c) || isTitle(c) || strings.Contains(c.Text(), "@") })
}

// senderReach is how many points the sender's line is at most above the first row of the address.
const senderReach = 100

// belowSender is the block under the sender's line, whose address has a form of its own.
func belowSender(blocks []*block, role map[*block]string) *block {
	for _, sender := range blocks {
		line := sender.cells[0]
		if sender.page == 1 && role[sender] == "" && len(sender.cells) > 2 && senderParts(line) != nil && slices.ContainsFunc(sender.cells[1:], isCityCell) { // both at once
			return sender
		}
		if sender.page != 1 || role[sender] != "" || len(sender.cells) > 1 || senderParts(line) == nil {
			continue
		}
		for _, b := range blocks {
			below := b.top - line.Row.Bottom
			if b.page == 1 && role[b] == "" && len(b.cells) > 1 && below > 0 && below < senderReach && math.Abs(b.left-sender.left) < 6 {
				return b
			}
		}
	}
	return nil
}

func hasCity(b *block) bool {
	for i, c := range b.cells {
		if isCityCell(c) || i > 1 && isCodeBelowCity(b.cells[i-1], c) {
			return true
		}
	}
	return false
}

// loneCode matches a postcode that has its row for itself, as in Britain.
var loneCode = lexicon.Pattern(`^(?:[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|\d{4,5}|\d{4} ?[A-Z]{2})$`)

// isCodeBelowCity reports whether a cell is the postcode of the city in the cell above.
func isCodeBelowCity(city, c *layout.Cell) bool {
	return loneCode().MatchString(c.Text()) && !lexicon.HasDigit(city.Text()) && isName(city.Text())
}

// continentalCode matches a postcode that stands before its city, and has the row for itself where that is in the next one.
var continentalCode = lexicon.Pattern(`^(?:\d{4,5}|\d{4} ?[A-Z]{2})$`)

// isCodeAboveCity reports whether a cell is the postcode of the city in the cell below.
func (d *draft) isCodeAboveCity(c, city *layout.Cell) bool {
	s := strings.Trim(city.Text(), " ,")
	_, isCountry := lexicon.Words().Countries.Exactly(s)
	return continentalCode().MatchString(c.Text()) && !isCountry && !lexicon.HasDigit(s) && isName(s) && !HasLegalForm(city.Words()) && !d.startsHeader(city)
}

// goesOnBehindForm reports whether a comma behind the legal form of a name begins something else, as its street.
func goesOnBehindForm(of []*layout.Word) bool {
	n := legalForm(of)
	return n > 0 && n < len(of) && strings.HasSuffix(of[n-1].Text, ",")
}

func isCityCell(c *layout.Cell) bool {
	_, _, _, ok := postcodeOf(c)
	return ok
}

// nameAndAddress reads a block with the name of a party above its address.
func (d *draft) nameAndAddress(b *block) (name candidate.Printed, a Address, ok bool) {
	street := []candidate.Printed{}
	var attention candidate.Printed
	isBroken := false // the street may begin behind the name
	cityAt := -1
	for i, c := range b.cells {
		if i == cityAt {
			continue
		}
		of := c.Words()
		if i == 0 || name.Value == "" {
			if role, rest := partyLabel(c); role != "" {
				of = rest
			}
		}
		if parts := senderParts(c); len(parts) == 2 && name.Value != "" && a.City.Value == "" { // street and city in one row
			if m := candidate.PostCode().FindStringSubmatch(strings.TrimSpace(parts[1])); m != nil {
				street, a.PostCode, a.City = append(street, candidate.Printed{Value: strings.TrimSpace(parts[0]), Words: of}), candidate.Printed{Value: m[2], Words: of}, candidate.Printed{Value: m[3], Words: of}
				continue
			}
		}
		if len(of) == 0 || senderParts(c) != nil && i < len(b.cells)-2 {
			continue
		}
		if label := lexicon.Words().Attention.FindString(layout.TextOf(of)); label != "" {
			attention = nameOf(of[min(len(strings.Fields(label)), len(of)):])
			continue
		}
		s := strings.Trim(layout.TextOf(of), " :,")
		country, code, city, isCity := postcodeOf(c)
		switch {
		case isCity && a.City.Value == "" && !(i+1 < len(b.cells) && isUSCity(b.cells[i+1])): // 4557 Elm St is above Fremont CA 94538
			cityAt, a.PostCode, a.City = i, candidate.Printed{Value: code, Words: of}, candidate.Printed{Value: city, Words: of}
			if country != "" {
				a.Country = d.countryOf(country, of)
			}
		case name.Value != "" && a.City.Value == "" && i+1 < len(b.cells) && d.isCodeAboveCity(c, b.cells[i+1]):
			below := b.cells[i+1]
			cityAt, a.PostCode, a.City = i+1, candidate.Printed{Value: s, Words: of}, candidate.Printed{Value: strings.Trim(below.Text(), " ,"), Words: below.Words()}
			a.CityOpen = isCodeBelowCity(b.cells[i-1], c)
		case i > 1 && name.Value != "" && len(street) > 0 && a.City.Value == "" && isCodeBelowCity(b.cells[i-1], c):
			a.City, a.PostCode = street[len(street)-1], candidate.Printed{Value: s, Words: of}
			street = street[:len(street)-1]
		case a.City.Value != "":
			if code, known := lexicon.Words().Countries.Exactly(s); known {
				a.Country = candidate.Printed{Value: code, Words: of}
			} else if i == cityAt+1 && !d.startsHeader(c) && addToCity(&a, of) {
				cityAt = i
			}
		case name.Value == "":
			isSmall := len(b.cells) > 2 && of[0].Size < 0.85*b.cells[len(b.cells)-1].Words()[0].Size
			isStreet := i+1 < len(b.cells) && isCityCell(b.cells[i+1]) && HouseNumber().MatchString(s) && !HasLegalForm(of)
			parts, line := inOneLine(s), of
			if parts == nil {
				parts, line = d.inWrappedLine(of, b.cells[i+1:], len(of) < len(c.Words()) || i > 0 && isLabelOrTitle(b.cells[i-1]))
			}
			if parts != nil && isName(parts[0]) {
				m := candidate.PostCode().FindStringSubmatch(parts[2])
				name = candidate.Printed{Value: parts[0], Words: line[:min(len(strings.Fields(parts[0])), len(line))]}
				a.PostCode, a.City = candidate.Printed{Value: m[2], Words: line}, candidate.Printed{Value: m[3], Words: line}
				for _, part := range parts[3:] {
					street = append(street, candidate.Printed{Value: part, Words: line})
				}
				street = append(street, candidate.Printed{Value: parts[1], Words: line})
				isBroken = false
				continue
			}
			if !lexicon.Words().Salutation.MatchString(s) && isName(s) && !isSmall && !isStreet && !d.startsHeader(c) {
				name, isBroken = candidate.Printed{Value: s, Words: of}, goesOnBehindForm(of)
			}
		case !HasLegalForm(name.Words) && HasLegalForm(of) && isName(s): // the company of a person, or the rest of its name
			if beginsSmall(s) || hasToGoOn(name.Words) {
				name, isBroken = joined(name, candidate.Printed{Value: s, Words: of}), goesOnBehindForm(of)
				continue
			}
			name, isBroken = candidate.Printed{Value: s, Words: of}, goesOnBehindForm(of)
		case !d.startsHeader(c) && s != name.Value: // a name may be there again, as that of the trade
			street = append(street, candidate.Printed{Value: s, Words: of})
		}
	}
	if at := slices.IndexFunc(b.cells, func(c *layout.Cell) bool { return !lexicon.Words().Salutation.MatchString(c.Text()) }); name.Value == "" && a.City.Value != "" && at >= 0 && at+2 < len(b.cells) && isLikeLabel(b.cells[at]) {
		name = candidate.Printed{Value: strings.Trim(b.cells[at].Text(), " ,"), Words: b.cells[at].Words()}
	}
	// Where nothing but a street is below who gets the letter, that is the name.
	if begins := name.Value == "" || unicode.IsDigit([]rune(name.Value)[0]) && !HasLegalForm(name.Words); begins && isName(attention.Value) {
		if name.Value != "" {
			street = append([]candidate.Printed{name}, street...)
		}
		name = attention
	}
	if street = joinStreet(street); a.City.Value != "" && len(street) > 0 {
		a.takeStreet(street, b.right())
		a.StreetOpen = a.StreetOpen || isBroken || mayBeBroken(street, b.cells)
	}
	return name, a, name.Value != ""
}

// isLikeLabel reports whether a cell is a name that is also a label, or has two letters: nothing
// else in its block can be the name.
func isLikeLabel(c *layout.Cell) bool {
	s := c.Text()
	return !strings.Contains(s, ":") && !lexicon.HasDigit(s) && len(s) >= 2 && (isPartyLabel(s) || isPartLabel(s) || len([]rune(s)) == 2)
}

// startsHeader reports whether a cell begins with a label of the head that has a colon or
// a value, and so is not part of an address.
func (d *draft) startsHeader(c *layout.Cell) bool {
	p, ok := c.Label(&lexicon.Words().Header)
	if !ok {
		return false
	}
	if strings.Contains(c.Text(), ":") {
		return true
	}
	last := c.Row.Tokens[c.Token+p.Used-1].Word
	return p.Length > 3 && (last == c.Last || lexicon.HasDigit(c.Row.Words[last+1].Text))
}

func (d *draft) countryOf(prefix string, of []*layout.Word) candidate.Printed {
	code, ok := lexicon.Words().CountryPrefixes[prefix]
	if !ok {
		code = prefix
	}
	if !lexicon.Words().Countries.Names(code) {
		return candidate.Printed{}
	}
	return candidate.Printed{Value: code, Words: of}
}

// isName reports whether a text can be a name.
func isName(s string) bool {
	n := 0
	for _, c := range s {
		if unicode.IsLetter(c) {
			n++
		}
	}
	return n >= 3 && 2*n >= len([]rune(s)) && len(s) <= 100 && !isSentence(s) && !isTagline(s) && !strings.ContainsAny(s, "@:?!") && !strings.Contains(s, "www.") && !isPartyLabel(s) && !isPartLabel(s) && !isSpaced(s)
}

// isSpaced reports whether a text is no more than letters with spaces between them, as in a heading with wide gaps: where one
// of its words ends, nothing says.
func isSpaced(s string) bool {
	const least = 3 // letters
	words := strings.Fields(s)
	return len(words) >= least && !slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) > 1 })
}

// isTagline reports whether a text says what somebody does, or since when, and not who it is: words with separators
// between them, as Joinery · Stairs, or with a year at their end, as Booksellers since 1898.
func isTagline(s string) bool { return tagline().MatchString(s) }

// tagline matches words with separators between them, or with a year at their end.
var tagline = lexicon.Pattern(` [·•|] | [–—-] .* [–—-] |\p{Ll} (?:1[6-9]|20)\d\d$`)

// IsDescription reports whether a name without a legal form has several words in small letters, as Wholesale of snacks
// and drinks: it may say what somebody does.
func IsDescription(name candidate.Printed) bool {
	return !HasLegalForm(name.Words) && smallWords(name.Value) >= 2
}

// isSentence reports whether a text ends with a full stop that is not that of a legal form, such as a.s., and has words
// in small letters, as terms of payment do and names do not.
func isSentence(s string) bool {
	if smallWords(s) < 2 || !strings.HasSuffix(s, ".") {
		return false
	}
	words := strings.Fields(s)
	return !lexicon.Words().LegalForms[lexicon.Fold(words[len(words)-1])]
}

// smallWords is how many words of a text are in small letters and do more than join others.
func smallWords(s string) (small int) {
	for _, word := range strings.Fields(s) {
		if r, _ := utf8.DecodeRuneInString(word); unicode.IsLower(r) && len(word) >= leastOfWord {
			small++
		}
	}
	return small
}

// leastOfWord is how many letters a word has at least that does more than join others, as und and van do.
const leastOfWord = 4

// isPartLabel reports whether a text is a label of the head, the lines, the totals or of a part of a party.
func isPartLabel(s string) bool {
	if _, ok := lexicon.Words().PartyParts.Exactly(s); ok {
		return true
	}
	w := lexicon.Words()
	return slices.ContainsFunc([]*lexicon.Labels{&w.Header, &w.Totals, &w.Columns}, func(l *lexicon.Labels) bool {
		_, is := l.Exactly(s)
		return is
	})
}

// sellerVotes are the names in a block without a role that may be the seller's.
func (d *draft) sellerVotes(b *block) []nameVote {
	if isAddressed(b) {
		return nil
	}
	var votes []nameVote
	for i, c := range b.cells {
		if senderParts(c) != nil {
			continue
		}
		if n := legalForm(c.Words()); n > 0 && !d.startsHeader(c) {
			of := behindSentence(c.Words()[:n])
			if s := strings.Trim(layout.TextOf(of), " :,;·|"); isName(s) {
				votes = append(votes, nameVote{candidate.Printed{Value: s, Words: of}, lexicon.Weigh().Name.Legal})
			}
		}
		if i == 0 && b.page == 1 && len(b.cells) > 1 && slices.ContainsFunc(b.cells[1:], func(c *layout.Cell) bool { return d.isSellersMark(c) || hasVatID(c) }) && !isTitle(c) && !d.startsHeader(c) {
			if s := strings.Trim(c.Text(), " :,;·|"); isName(s) && len(c.Words()) <= longName {
				votes = append(votes, nameVote{candidate.Printed{Value: s, Words: c.Words()}, lexicon.Weigh().Name.Address})
			}
		}
		if i == 0 && hasCity(b) {
			if name, address, ok := d.nameAndAddress(b); ok {
				votes = append(votes, nameVote{name, lexicon.Weigh().Name.Address})
				d.sellerAddress(name.Value, address)
			}
		}
	}
	return votes
}

// behindSentence are the words of a name that a sentence leads to, as in Please remit to Reed Limited: those behind the
// last one in small letters, where several are that names do not have.
func behindSentence(of []*layout.Word) []*layout.Word {
	small, last := 0, 0
	for i, w := range of[1:] {
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsLower(r) && !lexicon.Words().NameJoiners[lexicon.Fold(w.Text)] {
			small, last = small+1, i+1
		}
	}
	if small < 2 || last+1 >= len(of) {
		return of
	}
	for last+2 < len(of) && lexicon.Words().NameJoiners[lexicon.Fold(of[last+1].Text)] { // an die
		last++
	}
	return of[last+1:]
}

// longName is how many words a name has at most.
const longName = 9

// HouseNumber matches a street with its number, which is not a name.
var HouseNumber = lexicon.Pattern(`\s\d+(?:/\d+)?\s?[a-zA-Z]?$`)

// senderVotes is the name in a sender's line.
func (d *draft) senderVotes(c *layout.Cell) []nameVote {
	parts := senderParts(c)
	if parts == nil {
		return nil
	}
	if street := strings.TrimSpace(parts[0]); candidate.PostCode().MatchString(strings.TrimSpace(parts[1])) && !HasLegalForm(c.Words()[:min(len(strings.Fields(street)), c.Last-c.First+1)]) {
		above := d.nameAbove(c)
		isStreet := lexicon.HasDigit(street) || len(above) > 0 && above[0].name.Words[0].Size > 1.1*c.Words()[0].Size
		if isStreet {
			d.senderAddress(c, firstName(above), append([]string{""}, parts...))
			return above
		}
	}
	if above := d.nameAbove(c); isTagline(parts[0]) || len(above) > 0 && isHeading(above[0].name.Words, c, len(strings.Fields(parts[0]))) {
		d.senderAddress(c, firstName(above), append([]string{""}, parts[1:]...))
		return above
	}
	if !isName(parts[0]) {
		return nil
	}
	d.senderAddress(c, parts[0], parts)
	of := c.Words()[:min(len(strings.Fields(parts[0])), c.Last-c.First+1)]
	if n := legalForm(of); n > 0 && n < len(of) { // what follows, as the capital, is none of the name
		of = of[:n]
		parts[0] = strings.Trim(layout.TextOf(of), " ,")
	}
	return []nameVote{{candidate.Printed{Value: parts[0], Words: of}, lexicon.Weigh().Name.Sender}}
}

// isHeading reports whether a name above a sender's line is the sender's, and the first words of the line say what it
// does, or which of its houses it is: it is larger, or has a legal form, and these words have none.
func isHeading(name []*layout.Word, line *layout.Cell, n int) bool {
	first := line.Words()[:min(n, line.Last-line.First+1)]
	return !HasLegalForm(first) && (HasLegalForm(name) || name[0].Size > 1.1*first[0].Size) && lexicon.Fold(layout.TextOf(name)) != lexicon.Fold(layout.TextOf(first))
}

// nameAbove is the name right above street and city in one row, as in a letterhead.
func (d *draft) nameAbove(c *layout.Cell) []nameVote {
	if c.Row.Index == 0 {
		return nil
	}
	above := d.Layout.Rows[c.Row.Index-1]
	if above.Page != c.Row.Page || c.Row.Top-above.Bottom > above.Height() {
		return nil
	}
	name := &above.Cells[0]
	if len(above.Cells) > 1 {
		at := slices.IndexFunc(above.Cells, func(o layout.Cell) bool { return math.Abs(o.Left-c.Left) < 3 })
		if at < 0 {
			return nil
		}
		name = &above.Cells[at]
	}
	if s := strings.Trim(name.Text(), " :,"); isName(s) && !isTitle(name) && !d.startsHeader(name) && name.Left < c.Right && name.Right > c.Left {
		return []nameVote{{candidate.Printed{Value: s, Words: name.Words()}, lexicon.Weigh().Name.Sender}}
	}
	return nil
}

// sellerAddress is the seller's address unless one was found before.
func (d *draft) sellerAddress(name string, a Address) {
	if a.City.Value == "" {
		return
	}
	d.addresses = append(d.addresses, namedAddress{name, a})
	if p := d.seller(); p.Address.City.Value == "" {
		p.Address = a
	}
}

// takeOwnAddress gives the seller who was elected the address below its name: the first one of the page may be that of
// whoever was not elected. An address that only the names of others are above is not the seller's.
func (d *draft) takeOwnAddress() {
	p := d.seller()
	name := lexicon.Fold(p.Name.Value)
	if name == "" || p.Address.City.Value == "" {
		return
	}
	isOwn := func(a namedAddress) bool {
		of := lexicon.Fold(a.name)
		return of == name || len(of) > 4 && strings.HasPrefix(name, of) || len(name) > 4 && strings.HasPrefix(of, name)
	}
	isOthers := func(a namedAddress) bool {
		return slices.ContainsFunc([]string{"buyer", "shipTo", "payee"}, func(role string) bool {
			other := d.ByRole[role]
			return other != nil && a.name != "" && lexicon.Fold(other.Name.Value) == lexicon.Fold(a.name)
		})
	}
	at := slices.IndexFunc(d.addresses, isOwn)
	if at < 0 {
		at = slices.IndexFunc(d.addresses, func(a namedAddress) bool { return !isOthers(a) })
		p.AddressApart = at >= 0 && d.addresses[at].name != ""
	}
	if at < 0 {
		p.Address = Address{}
		return
	}
	p.Address = d.addresses[at].address
}

func (d *draft) seller() *party {
	if d.ByRole["seller"] == nil {
		d.ByRole["seller"] = &party{}
	}
	return d.ByRole["seller"]
}

// firstName is the first name that there are votes for; empty where there are none.
func firstName(votes []nameVote) string {
	if len(votes) == 0 {
		return ""
	}
	return votes[0].name.Value
}

// isSecondAddress matches a postal code with a city and a street behind it: those of two addresses that one row has.
var isSecondAddress = lexicon.Pattern(`^(?:\d{4,6}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|\d{2}-\d{3}) \p{Lu}.* \d{1,4} ?\p{L}?$`)

// senderAddress takes street and city out of the sender's line.
func (d *draft) senderAddress(c *layout.Cell, name string, parts []string) {
	for i, part := range parts {
		m := candidate.PostCode().FindStringSubmatch(strings.TrimSpace(part))
		if i == 0 || m == nil {
			continue
		}
		a := Address{PostCode: candidate.Printed{Value: m[2], Words: c.Words()}, City: candidate.Printed{Value: m[3], Words: c.Words()}}
		if m[1] != "" {
			a.Country = d.countryOf(m[1], c.Words())
		}
		if i > 1 {
			if isSecondAddress().MatchString(parts[i-1]) {
				return
			}
			a.Line1 = candidate.Printed{Value: withoutPartLabel(parts[i-1]), Words: c.Words()}
			// More rows between name and city, or the name alone; or The Old Mill, or what the seller does, before Bridge Street.
			a.StreetOpen = i > 2 || !isLikeStreet(a.Line1) ||
				i == 2 && parts[0] == "" && !strings.HasPrefix(c.Text(), parts[1]) && !sharesWord(c.Words()[0], name)
		}
		if i > 2 { // The Old Mill, Bridge Street
			a.Line2 = candidate.Printed{Value: withoutPartLabel(parts[i-2]), Words: c.Words()}
		}
		d.sellerAddress(name, a)
		return
	}
}

// sharesWord reports whether a name has a word.
func sharesWord(w *layout.Word, name string) bool {
	return slices.ContainsFunc(strings.Fields(name), func(of string) bool { return lexicon.Fold(of) == lexicon.Fold(w.Text) })
}

// withoutPartLabel cuts what an address is called off its begin, as in Registered office: 4 Mill
// Lane.
func withoutPartLabel(s string) string {
	label, rest, found := strings.Cut(s, ":")
	if _, known := lexicon.Words().PartyParts.Exactly(label); found && known {
		return strings.TrimSpace(rest)
	}
	return s
}

// besideLabels reads names that are to the right of a party's label, where no block was
// below it.
func (d *draft) besideLabels(blocks []*block, roles map[*block]string) (sellers []nameVote) {
	heads := map[*layout.Word]bool{} // the first words of labels that are above a name
	for _, b := range blocks {
		if _, _, ok := d.nameAndAddress(b); ok && roles[b] != "" {
			heads[b.cells[0].Words()[0]] = true
		}
	}
	for _, r := range d.Layout.Rows {
		if r.Page > 1 || d.isLine[r.Index] {
			continue
		}
		for i := range r.Cells {
			role, rest := partyLabel(&r.Cells[i])
			if role == "" || d.Layout.EndsLabel(&r.Cells[i]) || d.ByRole[role] != nil && d.ByRole[role].Name.Value != "" {
				continue
			}
			of := rest
			if len(of) == 0 && heads[r.Words[r.Cells[i].First]] {
				continue
			}
			if len(of) == 0 && i+1 < len(r.Cells) {
				of = r.Cells[i+1].Words()
			}
			s := strings.Trim(layout.TextOf(of), " :,")
			if parts := inOneLine(s); parts != nil {
				s = parts[0]
				of = of[:min(len(strings.Fields(s)), len(of))]
			}
			if !isName(s) || len(of) == 0 || isPartyLabel(s) {
				continue
			}
			if role == "seller" {
				sellers = append(sellers, nameVote{candidate.Printed{Value: s, Words: of}, lexicon.Weigh().Name.Beside})
				d.labelled[lexicon.Fold(s)] = true
				continue
			}
			if d.ByRole[role] == nil {
				d.ByRole[role] = &party{}
			}
			d.ByRole[role].Labelled = true
			d.ByRole[role].Name, d.ByRole[role].Score = candidate.Printed{Value: s, Words: of}, lexicon.Weigh().Name.Beside
		}
	}
	return sellers
}

func isPartyLabel(s string) bool {
	_, ok := lexicon.Words().Parties.Exactly(s)
	return ok
}

// repeated are the names that the first page has more than once, outside of the addresses of
// others: a sender is named in the letterhead and again at the foot or beside the account.
func (d *draft) repeated(blocks []*block, role map[*block]string) (votes []nameVote) {
	seen := map[string]*layout.Cell{}
	for _, b := range blocks {
		if b.page != 1 || role[b] == "buyer" || role[b] == "shipTo" || role[b] == "payee" {
			continue
		}
		for _, c := range b.cells {
			s := strings.Trim(c.Text(), " :,;·|")
			if _, isTotal := c.Label(&lexicon.Words().Totals); isTotal || len(c.Words()) < 2 || len(c.Words()) > longName || !isName(s) || lexicon.HasDigit(s) || isTitle(c) || d.startsHeader(c) {
				continue
			}
			if first := seen[s]; first != nil {
				votes = append(votes, nameVote{candidate.Printed{Value: s, Words: first.Words()}, lexicon.Weigh().Name.Again})
				continue
			}
			seen[s] = c
		}
	}
	return votes
}

// largest is the text in the largest letters at the top of the first page, which is
// often the seller's name, unless it is a title or a label.
func (d *draft) largest() (nameVote, bool) {
	var best *layout.Cell
	size := 1.15 * d.Layout.Usual
	for _, r := range d.Layout.Rows {
		if r.Page > 1 {
			break
		}
		if r.Top > 0.25*d.Layout.Pages[0].Height {
			continue
		}
		for i := range r.Cells {
			c := &r.Cells[i]
			if s := r.Words[c.First].Size; s > size+0.5 && isName(c.Text()) && !isTitle(c) && !d.startsHeader(c) && d.head.Used[r.Words[c.Last]] == "" {
				best, size = c, s
			}
		}
	}
	if best == nil {
		return nameVote{}, false
	}
	return nameVote{candidate.Printed{Value: strings.Trim(best.Text(), " :,"), Words: best.Words()}, lexicon.Weigh().Name.Largest}, true
}

func isTitle(c *layout.Cell) bool {
	_, ok := c.Label(&lexicon.Words().Titles)
	return ok
}

// isLabelled reports whether a label says that a folded name, or a form of it, is the seller's.
func (d *draft) isLabelled(name string) bool {
	for of := range d.labelled {
		if name == of || len(of) > 4 && strings.HasPrefix(name, of) || len(name) > 4 && strings.HasPrefix(of, name) {
			return true
		}
	}
	return false
}

// takeLonger takes the longer form of the seller's name with its legal form where the page has it too, as Planiflow SAS
// beside Planiflow.
func (d *draft) takeLonger(votes []nameVote) {
	p := d.seller()
	if p.Name.Value == "" || HasLegalForm(p.Name.Words) {
		return
	}
	key := lexicon.Fold(p.Name.Value)
	for _, v := range votes {
		if longer := lexicon.Fold(v.name.Value); len(longer) > len(key) && strings.HasPrefix(longer, key) && HasLegalForm(v.name.Words) && len(v.name.Words) <= longName {
			p.Others = append(p.Others, p.Name)
			p.Name = v.name
			return
		}
	}
}

// takeRegistered takes the name that the only imprint has, which is the registered one (BT-27), where a name without a
// legal form was elected and no label says that it is the seller's: that of the shop.
func (d *draft) takeRegistered(imprints []nameVote) {
	p := d.seller()
	if p.Name.Value == "" || p.Labelled || HasLegalForm(p.Name.Words) || len(imprints) == 0 {
		return
	}
	registered := imprints[0].name
	for _, v := range imprints[1:] {
		if lexicon.Fold(v.name.Value) != lexicon.Fold(registered.Value) {
			p.Part = true
			return
		}
	}
	p.Others = append(p.Others, p.Name)
	p.Name = registered
}

// others tells whose cells are those of a party that does not send the invoice.
func others(blocks []*block, role map[*block]string) func(*layout.Cell) bool {
	of := map[*layout.Word]bool{}
	for _, b := range blocks {
		if role[b] == "buyer" || role[b] == "shipTo" || role[b] == "payee" {
			for _, c := range b.cells {
				of[c.Words()[0]] = true
			}
		}
	}
	return func(c *layout.Cell) bool { return of[c.Words()[0]] }
}

// elect chooses the seller's name: votes for one name, or for a longer form of it, add
// up, and the domain of its mail speaks for it. A name of the buyer, or of where goods go to, does not count.
func (d *draft) elect(votes []nameVote, domains []string) {
	others := map[string]bool{}
	for _, role := range []string{"buyer", "shipTo"} {
		if p := d.ByRole[role]; p != nil {
			others[lexicon.Fold(p.Name.Value)] = true
		}
	}
	const most = 60
	votes = votes[:min(len(votes), most)]
	p := d.seller()
	for i, v := range votes {
		key := lexicon.Fold(v.name.Value)
		if key == "" || others[key] {
			continue
		}
		score, places := 0.0, map[*layout.Word]bool{}
		for _, other := range votes {
			otherKey := lexicon.Fold(other.name.Value)
			switch {
			case otherKey == key:
				score += other.weight
				places[other.name.Words[0]] = true
			case len(otherKey) > 4 && strings.HasPrefix(key, otherKey), len(key) > 4 && strings.HasPrefix(otherKey, key):
				score += lexicon.Weigh().Name.Part * other.weight
			}
		}
		switch {
		case isBank(v.name.Words): // that of the account, or who bought what is owed
			score *= lexicon.Weigh().Name.Bank
		case HasLegalForm(v.name.Words):
			score += lexicon.Weigh().Name.Bonus
		}
		if isOfDomain(v.name.Value, domains) {
			score += lexicon.Weigh().Name.Domain
		}
		if score > p.Score {
			if p.Name.Value != "" && lexicon.Fold(p.Name.Value) != key {
				p.Others = append(p.Others, p.Name)
			}
			p.Name, p.Score, p.Votes, p.Labelled = votes[i].name, score, len(places), d.isLabelled(key)
		} else if lexicon.Fold(p.Name.Value) != key && len(p.Others) < header.MaxAlternatives {
			p.Others = append(p.Others, v.name)
		}
	}
}
