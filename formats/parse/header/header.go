package header

import (
	"cmp"
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/lines"
)

// A kind is the type of value that a label asks for.
type kind uint8

const (
	kindID kind = iota
	kindDate
	kindVatID
	kindIBAN
	kindBIC
	kindText
	kindPeriod
	kindCurrency
	kindOther // claims what is beside it, whatever that is
	kindNone  // claims nothing
)

// headerKinds are the types of the labels of the head; an identifier without an entry.
var headerKinds = map[string]kind{
	"issueDate": kindDate, "dueDate": kindDate, "deliveryDate": kindDate, "taxPoint": kindDate, "vatId": kindVatID, "buyerVatId": kindVatID,
	"iban": kindIBAN, "bic": kindBIC, "accountName": kindText, "project": kindText, "buyerReference": kindText,
	"yourReference": kindText, "ownReference": kindText, "currency": kindCurrency,
	"period": kindPeriod, "other": kindOther, "terms": kindNone, "remittance": kindText,
}

// A Claim says that a label asks for a value.
type Claim struct {
	Field string
	Value string
	Words []*layout.Word
	hit   layout.Hit
	Score float64
}

// LabelLength is how many characters the label has; 0 where none asks for the value.
func (c *Claim) LabelLength() int { return c.hit.Length }

// Bounds of where the value of a label is.
const (
	fullLength = 14 // characters of a label; more count no more
	maxSkipped = 5  // words between
	maxBelow   = 3  // rows below
	shortLabel = 4  // characters of a label that is a word such as of
	// genericLabel is how many characters the word for a day has at most, as in Order 17, date ...
	genericLabel = 6
)

// A Head are the values that labels ask for.
type Head struct {
	Claims       map[string]Claim
	Alternatives map[string][]Claim
	Used         map[*layout.Word]string // by word: the field that has it
	cited        bool                    // the number may be that of another document, as of the invoice that is credited
}

// A draft is what of the head was read so far.
type draft struct {
	*candidate.Pages
	Head
	title  Title
	isLine []bool
	lines  []lines.Line

	numbersCredit bool // a label calls a number that of a credit note
}

// Read reads the head of an invoice, outside of its lines.
func Read(p *candidate.Pages, title Title, read *lines.Table) *Head {
	d := &draft{Pages: p, title: title, isLine: read.IsLine, lines: read.Lines}
	d.Head = Head{Claims: map[string]Claim{}, Alternatives: map[string][]Claim{}, Used: map[*layout.Word]string{}}
	d.read()
	return &d.Head
}

// read decides which value each label of the head has. A value belongs to one label,
// that with the best claim.
func (d *draft) read() {
	var claims []Claim
	for _, r := range d.Layout.Rows {
		if d.isLine[r.Index] {
			continue
		}
		d.use(r.OfBroken(), "other") // none of them is a value
		hits := withBuyers(r.Find(&lexicon.Words().Header))
		for i := range hits {
			end := endOfValues(r, hits, i)
			d.claimBeside(&hits[i], end, &claims)
			if end == len(r.Words) {
				d.claimAcross(&hits[i], &claims)
			}
			d.claimWrapped(&hits[i], &claims)
			if !d.isBroken(&hits[i]) {
				d.claimBelow(&hits[i], len(hits) > 1 && i+1 < len(hits) && hits[i+1].First == hits[i].Last+1, &claims)
			}
		}
	}
	slices.SortStableFunc(claims, func(a, b Claim) int { return cmp.Compare(b.Score, a.Score) })
	d.numbersCredit = slices.ContainsFunc(claims, func(c Claim) bool {
		return c.Field == "number" && lexicon.CallsCredit(layout.TextOf(c.hit.Words()))
	})
	isAny := func(c Claim) bool {
		return c.Field == "number" && lexicon.Words().AnyNumber[lexicon.Fold(layout.TextOf(c.hit.Words()))]
	}
	for _, c := range claims {
		if !isAny(c) && !(d.title.Own && (isCited(&c.hit) || d.isOfSentence(&c.hit))) && !d.isCredited(&c.hit) { // a page without a title may cite its own number
			d.accept(c)
		}
	}
	d.numberInTitle()
	for _, c := range claims {
		switch {
		case !isAny(c):
		case d.isOfParty(&c.hit):
			d.use(c.Words, "other")
		default:
			d.accept(c)
		}
	}
	d.numberBehindTitle()
	d.numberBelowTitle()
	for _, c := range claims {
		if isCited(&c.hit) || d.isOfSentence(&c.hit) || d.isCredited(&c.hit) {
			d.accept(c)
		}
	}
	number := d.Claims["number"]
	d.cited = number.hit.Row != nil && (d.isCredited(&number.hit) || d.isOfSentence(&number.hit))
	d.numberBehindName()
	d.numberOfSubject()
	dropped, isDropped := d.dropDayOfAnother(claims)
	d.dateBehindNumber()
	d.decideOwnReference()
	d.decideYourReference()
	d.decideTaxPoint()
	d.issueDateWithoutLabel()
	if _, found := d.Claims["issueDate"]; !found && isDropped { // better than none, and not sure
		d.Claims["issueDate"] = dropped
	}
	d.dueWithoutLabel()
	d.deliveryOfSentence()
	d.joinBroken()
}

// MaxAlternatives is how many other values of a field are told.
const MaxAlternatives = 3
