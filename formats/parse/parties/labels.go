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
