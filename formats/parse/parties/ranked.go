package parties

import (
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// Bounds of what the ranker says of a name: the logarithm of the odds.
const (
	rankedSurely = 4  // more counts no more
	rankedBuyer  = -2 // of a buyer that the rules do not find
)

// electAgain elects the seller with a vote of the ranker among the others: it decides where the rules have no more than
// a guess. It returns all votes.
func (d *draft) electAgain(votes []nameVote, domains []string) []nameVote {
	best := d.ranking.Best("/seller/name")
	name, ok := rankedName(best.Words)
	if !ok || best.Score <= 0 {
		return votes
	}
	before := *d.seller()
	votes = slices.Insert(votes, 0, nameVote{name, lexicon.Weigh().Name.Ranked * min(best.Score, rankedSurely) / rankedSurely})
	*d.seller() = party{Address: before.Address, VatID: before.VatID}
	d.elect(votes, domains)
	if p := d.seller(); lexicon.Fold(p.Name.Value) == lexicon.Fold(before.Name.Value) {
		*p = before
	} else {
		p.Ranked = true
	}
	return votes
}

// takeRankedBuyer takes the name that the ranker finds to be that of the buyer, where the rules find none, with the
// address below it.
func (d *draft) takeRankedBuyer(blocks []*block) {
	if p := d.ByRole["buyer"]; p != nil && p.Name.Value != "" {
		return
	}
	best := d.ranking.Best("/buyer/name")
	name, ok := rankedName(best.Words)
	if !ok || best.Score < rankedBuyer || lexicon.Fold(name.Value) == lexicon.Fold(d.seller().Name.Value) || d.labelled[lexicon.Fold(name.Value)] {
		return
	}
	p := d.ByRole["buyer"]
	if p == nil {
		p = &party{}
		d.ByRole["buyer"] = p
	}
	p.Name, p.Ranked = name, true
	if b, _ := inBlock(name.Words[0], blocks); b != nil && p.Address.City.Value == "" {
		_, p.Address, _ = d.nameAndAddress(b)
	}
}

// rankedName is a name that the ranker prefers; none where it is not like one.
func rankedName(of []*layout.Word) (candidate.Printed, bool) {
	name := candidate.Printed{Value: strings.Trim(layout.TextOf(of), " :,;·|"), Words: of}
	return name, isName(name.Value) && len(of) <= longName
}
