package parse

import (
	"cmp"
	"context"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/lines"
	"einvoice/formats/pdf/text"
)

// A part of a file are the pages of one document, from first on and before end.
type part struct {
	first, end int
	copyOf     int // index of the part that it shows again; -1 of none
}

// A pageFace is what a page says by itself.
type pageFace struct {
	title header.Title
	heads bool   // its title is at its head
	id    string // what may be its number; empty where nothing is
	named bool   // a label or the title says that this is the number of an invoice
	day   string // that a label asks for
	words map[string]int
	count int
	mark  int  // its number, as in Page 2 of 3; 0 where it has none
	total bool // it has a labelled total
}

// How much speaks for and against a page that begins a document.
const (
	atHead        = 2
	ownTitle      = 1
	markedFirst   = 3
	markedLater   = -4
	newNumber     = 3
	otherNumber   = 2 // which may be that of another document
	sameNumber    = -2
	newDay        = 2
	wholeAgain    = 2 // number, day and total, where there was a total before
	otherKind     = 3
	afterTotal    = 1
	beforeTotal   = -2
	enoughToBegin = 5
	// alike is the part of the words of two pages that both have at least, where one is a copy
	// of the other.
	alike = 0.85
)

// split parts a file into its documents. A page begins one by what it says itself: its title,
// a number that is another than that of the pages before, and Page 1.
func split(ctx context.Context, sheets []text.Sheet) ([]part, error) {
	parts := []part{{0, len(sheets), -1}}
	if len(sheets) < 2 {
		return parts, nil
	}
	faces := make([]*pageFace, len(sheets))
	for i := range sheets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		faces[i] = faceOf(&sheets[i])
	}
	shown := firstOf(faces[0]) // of the document so far
	for i := 1; i < len(sheets); i++ {
		last := &parts[len(parts)-1]
		copyOf, again := -1, 1
		for k, p := range parts {
			if p.copyOf >= 0 {
				continue
			}
			if of := faces[p.first:min(p.end, i)]; isAgain(of, faces[i:]) {
				copyOf, again = k, len(of)
				break
			}
			if isAlike(faces[i], faces[p.first]) {
				copyOf = k
			}
		}
		if copyOf < 0 && !begins(faces[i], &shown) {
			shown.id = cmp.Or(shown.id, faces[i].id)
			shown.day = cmp.Or(shown.day, faces[i].day)
			shown.total = shown.total || faces[i].total
			continue
		}
		last.end = i
		parts = append(parts, part{i, len(sheets), copyOf})
		shown = firstOf(faces[i])
		i += again - 1 // the other pages of a copy
	}
	return parts, nil
}

// isAgain reports whether pages say one after another what those of a document do: nearly the same
// with the number of an invoice, and a total on any of them, or word for word.
func isAgain(of, in []*pageFace) bool {
	if len(in) < len(of) {
		return false
	}
	total, exactly := false, true
	for i, f := range of {
		both, most := inCommon(f, in[i])
		if float64(both) < alike*float64(most) {
			return false
		}
		total = total || f.total && in[i].total
		exactly = exactly && f.count > 0 && both == most
	}
	return exactly || total && of[0].id != "" && of[0].id == in[0].id
}

// A shown is what the pages of a document said so far.
type shown struct {
	title   header.Title
	id, day string
	total   bool
}

func firstOf(f *pageFace) shown { return shown{f.title, f.id, f.day, f.total} }

// begins reports whether a page begins a document of its own behind what was shown before.
func begins(f *pageFace, before *shown) bool {
	weight := 0
	for _, sign := range []struct {
		is     bool
		weight int
	}{
		{f.heads, atHead}, {f.heads && f.title.Stands(), ownTitle}, {f.mark == 1, markedFirst}, {f.mark > 1, markedLater},
		{f.id != "" && f.id == before.id, sameNumber}, {f.named && f.id != before.id, newNumber}, {!f.named && f.heads && f.id != "" && f.id != before.id, otherNumber},
		{f.day != "" && f.day != before.day, newDay}, {f.day != "" && f.total && before.total && f.id != "" && f.id != before.id, wholeAgain}, {f.heads && f.title.Kind != before.title.Kind && (f.title.Kind != "" || before.title.Found), otherKind},
		{before.total, afterTotal}, {!before.total, beforeTotal},
	} {
		if sign.is {
			weight += sign.weight
		}
	}
	return weight >= enoughToBegin
}

// faceOf reads a page by itself.
func faceOf(sheet *text.Sheet) *pageFace {
	own := candidate.Of([]text.Sheet{*sheet})
	f := &pageFace{title: header.ReadTitle(own.Layout), mark: header.PageMark(own.Layout, 1), words: map[string]int{}}
	f.heads = f.title.Heads(sheet.Height)
	table := lines.Read(own, linesOfFace, true)
	head := header.Read(own, f.title, table)
	if !head.IsListed(own.Layout) {
		f.id, f.named = head.Claims["number"].Value, head.NamesInvoice(sheet.Height)
	}
	if day := head.Claims["issueDate"]; day.LabelLength() > 0 {
		f.day = day.Value
	}
	for _, r := range own.Layout.Rows {
		for _, w := range r.Words {
			f.words[w.Text]++
			f.count++
		}
		for _, h := range r.Find(&lexicon.Words().Totals) {
			f.total = f.total || (h.Field == "gross" || h.Field == "due") && (hasAmount(own, r, &h) || hasAmountBelow(own, &h))
		}
	}
	return f
}

// linesOfFace is how many lines of a page are read to see which of its rows are lines.
const linesOfFace = 200

// hasAmount reports whether a number with decimals is behind a label. Its first word may be the
// currency, which a label may end with as well.
func hasAmount(p *candidate.Pages, r *layout.Row, h *layout.Hit) bool {
	_, right := h.Box()
	for _, n := range p.NumbersOf(r) {
		if n.HasCents() && n.Words[len(n.Words)-1].Box.Left >= right {
			return true
		}
	}
	return false
}

// hasAmountBelow reports whether a number with decimals is below a label, as where the totals are columns.
func hasAmountBelow(p *candidate.Pages, h *layout.Hit) bool {
	const reach = 3 // heights of the label's row
	left, right := h.Box()
	for _, r := range p.Layout.Rows[h.Row.Index+1:] {
		if r.Page != h.Row.Page || r.Top-h.Row.Bottom > reach*h.Row.Height() {
			return false
		}
		for _, n := range p.NumbersOf(r) {
			if n.HasCents() && n.Words[0].Box.Left < right && n.Words[len(n.Words)-1].Box.Right > left {
				return true
			}
		}
	}
	return false
}

// isAlike reports whether a page is a copy of another: both say nearly the same, and have the
// number of an invoice.
func isAlike(a, b *pageFace) bool {
	if a.id == "" || a.id != b.id || !a.total || !b.total {
		return false
	}
	both, most := inCommon(a, b)
	return float64(both) >= alike*float64(most)
}

// inCommon is how many words two pages both have, and how many the longer one has.
func inCommon(a, b *pageFace) (both, most int) {
	for w, n := range a.words {
		both += min(n, b.words[w])
	}
	return both, max(a.count, b.count)
}
