package parse

import (
	"math"
	"slices"
	"strings"
)

// A block is a column of cells that are set below each other.
type block struct {
	cells []*cell
	page  int
	left  float64
	top   float64
}

// maxOpenBlocks is how many blocks of a page may go on at a time.
const maxOpenBlocks = 12

// blocks are those of the first and the last page, outside of the lines.
func (d *partyDraft) blocks() []*block {
	var all, open []*block
	last := len(d.layout.pages)
	for _, r := range d.layout.rows {
		if d.isLine[r.index] || r.page != 1 && r.page != last {
			continue
		}
		for i := range r.cells {
			c := &r.cells[i]
			into := joins(open, c)
			if into == nil {
				into = &block{page: r.page, left: c.left, top: r.top}
				all = append(all, into)
				if open = append(open, into); len(open) > maxOpenBlocks {
					open = open[1:]
				}
			}
			into.cells = append(into.cells, c)
		}
	}
	return joinAddresses(all)
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

// isAddressAbove tells whether a block may be the upper part of the address below.
func (b *block) isAddressAbove(below *block) bool {
	last, first := b.cells[len(b.cells)-1], below.cells[0]
	gap := first.row.top - last.row.bottom
	return b.page == below.page && math.Abs(b.left-below.left) < 3 && gap > 0 && gap < addressGap*max(last.row.height(), 8) &&
		len(b.cells)+len(below.cells) <= addressRows && !hasCity(b) && (len(b.cells) > 1 || senderParts(last) == nil) &&
		math.Abs(last.words()[0].Size-first.words()[0].Size) < 3 && !slices.ContainsFunc(b.cells[1:], isLabelOrTitle) && (len(b.cells) > 1 || !isLabelOrTitle(b.cells[0]))
}

// startsWithAddress tells whether a block begins with a city, or with a street and a city.
func (b *block) startsWithAddress() bool {
	if _, _, _, ok := postcodeOf(b.cells[0]); ok {
		return true
	}
	if len(b.cells) < 2 || isLabelOrTitle(b.cells[0]) || !hasDigit(b.cells[0].text()) {
		return false
	}
	_, _, _, ok := postcodeOf(b.cells[1])
	return ok
}

func isLabelOrTitle(c *cell) bool {
	role, _ := partyLabel(c)
	return role != "" || isLabel(c) || isTitle(c)
}

// joins is the block that a cell goes on with: the one whose last cell is right above
// it and has the same left edge.
func joins(open []*block, c *cell) *block {
	for i := len(open) - 1; i >= 0; i-- {
		above := open[i].cells[len(open[i].cells)-1]
		gap := c.row.top - above.row.bottom
		if above.row == c.row || above.row.page != c.row.page || gap > 1.0*min(above.row.height(), c.row.height())+1 || gap < -0.6*c.row.height() {
			continue
		}
		if math.Abs(above.left-c.left) < 3 {
			return open[i]
		}
	}
	return nil
}

// postcode matches the line of an address with postcode and city: its parts are an
// optional country, the postcode, and the city.
var postcode = pattern(`^(?:([A-Z]{1,2})[- ] ?)?(\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{3} \d{2}|\d{4,5})\s+(\p{Lu}[\p{L}'’. /()-]{1,40}(?:\s+\d{1,2}|\s+[Cc][Ee][Dd][Ee][Xx](?:\s\d+)?)?),?$`)

// cityFirst matches London SW1A 1AA, Scranton PA 18503, and the like.
var cityFirst = pattern(`^(\p{Lu}[\p{L}'’. -]{1,40}),?\s+([A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|[A-Z]{2} \d{5}(?:-\d{4})?)$`)

// usParts are the parts of Scranton PA 18503, which may have commas between them.
var usParts = pattern(`^(\p{Lu}[\p{L}'’. -]{1,40}),?\s+([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)$`)

func isUSCity(c *cell) bool { return usParts().MatchString(strings.TrimSpace(c.text())) }

// An address is where a party is.
type address struct {
	line1, line2, city, postCode, country printed
}

// postcodeOf reads the line with postcode and city.
func postcodeOf(c *cell) (country, code, city string, ok bool) { return postcodeIn(c.text()) }

func postcodeIn(text string) (country, code, city string, ok bool) {
	s, _, _ := strings.Cut(strings.TrimSpace(text), ", ")
	if len(s) > 80 {
		return "", "", "", false
	}
	if m := usParts().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return "", m[2] + " " + m[3], m[1], true
	}
	if m := postcode().FindStringSubmatch(s); m != nil {
		return m[1], m[2], m[3], true
	}
	if m := cityFirst().FindStringSubmatch(s); m != nil {
		return "", m[2], m[1], true
	}
	return "", "", "", false
}

// separators part the sender's line of a letter.
var separators = pattern(`\s*[·•|∙‧●*■]\s*|\s+[-–—]\s+|\s*[,;]\s+`)

// senderParts are the parts of a cell that is a sender's line: name, street and city in
// one line.
func senderParts(c *cell) []string {
	s := c.text()
	if len(s) > 160 {
		return nil
	}
	parts := separators().Split(strings.TrimSpace(s), -1)
	if len(parts) < 2 || len(parts) > 6 {
		return nil
	}
	for _, part := range parts[1:] {
		if postcode().MatchString(strings.TrimSpace(part)) {
			return parts
		}
	}
	return nil
}

// legalForm is how many of the words of a text are a company's name, up to its legal
// form; 0 if it has none.
func legalForm(of []*word) int {
	const longest = 12 // words of a name
	for i := 1; i < len(of) && i < longest; i++ {
		for n := min(4, len(of)-i); n >= 1; n-- {
			form := strings.Trim(textOf(of[i:i+n]), ",;·|")
			if form == "" || form[0] == '(' { // the code of a country
				continue
			}
			if words().LegalForms[fold(form)] && form[0] >= 'A' && form[0] <= 'Z' || words().LegalForms[fold(form)] && len(form) > 3 {
				return i + n + restOfForm(of[i+n:])
			}
		}
	}
	return 0
}

// restOfForm is how many words go on with a legal form, as & Co. KG after GmbH.
func restOfForm(of []*word) (n int) {
	for i, w := range of {
		f := fold(w.Text)
		ends, joins := words().FormJoins[f]
		switch {
		case ends || words().LegalForms[f]:
			n = i + 1
		case !joins && w.Text != "&":
			return n
		}
	}
	return n
}

func hasLegalForm(of []*word) bool { return legalForm(of) > 0 }
