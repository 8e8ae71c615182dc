package parse

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/parties"
	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// A Source says where a value is from.
type Source string

// The sources.
const (
	SourceText     Source = "text"     // printed on a page
	SourceOCR      Source = "ocr"      // recognised in a picture of a page
	SourceComputed Source = "computed" // follows from printed values by the totals chain
	SourceModel    Source = "model"    // printed or recognised; a language model said what it is
)

// A Result is an invoice with where each of its values is from.
type Result struct {
	Kind    Kind              `json:"kind"`
	Invoice *model.Invoice    `json:"invoice"`
	Fields  map[string]*Field `json:"fields"` // by JSON pointer (RFC 6901) into Invoice
	Pages   []Page            `json:"pages"`
	Review  []Review          `json:"review"` // worst first

	// CodeContradictions are where payment codes and printed values differ.
	CodeContradictions []CodeContradiction `json:"-"`
	// Hidden is the text that nobody sees.
	Hidden []Hidden `json:"-"`
	// Unanswered says why a language model that was asked gave no answer; nil where it did
	// or was not asked.
	Unanswered *AskError `json:"-"`

	sheets []text.Sheet // of the file
	part   part         // of the file that is the document
}

// Sheets are the words of the pages that were read, at their places.
func (r *Result) Sheets() []text.Sheet { return r.sheets }

// A Field is one value of the invoice.
type Field struct {
	Value string `json:"value"`
	// Printed is the text on the page; empty where the value was computed.
	Printed string `json:"printed,omitempty"`
	Page    int    `json:"page,omitempty"` // of the file, from 1
	Box     *Box   `json:"box,omitempty"`
	// Confidence is from 0 to 1.
	Confidence   float64       `json:"confidence"`
	Source       Source        `json:"source"`
	Alternatives []Alternative `json:"alternatives,omitempty"`

	raw      float64 // what the rules say of the confidence
	second   opinion // what the ranker says of it
	features []float64
	doubt    float64 // of the word that was recognised worst

	uncalibrated float64 // what the scorer says
}

// An Alternative is another value that a field may have.
type Alternative struct {
	Value   string `json:"value"`
	Printed string `json:"printed"`
	Page    int    `json:"page"`
	Box     *Box   `json:"box"`
}

// A Box is a part of a page: each number is a share of its width or height, from the
// page's top left corner, as the page reads (see Page.Rotation).
type Box struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
}

// A Page is one that was read.
type Page struct {
	Width    float64 `json:"width"`  // in points of 1/72 inch, as the page reads
	Height   float64 `json:"height"` // likewise
	Rotation int     `json:"rotation"`
	Source   Source  `json:"source"`
	Words    int     `json:"words"`
	// Confidence is that of the words, from 0 to 1; 1 for printed text.
	Confidence float64 `json:"confidence"`
	// Pictured is how much of the page pictures cover, from 0 to 1. What they show is
	// read where the source of the page is SourceOCR.
	Pictured float64 `json:"pictured"`
}

// A Review is something that a person should look at.
type Review struct {
	Fields  []string `json:"fields"` // JSON pointers
	Message string   `json:"message"`
	Weight  float64  `json:"weight"` // how bad it may be, from 0 to 1
}

// A builder makes the result: the invoice has the values of the fields, and no other.
type builder struct {
	result   *Result
	sheets   []text.Sheet
	document *document
	byModel  map[string]bool // pointers of what a language model said
	behind   []bool          // by page: its words are behind a picture
	first    int             // page of the file before the first of the document
	rivalled map[string]bool // pointers of values that another one has nearly as good a label as
	byCode   map[string]bool // pointers of what a payment code alone said

	contradictions []contradiction // that the review tells
}

// rivalledMost is the confidence of a value at most that another one has nearly as good a
// label as.
const rivalledMost = 0.85

// shortNumber is how many characters a number has that may only count: "3rd interim invoice".
const shortNumber = 2

// unsaidMost is the confidence at most of a name that nothing but its place makes that of the
// seller, the buyer or a line, of an address that nothing makes that of the party, and of a payment or
// of what is due that nothing but the arithmetic says. What is said of the parties on an invoice that the buyer
// issues, and a day to pay by where nothing is to be paid, are no surer.
const unsaidMost = 0.89

// addressAt is the address of the party that a pointer begins with; an empty one where nobody is found.
func (b *builder) addressAt(pointer string) *parties.Address {
	return &orNone(b.document.ByRole[strings.Split(pointer, "/")[1]]).Address
}

// most is the confidence that a value can have, whatever the scorer says.
func (b *builder) most(pointer string, f *Field, e *evidence) float64 {
	switch {
	case strings.HasSuffix(pointer, "/vat/rate") && !b.document.hasRate(f.Value):
		return contradicted
	case strings.HasPrefix(pointer, totalsAt) && !b.document.Chain.Closes && (groupOf(pointer) != "total" || !b.isTotalAgreed(pointer, f)): // closing is the proof of a total
		return min(f.raw, untrained)
	case strings.HasPrefix(pointer, vatAt) && !b.document.Chain.Closes && b.isOfOpenTotals(pointer):
		return min(f.raw, contradicted)
	case b.document.isRanked(pointer): // no rule agrees
		return rivalledMost
	case isFaulty(pointer, f.Value):
		return contradicted
	case strings.HasSuffix(f.Value, "-"), isCutOff(pointer, f.Value): // it goes on in another row
		return contradicted
	case isMisread(pointer, f):
		return exchangedDigit
	case strings.HasPrefix(pointer, totalsAt) && b.document.Totals.HasRivalColumn():
		return rivalledMost
	case (pointer == totalsAt+"paidAmount" || pointer == totalsAt+"amountDueForPayment") && (b.document.Chain.DueUnsaid || b.document.Chain.PaidUnsaid): // one of them is what proves the other
		return unsaidMost
	case pointer == totalsAt+"amountDueForPayment" && (b.document.Totals.HasRivalOfDue() || b.document.saysPaid()):
		return unsaidMost
	case b.rivalled[pointer] && groupOf(pointer) != "issueDate" && groupOf(pointer) != "number": // of these two, the scorer knows it
		return rivalledMost
	case pointer == "/number" && (len(f.Value) <= shortNumber || b.document.head.IsCited() || b.document.isYear(f.Value) || b.document.isNumberOpen()):
		return rivalledMost
	case pointer == "/purchaseOrderReference" && b.document.head.IsOrderOpen():
		return rivalledMost
	case f.second.isAgainst() && !b.followsFromOthers(pointer):
		return unsaidMost
	case strings.HasSuffix(pointer, "er/name") && b.document.isNameUnended(strings.Split(pointer, "/")[1]): // whatever the ranker says
		return unsaidMost
	case strings.HasSuffix(pointer, "er/name") && b.document.isEitherSeller(), isOfParties(pointer) && b.document.isOneParty():
		return rivalledMost
	case (pointer == "/seller/name" && b.document.isNameOpen("seller") || pointer == "/buyer/name" && b.document.isNameOpen("buyer")) && !f.second.isFor():
		return unsaidMost
	case strings.HasSuffix(pointer, "/postalAddress/line1") && b.addressAt(pointer).StreetOpen:
		return rivalledMost
	case strings.HasSuffix(pointer, "/postalAddress/city") && b.addressAt(pointer).CityOpen:
		return rivalledMost
	case groupOf(pointer) == "address" && !b.document.hasAddress(strings.Split(pointer, "/")[1]):
		return unsaidMost
	case groupOf(pointer) == "vatIdentifier" && !candidate.HasShapeOfVatID(f.Value): // a part of it stands elsewhere, or is cut off
		return rivalledMost
	case pointer == "/seller/vatIdentifier" && b.document.isOfAnother(), pointer == "/buyer/vatIdentifier" && b.document.isEitherVatID():
		return rivalledMost
	case (pointer == "/buyer/vatIdentifier" || pointer == "/buyer/name") && b.document.mayBuyerSell():
		return rivalledMost
	case groupOf(pointer) == "vatIdentifier" && e.vatIDs > 1 && b.document.isOfCountry(strings.Split(pointer, "/")[1], f.Value) == 0:
		return rivalledMost
	case b.document.title.SelfBilled && isOfParties(pointer):
		return unsaidMost
	case pointer == "/issueDate" && b.document.isListed():
		return rivalledMost
	case pointer == "/paymentDueDate" && (!b.document.isDemanded() || b.document.head.IsDayOfSentence(b.document.Layout)):
		return unsaidMost
	case strings.HasSuffix(pointer, "Date") && b.document.Notation.Unsure(f.Printed):
		return rivalledMost
	case b.document.isLoneFactor(pointer, f):
		return rivalledMost
	case groupOf(pointer) == "lineName":
		return unsaidMost
	case groupOf(pointer) == "":
		return min(f.raw, untrained)
	}
	return 1
}

// isOfOpenTotals reports whether the base or the tax of a group of VAT is a total: where the totals do not close, it is as sure as
// they are at most. A rate that is printed with both proves them.
func (b *builder) isOfOpenTotals(pointer string) bool {
	var group int
	var name string
	if _, err := fmt.Sscanf(strings.TrimPrefix(pointer, vatAt+"/"), "%d/%s", &group, &name); err != nil || group >= len(b.document.Vat) || name != "taxableAmount" && name != "taxAmount" {
		return false
	}
	g := &b.document.Vat[group]
	isProved := g.Rate > 0 && g.Base.From != nil && g.Tax.From != nil && g.Base.From.Row == g.Tax.From.Row
	return !isProved
}

// provedTogether are the totals of which two and the arithmetic give the third.
var provedTogether = []string{totalsAt + "totalAmountWithoutVat", totalsAt + "taxTotalAmount", totalsAt + "totalAmountWithVat"}

// followsFromOthers reports whether a total is the sum or the difference of two others that the ranker has nothing against.
func (b *builder) followsFromOthers(pointer string) bool {
	if !slices.Contains(provedTogether, pointer) {
		return false
	}
	return !slices.ContainsFunc(provedTogether, func(other string) bool {
		f := b.result.Fields[other]
		return other != pointer && (f == nil || f.second.isAgainst() || f.Value == "0" || f.Value == "0.00")
	})
}

// isOfParties reports whether a value says who sells, who buys or who is paid.
func isOfParties(pointer string) bool {
	return pointer == accountAt || strings.HasPrefix(pointer, "/seller/") || strings.HasPrefix(pointer, "/buyer/")
}

// isDemanded reports whether the day to pay by has a label of its own, or the page asks for a payment: a credit note
// does not, nor does one that is paid.
func (d *document) isDemanded() bool {
	isOwed := !creditNotes[d.title.Code] && (!d.Chain.Due.Known || d.Chain.Due.Value > 0)
	return isOwed || d.head.HeadsCell("dueDate")
}

// isCutOff reports whether a value of a party can only be a part of what was broken in a narrow column: a name or a city that
// ends with a word such as im, a street that has nothing but a number.
func isCutOff(pointer, value string) bool {
	switch {
	case strings.HasSuffix(pointer, "/postalAddress/line1"):
		return parties.IsRestOfStreet(value) || parties.EndsOpen(value)
	case groupOf(pointer) == "address", strings.HasSuffix(pointer, "er/name"):
		return parties.EndsOpen(value)
	}
	return false
}

// isFaulty reports whether a value is an account that begins as an IBAN and cannot be one, by its length or
// its check digits: a part of it stands elsewhere, it was recognised wrong, or whoever printed it was
// mistaken.
func isFaulty(pointer, value string) bool {
	length := lexicon.Words().IBANLengths[value[:min(2, len(value))]]
	return pointer == accountAt && length > 0 && (len(value) != length || !model.HasCheckDigits(value))
}

// capParties takes confidence from the VAT identifiers and addresses of both parties and the buyer's name where it is hardly known who
// one of them is, or no more than the place of the names says who sells: they may be exchanged.
func (b *builder) capParties() {
	least, most := 0.5, unsaidMost
	switch {
	case b.document.isEitherSeller():
		least, most = unsaidMost, rivalledMost
	case !b.document.isToldApart():
		least = unsaidMost
	}
	if !slices.ContainsFunc([]string{"/seller/name", "/buyer/name"}, func(pointer string) bool {
		name := b.result.Fields[pointer]
		return name != nil && name.Confidence < least
	}) {
		return
	}
	for pointer, f := range b.result.Fields {
		if pointer == "/buyer/name" || groupOf(pointer) == "vatIdentifier" || groupOf(pointer) == "address" {
			f.Confidence = min(f.Confidence, most)
		}
	}
}

// capBehind takes confidence from values that were read behind a picture, and from what was
// computed where any was, as that follows from them.
func (b *builder) capBehind(behind []bool) {
	b.behind = behind
	computed := slices.Contains(behind, true)
	for _, f := range b.result.Fields {
		if f.Page > 0 && f.Page <= len(behind) && behind[f.Page-1] || f.Source == SourceComputed && computed {
			f.Confidence = min(f.Confidence, behindMost)
		}
	}
}

// put adds a value that is printed.
func (b *builder) put(pointer, value string, of []*layout.Word, confidence float64) *Field {
	if strings.TrimSpace(value) == "" || len(of) == 0 {
		return nil
	}
	f := &Field{Value: value, Printed: layout.TextOf(of), Page: of[0].Page, Box: b.box(of), raw: min(max(confidence, 0), 1), Source: SourceText}
	for _, w := range of {
		f.doubt = max(f.doubt, w.Doubt)
	}
	if b.sheets[f.Page-1].Recognised {
		f.Source = SourceOCR
	}
	if b.byModel[pointer] || b.byModel[linesAt] && strings.HasPrefix(pointer, linesAt) || b.byModel[vatAt] && strings.HasPrefix(pointer, vatAt) {
		f.Source = SourceModel
	}
	b.add(pointer, f)
	return f
}

// compute adds a value that follows from others.
func (b *builder) compute(pointer, value string, confidence float64) {
	b.add(pointer, &Field{Value: value, raw: min(max(confidence, 0), 1), Source: SourceComputed})
}

func (b *builder) add(pointer string, f *Field) {
	b.result.Fields[pointer] = f
	assign(b.result.Invoice, pointer, f.Value)
}

func rounded(confidence float64) float64 {
	return float64(int(min(max(confidence, 0), 0.99)*100+0.5)) / 100
}

// box is around words, as shares of their page.
func (b *builder) box(of []*layout.Word) *Box {
	sheet := &b.sheets[of[0].Page-1]
	all := of[0].Box
	for _, w := range of {
		if w.Page == of[0].Page {
			all = text.Box{
				Left: min(all.Left, w.Box.Left), Top: min(all.Top, w.Box.Top),
				Right: max(all.Right, w.Box.Right), Bottom: max(all.Bottom, w.Box.Bottom),
			}
		}
	}
	part := func(v, of float64) float64 { return float64(int(min(max(v/of, 0), 1)*10_000+0.5)) / 10_000 }
	return &Box{part(all.Left, sheet.Width), part(all.Top, sheet.Height), part(all.Right, sheet.Width), part(all.Bottom, sheet.Height)}
}

// alternatives adds other values to a field.
func (b *builder) alternatives(f *Field, others ...candidate.Printed) {
	if f == nil {
		return
	}
	for _, p := range others {
		if p.Value != f.Value && len(p.Words) > 0 && len(f.Alternatives) < header.MaxAlternatives {
			f.alternative(Alternative{p.Value, layout.TextOf(p.Words), p.Words[0].Page, b.box(p.Words)})
		}
	}
}

// alternative adds another value, once.
func (f *Field) alternative(a Alternative) {
	if !slices.ContainsFunc(f.Alternatives, func(have Alternative) bool { return have.Value == a.Value }) {
		f.Alternatives = append(f.Alternatives, a)
	}
}

// assign sets the term of an invoice that a JSON pointer leads to. A list grows by one
// group at a time.
func assign(invoice *model.Invoice, pointer, value string) {
	o := model.ObjectOf(invoice)
	var list *model.Field
	for _, name := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if list != nil {
			var index int
			if _, err := fmt.Sscan(name, &index); err != nil {
				panic("formats/parse: " + pointer + " leads to nothing")
			}
			if entries := o.List(list); index < entries.Len() {
				o = entries.At(index)
			} else {
				o = o.AppendGroup(list)
			}
			list = nil
			continue
		}
		f, ok := o.Type.Field(name)
		switch {
		case !ok:
			panic("formats/parse: " + pointer + " leads to nothing")
		case f.Kind == model.KindList:
			list = f
		case f.Kind == model.KindGroup:
			o = o.EnsureGroup(f)
		default:
			o.Set(f, value)
		}
	}
}
