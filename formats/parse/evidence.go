package parse

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/parties"
	"einvoice/model"
)

// evidence is what the pages as a whole say for and against the values that were read.
type evidence struct {
	looseDays  int // days of the first page that no label asks for
	accounts   int // different IBANs
	vatIDs     int // different VAT identifiers
	currencies int
	text       string // of all rows, folded
}

// evidenceOf looks at the pages once.
func (d *document) evidenceOf() *evidence {
	e := &evidence{}
	days, accounts, vatIDs, currencies := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	var text strings.Builder
	for _, r := range d.Layout.Rows {
		text.WriteByte('\n')
		for i := 0; i < len(r.Words); {
			w := r.Words[i]
			text.WriteString(lexicon.Fold(w.Text))
			if code, ok := lexicon.CurrencyWord(w.Text); ok {
				currencies[code] = true
			} else if _, code := candidate.CutCurrency(w.Text); code != "" && lexicon.HasDigit(w.Text) {
				currencies[code] = true
			}
			if iban, words := d.AccountAt(r, i); len(words) > 0 {
				accounts[iban] = true
			} else if id, n := candidate.VatIDAt(r.Words[i:]); n > 0 {
				vatIDs[id] = true
			}
			if day, n := d.Notation.DateAt(r.Words[i:]); n > 0 && r.Page == 1 && !d.IsLine[r.Index] && d.head.Used[w] == "" {
				days[day.ISO()] = true
			}
			i++
		}
	}
	for _, field := range []string{"issueDate", "dueDate", "deliveryDate"} {
		delete(days, d.head.Claims[field].Value)
	}
	e.looseDays, e.accounts, e.vatIDs, e.currencies, e.text = len(days), len(accounts), len(vatIDs), len(currencies), text.String()
	return e
}

// claimOf are the labels that ask for the values of the head, by pointer.
var claimOf = map[string]string{
	"/number": "number", "/issueDate": "issueDate", "/paymentDueDate": "dueDate", "/delivery/actualDeliveryDate": "deliveryDate",
	"/purchaseOrderReference": "order", accountAt: "iban", "/currencyCode": "currency", "/seller/vatIdentifier": "vatId", "/buyer/vatIdentifier": "buyerVatId",
}

// longEnough is how many characters a label has that means one thing.
const longEnough = 10

// of says how much speaks for a value: the label that asks for it, how many others might be
// meant (0 where many, 1 where none), whether it agrees with something else on the pages, and what
// else there is to say of a party.
func (e *evidence) of(d *document, pointer string, f *Field) []float64 {
	label, alone, agrees := e.ofValue(d, pointer, f)
	return append([]float64{label, alone, agrees}, d.ofParty(pointer, f)...)
}

func (e *evidence) ofValue(d *document, pointer string, f *Field) (label, alone, agrees float64) {
	few := func(n int) float64 { return 1 / float64(1+max(n, 0)) }
	if c, ok := d.head.Claims[claimOf[pointer]]; ok && claimOf[pointer] != "" {
		label = min(float64(c.LabelLength()), longEnough) / longEnough
	}
	alone = few(len(f.Alternatives))
	switch groupOf(pointer) {
	case "issueDate", "dueDate", "deliveryDate":
		alone, agrees = few(e.looseDays+len(f.Alternatives)), d.inOrder(pointer)
	case "account":
		alone = few(e.accounts - 1)
		if model.HasCheckDigits(f.Value) {
			agrees = 1
		}
	case "vatIdentifier":
		alone = few(e.vatIDs - d.ownVatIDs())
		if p := d.ByRole[strings.Split(pointer, "/")[1]]; p != nil {
			label, agrees = yes(p.LabelledVatID), yes(p.Owned)
		}
	case "currency":
		alone = few(e.currencies - 1)
	case "seller", "buyer":
		p := d.ByRole[strings.Split(pointer, "/")[1]]
		if key := lexicon.Fold(f.Value); len(key) > 3 && strings.Count(e.text, key) > 1 || p != nil && p.Proved {
			agrees = 1
		}
		if d.isPartySure(strings.Split(pointer, "/")[1]) {
			label = 1
		}
	case "number", "order":
		if key := lexicon.Fold(f.Value); len(key) > 3 && strings.Count(e.text, key) > 1 {
			agrees = 1
		}
	case "lineNumber", "lineName":
		if l := d.lineAt(pointer); l != nil {
			if quantity := l.Numbers["quantity"]; l.IsFixed && quantity.Value != candidate.UnitsPerOne {
				agrees = 1
			}
			alone = few(len(l.More))
			if !isCoded(f.Value) {
				label = 1
			}
		}
	}
	return label, alone, agrees
}

// isLoneFactor reports whether a value is the price of a line without a quantity, and another number than its amount, or a quantity
// with the decimals of a price beside none: nothing but its place tells it from the other factor.
func (d *document) isLoneFactor(pointer string, f *Field) bool {
	isPrice := strings.HasSuffix(pointer, "/price/netPrice")
	if !strings.HasPrefix(pointer, linesAt) || !isPrice && !strings.HasSuffix(pointer, "/invoicedQuantity") {
		return false
	}
	l := d.lineAt(pointer)
	if l == nil {
		return false
	}
	quantity, hasQuantity := l.Numbers["quantity"]
	if _, hasPrice := l.Numbers["unitPrice"]; hasQuantity && hasPrice {
		return false
	}
	return isPrice && !sameAmount(f.Value, candidate.AmountText(l.Numbers["lineNet"].Value)) || !isPrice && (quantity.HasCents() || quantity.Currency != "")
}

// hasRate reports whether a rate of a line is one of the breakdown, where that has any.
func (d *document) hasRate(rate string) bool {
	return len(d.Vat) == 0 || slices.ContainsFunc(d.Vat, func(row candidate.VatRow) bool {
		return candidate.DecimalText(row.Rate, 0) == rate || row.Category.Value != "" && rate == "0" || len(row.Printed) == 0
	})
}

// ownVatIDs is how many parties have a VAT identifier.
func (d *document) ownVatIDs() (n int) {
	for _, p := range d.ByRole {
		if p.VatID.Value != "" {
			n++
		}
	}
	return n
}

// yes is 1 for what is true.
func yes(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// ofParties is how many things there are to say of a value of a party, its address, its VAT
// identifier or its account.
const ofParties = 4

// ofParty is what speaks for such a value, or for the day of the invoice; nothing for others.
func (d *document) ofParty(pointer string, f *Field) []float64 {
	out := make([]float64, ofParties)
	if pointer == "/issueDate" {
		return []float64{yes(d.head.HeadsCell("issueDate")), yes(d.head.IsLabelled("issueDate")), yes(len(f.Alternatives) == 0), 0}
	}
	role := strings.Split(pointer, "/")[1]
	if pointer == accountAt {
		role = "seller"
	}
	p := d.ByRole[role]
	if p == nil {
		return out
	}
	a := &p.Address
	switch groupOf(pointer) {
	case "vatIdentifier":
		other := d.ByRole[map[string]string{"seller": "buyer", "buyer": "seller"}[role]]
		shape := lexicon.Words().VatIdentifiers[f.Value[:min(2, len(f.Value))]]
		return []float64{yes(shape.Regexp != nil && shape.MatchString(f.Value)), d.isOfCountry(role, f.Value), yes(other != nil && other.Owned), yes(d.isPartySure(role))}
	case "account":
		bic, hasBIC := d.head.Claims["bic"]
		_, isLabelled := d.head.Claims["iban"]
		return []float64{yes(hasBIC && len(bic.Value) >= 6 && bic.Value[4:6] == f.Value[:2]), d.isOfCountry(role, f.Value), yes(isLabelled), yes(p.VatID.Value != "")}
	case "address":
		return []float64{yes(d.isPartySure(role)), yes(isColumn(p.Name, a.Line1, a.City)), d.isOfCountry(role, p.VatID.Value), yes(lexicon.HasDigit(a.Line1.Value))}
	case "seller", "buyer":
		return []float64{yes(parties.HasLegalForm(p.Name.Words)), yes(isColumn(p.Name, a.Line1, a.City)), yes(p.Owned), min(float64(p.Votes), manyVotes) / manyVotes}
	}
	return out
}

// manyVotes is how many places for the name of a seller are as good as more.
const manyVotes = 4

// isOfCountry reports whether an identifier begins with the country that a party has by its
// address: 1, or 0 where it has another, and a half where nothing tells.
func (d *document) isOfCountry(role, id string) float64 {
	a := &d.ByRole[role].Address
	shape := lexicon.Words().PostCodes[countryOfVatID(id+"  ")]
	switch {
	case a.Country.Value != "" && len(id) > 1:
		return yes(a.Country.Value == countryOfVatID(id))
	case a.PostCode.Value != "" && shape.Regexp != nil:
		return yes(shape.MatchString(a.PostCode.Value))
	}
	return 0.5
}

// isColumn reports whether texts are set below each other from one left edge, or to one right one.
func isColumn(of ...candidate.Printed) bool {
	const (
		near   = 3   // points
		mostOf = 2.5 // rows from one text to the next
	)
	for i := 1; i < len(of); i++ {
		if len(of[i-1].Words) == 0 || len(of[i].Words) == 0 {
			return false
		}
		above, below := of[i-1].Words, of[i].Words
		first, last := above[0].Box, above[len(above)-1].Box
		next, end := below[0].Box, below[len(below)-1].Box
		step := next.Bottom - first.Bottom
		if above[0].Page != below[0].Page || step <= 0 || step > mostOf*max(first.Bottom-first.Top, next.Bottom-next.Top) || math.Abs(first.Left-next.Left) > near && math.Abs(last.Right-end.Right) > near {
			return false
		}
	}
	return true
}

// isCoded reports whether a name begins or ends with what may be a number of its own, as that of
// an article or of a contract.
func isCoded(name string) bool {
	words := strings.Fields(name)
	for _, w := range []string{words[0], words[len(words)-1]} {
		if len(w) > 3 && lexicon.HasDigit(w) {
			return true
		}
	}
	return strings.Contains(name, "#")
}

// isPartySure reports whether something says who a party is besides the place of its name: a label;
// for the seller, that several places name it, and another party is labelled, or its mail or its imprint
// has the name; for the buyer, that the sender's line is above it; for both, that the seller alone has in its block what sellers add to
// their address.
func (d *document) isPartySure(role string) bool {
	p := d.ByRole[role]
	if p == nil || strings.ContainsAny(p.Name.Value, ",;|:") || parties.HouseNumber().MatchString(p.Name.Value) {
		return false
	}
	for who, rival := range d.ByRole {
		if who != role && who != "shipTo" && rival != nil && lexicon.Fold(rival.Name.Value) == lexicon.Fold(p.Name.Value) {
			return false
		}
	}
	seller, buyer := d.ByRole["seller"], d.ByRole["buyer"]
	isMarked := seller != nil && buyer != nil && seller.Marked && !buyer.Marked && buyer.Address.City.Value != ""
	if role == "buyer" {
		return p.Labelled || p.BelowSender || isMarked
	}
	return p.Labelled || isMarked || p.Votes > 1 && (p.Proved || buyer != nil && (buyer.Labelled || buyer.BelowSender))
}

// isListed reports whether the day of the invoice is one of a list: its label is not in its row, and another day stands
// right below it, from the same left edge, as among instalments.
func (d *document) isListed() bool {
	of := d.head.Claims["issueDate"].Words
	if len(of) == 0 {
		return false
	}
	row := d.Layout.RowOf(of[0])
	if row == nil || row.Index+1 >= len(d.Layout.Rows) {
		return false
	}
	if slices.ContainsFunc(row.Find(&lexicon.Words().Header), func(h layout.Hit) bool { return h.Field == "issueDate" }) {
		return false
	}
	const near = 3 // points
	below := d.Layout.Rows[row.Index+1]
	at := slices.IndexFunc(below.Words, func(w *layout.Word) bool { return math.Abs(w.Box.Left-of[0].Box.Left) < near })
	if at < 0 || below.Page != row.Page {
		return false
	}
	_, n := d.Notation.DateAt(below.Words[at:])
	return n > 0
}

// isYear reports whether a number of the invoice is the year of its day, or the one before or after.
func (d *document) isYear(number string) bool {
	day := d.head.Claims["issueDate"].Value
	year, err := strconv.Atoi(number)
	of, wrong := strconv.Atoi(day[:min(4, len(day))])
	return err == nil && wrong == nil && len(number) == 4 && year-of <= 1 && of-year <= 1
}

// isNumberOpen reports whether the number of the invoice may be a part of another one, or of its own: a word of the
// pages goes on behind it, as 17-K1 does behind 17, or a capital or a group of digits follows it.
func (d *document) isNumberOpen() bool {
	claim := d.head.Claims["number"]
	if len(claim.Words) == 0 {
		return false
	}
	last := claim.Words[len(claim.Words)-1]
	number := layout.TextOf(claim.Words)
	for _, r := range d.Layout.Rows {
		for i, w := range r.Words {
			if i > 0 && r.Words[i-1] == last && layout.Near(last, w) && (isCapital(w.Text) || isGroup(w.Text)) {
				return true
			}
			rest, extends := strings.CutPrefix(w.Text, number)
			if extends && isSuffix(rest) {
				return true
			}
		}
	}
	return false
}

// isCapital reports whether a text is a capital or two.
func isCapital(s string) bool {
	return len(s) <= 2 && !strings.ContainsFunc(s, func(c rune) bool { return c < 'A' || c > 'Z' })
}

// isGroup reports whether a word is a group of digits, as in FC 611 204.
func isGroup(s string) bool {
	const most = 4 // digits
	return len(s) <= most && !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' })
}

// isSuffix reports whether what follows the beginning of a word makes it another number, as -K1 and B do.
func isSuffix(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	isMark := strings.ContainsRune("-/._", first)
	return s != "" && (isMark || unicode.IsLetter(first)) && strings.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// saysPaid reports whether a row outside of the lines says of as much as is due that it was paid, or a sentence says so
// of the whole, or the title calls the document a receipt.
func (d *document) saysPaid() bool {
	if slices.ContainsFunc(lexicon.Tokens(layout.TextOf(d.title.Words)), func(word string) bool { return lexicon.Words().ReceiptWords[word] }) {
		return true
	}
	due := d.Chain.Due
	if !due.Known {
		due = d.Chain.Gross
	}
	if due.Known && due.Value == d.Chain.Gross.Value && header.SaysPaid(d.Layout) {
		return true
	}
	if due.Known && slices.ContainsFunc(d.Layout.Rows, d.isStampedPaid) {
		return true
	}
	return due.Known && due.Value != 0 && slices.ContainsFunc(d.Layout.Rows, func(r *layout.Row) bool {
		said := slices.IndexFunc(r.Words, func(w *layout.Word) bool {
			return lexicon.Words().PaidWords[lexicon.Fold(strings.Trim(w.Text, ".,:;()"))]
		})
		if said < 0 || d.IsLine[r.Index] || d.isZeroBehind(r, said) {
			return false
		}
		return slices.ContainsFunc(d.NumbersOf(r), func(n candidate.Number) bool { return candidate.Abs(n.Value) == candidate.Abs(due.Value) })
	})
}

// isStampedPaid reports whether a row outside of the lines, without an amount, is nothing but a word for paid, or says by
// what it was paid, as in Betaald via iDEAL.
func (d *document) isStampedPaid(r *layout.Row) bool {
	w := lexicon.Words()
	word := func(i int) string { return lexicon.Fold(strings.Trim(r.Words[i].Text, ".,:;()!*")) }
	if d.IsLine[r.Index] || !w.PaidWords[word(0)] || slices.ContainsFunc(d.NumbersOf(r), func(n candidate.Number) bool { return n.HasCents() }) {
		return false
	}
	return len(r.Words) == 1 || w.PaidBy[word(1)]
}

// isZeroBehind reports whether the first amount behind a word of a row is zero, as in Paid: 0.00, to pay: 12.00.
func (d *document) isZeroBehind(r *layout.Row, word int) bool {
	for _, n := range d.NumbersOf(r) {
		if at := slices.Index(r.Words, n.Words[0]); at > word {
			return n.Value == 0 && n.HasCents()
		}
	}
	return false
}

// isNameOpen reports whether nothing but its place makes a name that of a party, or it may go on or be none.
func (d *document) isNameOpen(role string) bool {
	p := d.ByRole[role]
	return !d.isToldApart() || p.FormApart || parties.IsDescription(p.Name)
}

// isNameUnended reports whether a name may be longer or shorter than it was read: it may be a part of a longer one or go
// on in the rows below, or has several parts and no legal form behind them, or an aside in brackets, or is a label.
func (d *document) isNameUnended(role string) bool {
	p := orNone(d.ByRole[role])
	if _, isLabel := lexicon.Words().Header.Exactly(p.Name.Value); isLabel {
		return true
	}
	return p.Part || p.GoesOn || strings.HasSuffix(p.Name.Value, ")") || strings.ContainsAny(p.Name.Value, ",;|") && !parties.HasLegalForm(p.Name.Words)
}

// isToldApart reports whether anything but the place of the names says which of the parties sells.
func (d *document) isToldApart() bool {
	seller := d.ByRole["seller"]
	return d.isPartySure("seller") || d.isPartySure("buyer") || seller != nil && seller.Proved
}

// isEitherSeller reports whether the parties stand beside each other and nothing but their places says who sells.
func (d *document) isEitherSeller() bool {
	return orNone(d.ByRole["seller"]).Beside && !d.isToldApart()
}

// isEitherVatID reports whether of two VAT identifiers of one country nothing says whose they are.
func (d *document) isEitherVatID() bool {
	seller, buyer := orNone(d.ByRole["seller"]), orNone(d.ByRole["buyer"])
	return buyer.GuessedVatID && !seller.Owned && countryOfVatID(seller.VatID.Value) == countryOfVatID(buyer.VatID.Value)
}

// isOneParty reports whether seller and buyer have one name, or a label says that the seller buys: one of them was read in the
// place of the other.
func (d *document) isOneParty() bool {
	name := orNone(d.ByRole["seller"]).Name.Value
	return name != "" && lexicon.Fold(name) == lexicon.Fold(orNone(d.ByRole["buyer"]).Name.Value) || d.SaysSellerBuys()
}

// mayBuyerSell reports whether the ranker finds that who is taken for the buyer sells.
func (d *document) mayBuyerSell() bool {
	name := orNone(d.ByRole["buyer"]).Name.Value
	buys, _ := d.ranking.Fit("/buyer/name", name)
	sells, _ := d.ranking.Fit("/seller/name", name)
	return sells > max(buys, 0)
}

// isOfAnother reports whether the VAT identifier of the seller may be that of somebody else: it stands in no block of
// the seller's and not beside its name, and another one is as good, or the name of another company is in its row.
func (d *document) isOfAnother() bool {
	seller := d.ByRole["seller"]
	if seller == nil || seller.Owned || len(seller.VatID.Words) == 0 { // a language model or a code said it
		return false
	}
	first := seller.VatID.Words[0]
	row := d.Layout.RowOf(first)
	if row == nil {
		return false
	}
	name := lexicon.Fold(seller.Name.Value)
	if name != "" && strings.Contains(lexicon.Fold(layout.TextOf(row.Words)), name) {
		return false
	}
	return seller.RivalVatID || parties.HasLegalForm(row.Cells[row.CellAt(slices.Index(row.Words, first))].Words())
}

// hasAddress reports whether something says that the address of a party is its own: what says who the
// party is, or one column of the name and the address. The name may be in one block and the address in
// that of the other party.
func (d *document) hasAddress(role string) bool {
	p := d.ByRole[role]
	return p != nil && !p.AddressApart && (d.isPartySure(role) || isColumn(p.Name, p.Address.Line1, p.Address.City))
}

// How many days are between the days of most invoices, at most.
const (
	latestDue      = 120
	latestDelivery = 60 // after the invoice
	firstDelivery  = 120
)

// inOrder reports whether a day is where it has to be among the others: 1, or 0 where it is not,
// and a half where there is no other.
func (d *document) inOrder(pointer string) float64 {
	at := func(field string) (time.Time, bool) {
		t, err := time.Parse(time.DateOnly, d.head.Claims[field].Value)
		return t, err == nil
	}
	issue, issued := at("issueDate")
	due, hasDue := at("dueDate")
	delivery, delivered := at("deliveryDate")
	days := func(a, b time.Time) int { return int(b.Sub(a).Hours() / 24) }
	isDue := issued && hasDue && days(issue, due) >= 0 && days(issue, due) <= latestDue
	isDelivery := issued && delivered && days(issue, delivery) <= latestDelivery && days(delivery, issue) <= firstDelivery
	var checks []bool
	switch pointer {
	case "/paymentDueDate":
		checks = []bool{isDue}
	case "/issueDate":
		if hasDue {
			checks = append(checks, isDue)
		}
		if delivered {
			checks = append(checks, isDelivery)
		}
	default:
		checks = []bool{isDelivery}
	}
	switch {
	case slices.Contains(checks, false):
		return 0
	case len(checks) == 0:
		return 0.5
	}
	return 1
}
