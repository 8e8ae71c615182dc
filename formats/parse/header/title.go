package header

import (
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A Title says what kind of document it is, and where that is said.
type Title struct {
	Code  string // UNTDID 1001; empty where it is not an invoice
	Kind  string // of another document, by the lexicon; empty of an invoice
	Words []*layout.Word
	Found bool
	// Own says that it heads the page: no label and no sentence names the document. Called says that the
	// label of the document's number or day calls it an invoice, as in Invoice no. 17.
	Own, Called bool
	// SelfBilled says that whoever buys issues the document: it says so, or that it pays.
	SelfBilled bool
	// ByBuyer says that whoever buys sends the document: it says so, or that it pays, and is no credit note.
	ByBuyer bool
	// Cited is what names an invoice on a page that another document heads, to which invoices refer: an order,
	// a contract or a delivery note; or of which a sentence alone says that it is another document. Nil where a
	// title and a sentence both say that it is.
	Cited *Title
	// Sure is how much the words and their place say for this kind, from 0 to 1.
	Sure float64

	// Said says that no title names the document, but a sentence, or a heading by parts of its words.
	Said bool

	score    float64
	standing bool // nothing else is in its row
	listed   bool // its row is the head of a list
	hit      layout.Hit
}

// Stands reports whether the title stands by itself in the upper part of a page.
func (t *Title) Stands() bool { return t.standing }

// TypeCode is the code of an invoice (UNTDID 1001), and how sure it is. It is another one where the buyer issues the invoice.
// What corrects an invoice may be a credit note: Spain and Poland have one name for both.
func (t *Title) TypeCode() (code string, sure float64) {
	const mayBeCredit, named = 0.75, 0.9
	switch {
	case t.ByBuyer && (t.Code == "380" || t.isGutschrift()):
		return "389", named
	case t.Code == "384":
		return t.Code, mayBeCredit
	}
	return t.Code, named
}

// Heads reports whether a title heads a page: it stands by itself, or begins a cell of its upper half, and is no column
// of a list of invoices.
func (t *Title) Heads(height float64) bool {
	return t.Found && !t.listed && (t.standing || t.hit.StartsCell) && t.Words[0].Box.Top < 0.5*height
}

// isInvoice reports whether a title is that of an invoice: these have a code.
func isInvoice(field string) bool { return lexicon.HasDigit(field) }

// ReadTitle finds the title: the words for a kind of document in the largest letters, or
// highest on the page, of the first page. What other documents say below their title decides
// where an invoice is named as well.
func ReadTitle(l *layout.Layout) Title {
	var invoice, other Title
	own, called := false, false // something is headed as an invoice, or its number is called that of one
	var calledAt *layout.Row    // the first row that does
	says := saidOf(l)
	for _, r := range l.Rows {
		if r.Page > 1 {
			break
		}
		isList := isListHead(l, r)
		called = called || !isList && labelCallsInvoice(r)
		parties, titles := r.Find(&lexicon.Words().Parties), r.Find(&lexicon.Words().Titles)
		isInList := len(titles) > 0 && (isList || isListed(l, r))
		for _, h := range titles {
			if isInRow(&h) || slices.ContainsFunc(parties, func(o layout.Hit) bool { return isLabelWith(&o, &h) }) {
				continue // one of a list, or as in Invoice to
			}
			if isInvoice(h.Field) {
				if kind := kindOfCell(&r.Cells[r.CellAt(h.First)]); refersTo[kind] { // Invoice follows
					if _, said := says[kind]; !said {
						says[kind] = h
					}
					continue
				}
			}
			t := titleAt(l, r, &h)
			t.listed = isInList
			best := &invoice
			if isInvoice(h.Field) && !isList {
				own = own || t.isOwn(l)
				called = called || t.asksForNumber(l)
			}
			if !isInvoice(h.Field) {
				best = &other
				isLarge := h.StartsCell && !h.Colon && t.Words[0].Size >= large*l.Usual && len(r.Cells[r.CellAt(h.First)].Words()) == len(t.Words)
				isReference := refersTo[h.Field] && calledAt != nil && lexicon.HasDigit(layout.TextOf(r.Words[h.Last+1:])) // Delivery note 17 below Invoice: 18
				if !isLarge && (isReference || !t.standing || r.Top >= topPart*l.Pages[0].Height) {
					continue // in the head of an invoice, it is a label
				}
			}
			if t.score > best.score {
				*best = t
			}
		}
		if called && calledAt == nil {
			calledAt = r
		}
	}
	said := saidBy(l, &invoice, &other, says, own, calledAt)
	_, selfBilled := says[selfBilling]
	_, pays := says["remittance"]
	_, credits := says[toYourAccount]
	invoice.Called, invoice.SelfBilled = called || selfBilled, selfBilled || pays || credits
	invoice.ByBuyer = selfBilled || (pays || credits) && (invoice.Code != creditNote || invoice.isGutschrift() && !cites(l)) && !collects(l)
	delete(says, selfBilling)
	delete(says, toYourAccount)
	if invoice.Found {
		invoice.Sure, invoice.Own = sureInvoice, own
		if !own || invoice.isInLabel() {
			invoice.Sure -= unsupported
		}
		if other.Found || said.Found || invoice.isAlternative() && invoice.isOther() {
			invoice.Sure -= unsupported
		}
	}
	if !said.Found {
		return invoice
	}
	if said.Said && said.Kind != "reminder" && said.Kind != "proforma" && called {
		said.Cited = &invoice
		return said
	}
	if _, confirmed := says[said.Kind]; (invoice.Found || called) && (refersTo[said.Kind] || isSection(l, &said)) && !confirmed && !isSaidToo(l, &said) {
		said.Cited = &invoice
	}
	return said
}

// isGutschrift reports whether a title is the German word for a credit note that is also that for an invoice of the buyer
// (section 14 (2) UStG).
func (t *Title) isGutschrift() bool {
	return strings.HasPrefix(lexicon.Fold(layout.TextOf(t.Words)), lexicon.Words().BothNotes)
}

// cites reports whether a label asks for the invoice that a document corrects.
func cites(l *layout.Layout) bool {
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool {
		return slices.ContainsFunc(r.Find(&lexicon.Words().Header), func(h layout.Hit) bool { return h.Field == "precedingInvoice" })
	})
}

// collects reports whether the pages say that the amount is collected from the payer's account, or given back.
func collects(l *layout.Layout) bool {
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool {
		return slices.ContainsFunc(r.Words, func(w *layout.Word) bool { return beginsAs(w, lexicon.Words().CollectStems) })
	})
}

// Words of an invoice that the buyer issues, in the lexicon: that it is one, and that the money comes to the seller.
const (
	selfBilling   = "selfBilled"
	toYourAccount = "toYourAccount"
)

// kindOfCell is the kind of document that a cell of a few words says the page is, as in Invoice follows.
func kindOfCell(c *layout.Cell) string {
	if of := c.Words(); isSentence(of) {
		return kindOf(of)
	}
	return ""
}

// saidBySelfBilled are the kinds of documents that sentences of a self-billed invoice may speak of.
var saidBySelfBilled = map[string]bool{"remittance": true, "dispute": true, "proforma": true}

// isSaidToo reports whether a sentence besides the words of a title says which document it is.
func isSaidToo(l *layout.Layout, title *Title) bool {
	for of := range sentences(l) {
		if !slices.Contains(of, title.Words[0]) && kindOf(of) == title.Kind {
			return true
		}
	}
	return false
}

// isSection reports whether a title is the heading of a part of a page, beside another part: a bill may have a summary
// of the account.
func isSection(l *layout.Layout, title *Title) bool {
	r := l.RowOf(title.Words[0])
	return title.Kind == "statement" && r != nil && len(r.Cells) > 1
}

// refersTo are the documents that come before an invoice, and to which it refers.
var refersTo = map[string]bool{"offer": true, "order": true, "orderConfirmation": true, "contract": true, "deliveryNote": true}

// How sure the kind of a document is: of a title alone, of one that the text confirms, and of
// the text alone. What speaks for another kind, or the lack of a place of its own, takes from it.
const (
	sureInvoice = 0.99
	sureTitle   = 0.9
	sureBoth    = 0.99
	sureText    = 0.8
	unsupported = 0.25
)

const (
	large     = 1.15 // times the size of most letters
	topPart   = 0.4  // of the first page has the title of a document
	firstRows = 3    // have the title of another document, where a row below names an invoice
	maxAsides = 10   // words of a row that is a title
)

// titleAt is the title at a place, with what it counts.
func titleAt(l *layout.Layout, r *layout.Row, h *layout.Hit) Title {
	w := &lexicon.Weigh().Title
	t := Title{Code: h.Field, Words: r.Words[h.First : h.Last+1], Found: true, standing: isStanding(r, h), hit: *h}
	if !isInvoice(h.Field) {
		t.Code, t.Kind = "", h.Field
	}
	t.score = t.Words[0].Size * (w.High - r.Top/max(l.Pages[0].Height, 1))
	if t.Words[0].Bold {
		t.score *= w.Bold
	}
	if !h.StartsCell && !t.standing || layout.HasMoney(r) { // within a sentence, or what an amount is for
		t.score *= w.Sentence
	}
	return t
}

// isLabelWith reports whether a label of a party has the words of a title, and its cell or a colon.
func isLabelWith(label, title *layout.Hit) bool {
	c := &title.Row.Cells[title.Row.CellAt(title.First)]
	return label.First <= title.First && label.Last >= title.Last && label.StartsCell && (label.Colon || label.Last == c.Last)
}

// isInRow reports whether what a title is for is one of a list, with its amount in the row: something stands in a
// cell before it.
func isInRow(h *layout.Hit) bool {
	return layout.HasMoney(h.Row) && h.Row.CellAt(h.First) > 0
}

// isStanding reports whether a row has a title, numbers, and what may be in a title beside them or stands in brackets,
// as in 2nd reminder for invoice 17 of 20/11/2026.
func isStanding(r *layout.Row, h *layout.Hit) bool {
	if h.Colon || h.First > 0 && layout.HasMoney(r) || len(r.Cells) > 1 || len(r.Words)-(h.Last-h.First) > maxAsides {
		return false
	}
	named := map[int]bool{}
	for _, o := range r.Find(&lexicon.Words().Titles) {
		if isInvoice(h.Field) && !isInvoice(o.Field) && isRightBehind(&o, h) { // a reminder of an invoice
			return false
		}
		for i := o.First; i <= o.Last; i++ {
			named[i] = true
		}
	}
	aside := asides(r.Words)
	for i, w := range r.Words {
		if strings.HasSuffix(w.Text, ":") { // it is a label
			return false
		}
		if folded := lexicon.Fold(w.Text); !named[i] && !aside[i] && lexicon.Words().Months[folded] == 0 && !lexicon.HasDigit(w.Text) && !isFiller(w.Text) && !lexicon.Words().TitleAsides[folded] {
			return false
		}
	}
	return true
}

// asides reports of each word whether it is in brackets.
func asides(of []*layout.Word) []bool {
	in, is := false, make([]bool, len(of))
	for i, w := range of {
		in = in || strings.HasPrefix(w.Text, "(")
		is[i] = in
		in = in && !strings.HasSuffix(w.Text, ")")
	}
	return is
}

// isRightBehind reports whether a title follows the one of another document at once, or behind the dash of a document that
// names an invoice, as in 2nd reminder – invoice 17.
func isRightBehind(other, h *layout.Hit) bool {
	next := other.Last + 1
	for namesInvoice[other.Field] && next < h.First && len(h.Row.Words[next].Tokens) == 0 {
		next++
	}
	return next == h.First
}

// saidBy is the title of another document, or what the page says that no invoice does.
func saidBy(l *layout.Layout, invoice, other *Title, says map[string]layout.Hit, own bool, calledAt *layout.Row) Title {
	if other.Found {
		_, confirmed := says[other.Kind]
		other.Sure = sureTitle
		if confirmed {
			other.Sure = sureBoth
		}
		if invoice.Found && invoice.standing {
			other.Sure -= unsupported
		}
		if !invoice.Found || isAbove(l, invoice, other, confirmed) || !invoice.standing && confirmed {
			return *other
		}
	}
	_, selfBilled := says[selfBilling]
	_, credits := says[toYourAccount]
	for _, kind := range []string{"reminder", "dispute", "remittance", "proforma", "orderConfirmation", "order", "offer"} {
		h, said := says[kind]
		// Who issues a self-billed invoice says that it pays, how the seller may dispute it, and that he sends none.
		isSelfBilled := kind == "remittance" && (own || selfBilled) || kind == "dispute" && (selfBilled || credits) || kind == "proforma" && selfBilled
		if said && (kind == "proforma" || !invoice.standing) && !isSelfBilled {
			return Title{Kind: kind, Words: h.Words(), Found: true, Sure: sureText, Said: true}
		}
	}
	if own {
		return Title{}
	}
	if headed := heading(l, calledAt); headed.Found {
		return headed
	}
	if said := sentence(l); !selfBilled || !saidBySelfBilled[said.Kind] {
		return said
	}
	return Title{}
}

// saidOf is what the pages say that no invoice does, by the kind of the document.
func saidOf(l *layout.Layout) map[string]layout.Hit {
	says := map[string]layout.Hit{}
	for _, r := range l.Rows {
		for _, h := range r.Find(&lexicon.Words().Says) {
			if _, said := says[h.Field]; !said {
				says[h.Field] = h
			}
		}
	}
	return says
}

// isOwn reports whether a title in the upper part of the page has a row or a cell of its own, or
// begins a heading, and is not a label or part of a sentence. A heading that has the word further
// behind, as a reminder of an invoice, is that of an invoice where no other word names another
// document.
func (t *Title) isOwn(l *layout.Layout) bool {
	r := t.hit.Row
	c := &r.Cells[r.CellAt(t.hit.First)]
	switch {
	case t.hit.First > 0 && layout.HasMoney(r): // the subject of a letter, as in Our invoice 17 – £286.40
		return false
	case t.standing:
		return true
	case r.Cells[len(r.Cells)-1].First > t.hit.Last && layout.HasMoney(r): // one of a list of invoices
		return false
	case t.hit.Colon || r.Top > headingPart*l.Pages[0].Height || t.isInTotal(c) || len(r.Cells) > 2 && len(r.Find(&lexicon.Words().Totals)) > 0 || asksForNumber(c):
		return false
	case c.First == t.hit.First && c.Last == t.hit.Last:
		return true
	}
	kind := lexicon.HeadingKind(c.Text())
	return t.isAlternative() || (isHeading(c.Words()) || t.isSubject(l)) && (kind == "" || c.First == t.hit.First && !namesInvoice[kind])
}

// isInLabel reports whether the cell of a title is no more than the longer label of a day, as Számla kelte, that of an
// invoice, among those of a table.
func (t *Title) isInLabel() bool {
	c := &t.hit.Row.Cells[t.hit.Row.CellAt(t.hit.First)]
	const least = 3 // cells of such a table
	label, is := c.Label(&lexicon.Words().Header)
	return is && len(c.Row.Cells) >= least && headerKinds[label.Field] == kindDate && label.Used > t.hit.Tokens && c.Row.Tokens[c.Token+label.Used-1].Word == c.Last
}

// isSubject reports whether a title begins what a letter is about: a row by itself, apart from those above and below it,
// which is not a sentence.
func (t *Title) isSubject(l *layout.Layout) bool {
	const most = 12 // words
	r := t.hit.Row
	return t.hit.First == 0 && len(r.Cells) == 1 && len(r.Words) <= most && standsApart(l, r.Index) && !strings.ContainsAny(layout.TextOf(r.Words), ":@") && !strings.HasSuffix(r.Words[len(r.Words)-1].Text, ".")
}

// isAlternative reports whether a title ends a row behind a stroke or begins one before it, as in Rent demand /
// Invoice: the page is that too. What is beside a reminder or a pro forma is what that is about.
func (t *Title) isAlternative() bool {
	r := t.hit.Row
	last := len(r.Words) - 1
	isBehind := t.hit.First > 0 && t.hit.Last == last && r.Words[t.hit.First-1].Text == "/"
	isBefore := t.hit.First == 0 && t.hit.Last < last && r.Words[t.hit.Last+1].Text == "/"
	return (isBehind || isBefore) && len(r.Cells) == 1 && len(r.Words) < mostOfHeading &&
		!slices.ContainsFunc(r.Find(&lexicon.Words().Titles), func(o layout.Hit) bool { return namesInvoice[o.Field] })
}

// isOther reports whether the row of a title names another document as well.
func (t *Title) isOther() bool { return lexicon.HeadingKind(layout.TextOf(t.hit.Row.Words)) != "" }

// isInTotal reports whether a cell has the label of an amount, of which the title is no more than a part,
// as in Invoice total.
func (t *Title) isInTotal(c *layout.Cell) bool {
	return slices.ContainsFunc(c.Row.Find(&lexicon.Words().Totals), func(h layout.Hit) bool {
		return h.First >= c.First && h.Last <= c.Last && (h.First < t.hit.First || h.Last > t.hit.Last)
	})
}

// namesInvoice are the other documents whose title names an invoice, as in open invoice or invoice (pro
// forma).
var namesInvoice = map[string]bool{"reminder": true, "dispute": true, "proforma": true}

// isListHead reports whether a row is the head of a list of invoices, as reminders and remittance advices
// have: it begins with what calls them invoices, and two rows below have amounts.
func isListHead(l *layout.Layout, r *layout.Row) bool {
	if len(r.Cells) < leastOfList || r.Index+2 >= len(l.Rows) || layout.HasMoney(r) || !lexicon.CallsInvoice(r.Cells[0].Text()) {
		return false
	}
	return !slices.ContainsFunc(l.Rows[r.Index+1:r.Index+3], func(o *layout.Row) bool {
		return o.Page != r.Page || !isOfList(o) || !lexicon.HasDigit(o.Cells[0].Text())
	})
}

// isListed reports whether a row is one of several of a list of invoices.
func isListed(l *layout.Layout, r *layout.Row) bool {
	if !isOfList(r) {
		return false
	}
	for _, beside := range []int{r.Index - 1, r.Index + 1} {
		if beside >= 0 && beside < len(l.Rows) && isOfList(l.Rows[beside]) && lexicon.HasDigit(l.Rows[beside].Cells[0].Text()) {
			return true
		}
	}
	return false
}

// isOfList reports whether a row is one of a list of invoices: cells, and an amount among them.
func isOfList(r *layout.Row) bool { return len(r.Cells) >= leastOfList && layout.HasMoney(r) }

// leastOfList is how many cells the rows of a list of invoices have at least: number, day and amount.
const leastOfList = 3

// labelCallsInvoice reports whether a row that is none of a list begins with the label of a number or a day
// that calls the document an invoice.
func labelCallsInvoice(r *layout.Row) bool {
	return len(r.Cells) <= 2 && !layout.HasMoney(r) && slices.ContainsFunc(r.Find(&lexicon.Words().Header), func(h layout.Hit) bool {
		return h.StartsCell && !beginsSentence(&h) && (h.Field == "number" || h.Field == "issueDate") && callsInvoice(&h)
	})
}

// beginsSentence reports whether the words of a label begin a sentence about something else: many words in
// their cell, to a full stop, of which few have digits.
func beginsSentence(h *layout.Hit) bool {
	of := h.Row.Cells[h.Row.CellAt(h.First)].Words()
	if len(of) < leastOfAside || !strings.HasSuffix(of[len(of)-1].Text, ".") {
		return false
	}
	digits := 0
	for _, w := range of {
		if lexicon.HasDigit(w.Text) {
			digits++
		}
	}
	return 3*digits <= len(of)
}

// leastOfAside is how many words a sentence has at least that is about another document.
const leastOfAside = 10

// callsInvoice reports whether the words of a label call the document an invoice.
func callsInvoice(h *layout.Hit) bool {
	return lexicon.CallsInvoice(layout.TextOf(h.Words()))
}

// asksForNumber reports whether a title in the upper part of the page has the number of the document behind
// it, with a label or without one, in a row that is none of a list.
func (t *Title) asksForNumber(l *layout.Layout) bool {
	r := t.hit.Row
	if !t.hit.StartsCell || r.Top > headingPart*l.Pages[0].Height || layout.HasMoney(r) {
		return false
	}
	c := &r.Cells[r.CellAt(t.hit.First)]
	behind := r.Words[t.hit.Last+1 : c.Last+1]
	if iban, _ := candidate.IBANAt(behind); iban != "" { // an account is called rekening too
		return false
	}
	if len(r.Cells) > 2 { // the number alone, among others of the head
		return r.Top <= topPart*l.Pages[0].Height && len(behind) == 1 && lexicon.HasDigit(behind[0].Text)
	}
	return asksForNumber(c) && !beginsSentence(&t.hit) || len(behind) < mostOfHeading && slices.ContainsFunc(behind, func(w *layout.Word) bool { return lexicon.HasDigit(w.Text) })
}

// asksForNumber reports whether a cell begins with a label that says that a number follows.
func asksForNumber(c *layout.Cell) bool {
	label, is := c.Label(&lexicon.Words().Header)
	return is && slices.ContainsFunc(label.Tokens, func(token string) bool {
		return token != "de" && lexicon.Words().Fillers[token] || lexicon.Words().AnyNumber[token]
	})
}

// isHeading reports whether words may be a heading: a few outside of brackets, and no label or sentence.
func isHeading(of []*layout.Word) bool {
	text := layout.TextOf(of)
	end := of[len(of)-1].Text
	isSentence := strings.HasSuffix(end, ".") && (len(end) > longestShort || len(of) > longestShort || lexicon.HasDigit(end))
	few := slices.DeleteFunc(asides(of), func(is bool) bool { return is })
	return len(few) <= mostOfHeading && !strings.ContainsAny(text, ":@,") && !isSentence && !unicode.IsLower([]rune(text)[0])
}

// Bounds of a heading: the words that it has, and the part of the first page that it is in.
const (
	mostOfHeading = 6
	longestShort  = 4 // letters of an abbreviation with its full stop, and words before it
	headingPart   = 0.45
)

// heading is the title of another document by parts of its words: a cell of a few words that
// has its row for itself or larger letters, and is not a label, name of a company, address or sentence; below a label that calls
// the document an invoice, nor the number of a document that the invoice refers to.
func heading(l *layout.Layout, calledAt *layout.Row) Title {
	for at, r := range l.Rows {
		if r.Page > 1 || r.Top > headingPart*l.Pages[0].Height {
			return Title{}
		}
		if head, _ := layout.HeadAt(l.Rows, at); head != nil { // of the lines, whose rows are not titles
			return Title{}
		}
		if len(r.Cells) > 1 && layout.HasMoney(r) { // a line, where nothing heads them
			continue
		}
		for i := range r.Cells {
			c := &r.Cells[i]
			of := c.Words()
			text := layout.TextOf(of)
			isLarge := of[0].Size >= large*l.Usual
			isAlone := len(r.Cells) == 1 && standsApart(l, at)
			if !isHeading(of) || !isAlone && !isLarge || isLabel(text) && !(isAlone && isLarge) || slices.ContainsFunc(of, isForm) || candidate.HasCity(text) {
				continue
			}
			if kind := lexicon.HeadingKind(text); kind != "" && !(!isLarge && calledAt != nil && calledAt.Index < at && refersTo[kind] && lexicon.HasDigit(text)) {
				return Title{Kind: kind, Words: of, Found: true, Sure: sureText, Said: true}
			}
		}
	}
	return Title{}
}

// standsApart reports whether a row has more than the usual space above and below, as a heading has
// and no row of an address.
func standsApart(l *layout.Layout, at int) bool {
	r := l.Rows[at]
	isApart := func(i int, gap func(o *layout.Row) float64) bool {
		return i < 0 || i >= len(l.Rows) || l.Rows[i].Page != r.Page || gap(l.Rows[i]) >= apart*r.Height()
	}
	return isApart(at-1, func(o *layout.Row) float64 { return r.Top - o.Bottom }) && isApart(at+1, func(o *layout.Row) float64 { return o.Top - r.Bottom })
}

// apart is the space around a heading at least, in heights of its row.
const apart = 0.8

// isForm reports whether a word is the legal form of a company.
func isForm(w *layout.Word) bool { return lexicon.Words().LegalForms[lexicon.Fold(w.Text)] }

// isAbove reports whether the title of another document is that of the whole: it is above the
// name of an invoice, in letters as large, and first of all or confirmed by what the page says.
func isAbove(l *layout.Layout, invoice, other *Title, confirmed bool) bool {
	of, named := other.Words[0], invoice.Words[0]
	row := 0
	for row < len(l.Rows) && l.Rows[row].Bottom <= of.Box.Top {
		row++
	}
	isFirst := row < firstRows || confirmed || !invoice.standing || other.Kind == "reminder" // to which no invoice refers
	return isFirst && of.Box.Bottom <= named.Box.Top && of.Size >= named.Size || isAbout(&other.hit, &invoice.hit)
}

// isAbout reports whether a title is about an invoice that it names, as a reminder for invoice 17, or
// says of which kind it is, as Invoice (pro forma).
func isAbout(other, invoice *layout.Hit) bool {
	if other.Row == invoice.Row && other.Field == "proforma" {
		return true
	}
	if other.Row != invoice.Row || other.Last+1 >= invoice.First {
		return false
	}
	return !slices.ContainsFunc(other.Row.Words[other.Last+1:invoice.First], func(w *layout.Word) bool { return !lexicon.Words().TitleAsides[lexicon.Fold(w.Text)] })
}
