package header

import (
	"slices"
	"strings"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A Title says what kind of document it is, and where that is said.
type Title struct {
	Code  string // UNTDID 1001; empty where it is no invoice
	Kind  string // of another document, by the lexicon; empty of an invoice
	Words []*layout.Word
	Found bool
	// Sure is how much the words and their place say for this kind, from 0 to 1.
	Sure float64

	score    float64
	standing bool // nothing else is in its row
	hit      layout.Hit
}

// Stands tells whether the title stands by itself in the upper part of a page.
func (t *Title) Stands() bool { return t.standing }

// Heads tells whether a title heads a page: it stands by itself, or begins a cell of its upper half.
func (t *Title) Heads(height float64) bool {
	return t.Found && (t.standing || t.hit.StartsCell) && t.Words[0].Box.Top < 0.5*height
}

// isInvoice tells whether a title is that of an invoice: these have a code.
func isInvoice(field string) bool { return lexicon.HasDigit(field) }

// ReadTitle finds the title: the words for a kind of document in the largest letters, or
// highest on the page, of the first page. What other documents say below their title decides
// where an invoice is named as well.
func ReadTitle(l *layout.Layout) Title {
	var invoice, other Title
	for _, r := range l.Rows {
		if r.Page > 1 {
			break
		}
		for _, h := range r.Find(&lexicon.Words().Titles) {
			t := titleAt(l, r, &h)
			best := &invoice
			if !isInvoice(h.Field) {
				best = &other
				isLarge := h.StartsCell && !h.Colon && len(r.Cells) == 1 && t.Words[0].Size >= large*l.Usual && len(r.Words) == len(t.Words)
				if !isLarge && !(t.standing && r.Top < topPart*l.Pages[0].Height) {
					continue // in the head of an invoice, it is a label
				}
			}
			if t.score > best.score {
				*best = t
			}
		}
	}
	if said := saidBy(l, &invoice, &other); said.Found {
		return said
	}
	if invoice.Found {
		invoice.Sure = sureInvoice
		if !invoice.standing && !invoice.hit.StartsCell {
			invoice.Sure -= unsupported
		}
		if other.Found {
			invoice.Sure -= unsupported
		}
	}
	return invoice
}

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
	maxAsides = 8    // words of a row that is a title
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
	if !h.StartsCell && !t.standing { // within a sentence
		t.score *= w.Sentence
	}
	return t
}

// isStanding tells whether a row has a title, numbers, and what may be in a title beside them,
// as in 2nd reminder for invoice 17 of 20/11/2026.
func isStanding(r *layout.Row, h *layout.Hit) bool {
	if h.Colon || len(r.Cells) > 1 || len(r.Words)-(h.Last-h.First) > maxAsides {
		return false
	}
	named := map[int]bool{}
	for _, o := range r.Find(&lexicon.Words().Titles) {
		for i := o.First; i <= o.Last; i++ {
			named[i] = true
		}
	}
	for i, w := range r.Words {
		if strings.HasSuffix(w.Text, ":") { // it is a label
			return false
		}
		if !named[i] && !lexicon.HasDigit(w.Text) && !isFiller(w.Text) && !lexicon.Words().TitleAsides[lexicon.Fold(w.Text)] {
			return false
		}
	}
	return true
}

// saidBy is the title of another document, or what the page says that no invoice does.
func saidBy(l *layout.Layout, invoice, other *Title) Title {
	says := map[string]layout.Hit{}
	for _, r := range l.Rows {
		for _, h := range r.Find(&lexicon.Words().Says) {
			if _, said := says[h.Field]; !said {
				says[h.Field] = h
			}
		}
	}
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
	for _, kind := range []string{"reminder", "dispute", "remittance", "proforma", "orderConfirmation", "order", "offer"} {
		h, said := says[kind]
		if said && (kind == "proforma" || !invoice.standing) {
			return Title{Kind: kind, Words: h.Row.Words[h.First : h.Last+1], Found: true, Sure: sureText}
		}
	}
	return Title{}
}

// isAbove tells whether the title of another document is that of the whole: it is above the
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

// isAbout tells whether a title is about an invoice that it names, as a reminder for invoice 17.
func isAbout(other, invoice *layout.Hit) bool {
	if other.Row != invoice.Row || other.Last+1 >= invoice.First {
		return false
	}
	return !slices.ContainsFunc(other.Row.Words[other.Last+1:invoice.First], func(w *layout.Word) bool { return !lexicon.Words().TitleAsides[lexicon.Fold(w.Text)] })
}
