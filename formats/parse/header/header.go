package header

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

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
		broken := d.brokenLabels(r)
		for i := range broken {
			d.claimBelow(&broken[i], len(broken) > 1, &claims)
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

// leastOfWord is how many letters a word has at least that is none of those that only join others.
const leastOfWord = 4

// isOfParty reports whether a label is one of those below the heading of a party, at the same left edge and
// without a gap between: what is called a number there is the party's.
func (d *draft) isOfParty(h *layout.Hit) bool {
	last, left := h.Row, h.Row.Cells[h.Row.CellAt(h.First)].Left
	for i := last.Index - 1; i >= max(h.Row.Index-partyRows, 0); i-- {
		r := d.Layout.Rows[i]
		if r.Page != last.Page || last.Top-r.Bottom > partyGap*last.Height() {
			return false
		}
		at := slices.IndexFunc(r.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-left) < 3 })
		if at < 0 {
			continue
		}
		if last = r; isPartyHeading(&r.Cells[at]) {
			return true
		}
	}
	return false
}

// isPartyHeading reports whether a cell has the labels of parties alone, as in Buyer / Customer.
func isPartyHeading(c *layout.Cell) bool {
	if c.Token >= len(c.Row.Tokens) || c.Row.Tokens[c.Token].Word != c.First {
		return false
	}
	of := c.Row.Tokens[c.Token:c.Row.CellEnd(c.Token)]
	for len(of) > 0 {
		p, is := lexicon.Words().Parties.Longest(of)
		if !is {
			return false
		}
		of = of[p.Used:]
	}
	return true
}

// Bounds of what is said of a party below its heading.
const (
	partyGap  = 1.5 // between its rows at most, in heights of a row
	partyRows = 40  // of the page, with those of other columns between
)

// withBuyers are labels of which one for a VAT identifier is the buyer's where a word before or
// behind it says so, as in Your VAT no or NIF cliente.
func withBuyers(hits []layout.Hit) []layout.Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		h := &hits[i]
		if h.Field != "vatId" {
			continue
		}
		if isBehindBuyer(hits[:i], h) {
			h.Field = "buyerVatId"
			continue
		}
		cell := &h.Row.Cells[h.Row.CellAt(h.First)]
		of := func(first, last int) string { return lexicon.Fold(layout.TextOf(h.Row.Words[first : last+1])) }
		if h.First > cell.First && lexicon.Words().BuyersBefore[of(h.First-1, h.First-1)] {
			h.Field, h.First = "buyerVatId", h.First-1
			h.StartsCell = h.First == cell.First
			continue
		}
		for n := 2; n >= 1; n-- {
			if last := h.Last + n; last <= cell.Last && lexicon.Words().BuyersBehind[of(h.Last+1, last)] {
				h.Field, h.Last = "buyerVatId", last
				break
			}
		}
	}
	return hits
}

// isBehindBuyer reports whether a label follows the heading of the buyer in its row, with no more than other labelled
// identifiers between, as in Customer: Reg. no: 17 VAT no: 18.
func isBehindBuyer(before []layout.Hit, h *layout.Hit) bool {
	r := h.Row
	isIdentifier := func(word int) bool {
		return word == h.First || slices.ContainsFunc(before, func(o layout.Hit) bool { return o.First == word && o.Field == "registration" })
	}
	for at := r.CellAt(h.First); at >= 0; at-- {
		c := &r.Cells[at]
		if party, is := c.Label(&lexicon.Words().Parties); is {
			behind := r.Tokens[c.Token+party.Used-1].Word + 1
			return party.Field == "buyer" && (behind > c.Last || isIdentifier(behind))
		}
		if !isIdentifier(c.First) {
			return false
		}
	}
	return false
}

// endOfValues is the end of the words that a label may have beside it: where the next label
// begins. Labels in one word, as Number/Date, or with a slash between them have the same values.
func endOfValues(r *layout.Row, hits []layout.Hit, at int) int {
	last := hits[at].Last
	for _, next := range hits[at+1:] {
		if next.First == last+2 && r.Words[last+1].Text == "/" {
			last = next.Last
			continue
		}
		if next.First > last {
			return next.First
		}
	}
	return len(r.Words)
}

// decideOwnReference decides what a number of reference is: that of a document that has no other, else what the payer is
// to say.
func (d *draft) decideOwnReference() {
	c, ok := d.Claims["ownReference"]
	if !ok {
		return
	}
	delete(d.Claims, "ownReference")
	field := "remittance"
	if _, numbered := d.Claims["number"]; !numbered && d.title.Found {
		if id, n := candidate.IDAt(c.Words); n == len(c.Words) {
			field, c.Value = "number", id
		}
	}
	if _, taken := d.Claims[field]; !taken {
		c.Field = field
		d.Claims[field] = c
	}
}

// decideYourReference decides what "your reference" is: the number of an order where no
// other label asks for one and the value is a single identifier, else the buyer's
// reference. A reference on an invoice without a number is that number.
func (d *draft) decideYourReference() {
	c, ok := d.Claims["yourReference"]
	if !ok {
		return
	}
	delete(d.Claims, "yourReference")
	field := "buyerReference"
	isColumn := c.hit.Tokens == 1 && !slices.Contains(c.hit.Row.Words, c.Words[0])
	if isColumn && slices.ContainsFunc(d.Layout.Rows[:c.hit.Row.Index], layout.HasMoney) {
		return // Reference above a column below the amounts is that of what is attached
	}
	value := c.Words
	for len(value) > 1 && value[0].Text == ":" { // French has a space before a colon
		value = value[1:]
	}
	if id, n := candidate.IDAt(value); n == len(value) && !leitweg().MatchString(id) {
		field = "order"
		if _, numbered := d.Claims["number"]; !numbered && c.hit.Tokens == 1 && d.title.Found { // Reference alone, on an invoice without a number
			field = "number"
		}
	}
	if _, taken := d.Claims[field]; taken {
		field = "buyerReference"
	}
	if _, taken := d.Claims[field]; !taken {
		c.Field = field
		d.Claims[field] = c
	}
}

// leitweg matches the routing identifier of German authorities.
var leitweg = lexicon.Pattern(`^\d{2,12}-[0-9A-Za-z]{1,30}-\d{2}$`)

// accept decides a claim, unless the field or the value has been decided.
func (d *draft) accept(c Claim) {
	if c.Field == "other" {
		d.use(c.Words, c.Field)
		return
	}
	if best, decided := d.Claims[c.Field]; decided {
		if best.Value != c.Value && len(d.Alternatives[c.Field]) < MaxAlternatives {
			d.Alternatives[c.Field] = append(d.Alternatives[c.Field], c)
		}
		return
	}
	for _, w := range c.Words {
		user := d.Used[w]
		sharesDate := headerKinds[c.Field] == kindDate && headerKinds[user] == kindDate && d.Claims[user].hit.Row == c.hit.Row
		if user != "" && !sharesDate {
			return
		}
	}
	d.Claims[c.Field] = c
	d.use(c.Words, c.Field)
}

// Take gives a field a value that no label asks for, unless another field has its words: the number of an invoice may be
// what the payer is to say as well.
func (h *Head) Take(field, value string, of []*layout.Word) bool {
	for _, w := range of {
		if user := h.Used[w]; user != "" && user != "remittance" && user != "ownReference" {
			return false
		}
	}
	h.Claims[field] = Claim{Field: field, Value: value, Words: of, Score: lexicon.Weigh().Head.First}
	for _, w := range of {
		h.Used[w] = field
	}
	return true
}

// MaxAlternatives is how many other values of a field are told.
const MaxAlternatives = 3

func (d *draft) use(of []*layout.Word, field string) {
	for _, w := range of {
		if d.Used[w] == "" {
			d.Used[w] = field
		}
	}
}

func (d *draft) hitScore(h *layout.Hit, relation float64) float64 {
	w := &lexicon.Weigh().Head
	s := relation + w.Length*min(float64(h.Length), fullLength)/fullLength
	if h.Colon {
		s += w.Colon
	}
	if h.StartsCell {
		s += w.Start
	}
	if h.Row.Page > 1 {
		s -= w.Later
	}
	if h.Field == "number" && h.Row.Words[h.First].Size > 1.15*d.Layout.Usual {
		s += w.Large
	}
	return s
}

// claimBeside claims the value that follows a label in its row.
func (d *draft) claimBeside(h *layout.Hit, end int, claims *[]Claim) {
	if d.isOfNext(h) || isTerm(h) {
		return
	}
	if h.Field == "issueDate" && d.goesOnFromAbove(h) {
		return
	}
	isShort := h.Field == "issueDate" && (h.Length <= shortLabel || isOfDay(h) || !h.StartsCell && h.Length <= genericLabel) // such as of, which is not a label elsewhere
	if isShort && (isEdition(h.Row) || isOfAnother(h)) {
		return
	}
	of := h.Row.Words[h.Last+1 : end]
	if isShort && d.beginsPeriod(of) {
		return
	}
	for skipped := 0; skipped < len(of) && skipped <= maxSkipped; skipped++ {
		c, ok := d.valueAt(h, of[skipped:])
		if ok && (d.isBesideTitle(h, &c) || h.Field == "dueDate" && endsDiscount(h, c.Words)) {
			return
		}
		if ok {
			c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside-lexicon.Weigh().Head.Skip*float64(skipped))
			if isShort && followsOwnNumber(h) {
				c.Score += lexicon.Weigh().Head.Numbered
			}
			*claims = append(*claims, c)
			return
		}
		if wrapped := d.withRowBelow(h, of[skipped:]); wrapped != nil {
			if c, ok := d.valueAt(h, wrapped); ok {
				c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside-lexicon.Weigh().Head.Skip*float64(skipped+1))
				*claims = append(*claims, c)
				return
			}
		}
		if headerKinds[h.Field] != kindDate && !isFiller(of[skipped].Text) && !isAside(of[skipped].Text) || h.Field == "issueDate" && h.Length <= genericLabel && strings.HasSuffix(of[skipped].Text, ":") && of[0].Text != "/" && of[skipped].Text != ":" {
			return // the label goes on, as in Data zakończenia:
		}
	}
}

// isBesideTitle reports whether an identifier is the beginning of a cell of small letters
// beside a title in large ones, such as the house number of 4 Mill Lane beside INVOICE.
func (d *draft) isBesideTitle(h *layout.Hit, c *Claim) bool {
	label, value := h.Row.Words[h.First], c.Words[0]
	if headerKinds[h.Field] != kindID || label.Size < 1.4*d.Layout.Usual || value.Size > 0.75*label.Size {
		return false
	}
	at := slices.IndexFunc(h.Row.Cells, func(x layout.Cell) bool { return h.Row.Words[x.First] == value })
	return at >= 0 && len(h.Row.Cells[at].Words()) > len(c.Words)
}

// claimWrapped claims the value that begins the next row, where a label with a colon ends the only cell of its row.
func (d *draft) claimWrapped(h *layout.Hit, claims *[]Claim) {
	if !h.Colon || h.StartsCell || h.Last != len(h.Row.Words)-1 || len(h.Row.Cells) > 1 {
		return
	}
	below := d.RowBelow(h.Row)
	if below == nil {
		return
	}
	if c, ok := d.valueAt(h, below.Words); ok {
		c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside)
		*claims = append(*claims, c)
	}
}

// claimAcross claims the value to the right of the last label of a row that is set on a
// base line of its own, as where labels are smaller than values.
func (d *draft) claimAcross(h *layout.Hit, claims *[]Claim) {
	if last := &h.Row.Cells[len(h.Row.Cells)-1]; last.Last != h.Last {
		return
	}
	_, right := h.Box()
	for _, i := range []int{h.Row.Index + 1, h.Row.Index - 1} {
		if i < 0 || i >= len(d.Layout.Rows) || d.Layout.Rows[i].Page != h.Row.Page {
			continue
		}
		r := d.Layout.Rows[i]
		at := slices.IndexFunc(r.Cells, func(c layout.Cell) bool { return c.Left > right })
		if at < 0 || layout.IsLabel(&r.Cells[at]) {
			continue
		}
		label, value := h.Row.Words[h.Last].Box, r.Words[r.Cells[at].First].Box
		overlap := min(label.Bottom, value.Bottom) - max(label.Top, value.Top)
		if overlap < 0.3*min(label.Bottom-label.Top, value.Bottom-value.Top) {
			continue
		}
		of := r.Cells[at].Words()
		// Of more words, such as 4 Mill Lane, the first is not an identifier that a label asks for.
		if c, ok := d.valueAt(h, of); ok && (headerKinds[h.Field] != kindID || len(c.Words) == len(of)) {
			c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside-lexicon.Weigh().Head.Across)
			*claims = append(*claims, c)
			return
		}
	}
}

// isAside reports whether a word is set in brackets, as the code of a document's type.
func isAside(s string) bool { return strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") }

// isFiller reports whether a word may be between a label and its value.
func isFiller(s string) bool { return lexicon.Words().Fillers[lexicon.Fold(s)] }

// claimBelow claims the value under a label.
func (d *draft) claimBelow(h *layout.Hit, isHead bool, claims *[]Claim) {
	if isOfDay(h) && !h.StartsCell && !followsNumber(h) { // the day of something that a sentence names
		return
	}
	left, right := h.Box()
	steps := 0
	for i := h.Row.Index + 1; i < len(d.Layout.Rows) && steps < maxBelow; i++ {
		r := d.Layout.Rows[i]
		if r.Page != h.Row.Page || r.Top-h.Row.Bottom > 3.5*h.Row.Height() || d.isLine[i] { // the table of lines has none
			return
		}
		for j := range r.Cells {
			cell := &r.Cells[j]
			aligned := max(cell.Left-left, left-cell.Left) < 12 || max(cell.Right-right, right-cell.Right) < 8 ||
				cell.Left >= left-3 && cell.Right <= right+3 || math.Abs(cell.Left+cell.Right-left-right) < 8 || isAloneBelow(h, cell)
			of := cell.Words()
			if at := slices.IndexFunc(of, func(w *layout.Word) bool { return math.Abs(w.Box.Left-left) < 2 }); at > 0 && headerKinds[h.Field] != kindText {
				of, aligned = of[at:], true
			}
			if !aligned || of[0].Box.Left > right+20 || cell.Right < left {
				continue
			}
			if layout.IsLabel(cell) {
				return
			}
			c, ok := d.valueAt(h, of)
			if below := d.Layout.NextOfColumn(r, cell.Left, 1); !ok && headerKinds[h.Field] == kindDate && len(of) <= mostOfBroken && below != nil { // 20. 11. / 2026
				c, ok = d.valueAt(h, slices.Concat(of, below.Words()))
			}
			if !ok || headerKinds[h.Field] == kindID && goesOnInWords(of, len(c.Words)) {
				continue
			}
			c.Score = d.hitScore(h, lexicon.Weigh().Head.Below-lexicon.Weigh().Head.Row*float64(steps))
			if isHead {
				c.Score += lexicon.Weigh().Head.Column
			}
			*claims = append(*claims, c)
			return
		}
		steps++
	}
}

// mostOfBroken is how many words of a day stand before the end of a narrow column.
const mostOfBroken = 2

// goesOnInWords reports whether a word without a digit follows an identifier, as in 4 Mill Lane.
func goesOnInWords(of []*layout.Word, n int) bool {
	return n < len(of) && layout.Near(of[n-1], of[n]) && !lexicon.HasDigit(of[n].Text) && len(of[n].Tokens) > 0 && !lexicon.Words().OfDay[lexicon.Fold(of[n].Text)]
}

// isAloneBelow reports whether a cell is below a label and below no other cell of its row, as a
// value that is set to the left below a head in the middle of its column.
func isAloneBelow(h *layout.Hit, c *layout.Cell) bool {
	at := h.Row.CellAt(h.First)
	if n := len(h.Row.Cells); n > 1 && n == len(c.Row.Cells) && c.Row.Index == h.Row.Index+1 && h.Row.Cells[at].First == h.First && h.Row.Cells[at].Last == h.Last { // a table of one row
		return c.Row.CellAt(c.First) == at
	}
	for i := range h.Row.Cells {
		if o := &h.Row.Cells[i]; (o.Left < c.Right && o.Right > c.Left) != (i == at) {
			return false
		}
	}
	left, right := h.Box()
	return min(right, c.Right)-max(left, c.Left) > 0.4*min(right-left, c.Right-c.Left)
}

// isPostBox reports whether words are a line of an address, such as BP 14.
func isPostBox(of []*layout.Word) bool {
	return len(of) == 2 && lexicon.Words().PostBoxes[lexicon.Fold(of[0].Text)]
}

// accountRows is how many rows an account may begin in, from that of its label on.
const accountRows = 4

// valueAt reads the value of the type that a label asks for, at the beginning of words.
func (d *draft) valueAt(h *layout.Hit, of []*layout.Word) (c Claim, ok bool) {
	c = Claim{Field: h.Field, hit: *h}
	n := 0
	switch headerKinds[h.Field] {
	case kindID:
		if _, _, _, isCity := candidate.CityIn(layout.TextOf(of)); (isCity || isPostBox(of)) && h.Field == "number" {
			return c, false
		}
		if _, isDate := d.Notation.DateAt(of); isDate > 0 && (!strings.Contains(of[0].Text, "/") || wholeDate().MatchString(of[0].Text)) {
			return c, false
		}
		if c.Value, n = candidate.IDAt(of); h.Field == "taxNumber" {
			c.Value, n = candidate.GroupedAt(of)
		} else if h.Field == "number" {
			if id, grouped := candidate.GroupedAt(of); grouped > n && endsCell(h.Row, of[grouped-1]) { // 402 202 877
				c.Value, n = id, grouped
			} else if grouped := groupsAt(of, n); grouped > n {
				c.Value, n = layout.TextOf(of[:grouped]), grouped
			}
		}
		if a, isAmount := d.Notation.At(of); isAmount > 0 && (a.Currency != "" || a.Percent) {
			return c, false
		}
	case kindDate:
		var day candidate.Date
		if day, n = d.Notation.DateAt(of); n > 0 {
			c.Value = day.ISO()
		}
	case kindVatID:
		if c.Value, n = candidate.LabelledVatIDAt(of); n == 0 {
			c.Value, n = candidate.NationalVatIDBehind(h.Words(), of)
		}
	case kindIBAN:
		if d.IsDebited(h.Row, h.Last+1) {
			return c, false
		}
		for _, r := range d.Layout.Rows[h.Row.Index:min(h.Row.Index+accountRows, len(d.Layout.Rows))] {
			if at := slices.Index(r.Words, of[0]); at >= 0 {
				if c.Value, c.Words = d.AccountAt(r, at); len(c.Words) > 0 {
					return c, true
				}
			}
		}
		c.Value, n = candidate.LabelledIBANAt(of)
	case kindBIC:
		if s := strings.Trim(of[0].Text, ".,;"); candidate.BICShape().MatchString(s) {
			c.Value, n = s, 1
		}
	case kindText:
		if c.Value, n = textAt(of); isLabel(c.Value) {
			return c, false
		}
	case kindCurrency:
		if code, ok := candidate.CurrencyAt(of); ok {
			c.Value, n = code, 1
		}
	case kindPeriod:
		c.Value, n = d.periodAt(of)
	case kindOther:
		n = d.otherAt(of)
	}
	c.Words = of[:n]
	return c, n > 0
}

// isLabel reports whether a text is a label as a whole, as the next head of a table.
func isLabel(s string) bool {
	for _, list := range []*lexicon.Labels{&lexicon.Words().Columns, &lexicon.Words().Header, &lexicon.Words().Totals, &lexicon.Words().Parties} {
		if _, is := list.Exactly(s); is {
			return true
		}
	}
	return false
}

// textAt reads the rest of a cell, or of one of the texts of a line that bullets part.
func textAt(of []*layout.Word) (string, int) {
	n := 0
	for n < len(of) && !layout.IsBullet(of[n]) && (n == 0 || of[n].Box.Left-of[n-1].Box.Right < layout.CellGap*max(of[n].Size, 4)) {
		n++
	}
	s := strings.Trim(layout.TextOf(of[:n]), " :")
	if s == "" || len(s) > 100 {
		return "", 0
	}
	return s, n
}

// otherAt is how many words the value of a label has that is not asked for.
func (d *draft) otherAt(of []*layout.Word) int {
	if len(of) == 0 {
		return 0
	}
	if _, n := d.Notation.DateAt(of); n > 0 {
		return n
	}
	n := 0
	for n < len(of) && n < 4 && (n == 0 || layout.Near(of[n-1], of[n])) && (lexicon.HasDigit(of[n].Text) || isFiller(of[n].Text)) {
		n++
	}
	return n
}

// titleRow is the row of the title.
func (d *draft) titleRow() *layout.Row { return d.Layout.RowOf(d.title.Words[0]) }

// IsLabelled reports whether a label asks for the value of a field, or the words before it do.
func (h *Head) IsLabelled(field string) bool {
	c := h.Claims[field]
	return c.hit.Row != nil || c.Score >= lexicon.Weigh().Head.Titled
}

// HeadsCell reports whether the label of a field begins its cell, as no word of a sentence does.
func (h *Head) HeadsCell(field string) bool {
	c := h.Claims[field]
	return c.hit.Row != nil && c.hit.StartsCell
}

// WithoutVatID is the head without the tax number where that is the VAT identifier of the seller.
func (h *Head) WithoutVatID(id string) *Head {
	if id == "" || h.Claims["taxNumber"].Value != id {
		return h
	}
	claims := maps.Clone(h.Claims)
	delete(claims, "taxNumber")
	return &Head{claims, h.Alternatives, h.Used, h.cited}
}

// NamesInvoice reports whether a label that says so, or a title, has the number of the invoice in
// the upper half of a page of some height: it is that of no other document.
func (h *Head) NamesInvoice(height float64) bool {
	c, found := h.Claims["number"]
	if !found || c.Words[0].Box.Top > 0.5*height {
		return false
	}
	return c.hit.Row == nil || c.hit.StartsCell && c.hit.Length > shortNumber && !lexicon.Words().AnyNumber[lexicon.Fold(layout.TextOf(c.hit.Words()))]
}

// IsListed reports whether the number is in a row of a list of invoices, as of the instalments before a final one.
func (h *Head) IsListed(l *layout.Layout) bool {
	c, found := h.Claims["number"]
	return found && c.hit.Row != nil && isListed(l, c.hit.Row)
}

// CallsInvoice reports whether the label of the number or of the day calls the document an invoice, or the
// row of a title that has the number, as in Mietrechnung Nr. 17. A label within a sentence in small letters, as
// in a receipt "in settlement of invoice no. 17", names another document.
func (h *Head) CallsInvoice(l *layout.Layout) bool {
	if c, found := h.Claims["number"]; found && c.hit.Row == nil {
		if r := l.RowOf(c.Words[0]); r != nil && !isOfList(r) && lexicon.CallsInvoice(layout.TextOf(r.Words)) {
			return true
		}
	}
	return slices.ContainsFunc([]string{"number", "issueDate"}, func(field string) bool {
		c := h.Claims[field]
		return h.HasOwn(l, field) && c.hit.Row != nil && (c.hit.StartsCell || c.hit.Row.Words[c.hit.First].Size >= large*l.Usual) && callsInvoice(&c.hit)
	})
}

// CitesInvoice reports whether the words before the number in its row call it that of an invoice, as in "we
// charge with invoice 17". That says less than a label: other documents cite invoices too.
func (h *Head) CitesInvoice(l *layout.Layout) bool {
	c, found := h.Claims["number"]
	if !found {
		return false
	}
	r := l.RowOf(c.Words[0])
	return r != nil && !isListHead(l, r) && lexicon.CallsInvoice(layout.TextOf(r.Words[:slices.Index(r.Words, c.Words[0])]))
}

// SaysWhyNoVat reports whether the first page has the reason for no VAT, which invoices alone have to state.
func SaysWhyNoVat(l *layout.Layout) bool {
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool { return r.Page == 1 && len(r.Find(&lexicon.Words().Exemptions)) > 0 })
}

// SaysHowToPay reports whether a cell of the first page begins with the label of the terms of payment, of the
// day to pay by or of an account, or says that one is debited.
func SaysHowToPay(l *layout.Layout) bool {
	w := lexicon.Words()
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool {
		return r.Page == 1 && (len(r.Find(&w.Debits)) > 0 || slices.ContainsFunc(r.Find(&w.Header), func(h layout.Hit) bool {
			return h.StartsCell && (h.Field == "terms" || h.Field == "dueDate" || h.Field == "iban")
		}))
	})
}

// HasOwn reports whether a field was found, and neither in a list of invoices nor in a sentence, as in
// "Invoice 17 follows with the next post, please do not pay from this slip."
func (h *Head) HasOwn(l *layout.Layout, field string) bool {
	c, found := h.Claims[field]
	return found && (c.hit.Row == nil || !isListHead(l, c.hit.Row) && !beginsSentence(&c.hit))
}

// shortNumber is how many characters a label has at most that may mean other numbers.
const shortNumber = 4
