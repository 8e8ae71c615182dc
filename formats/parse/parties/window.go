package parties

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// isFoot reports whether a block begins with the name of a labelled seller: it says once more who that is.
func (d *draft) isFoot(b *block, blocks []*block, role map[*block]string) bool {
	return slices.ContainsFunc(blocks, func(seller *block) bool {
		name, _, ok := d.nameAndAddress(seller)
		return ok && role[seller] == "seller" && b != seller && b.names(lexicon.Fold(name.Value))
	})
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
		if b.page != 1 || role[b] != "" || b.top > 0.45*page.Height || b.top < 0.06*page.Height || !hasCity(b) || len(b.cells) < 2 || isSenders(b) || b.isSenderAbove(blocks) {
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
