package parties

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// Bounds of a letterhead.
const (
	letterheadPart = 0.3 // of the first page has it
	letterheadRows = 6   // below the name have what senders print
	letterheadGap  = 4   // heights of a row between two of its rows, at most
)

// letterhead is the first name on the page where what senders alone print is below it: that of a trader without a
// legal form, or of a shop. Of two addresses side by side, either may be the sender's.
func (d *draft) letterhead(blocks []*block, isOthers func(*layout.Cell) bool) []nameVote {
	for _, r := range d.Layout.Rows {
		if r.Page > 1 || r.Top > letterheadPart*d.Layout.Pages[0].Height {
			break
		}
		for i := range r.Cells {
			c := &r.Cells[i]
			s := strings.Trim(c.Text(), " :,;·|")
			if isOthers(c) || !isName(s) || len(c.Words()) > longName || isTitle(c) || d.startsHeader(c) || senderParts(c) != nil || lexicon.HasDigit(s) || strings.ContainsAny(s, "·•|") || d.head.Used[c.Words()[0]] != "" {
				continue
			}
			if d.isMarkedBelow(c, isOthers) {
				if isBesideAddress(c, blocks, isOthers) {
					return nil
				}
				return []nameVote{{candidate.Printed{Value: s, Words: c.Words()}, lexicon.Weigh().Name.Letterhead}}
			}
		}
	}
	return nil
}

// isBesideAddress reports whether a cell is in an address beside another one of which nothing says whose it is.
func isBesideAddress(c *layout.Cell, blocks []*block, isOthers func(*layout.Cell) bool) bool {
	at := slices.IndexFunc(blocks, func(b *block) bool { return slices.Contains(b.cells, c) })
	if at < 0 || !hasCity(blocks[at]) {
		return false
	}
	of := blocks[at]
	return slices.ContainsFunc(blocks, func(b *block) bool {
		return b != of && b.page == of.page && !isOthers(b.cells[0]) && hasCity(b) && b.top < of.bottom() && of.top < b.bottom()
	})
}

// isBesideOther reports whether the name of the seller is in an address beside another one, and no label says whose one of
// them is: either may sell.
func (d *draft) isBesideOther(blocks []*block) bool {
	p := d.seller()
	if len(p.Name.Words) == 0 || p.Labelled || orNone(d.ByRole["buyer"]).Labelled {
		return false
	}
	b, at := inBlock(p.Name.Words[0], blocks)
	return b != nil && isBesideAddress(b.cells[at], blocks, func(*layout.Cell) bool { return false })
}

// orNone is what p points to; nobody where that is nothing.
func orNone(p *party) *party {
	if p == nil {
		return &party{}
	}
	return p
}

// isMarkedBelow reports whether a row right below a cell, from the same left edge, to the same right one or in the
// same middle, has what senders alone print, with no cell of another party between.
func (d *draft) isMarkedBelow(c *layout.Cell, isOthers func(*layout.Cell) bool) bool {
	last, n := c.Row, 0
	for i := c.Row.Index + 1; i < len(d.Layout.Rows) && n < letterheadRows; i++ {
		r := d.Layout.Rows[i]
		if r.Page != c.Row.Page || r.Top-last.Bottom > letterheadGap*max(r.Height(), 8) {
			return false
		}
		at := slices.IndexFunc(r.Cells, func(o layout.Cell) bool {
			return math.Abs(o.Left-c.Left) < 3 || math.Abs(o.Right-c.Right) < 3 || math.Abs(o.Left+o.Right-c.Left-c.Right) < 6
		})
		if at < 0 {
			continue
		}
		if o := &r.Cells[at]; isOthers(o) {
			return false
		} else if d.isSellersMark(o) || hasVatID(o) {
			return true
		}
		last = r
		n++
	}
	return false
}

// imprints are the names with a legal form that begin a cell with the company's particulars behind them: its
// registration, VAT identifier, account or capital.
func (d *draft) imprints(isOthers func(*layout.Cell) bool) (votes []nameVote) {
	for _, r := range d.Layout.Rows {
		if d.isLine[r.Index] {
			continue
		}
		for i := range r.Cells {
			c := &r.Cells[i]
			n := legalForm(c.Words())
			if n == 0 || n >= len(c.Words()) || isOthers(c) || d.startsHeader(c) || !d.hasParticulars(r, c.First+n) {
				continue
			}
			of := c.Words()[:n]
			if s := strings.Trim(layout.TextOf(of), " :,;·|–-"); isName(s) && !isBank(of) {
				votes = append(votes, nameVote{candidate.Printed{Value: s, Words: of}, lexicon.Weigh().Name.Imprint})
			}
		}
	}
	return votes
}

// hasParticulars reports whether the words of a row from a place on have a label or a value of those that companies
// print of themselves.
func (d *draft) hasParticulars(r *layout.Row, from int) bool {
	w := lexicon.Words()
	if slices.ContainsFunc(r.Find(&w.Header), func(h layout.Hit) bool {
		return h.First >= from && (h.Field == "registration" || h.Field == "vatId" || h.Field == "taxNumber" || h.Field == "iban")
	}) || slices.ContainsFunc(r.Find(&w.Capital), func(h layout.Hit) bool { return h.First >= from }) {
		return true
	}
	for i := from; i < len(r.Words); i++ {
		if w.Registers[lexicon.Fold(strings.Trim(r.Words[i].Text, ".,:;/"))] && r.Words[i].Text != strings.ToLower(r.Words[i].Text) {
			return true
		}
	}
	return false
}

// isBank reports whether words name a bank, which stands beside the account of the seller.
func isBank(of []*layout.Word) bool {
	return slices.ContainsFunc(of, func(w *layout.Word) bool {
		f := lexicon.Fold(w.Text)
		return slices.ContainsFunc(lexicon.Words().BankStems, func(stem string) bool { return strings.Contains(f, stem) })
	})
}

// leastOfDomain is how many letters a word has at least that is looked for in the name of a domain.
const leastOfDomain = 4

// mostDomains is how many of them are looked at.
const mostDomains = 20

// domains are the names that mail addresses and pages of the web have on the pages, outside of what is another
// party's: of those of a provider of mail, what stands before the sign. A page with more than a few is a list.
func (d *draft) domains(isOthers func(*layout.Cell) bool) (found []string) {
	for _, r := range d.Layout.Rows {
		for i := range r.Cells {
			if isOthers(&r.Cells[i]) {
				continue
			}
			for _, w := range r.Cells[i].Words() {
				if name := domainOf(w.Text); len(name) >= leastOfDomain && !slices.Contains(found, name) {
					if found = append(found, name); len(found) == mostDomains {
						return found
					}
				}
			}
		}
	}
	return found
}

// domainOf are the letters that a mail address or the address of a page names its owner with; "" of other words.
func domainOf(s string) string {
	s = strings.ToLower(strings.Trim(s, "<>()[],;|·"))
	user, host, isMail := strings.Cut(s, "@")
	if !isMail {
		_, path, found := strings.Cut(s, "://")
		if host = strings.TrimPrefix(path, "www."); !found {
			var isPage bool
			if host, isPage = strings.CutPrefix(s, "www."); !isPage {
				return ""
			}
		}
	}
	host, _, _ = strings.Cut(host, "/")
	parts := strings.Split(strings.Trim(host, "."), ".")
	if len(parts) < 2 {
		return ""
	}
	name := parts[len(parts)-2]
	if isMail && lexicon.Words().MailProviders[name] {
		name = user
	}
	return lettersOf(name)
}

// lettersOf are the letters and digits of a text, folded.
func lettersOf(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, lexicon.Fold(s))
}

// isDomain reports whether a domain is a name, or either begins the other.
func isDomain(name, domain string) bool {
	whole := lettersOf(name)
	return len(whole) >= leastOfDomain && (strings.HasPrefix(domain, whole) || strings.HasPrefix(whole, domain))
}

// isOfDomain reports whether a word of a name is in the name of a domain, or the domain is the name.
func isOfDomain(name string, domains []string) bool {
	for _, domain := range domains {
		if isDomain(name, domain) {
			return true
		}
		for _, word := range strings.Fields(name) {
			if f := lettersOf(word); len(f) >= leastOfDomain && strings.Contains(domain, f) && !lexicon.Words().LegalForms[f] {
				return true
			}
		}
	}
	return false
}
