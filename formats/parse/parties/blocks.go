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

// A block is a column of cells that are set below each other.
type block struct {
	cells []*layout.Cell
	page  int
	left  float64
	top   float64
}

// maxOpenBlocks is how many blocks of a page may go on at a time.
const maxOpenBlocks = 12

// blocks are those of the first and the last page, outside of the lines.
func (d *draft) blocks() []*block {
	var all, open []*block
	last := len(d.Layout.Pages)
	for _, r := range d.Layout.Rows {
		if d.isLine[r.Index] || r.Page != 1 && r.Page != last {
			continue
		}
		for i := range r.Cells {
			c := &r.Cells[i]
			into := joins(open, c)
			if role, _ := partyLabel(c); role != "" || into != nil && into.isHeadingBelow(c) { // another party begins, or the text of the letter
				into = nil
			}
			if into == nil {
				into = &block{page: r.Page, left: c.Left, top: r.Top}
				all = append(all, into)
				if open = append(open, into); len(open) > maxOpenBlocks {
					open = open[1:]
				}
			}
			into.cells = append(into.cells, c)
		}
	}
	return joinAddresses(partSenders(all))
}

// partSenders parts the sender's line of a letter in two rows from the address right below it.
func partSenders(blocks []*block) (out []*block) {
	for _, b := range blocks {
		end := slices.IndexFunc(b.cells, endsSender)
		if rest := b.cells[end+1:]; end == 1 && len(rest) > 1 && slices.ContainsFunc(rest, isCityCell) {
			out = append(out, b.cutAbove(end+1))
		}
		out = append(out, b)
	}
	return out
}

// cutAbove takes the first cells out of a block, and returns them as a block of their own.
func (b *block) cutAbove(cells int) *block {
	above := *b
	above.cells = b.cells[:cells]
	b.cells, b.top = b.cells[cells:], b.cells[cells].Row.Top
	return &above
}

// endsSender reports whether a cell ends the sender's line of a letter, as 69002 Lyon · France: its parts have signs between
// them, and one is a city.
func endsSender(c *layout.Cell) bool {
	return strings.ContainsAny(c.Text(), "·•|") && candidate.HasCity(c.Text())
}

// isSenderAbove reports whether a block is the sender's line in two rows, with an address right below it.
func (b *block) isSenderAbove(blocks []*block) bool {
	const reach = 3 // heights of a row
	last := b.cells[len(b.cells)-1]
	return len(b.cells) == 2 && endsSender(last) && slices.ContainsFunc(blocks, func(below *block) bool {
		gap := below.top - last.Row.Bottom
		return b.page == below.page && math.Abs(b.left-below.left) < 3 && gap > -1 && gap < reach*max(last.Row.Height(), 8) && hasCity(below) && len(below.cells) > 1
	})
}

// isHeadingBelow reports whether a cell below a block is the title of the document, in larger letters than the block, or
// in much larger ones below an address.
func (b *block) isHeadingBelow(c *layout.Cell) bool {
	const (
		larger     = 1.2
		muchLarger = 1.4
	)
	size, above := c.Words()[0].Size, b.cells[len(b.cells)-1].Words()[0].Size
	return size > larger*above && isTitle(c) || size > muchLarger*above && hasCity(b)
}

// Bounds of an address with blank rows.
const (
	addressRows = 8
	addressGap  = 3.2 // heights of a row
)

// joinAddresses joins blocks to one address where a blank row is above the city.
func joinAddresses(blocks []*block) []*block {
	for range addressRows {
		joined := joinOnce(blocks)
		if len(joined) == len(blocks) {
			break
		}
		blocks = joined
	}
	return blocks
}

func joinOnce(blocks []*block) []*block {
	var out []*block
	for _, b := range blocks {
		near := out[max(len(out)-2*maxOpenBlocks, 0):]
		above := -1
		if b.startsWithAddress() {
			above = slices.IndexFunc(near, func(a *block) bool { return a.isAddressAbove(b) })
		}
		if above >= 0 {
			near[above].cells = append(near[above].cells, b.cells...)
			continue
		}
		out = append(out, b)
	}
	return out
}

// isAddressAbove reports whether a block may be the upper part of the address below.
func (b *block) isAddressAbove(below *block) bool {
	last, first := b.cells[len(b.cells)-1], below.cells[0]
	gap := first.Row.Top - last.Row.Bottom
	return b.page == below.page && math.Abs(b.left-below.left) < 3 && gap > 0 && gap < addressGap*max(last.Row.Height(), 8) &&
		len(b.cells)+len(below.cells) <= addressRows && !hasCity(b) && !endsSender(last) && (len(b.cells) > 1 || senderParts(last) == nil) &&
		math.Abs(last.Words()[0].Size-first.Words()[0].Size) < 3 && !slices.ContainsFunc(b.cells[1:], isLabelOrTitle) && (len(b.cells) > 1 || !isLabelOrTitle(b.cells[0]))
}

// startsWithAddress reports whether a block begins with a city, or with a street and a city.
func (b *block) startsWithAddress() bool {
	if _, _, _, ok := postcodeOf(b.cells[0]); ok {
		return true
	}
	if len(b.cells) < 2 || isLabelOrTitle(b.cells[0]) || !lexicon.HasDigit(b.cells[0].Text()) {
		return false
	}
	_, _, _, ok := postcodeOf(b.cells[1])
	return ok
}

func isLabelOrTitle(c *layout.Cell) bool {
	role, _ := partyLabel(c)
	return role != "" || layout.IsLabel(c) || isTitle(c)
}

// joins is the block that a cell goes on with: the one whose last cell is right above
// it and has the same left edge.
func joins(open []*block, c *layout.Cell) *block {
	for i := len(open) - 1; i >= 0; i-- {
		above := open[i].cells[len(open[i].cells)-1]
		gap := c.Row.Top - above.Row.Bottom
		if above.Row == c.Row || above.Row.Page != c.Row.Page || gap > 1.0*min(above.Row.Height(), c.Row.Height())+1 || gap < -0.6*c.Row.Height() {
			continue
		}
		if math.Abs(above.Left-c.Left) < 3 {
			return open[i]
		}
	}
	for i := len(open) - 1; i >= 0; i-- { // set to the right, or in the middle
		above := open[i].cells[len(open[i].cells)-1]
		gap := c.Row.Top - above.Row.Bottom
		isBelow := above.Row != c.Row && above.Row.Page == c.Row.Page && gap <= 1.0*min(above.Row.Height(), c.Row.Height())+1 && gap >= -0.6*c.Row.Height()
		if isBelow && (math.Abs(above.Right-c.Right) < 1 || math.Abs(above.Left+above.Right-c.Left-c.Right) < 1) && !isAmount(c) && !isAmount(above) {
			return open[i]
		}
	}
	return nil
}

// isAmount reports whether a cell is a number, as those of a column that is set to the right.
func isAmount(c *layout.Cell) bool {
	return !strings.ContainsFunc(c.Text(), unicode.IsLetter) || layout.HasMoney(c.Row)
}

func isUSCity(c *layout.Cell) bool {
	return candidate.USCity().MatchString(strings.TrimSpace(c.Text()))
}

// An Address is where a party is.
type Address struct {
	Line1, Line2, City, PostCode, Country candidate.Printed
	StreetOpen                            bool // the first line may be another row between name and city, or none of them
	CityOpen                              bool // the city may be another row, or a part of one
}

// takeStreet takes the first line of an address, the street, and the second one from the rows between name and city. The only
// row that is like a street is the first line. Where there are more, or none, the last row is, and that is open: it may be a
// second line, a department, or the rest of the name. So is a street below a row that it may be the rest of, as nothing of it
// had a place there: no row of the block ends farther right.
func (a *Address) takeStreet(rows []candidate.Printed, right float64) {
	last := len(rows) - 1
	like, at := 0, last
	for i, row := range rows {
		if isLikeStreet(row) {
			like, at = like+1, i
		}
	}
	if a.StreetOpen = like != 1; a.StreetOpen {
		at = last
	}
	a.Line1 = rows[at]
	switch {
	case at > 0:
		a.Line2 = rows[at-1]
		a.StreetOpen = a.StreetOpen || isBrokenBefore(a.Line2, a.Line1, right)
	case last > 0:
		a.Line2 = rows[1]
	}
}

// isBrokenBefore reports whether the first word of a row would have ended right of all of a block behind the row above.
func isBrokenBefore(above, row candidate.Printed, right float64) bool {
	if len(above.Words) == 0 || len(row.Words) == 0 {
		return false
	}
	end, first := above.Words[len(above.Words)-1], row.Words[0].Box
	return end.Box.Right+end.LetterWidth()+first.Right-first.Left > right
}

// right is where the widest cell of a block ends.
func (b *block) right() (right float64) {
	for _, c := range b.cells {
		right = max(right, c.Right)
	}
	return right
}

// isLikeStreet reports whether a row has a number beside its words, as that of a house, or begins or ends as streets do. A
// number alone is the rest of the row above.
func isLikeStreet(row candidate.Printed) bool {
	isNumbered := lexicon.HasDigit(row.Value) && strings.ContainsFunc(row.Value, unicode.IsLetter)
	return isNumbered || len(row.Words) > 0 && isStreet(row)
}

// postcodeOf reads the line with postcode and city.
func postcodeOf(c *layout.Cell) (country, code, city string, ok bool) {
	return candidate.CityIn(c.Text())
}

// partsOf are the parts of an address in one line. A comma parts no number of a house, floor or hall from its street, as in
// Viale dei Tigli, 8, 14 bis, rue Haute and Avda. de la Paz, 33, 2.º B, and no legal form from its name.
func partsOf(s string) (parts []string) {
	s = strings.TrimSpace(s)
	from, sign, before := 0, "", false
	for _, at := range append(candidate.Separators().FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		part, last := s[from:at[0]], len(parts)-1
		if isNumber := isNumberOfStreet(part, s[at[1]:]); last >= 0 && (before || !isNumber && restOfStreet().MatchString(part) || lexicon.Words().LegalForms[lexicon.Fold(part)]) {
			parts[last], before = parts[last]+sign+part, false // as it is printed: 21 - 3.º Esq.
		} else {
			parts, before = append(parts, part), isNumber
		}
		from, sign = at[1], s[at[0]:at[1]]
	}
	return parts
}

// restOfStreet matches what stands behind the comma of a street.
var restOfStreet = lexicon.Pattern(`^(?:(?:n\.?[º°o]\.? ?)?\d{1,4}[.ºª°/-]{0,2}\p{L}?(?: \p{L}{1,4}\.?)?|\p{Ll}{2,8}\.? \d{1,4}\p{L}?)$`)

// numberBefore matches the number of a house before the comma of its street.
var numberBefore = lexicon.Pattern(`^\d{1,4} ?(?:\p{L}|bis|ter|quater)?$`)

// isNumberOfStreet reports whether a part of a line is the number of the street behind it, as in 14 bis, rue Haute.
func isNumberOfStreet(part, behind string) bool {
	street, _, _ := strings.Cut(behind, " ")
	return numberBefore().MatchString(part) && lexicon.Words().StreetsFirst[lexicon.Fold(street)]
}

// senderParts are the parts of a cell that is a sender's line: name, street and city in
// one line.
func senderParts(c *layout.Cell) []string {
	s := c.Text()
	if len(s) > 160 {
		return nil
	}
	parts := partsOf(s)
	if len(parts) < 2 || len(parts) > 6 {
		return nil
	}
	for _, part := range parts[1:] {
		if candidate.PostCode().MatchString(strings.TrimSpace(part)) {
			return parts
		}
	}
	return nil
}

// inOneLine are the name, the street and the city of a party that is set in one line, and what stands between its name and
// its street, such as a building; nil where a text is none.
func inOneLine(s string) []string {
	if len(s) > 160 {
		return nil
	}
	parts := partsOf(s)
	at := slices.IndexFunc(parts, func(part string) bool { return candidate.PostCode().MatchString(strings.TrimSpace(part)) })
	if at < 1 {
		return nil
	}
	street := ""
	if at > 1 {
		street = strings.TrimSpace(parts[at-1])
	}
	line := []string{strings.TrimSpace(parts[0]), street, strings.TrimSpace(parts[at])}
	if at > 2 {
		line = append(line, parts[1:at-1]...)
	}
	return line
}

// legalForm is how many of the words of a text are a company's name, up to its legal
// form; 0 if it has none.
func legalForm(of []*layout.Word) int {
	const longest = 12 // words of a name
	for i := 1; i < len(of) && i < longest; i++ {
		if before, isOrdinal := strings.CutSuffix(of[i-1].Text, "."); isOrdinal && len(before) < 3 && lexicon.HasDigit(before) { // 4. OG, the floor
			continue
		}
		for n := min(4, len(of)-i); n >= 1; n-- {
			form := strings.Trim(layout.TextOf(of[i:i+n]), ",;·|")
			if form == "" || form[0] == '(' || len(of[i+n-1].Tokens) == 0 { // the code of a country, or a sign behind the form
				continue
			}
			if n == 1 && endsInForm(form) { // Harbour Hotel Operating-GmbH
				return i + n + restOfForm(of[i+n:])
			}
			if folded := lexicon.Fold(form); lexicon.Words().LegalForms[folded] && (form[0] >= 'A' && form[0] <= 'Z' || len(form) > 3 || i+n == len(of) && lexicon.Words().SmallForms[folded]) {
				rest := restOfForm(of[i+n:])
				if behind := i + n; rest == 0 && behind+1 < len(of) && (of[behind].Text == "&" || of[behind].Text == "+") { // Handelsbolaget Ek & Alm
					continue
				}
				return i + n + rest
			}
		}
	}
	return 0
}

// endsInForm reports whether a word has a legal form behind its last hyphen, as Betriebs-GmbH, or at its end, as
// Handelsges.m.b.H.
func endsInForm(word string) bool {
	if f := lexicon.Fold(word); strings.HasSuffix(f, "gesmbh") && f != "gesmbh" {
		return true
	}
	at := strings.LastIndexByte(word, '-')
	if at < leastOfWord {
		return false
	}
	form := word[at+1:]
	return form != "" && form[0] >= 'A' && form[0] <= 'Z' && lexicon.Words().LegalForms[lexicon.Fold(form)]
}

// restOfForm is how many words go on with a legal form, as & Co. KG after GmbH.
func restOfForm(of []*layout.Word) (n int) {
	for i, w := range of {
		f := lexicon.Fold(w.Text)
		ends, joins := lexicon.Words().FormJoins[f]
		switch {
		case ends || lexicon.Words().LegalForms[f]:
			n = i + 1
		case !joins && w.Text != "&":
			return n
		}
	}
	return n
}

// HasLegalForm reports whether words are a name with a legal form.
func HasLegalForm(of []*layout.Word) bool { return legalForm(of) > 0 }
