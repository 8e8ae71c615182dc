package parties

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A nameVote is a name that may be a party's.
type nameVote struct {
	name   candidate.Printed
	weight float64
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

func (d *draft) seller() *party {
	if d.ByRole["seller"] == nil {
		d.ByRole["seller"] = &party{}
	}
	return d.ByRole["seller"]
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
