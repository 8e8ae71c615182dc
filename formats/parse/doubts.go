package parse

import (
	"math"
	"strings"

	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/parties"
	"einvoice/formats/parse/ranker"
)

// doubts are what else speaks for or against a value, by its group: each from 0 to 1, and as many for
// each value of a group.
func (b *builder) doubts(pointer string, f *Field, e *evidence) []float64 {
	return append(b.ownDoubts(pointer, f, e), f.second.features(groupOf(pointer))...)
}

// An opinion is how well the ranker finds that a value fits its field, and how well the best other candidate does:
// the logarithms of the odds.
type opinion struct {
	own, rival float64
	isRanked   bool
}

func (d *document) opinionOf(pointer string, f *Field) (o opinion) {
	if ranker.KindOf[pointer] == "" {
		return o
	}
	fit := d.ranking.Fit
	if pointer == "/seller/name" && parties.HasLegalForm(orNone(d.ByRole["seller"]).Name.Words) {
		fit = d.ranking.FitCompany
	}
	o.own, o.rival = fit(pointer, f.Value)
	o.isRanked = true
	return o
}

// isSilent reports whether the ranker finds that no value fits, as on pages that are like none that it learned from, or
// does not know the value because it is not printed.
func (o opinion) isSilent() bool {
	const hardly = -0.5
	return !o.isRanked || o.own == ranker.Absent || max(o.own, o.rival) < hardly
}

// isAgainst reports whether the ranker finds that another value fits, and as well or better.
func (o opinion) isAgainst() bool { return !o.isSilent() && o.rival >= o.own }

// isFor reports whether the ranker finds that the value fits, and clearly better than each other one.
func (o opinion) isFor() bool {
	const clearly = 2
	return o.isRanked && o.own > 0 && o.own > o.rival+clearly
}

// features are what the scorer knows of it: for days and names. Of numbers and totals the rules know enough, and the
// ranker only has a veto.
func (o opinion) features(group string) []float64 {
	switch {
	case !o.isRanked || group == "number" || group == "total":
		return nil
	case o.isSilent():
		return []float64{0, 0, 0, 0, 0, 1}
	}
	const wide = 8 // of a margin that is as good as a wider one
	odds := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	margin := min(max((o.own-o.rival)/wide, -1), 1)
	return []float64{odds(o.own), odds(o.rival), max(margin, 0), max(-margin, 0), yes(o.own > o.rival), 0}
}

// ownDoubts are those of the rules.
func (b *builder) ownDoubts(pointer string, f *Field, e *evidence) []float64 {
	d := b.document
	switch groupOf(pointer) {
	case "number":
		return flags(len(f.Value) <= shortNumber, d.head.IsCited(), b.rivalled[pointer], d.head.HeadsCell("number"))
	case "issueDate":
		return flags(e.looseDays > 0 && !d.head.IsLabelled("issueDate"), d.head.IsWeakDay(), b.rivalled[pointer], d.Notation.Unsure(f.Printed))
	case "dueDate", "deliveryDate":
		field := claimOf[pointer]
		return flags(b.rivalled[pointer], d.head.HeadsCell(field), d.isDemanded(), d.Notation.Unsure(f.Printed))
	case "currency", "account":
		return flags(b.rivalled[pointer])
	case "vatIdentifier":
		return flags(pointer == "/seller/vatIdentifier", pointer == "/seller/vatIdentifier" && d.isOfAnother(), d.isPartySure("seller"), d.isPartySure("buyer"), e.vatIDs > 1)
	case "total":
		return flags(d.Chain.PaidUnsaid, d.Chain.DueUnsaid, d.Chain.Unproved, strings.HasSuffix(pointer, "/amountDueForPayment"))
	case "seller":
		return d.doubtsOfName("seller", "buyer")
	case "buyer":
		return d.doubtsOfName("buyer", "seller")
	}
	return nil
}

// doubtsOfName are those of the name of a party, beside the other one.
func (d *document) doubtsOfName(role, beside string) []float64 {
	p, other := orNone(d.ByRole[role]), orNone(d.ByRole[beside])
	name := p.Name.Value
	return append(flags(
		p.Part, p.Labelled, p.Marked, p.BelowSender, p.Proved, d.isPartySure(role),
		other.Labelled, other.Marked, other.BelowSender, d.isPartySure(beside),
		strings.ContainsAny(name, ",;|:"), parties.HouseNumber().MatchString(name), lexicon.Fold(name) == lexicon.Fold(other.Name.Value),
		lexicon.HasDigit(name), p.Address.City.Value != "", p.Address.Line1.Value != "", p.VatID.Value != "",
	), min(float64(len(p.Name.Words)), manyWords)/manyWords)
}

// manyWords is how many words a name has that has many.
const manyWords = 6

// orNone is what p points to; something empty where that is nothing.
func orNone[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

func flags(of ...bool) []float64 {
	out := make([]float64, len(of))
	for i, is := range of {
		out[i] = yes(is)
	}
	return out
}
