package parse

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
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
)

// headerKinds are the types of the labels of the head; an identifier without an entry.
var headerKinds = map[string]kind{
	"issueDate": kindDate, "dueDate": kindDate, "deliveryDate": kindDate, "vatId": kindVatID, "buyerVatId": kindVatID,
	"iban": kindIBAN, "bic": kindBIC, "accountName": kindText, "project": kindText, "buyerReference": kindText,
	"yourReference": kindText, "currency": kindCurrency,
	"period": kindPeriod, "other": kindOther, "remittance": kindText,
}

// A claim says that a label asks for a value.
type claim struct {
	field string
	value string
	words []*word
	hit   hit
	score float64
}

// The scores of how a value is related to its label.
const (
	scoreBeside = 1.0
	scoreBelow  = 0.72
	scoreHead   = 0.2  // of a value below a label that has other labels beside it
	scoreSkip   = 0.06 // lost for each word between
	scoreRow    = 0.12 // lost for each row between
	scoreLength = 0.2  // of a label of fullLength characters
	scoreColon  = 0.05
	scoreStart  = 0.08 // of a label that begins a cell
	scoreAcross = 0.06 // lost where the value is beside its label on another base line
	scoreTitle  = 0.15 // of the number in the title's letters
	scoreLater  = 0.15 // lost on any page but the first
	fullLength  = 14
	maxSkipped  = 5
	maxBelow    = 3
)

// A head are the values that labels ask for.
type head struct {
	claims       map[string]claim
	alternatives map[string][]claim
	used         map[*word]string // by word: the field that has it
}

// A headDraft is what of the head was read so far.
type headDraft struct {
	*pages
	head
	title  title
	isLine []bool
}

// readHeader reads the head of an invoice, outside of its lines.
func readHeader(p *pages, title title, read *table) *head {
	d := &headDraft{pages: p, title: title, isLine: read.isLine}
	d.head = head{map[string]claim{}, map[string][]claim{}, map[*word]string{}}
	d.read()
	return &d.head
}

// read decides which value each label of the head has. A value belongs to one label,
// that with the best claim.
func (d *headDraft) read() {
	var claims []claim
	for _, r := range d.layout.rows {
		if d.isLine[r.index] {
			continue
		}
		hits := r.find(&words().Header)
		for i := range hits {
			end := endOfValues(r, hits, i)
			d.claimBeside(&hits[i], end, &claims)
			if end == len(r.words) {
				d.claimAcross(&hits[i], &claims)
			}
			d.claimBelow(&hits[i], len(hits) > 1 && i+1 < len(hits) && hits[i+1].first == hits[i].last+1, &claims)
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(b.score, a.score) })
	for _, c := range claims {
		d.accept(c)
	}
	d.numberInTitle()
	d.numberBelowTitle()
	d.decideYourReference()
	d.issueDateWithoutLabel()
}

// endOfValues is the end of the words that a label may have beside it: where the next label
// begins. Labels in one word, as Number/Date, or with a slash between them have the same values.
func endOfValues(r *row, hits []hit, at int) int {
	last := hits[at].last
	for _, next := range hits[at+1:] {
		if next.first == last+2 && r.words[last+1].Text == "/" {
			last = next.last
			continue
		}
		if next.first > last {
			return next.first
		}
	}
	return len(r.words)
}

// numberInTitle takes the identifier in a line of large letters that follows a word for
// number, as in Rent invoice no. 4711, where no label asks for one.
func (d *headDraft) numberInTitle() {
	if _, found := d.claims["number"]; found {
		return
	}
	for _, r := range d.layout.rows {
		if r.page > 1 || r.top > 0.5*d.layout.pages[0].Height {
			return
		}
		for i := 1; i+1 < len(r.words); i++ {
			if r.words[i].Size < 1.15*d.layout.usual || len(r.words[i].tokens) == 0 || !isFiller(r.words[i].Text) || fold(r.words[i].Text) == "de" {
				continue
			}
			if id, n := idAt(r.words[i+1:]); n > 0 && d.used[r.words[i+1]] == "" {
				of := r.words[i+1 : i+1+n]
				d.claims["number"] = claim{field: "number", value: id, words: of, score: 0.9}
				d.use(of, "number")
				return
			}
		}
	}
}

// decideYourReference decides what "your reference" is: the number of an order where no
// other label asks for one and the value is a single identifier, else the buyer's
// reference. A reference on an invoice without a number is that number.
func (d *headDraft) decideYourReference() {
	c, ok := d.claims["yourReference"]
	if !ok {
		return
	}
	delete(d.claims, "yourReference")
	field := "buyerReference"
	if id, n := idAt(c.words); n == len(c.words) && !leitweg().MatchString(id) {
		field = "order"
		if _, numbered := d.claims["number"]; !numbered && c.hit.tokens == 1 && d.title.found { // Reference alone, on an invoice without a number
			field = "number"
		}
	}
	if _, taken := d.claims[field]; taken {
		field = "buyerReference"
	}
	if _, taken := d.claims[field]; !taken {
		c.field = field
		d.claims[field] = c
	}
}

// leitweg matches the routing identifier of German authorities.
var leitweg = pattern(`^\d{2,12}-[0-9A-Za-z]{1,30}-\d{2}$`)

// numberBelowTitle takes the identifier that is alone in a cell below the title, where
// no label asks for one.
func (d *headDraft) numberBelowTitle() {
	if _, found := d.claims["number"]; found || !d.title.found {
		return
	}
	title := d.title.words[0]
	for _, r := range d.layout.rows {
		below := r.top - title.Box.Bottom
		if r.page > 1 || below < -0.5*title.Size || below > 5*title.Size {
			continue
		}
		for i := range r.cells {
			of := r.cells[i].words()
			if _, isDate := d.notation.dateAt(of); isDate > 0 || math.Abs(r.cells[i].left-title.Box.Left) > 4 {
				continue
			}
			if id, n := idAt(of); n == len(of) && n > 0 && d.used[of[0]] == "" {
				d.claims["number"] = claim{field: "number", value: id, words: of, score: 0.6}
				d.use(of, "number")
				return
			}
		}
	}
}

// accept decides a claim, unless the field or the value has been decided.
func (d *headDraft) accept(c claim) {
	if c.field == "other" {
		d.use(c.words, c.field)
		return
	}
	if best, decided := d.claims[c.field]; decided {
		if best.value != c.value && len(d.alternatives[c.field]) < maxAlternatives {
			d.alternatives[c.field] = append(d.alternatives[c.field], c)
		}
		return
	}
	for _, w := range c.words {
		user := d.used[w]
		sharesDate := headerKinds[c.field] == kindDate && headerKinds[user] == kindDate && d.claims[user].hit.row == c.hit.row
		if user != "" && !sharesDate {
			return
		}
	}
	d.claims[c.field] = c
	d.use(c.words, c.field)
}

// maxAlternatives is how many other values of a field are told.
const maxAlternatives = 3

func (d *headDraft) use(of []*word, field string) {
	for _, w := range of {
		if d.used[w] == "" {
			d.used[w] = field
		}
	}
}

func (d *headDraft) hitScore(h *hit, relation float64) float64 {
	s := relation + scoreLength*min(float64(h.length), fullLength)/fullLength
	if h.colon {
		s += scoreColon
	}
	if h.startsCell {
		s += scoreStart
	}
	if h.row.page > 1 {
		s -= scoreLater
	}
	if h.field == "number" && h.row.words[h.first].Size > 1.15*d.layout.usual {
		s += scoreTitle
	}
	return s
}

// claimBeside claims the value that follows a label in its row.
func (d *headDraft) claimBeside(h *hit, end int, claims *[]claim) {
	of := h.row.words[h.last+1 : end]
	for skipped := 0; skipped < len(of) && skipped <= maxSkipped; skipped++ {
		c, ok := d.valueAt(h, of[skipped:])
		if ok && d.isBesideTitle(h, &c) {
			return
		}
		if ok {
			c.score = d.hitScore(h, scoreBeside-scoreSkip*float64(skipped))
			*claims = append(*claims, c)
			return
		}
		if headerKinds[h.field] != kindDate && !isFiller(of[skipped].Text) && !isAside(of[skipped].Text) {
			return
		}
	}
}

// isBesideTitle tells whether an identifier is the beginning of a cell of small letters
// beside a title in large ones, such as the house number of 4 Mill Lane beside INVOICE.
func (d *headDraft) isBesideTitle(h *hit, c *claim) bool {
	label, value := h.row.words[h.first], c.words[0]
	if headerKinds[h.field] != kindID || label.Size < 1.4*d.layout.usual || value.Size > 0.75*label.Size {
		return false
	}
	at := slices.IndexFunc(h.row.cells, func(x cell) bool { return h.row.words[x.first] == value })
	return at >= 0 && len(h.row.cells[at].words()) > len(c.words)
}

// claimAcross claims the value to the right of the last label of a row that is set on a
// base line of its own, as where labels are smaller than values.
func (d *headDraft) claimAcross(h *hit, claims *[]claim) {
	if last := &h.row.cells[len(h.row.cells)-1]; last.last != h.last {
		return
	}
	_, right := h.box()
	for _, i := range []int{h.row.index + 1, h.row.index - 1} {
		if i < 0 || i >= len(d.layout.rows) || d.layout.rows[i].page != h.row.page {
			continue
		}
		r := d.layout.rows[i]
		at := slices.IndexFunc(r.cells, func(c cell) bool { return c.left > right })
		if at < 0 || isLabel(&r.cells[at]) {
			continue
		}
		label, value := h.row.words[h.last].Box, r.words[r.cells[at].first].Box
		overlap := min(label.Bottom, value.Bottom) - max(label.Top, value.Top)
		if overlap < 0.3*min(label.Bottom-label.Top, value.Bottom-value.Top) {
			continue
		}
		of := r.cells[at].words()
		// Of more words, such as 4 Mill Lane, the first is no identifier that a label asks for.
		if c, ok := d.valueAt(h, of); ok && (headerKinds[h.field] != kindID || len(c.words) == len(of)) {
			c.score = d.hitScore(h, scoreBeside-scoreAcross)
			*claims = append(*claims, c)
			return
		}
	}
}

// isAside tells whether a word is set in brackets, as the code of a document's type.
func isAside(s string) bool { return strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") }

// isFiller tells whether a word may be between a label and its value.
func isFiller(s string) bool { return words().Fillers[fold(s)] }

// claimBelow claims the value under a label.
func (d *headDraft) claimBelow(h *hit, isHead bool, claims *[]claim) {
	left, right := h.box()
	steps := 0
	for i := h.row.index + 1; i < len(d.layout.rows) && steps < maxBelow; i++ {
		r := d.layout.rows[i]
		if r.page != h.row.page || r.top-h.row.bottom > 3.5*h.row.height() {
			return
		}
		for j := range r.cells {
			cell := &r.cells[j]
			aligned := max(cell.left-left, left-cell.left) < 12 || max(cell.right-right, right-cell.right) < 8 ||
				cell.left >= left-3 && cell.right <= right+3 || math.Abs(cell.left+cell.right-left-right) < 8 || isAloneBelow(h, cell)
			if !aligned || cell.left > right+20 || cell.right < left {
				continue
			}
			if isLabel(cell) {
				return
			}
			c, ok := d.valueAt(h, cell.words())
			if !ok {
				continue
			}
			c.score = d.hitScore(h, scoreBelow-scoreRow*float64(steps))
			if isHead {
				c.score += scoreHead
			}
			*claims = append(*claims, c)
			return
		}
		steps++
	}
}

// isAloneBelow tells whether a cell is below a label and below no other cell of its row, as a
// value that is set to the left below a head in the middle of its column.
func isAloneBelow(h *hit, c *cell) bool {
	at := h.row.cellAt(h.first)
	for i := range h.row.cells {
		if o := &h.row.cells[i]; (o.left < c.right && o.right > c.left) != (i == at) {
			return false
		}
	}
	left, right := h.box()
	return min(right, c.right)-max(left, c.left) > 0.4*min(right-left, c.right-c.left)
}

// isLabel tells whether a cell begins with a label of the head.
func isLabel(c *cell) bool {
	p, ok := c.label(&words().Header)
	return ok && !c.row.goesOn(c.token+p.used)
}

// valueAt reads the value of the type that a label asks for, at the beginning of words.
func (d *headDraft) valueAt(h *hit, of []*word) (c claim, ok bool) {
	c = claim{field: h.field, hit: *h}
	n := 0
	switch headerKinds[h.field] {
	case kindID:
		if _, isDate := d.notation.dateAt(of); isDate > 0 && !strings.Contains(of[0].Text, "/") {
			return c, false
		}
		if c.value, n = idAt(of); h.field == "taxNumber" {
			c.value, n = groupedAt(of)
		}
		if a, isAmount := d.notation.at(of); isAmount > 0 && (a.currency != "" || a.percent) {
			return c, false
		}
	case kindDate:
		var day date
		if day, n = d.notation.dateAt(of); n > 0 {
			c.value = day.iso()
		}
	case kindVatID:
		c.value, n = labelledVatIDAt(of)
	case kindIBAN:
		c.value, n = labelledIBANAt(of)
	case kindBIC:
		if s := strings.Trim(of[0].Text, ".,;"); bicShape().MatchString(s) {
			c.value, n = s, 1
		}
	case kindText:
		c.value, n = textAt(of)
	case kindCurrency:
		if code, ok := currencyAt(of); ok {
			c.value, n = code, 1
		}
	case kindPeriod:
		c.value, n = d.periodAt(of)
	case kindOther:
		n = d.otherAt(of)
	}
	c.words = of[:n]
	return c, n > 0
}

// currencyAt is the currency that the first of some words names.
func currencyAt(of []*word) (string, bool) {
	if len(of) == 0 {
		return "", false
	}
	return currencyWord(strings.Trim(of[0].Text, "():;,"))
}

// textAt reads the rest of a cell.
func textAt(of []*word) (string, int) {
	n := 0
	for n < len(of) && (n == 0 || of[n].Box.Left-of[n-1].Box.Right < cellGap*max(of[n].Size, 4)) {
		n++
	}
	s := strings.Trim(textOf(of[:n]), " :")
	if s == "" || len(s) > 100 {
		return "", 0
	}
	return s, n
}

// periodAt reads two days with a word or a dash between them.
func (d *headDraft) periodAt(of []*word) (string, int) {
	for i := 0; i < len(of) && i < 3; i++ {
		start, n := d.notation.dateAt(of[i:])
		for j := i + n; n > 0 && j < len(of) && j < i+n+3; j++ {
			if end, m := d.notation.dateAt(of[j:]); m > 0 && end.iso() >= start.iso() {
				return start.iso() + "/" + end.iso(), j + m
			}
		}
	}
	return "", 0
}

// otherAt is how many words the value of a label has that is not asked for.
func (d *headDraft) otherAt(of []*word) int {
	if len(of) == 0 {
		return 0
	}
	if _, n := d.notation.dateAt(of); n > 0 {
		return n
	}
	n := 0
	for n < len(of) && n < 4 && (n == 0 || near(of[n-1], of[n])) && (hasDigit(of[n].Text) || isFiller(of[n].Text)) {
		n++
	}
	return n
}

// issueDateWithoutLabel takes the first day of the first page where no label asks for it.
func (d *headDraft) issueDateWithoutLabel() {
	if _, found := d.claims["issueDate"]; found {
		return
	}
	for _, r := range d.layout.rows {
		if r.page > 1 || d.isLine[r.index] {
			return
		}
		for i := range r.words {
			if day, n := d.notation.dateAt(r.words[i:]); n > 0 && d.used[r.words[i]] == "" {
				d.claims["issueDate"] = claim{field: "issueDate", value: day.iso(), words: day.words, score: 0.5}
				d.use(day.words, "issueDate")
				return
			}
		}
	}
}

// withoutVatID is the head without the tax number where that is the VAT identifier of the seller.
func (h *head) withoutVatID(seller *party) *head {
	if c := h.claims["taxNumber"]; seller == nil || c.value == "" || c.value != seller.vatID.value {
		return h
	}
	claims := maps.Clone(h.claims)
	delete(claims, "taxNumber")
	return &head{claims, h.alternatives, h.used}
}

// numberOn is the invoice number of a page that begins an invoice: one with a title and
// a number beside its label in the upper half, and a total.
func numberOn(p *pages, page int) string {
	d := &headDraft{pages: p}
	number, titled := "", false
	for _, r := range d.layout.rows {
		if r.page != page || r.top > 0.5*d.layout.pages[page-1].Height {
			continue
		}
		titled = titled || slices.ContainsFunc(r.find(&words().Titles), func(h hit) bool { return h.startsCell && h.field != "" })
		hits := r.find(&words().Header)
		for i := range hits {
			var claims []claim
			if d.claimBeside(&hits[i], endOfValues(r, hits, i), &claims); hits[i].field == "number" && len(claims) > 0 && number == "" && hits[i].length > 8 {
				number = claims[0].value
			}
		}
	}
	if !titled {
		return ""
	}
	return number
}
