package header

import (
	"iter"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

const (
	leastOfSentence = 3 // words
	mostOfSentence  = 48
	smallPrint      = 0.95 // times the size of most letters
	sameEdge        = 3.0  // points between the left edges of rows of one paragraph, at most
	rowsApart       = 1.2  // heights of a row between two of one paragraph, at most
)

// sentence is another document by what a sentence of its first page says.
func sentence(l *layout.Layout) Title {
	for of := range sentences(l) {
		if kind := kindOf(of); kind != "" {
			return Title{Kind: kind, Words: of, Found: true, Sure: sureText, Said: true}
		}
	}
	return Title{}
}

// kindOf is the kind of document that a sentence says the page is; empty where it says none, as of a line of an address.
func kindOf(sentence []*layout.Word) string {
	if text := layout.TextOf(subject(sentence)); !candidate.HasCity(text) {
		return lexicon.SentenceKind(text)
	}
	return ""
}

// subject is what a row with a label is about, as in Subject: legal advice – debt collection: its first phrase. The others
// say what was done, and not which document it is, unless the first names an invoice.
func subject(of []*layout.Word) []*layout.Word {
	if !strings.HasSuffix(of[0].Text, ":") {
		return of
	}
	end := 1 + slices.IndexFunc(of[1:], func(w *layout.Word) bool { return len(w.Tokens) == 0 || strings.HasSuffix(w.Text, ";") })
	if end < 2 || lexicon.CallsInvoice(layout.TextOf(of[1:end])) {
		return of
	}
	return of[:end]
}

// Bills reports whether a sentence of the first page says that it bills, as letters do that nothing heads.
func Bills(l *layout.Layout) bool { return hasSentence(l, lexicon.Bills) }

// AsksForPayment reports whether a row of the first page has a word that asks for a payment, as in Please transfer.
func AsksForPayment(l *layout.Layout) bool {
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool { return r.Page == 1 && slices.ContainsFunc(r.Words, isToPay) })
}

// SpeaksOfAnother reports whether a cell or a sentence of the first page has words that other documents are known by.
func SpeaksOfAnother(l *layout.Layout) bool {
	for of := range sentences(l) {
		if kindOf(of) != "" {
			return true
		}
	}
	return slices.ContainsFunc(l.Rows, func(r *layout.Row) bool {
		return r.Page == 1 && slices.ContainsFunc(r.Cells, func(c layout.Cell) bool {
			of := c.Words()
			return len(of) < mostOfSentence && !candidate.HasCity(c.Text()) && (lexicon.HeadingKind(c.Text()) != "" || isSentence(of) && kindOf(of) != "")
		})
	})
}

// SaysPaid reports whether a sentence of the first page says that the invoice was paid.
func SaysPaid(l *layout.Layout) bool { return hasSentence(l, lexicon.SaysPaid) }

// hasSentence reports whether a sentence of the first page says something.
func hasSentence(l *layout.Layout, says func(sentence string) bool) bool {
	for of := range sentences(l) {
		if says(layout.TextOf(of)) {
			return true
		}
	}
	return false
}

// sentences yields each row of the first page that is text, and each sentence that goes over several of
// them, in letters that are not those of small print.
func sentences(l *layout.Layout) iter.Seq[[]*layout.Word] {
	return func(yield func([]*layout.Word) bool) {
		var before *layout.Row   // of the same paragraph
		var begun []*layout.Word // of a sentence that goes on
		for _, r := range l.Rows {
			if r.Page > 1 {
				return
			}
			if len(r.Cells) != 1 || r.Words[0].Size < smallPrint*l.Usual {
				before, begun = nil, nil
				continue
			}
			if before == nil || !isNext(before, r) {
				begun = nil
			}
			if isSentence(r.Words) && !yield(r.Words) {
				return
			}
			for i, w := range r.Words {
				begun = append(begun, w)
				if !isEndOfSentence(w) {
					continue
				}
				beganAbove := len(begun) > i+1
				if beganAbove && isSentence(begun) && !yield(begun) {
					return
				}
				begun = nil
			}
			before = r
		}
	}
}

func isSentence(of []*layout.Word) bool {
	return len(of) >= leastOfSentence && len(of) < mostOfSentence
}

// isNext reports whether a row goes on in the paragraph of the row above it.
func isNext(above, r *layout.Row) bool {
	return above.Page == r.Page && math.Abs(above.Words[0].Box.Left-r.Words[0].Box.Left) <= sameEdge && r.Top-above.Bottom <= rowsApart*above.Height()
}

// isEndOfSentence reports whether a word ends with a mark that no abbreviation and no number has.
func isEndOfSentence(w *layout.Word) bool {
	text, isStop := strings.CutSuffix(w.Text, ".")
	return isStop && len(text) > longestShort && !lexicon.HasDigit(text) || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?")
}
