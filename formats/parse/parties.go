package parse

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A party is the seller, the buyer, or where goods go to.
type party struct {
	name    printed
	score   float64
	address address
	vatID   printed
	others  []printed // other names that were thought of
}

// A nameVote is a name that may be a party's.
type nameVote struct {
	name   printed
	weight float64
}

// Weights of the places in which a party's name may be.
const (
	weightForm       = 1.6 // of a name with a label of its own, below that of the party
	weightLabel      = 1.2
	weightSenderLine = 0.8
	weightBeside     = 0.75 // of a name to the right of a label, or without an address
	weightAddress    = 0.6
	weightHolder     = 0.3
	weightLegalForm  = 0.3
	weightLargest    = 0.25
)

// Parties are who takes part in an invoice.
type parties struct {
	byRole map[string]*party
	legal  printed // the seller's legal form and capital
}

// A partyDraft is what of the parties was found so far.
type partyDraft struct {
	*pages
	head   *head
	isLine []bool
	parties
}

// readParties finds who sells, who buys, and where the goods go to.
func readParties(p *pages, of *head, isLine []bool) *parties {
	d := &partyDraft{pages: p, head: of, isLine: isLine}
	d.byRole = map[string]*party{}
	d.read()
	return &d.parties
}

func (d *partyDraft) read() {
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
	var sellers []nameVote
	for who, p := range forms {
		if who != "seller" {
			d.byRole[who] = p
			continue
		}
		sellers = append(sellers, nameVote{p.name, weightForm})
		d.sellerAddress(p.address)
	}
	if !d.isNamed(blocks, role, "buyer") && forms["buyer"] == nil {
		if b := d.window(blocks, role); b != nil {
			role[b] = "buyer"
		}
	}
	for _, b := range blocks {
		for _, c := range b.cells {
			sellers = append(sellers, d.senderVotes(c)...)
		}
		switch role[b] {
		case "buyer", "shipTo", "payee":
			if name, address, ok := d.nameAndAddress(b); ok && d.byRole[role[b]] == nil {
				d.byRole[role[b]] = &party{name: name, address: address, score: weightLabel}
			}
		case "seller":
			if name, address, ok := d.nameAndAddress(b); ok {
				weight := weightLabel
				if !hasCity(b) {
					weight = weightBeside
				}
				sellers = append(sellers, nameVote{name, weight})
				d.sellerAddress(address)
			}
		default:
			sellers = append(sellers, d.sellerVotes(b)...)
		}
	}
	sellers = append(sellers, d.besideLabels()...)
	if c, ok := d.head.claims["accountName"]; ok {
		sellers = append(sellers, nameVote{printed{c.value, c.words}, weightHolder})
	}
	if v, ok := d.largest(); ok {
		sellers = append(sellers, v)
	}
	d.elect(sellers)
	d.separateForm()
	maps.Copy(role, inForms)
	d.vatIDs(blocks, role)
}

// separateForm takes the legal form out of the seller's name where the page states it
// apart from the name, together with the capital (BT-33).
func (d *partyDraft) separateForm() {
	p := d.byRole["seller"]
	statement, form := d.legalStatement()
	if p == nil || form == "" {
		return
	}
	d.legal = statement
	if name, cut := withoutForm(p.name, form); cut && isName(name.value) {
		p.others = append([]printed{p.name}, p.others...)
		p.name = name
	}
}

// isNamed tells whether a block with a role has a name; one with identifiers alone, below
// the label of the party, has none.
func (d *partyDraft) isNamed(blocks []*block, roles map[*block]string, role string) bool {
	return slices.ContainsFunc(blocks, func(b *block) bool {
		if roles[b] != role {
			return false
		}
		_, _, ok := d.nameAndAddress(b)
		return ok
	})
}

// partyLabel is the label of a party that a cell begins with, and the words behind it.
func partyLabel(c *cell) (role string, rest []*word) {
	p, ok := c.label(&words().Parties)
	if !ok {
		return "", nil
	}
	all := c.row.tokens
	next := c.token + p.used
	for next < len(all) && all[next].word <= c.last { // as in Buyer / Customer
		more, again := words().Parties.longest(all[next:c.row.cellEnd(next)])
		if !again {
			break
		}
		next += more.used
	}
	last := all[next-1].word
	rest = c.row.words[last+1 : c.last+1]
	colon := strings.HasSuffix(c.row.words[last].Text, ":")
	if len(rest) > 0 && rest[0].Text == ":" { // as French has it
		rest, colon = rest[1:], true
	}
	// Without a colon, a label that goes on is a word of a name or a sentence, or has the number
	// of a customer behind it.
	if len(rest) > 0 && !colon {
		if len(rest) == 1 && len(rest[0].Text) >= leastCustomer && !strings.ContainsFunc(rest[0].Text, func(c rune) bool { return !unicode.IsDigit(c) }) {
			return p.field, nil
		}
		return "", nil
	}
	return p.field, rest
}

// leastCustomer is how many digits the number of a customer has, which Customer 1 has not.
const leastCustomer = 4

// labelShift is how many points the label above an address may be moved to its side.
const labelShift = 20

// roleOf is the role that a label in the first cell of a block gives it, or right above.
func (d *partyDraft) roleOf(b *block) string {
	if role, _ := partyLabel(b.cells[0]); role != "" {
		return role
	}
	first := b.cells[0]
	for i := first.row.index - 1; i >= 0 && i >= first.row.index-3; i-- {
		r := d.layout.rows[i]
		if r.page != b.page || first.row.top-r.bottom > 25 {
			break
		}
		for j := range r.cells {
			if role, rest := partyLabel(&r.cells[j]); role != "" && len(rest) == 0 && math.Abs(r.cells[j].left-b.left) < labelShift {
				return role
			}
		}
	}
	return ""
}

// window is the block in the address window of a letter: the first with a city that is
// in the left half of the first page, above its middle.
func (d *partyDraft) window(blocks []*block, role map[*block]string) *block {
	page := d.layout.pages[0]
	var left, right *block
	for _, b := range blocks {
		if b.page != 1 || role[b] != "" || b.top > 0.45*page.Height || b.top < 0.06*page.Height || !hasCity(b) || len(b.cells) < 2 {
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

// bottom is the lower end of the last row of a block.
func (b *block) bottom() float64 { return b.cells[len(b.cells)-1].row.bottom }

// highWindow is the block of an address alone in the right half of the page, at its very top,
// where the seller is named elsewhere.
func (d *partyDraft) highWindow(blocks []*block, role map[*block]string) *block {
	page := d.layout.pages[0]
	var found *block
	named := false
	for _, b := range blocks {
		if b.page == 1 && b.left > 0.4*page.Width && b.top < 0.45*page.Height && role[b] == "" && d.isAddressAlone(b) && found == nil {
			found = b
			continue
		}
		named = named || slices.ContainsFunc(b.cells, func(c *cell) bool { return hasLegalForm(c.words()) || senderParts(c) != nil })
	}
	if !named {
		return nil
	}
	return found
}

// isAddressAlone tells whether a block has a name, a street, a city and no more than a country.
func (d *partyDraft) isAddressAlone(b *block) bool {
	at := slices.IndexFunc(b.cells, isCityCell)
	if at < 2 || at > 4 || len(b.cells) > at+2 {
		return false
	}
	return !slices.ContainsFunc(b.cells, func(c *cell) bool { return d.startsHeader(c) || isTitle(c) || strings.Contains(c.text(), "@") })
}

// belowSender is the block under the sender's line, whose address has a form of its own.
func belowSender(blocks []*block, role map[*block]string) *block {
	const reach = 100 // points from the sender's line to the first row of the address
	for _, sender := range blocks {
		line := sender.cells[0]
		if sender.page != 1 || len(sender.cells) > 1 || senderParts(line) == nil {
			continue
		}
		for _, b := range blocks {
			below := b.top - line.row.bottom
			if b.page == 1 && role[b] == "" && len(b.cells) > 1 && below > 0 && below < reach && math.Abs(b.left-sender.left) < 6 {
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
var loneCode = pattern(`^(?:[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|\d{4,5})$`)

// isCodeBelowCity tells whether a cell is the postcode of the city in the cell above.
func isCodeBelowCity(city, c *cell) bool {
	return loneCode().MatchString(c.text()) && !hasDigit(city.text()) && isName(city.text())
}

func isCityCell(c *cell) bool {
	_, _, _, ok := postcodeOf(c)
	return ok
}

// nameAndAddress reads a block with the name of a party above its address.
func (d *partyDraft) nameAndAddress(b *block) (name printed, a address, ok bool) {
	street := []printed{}
	for i, c := range b.cells {
		of := c.words()
		if i == 0 || name.value == "" {
			if role, rest := partyLabel(c); role != "" {
				of = rest
			}
		}
		if parts := senderParts(c); len(parts) == 2 && name.value != "" && a.city.value == "" { // street and city in one row
			if m := postcode().FindStringSubmatch(strings.TrimSpace(parts[1])); m != nil {
				street, a.postCode, a.city = append(street, printed{strings.TrimSpace(parts[0]), of}), printed{m[2], of}, printed{m[3], of}
				continue
			}
		}
		if len(of) == 0 || senderParts(c) != nil && i < len(b.cells)-2 || words().Attention.MatchString(textOf(of)) {
			continue
		}
		s := strings.Trim(textOf(of), " :,")
		country, code, city, isCity := postcodeOf(c)
		switch {
		case isCity && a.city.value == "" && !(i+1 < len(b.cells) && isUSCity(b.cells[i+1])): // 4557 Elm St is above Fremont CA 94538
			a.postCode, a.city = printed{code, of}, printed{city, of}
			if country != "" {
				a.country = d.countryOf(country, of)
			}
		case i > 1 && name.value != "" && len(street) > 0 && a.city.value == "" && isCodeBelowCity(b.cells[i-1], c):
			a.city, a.postCode = street[len(street)-1], printed{s, of}
			street = street[:len(street)-1]
		case a.city.value != "":
			if code, known := words().Countries.exactly(s); known {
				a.country = printed{code, of}
			}
		case name.value == "":
			isSmall := len(b.cells) > 2 && of[0].Size < 0.85*b.cells[len(b.cells)-1].words()[0].Size
			isStreet := i+1 < len(b.cells) && isCityCell(b.cells[i+1]) && houseNumber().MatchString(s) && !hasLegalForm(of)
			if !words().Salutation.MatchString(s) && isName(s) && !isSmall && !isStreet && !d.startsHeader(c) {
				name = printed{s, of}
			}
		case !hasLegalForm(name.words) && hasLegalForm(of) && isName(s): // the company of a person
			name = printed{s, of}
		case !d.startsHeader(c) && s != name.value: // a name may be there again, as that of the trade
			street = append(street, printed{s, of})
		}
	}
	if at := slices.IndexFunc(b.cells, func(c *cell) bool { return !words().Salutation.MatchString(c.text()) }); name.value == "" && a.city.value != "" && at >= 0 && at+2 < len(b.cells) && isLikeLabel(b.cells[at]) {
		name = printed{strings.Trim(b.cells[at].text(), " ,"), b.cells[at].words()}
	}
	if a.city.value != "" && len(street) > 0 {
		a.line1 = street[len(street)-1]
		if len(street) > 1 {
			a.line2 = street[len(street)-2]
		}
	}
	return name, a, name.value != ""
}

// isLikeLabel tells whether a cell is a name that is also a label, or has two letters: nothing
// else in its block can be the name.
func isLikeLabel(c *cell) bool {
	s := c.text()
	return !strings.Contains(s, ":") && !hasDigit(s) && len(s) >= 2 && (isPartyLabel(s) || isPartLabel(s) || len([]rune(s)) == 2)
}

// startsHeader tells whether a cell begins with a label of the head that has a colon or
// a value, and so is no part of an address.
func (d *partyDraft) startsHeader(c *cell) bool {
	p, ok := c.label(&words().Header)
	if !ok {
		return false
	}
	if strings.Contains(c.text(), ":") {
		return true
	}
	last := c.row.tokens[c.token+p.used-1].word
	return p.length > 3 && (last == c.last || hasDigit(c.row.words[last+1].Text))
}

func (d *partyDraft) countryOf(prefix string, of []*word) printed {
	code, ok := words().CountryPrefixes[prefix]
	if !ok {
		code = prefix
	}
	if !words().Countries.names(code) {
		return printed{}
	}
	return printed{code, of}
}

// isName tells whether a text can be a name.
func isName(s string) bool {
	n := 0
	for _, c := range s {
		if unicode.IsLetter(c) {
			n++
		}
	}
	return n >= 3 && 2*n >= len([]rune(s)) && len(s) <= 100 && !strings.ContainsAny(s, "@:") && !strings.Contains(s, "www.") && !isPartyLabel(s) && !isPartLabel(s)
}

// isPartLabel tells whether a text is a label of the head or of a part of a party.
func isPartLabel(s string) bool {
	if _, ok := words().PartyParts.exactly(s); ok {
		return true
	}
	_, ok := words().Header.exactly(s)
	return ok
}

// sellerVotes are the names in a block without a role that may be the seller's.
func (d *partyDraft) sellerVotes(b *block) []nameVote {
	var votes []nameVote
	for i, c := range b.cells {
		if senderParts(c) != nil {
			continue
		}
		if n := legalForm(c.words()); n > 0 && !d.startsHeader(c) {
			of := c.words()[:n]
			if s := strings.Trim(textOf(of), " :,;·|"); isName(s) {
				votes = append(votes, nameVote{printed{s, of}, weightLegalForm})
			}
		}
		if i == 0 && hasCity(b) {
			if name, address, ok := d.nameAndAddress(b); ok {
				votes = append(votes, nameVote{name, weightAddress})
				d.sellerAddress(address)
			}
		}
	}
	return votes
}

// houseNumber matches a street with its number, which is no name.
var houseNumber = pattern(`\s\d+\s?[a-zA-Z]?$`)

// senderVotes is the name in a sender's line.
func (d *partyDraft) senderVotes(c *cell) []nameVote {
	parts := senderParts(c)
	if parts == nil {
		return nil
	}
	if street := strings.TrimSpace(parts[0]); postcode().MatchString(strings.TrimSpace(parts[1])) && !hasLegalForm(c.words()[:min(len(strings.Fields(street)), c.last-c.first+1)]) {
		above := d.nameAbove(c)
		isStreet := hasDigit(street) || len(above) > 0 && above[0].name.words[0].Size > 1.1*c.words()[0].Size
		if isStreet {
			d.senderAddress(c, append([]string{""}, parts...))
			return above
		}
	}
	if !isName(parts[0]) {
		return nil
	}
	d.senderAddress(c, parts)
	of := c.words()[:min(len(strings.Fields(parts[0])), c.last-c.first+1)]
	return []nameVote{{printed{parts[0], of}, weightSenderLine}}
}

// nameAbove is the name right above street and city in one row, as in a letterhead.
func (d *partyDraft) nameAbove(c *cell) []nameVote {
	if c.row.index == 0 {
		return nil
	}
	above := d.layout.rows[c.row.index-1]
	if above.page != c.row.page || c.row.top-above.bottom > above.height() {
		return nil
	}
	name := &above.cells[0]
	if len(above.cells) > 1 {
		at := slices.IndexFunc(above.cells, func(o cell) bool { return math.Abs(o.left-c.left) < 3 })
		if at < 0 {
			return nil
		}
		name = &above.cells[at]
	}
	if s := strings.Trim(name.text(), " :,"); isName(s) && !isTitle(name) && !d.startsHeader(name) && name.left < c.right && name.right > c.left {
		return []nameVote{{printed{s, name.words()}, weightSenderLine}}
	}
	return nil
}

// sellerAddress is the seller's address unless one was found before.
func (d *partyDraft) sellerAddress(a address) {
	p := d.seller()
	if p.address.city.value == "" && a.city.value != "" {
		p.address = a
	}
}

func (d *partyDraft) seller() *party {
	if d.byRole["seller"] == nil {
		d.byRole["seller"] = &party{}
	}
	return d.byRole["seller"]
}

// senderAddress takes street and city out of the sender's line.
func (d *partyDraft) senderAddress(c *cell, parts []string) {
	for i, part := range parts {
		m := postcode().FindStringSubmatch(strings.TrimSpace(part))
		if i == 0 || m == nil {
			continue
		}
		a := address{postCode: printed{m[2], c.words()}, city: printed{m[3], c.words()}}
		if m[1] != "" {
			a.country = d.countryOf(m[1], c.words())
		}
		if i > 1 {
			a.line1 = printed{withoutPartLabel(parts[i-1]), c.words()}
		}
		d.sellerAddress(a)
		return
	}
}

// withoutPartLabel cuts what an address is called off its begin, as in Registered office: 4 Mill
// Lane.
func withoutPartLabel(s string) string {
	label, rest, found := strings.Cut(s, ":")
	if _, known := words().PartyParts.exactly(label); found && known {
		return strings.TrimSpace(rest)
	}
	return s
}

// besideLabels reads names that are to the right of a party's label, where no block was
// below it.
func (d *partyDraft) besideLabels() (sellers []nameVote) {
	for _, r := range d.layout.rows {
		if r.page > 1 || d.isLine[r.index] {
			continue
		}
		for i := range r.cells {
			role, rest := partyLabel(&r.cells[i])
			if role == "" || d.byRole[role] != nil && d.byRole[role].name.value != "" {
				continue
			}
			of := rest
			if len(of) == 0 && i+1 < len(r.cells) {
				of = r.cells[i+1].words()
			}
			s := strings.Trim(textOf(of), " :,")
			if !isName(s) || len(of) == 0 || isPartyLabel(s) {
				continue
			}
			if role == "seller" {
				sellers = append(sellers, nameVote{printed{s, of}, weightBeside})
				continue
			}
			if d.byRole[role] == nil {
				d.byRole[role] = &party{}
			}
			d.byRole[role].name, d.byRole[role].score = printed{s, of}, weightBeside
		}
	}
	return sellers
}

func isPartyLabel(s string) bool {
	_, ok := words().Parties.exactly(s)
	return ok
}

// largest is the text in the largest letters at the top of the first page, which is
// often the seller's name, unless it is a title or a label.
func (d *partyDraft) largest() (nameVote, bool) {
	var best *cell
	size := 1.15 * d.layout.usual
	for _, r := range d.layout.rows {
		if r.page > 1 {
			break
		}
		if r.top > 0.25*d.layout.pages[0].Height {
			continue
		}
		for i := range r.cells {
			c := &r.cells[i]
			if s := r.words[c.first].Size; s > size+0.5 && isName(c.text()) && !isTitle(c) && !d.startsHeader(c) && d.head.used[r.words[c.last]] == "" {
				best, size = c, s
			}
		}
	}
	if best == nil {
		return nameVote{}, false
	}
	return nameVote{printed{strings.Trim(best.text(), " :,"), best.words()}, weightLargest}, true
}

func isTitle(c *cell) bool {
	_, ok := c.label(&words().Titles)
	return ok
}

// elect chooses the seller's name: votes for one name, or for a longer form of it, add
// up. A name of the buyer, or of where goods go to, does not count.
func (d *partyDraft) elect(votes []nameVote) {
	others := map[string]bool{}
	for _, role := range []string{"buyer", "shipTo"} {
		if p := d.byRole[role]; p != nil {
			others[fold(p.name.value)] = true
		}
	}
	const most = 60
	votes = votes[:min(len(votes), most)]
	p := d.seller()
	for i, v := range votes {
		key := fold(v.name.value)
		if key == "" || others[key] {
			continue
		}
		score := 0.0
		for _, other := range votes {
			otherKey := fold(other.name.value)
			switch {
			case otherKey == key:
				score += other.weight
			case len(otherKey) > 4 && strings.HasPrefix(key, otherKey), len(key) > 4 && strings.HasPrefix(otherKey, key):
				score += 0.5 * other.weight
			}
		}
		if hasLegalForm(v.name.words) {
			score += 0.15
		}
		if score > p.score {
			if p.name.value != "" && fold(p.name.value) != key {
				p.others = append(p.others, p.name)
			}
			p.name, p.score = votes[i].name, score
		} else if fold(p.name.value) != key && len(p.others) < maxAlternatives {
			p.others = append(p.others, v.name)
		}
	}
}

// labelledVatIDs are the words of a row that follow a label for VAT identifiers.
func (d *partyDraft) labelledVatIDs(r *row) map[int]bool {
	at := map[int]bool{}
	for _, h := range r.find(&words().Header) {
		if h.field != "vatId" && h.field != "buyerVatId" && h.field != "taxNumber" { // a Tax ID may be either
			continue
		}
		next := h.last + 1
		for next < len(r.words) && len(r.words[next].tokens) == 0 {
			next++
		}
		at[next] = true
	}
	return at
}

// belowVatLabel are the cells of a row that are below a label for VAT identifiers with nothing
// beside it.
func (d *partyDraft) belowVatLabel(r *row) (below []*cell) {
	if r.index == 0 || d.layout.rows[r.index-1].page != r.page {
		return nil
	}
	above := d.layout.rows[r.index-1]
	if r.top-above.bottom > 1.2*above.height() {
		return nil
	}
	for _, h := range above.find(&words().Header) {
		left, _ := h.box()
		if h.field != "vatId" || !h.startsCell || above.cells[above.cellAt(h.first)].last != h.last {
			continue
		}
		for i := range r.cells {
			if math.Abs(r.cells[i].left-left) < 3 {
				below = append(below, &r.cells[i])
			}
		}
	}
	return below
}

// vatIDs decides whose the VAT identifiers are: by the label, by the block that they
// are in, or else the seller's.
func (d *partyDraft) vatIDs(blocks []*block, role map[*block]string) {
	owner := map[*word]string{}
	for _, b := range blocks {
		for _, c := range b.cells {
			for _, w := range c.words() {
				owner[w] = role[b]
			}
		}
	}
	take := func(who string, v printed) {
		if d.byRole[who] == nil {
			d.byRole[who] = &party{}
		}
		if d.byRole[who].vatID.value == "" {
			d.byRole[who].vatID = v
		}
	}
	if c, ok := d.head.claims["buyerVatId"]; ok {
		take("buyer", printed{c.value, c.words})
	}
	for _, r := range d.layout.rows {
		labelled := d.labelledVatIDs(r)
		for _, c := range d.belowVatLabel(r) {
			labelled[c.first] = true
		}
		for i := 0; i < len(r.words); {
			read := vatIDAt
			if labelled[i] {
				read = labelledVatIDAt
			}
			id, n := read(r.words[i:])
			if n == 0 || d.head.used[r.words[i]] == "iban" {
				i++
				continue
			}
			who := owner[r.words[i]]
			if before := max(i-1, 0); who == "" {
				who = owner[r.words[before]]
			}
			buyer := d.byRole["buyer"]
			switch {
			case buyer != nil && buyer.vatID.value == id:
			case who == "buyer" || d.head.used[r.words[i]] == "buyerVatId":
				take("buyer", printed{id, r.words[i : i+n]})
			default:
				take("seller", printed{id, r.words[i : i+n]})
			}
			i += n
		}
	}
}
