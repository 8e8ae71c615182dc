package lines

import (
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// cutCodes takes what stands before the name in every line, and has a head that nobody knows,
// out of it: a day, or the code of an article.
func (d *draft) cutCodes() {
	for _, kind := range []func(*Line) (n int, field string){d.dayBefore, codeBefore, dashedCode} {
		lead := func(l Line) bool { n, _ := kind(&l); return n > 0 && n < len(l.Name) }
		if len(d.Lines) == 0 || slices.ContainsFunc(d.Lines, func(l Line) bool { return !lead(l) || !areAligned(&l, &d.Lines[0], kind) }) {
			continue
		}
		for i := range d.Lines {
			l := &d.Lines[i]
			n, field := kind(l)
			if field != "" && len(l.Texts[field]) == 0 {
				l.Texts[field] = l.Name[:1]
			}
			l.Name = l.Name[n:]
		}
	}
}

// areAligned reports whether the rest of the names of two lines begins at one left edge, or right
// behind what stands before.
func areAligned(a, b *Line, kind func(*Line) (int, string)) bool {
	n, _ := kind(a)
	m, _ := kind(b)
	return layout.Near(a.Name[n-1], a.Name[n]) || m > 0 && m < len(b.Name) && math.Abs(a.Name[n].Box.Left-b.Name[m].Box.Left) < 2
}

// dayBefore is how many words of a name are a day in a cell of its own before it.
func (d *draft) dayBefore(l *Line) (int, string) {
	if _, n := d.Notation.DateAt(l.Name); n > 0 && n < len(l.Name) && !layout.Near(l.Name[n-1], l.Name[n]) {
		return n, ""
	}
	return 0, ""
}

// codeBefore is 1 where a name begins with a code in a cell of its own.
func codeBefore(l *Line) (int, string) {
	if len(l.Name) > 1 && isCode(l.Name[0].Text) && !layout.Near(l.Name[0], l.Name[1]) {
		return 1, "article"
	}
	return 0, ""
}

// dashedCode is 2 where a name begins with a code and a dash.
func dashedCode(l *Line) (int, string) {
	if len(l.Name) > 2 && isCode(l.Name[0].Text) && strings.Trim(l.Name[1].Text, "-–—:") == "" {
		return 2, "article"
	}
	return 0, ""
}

// isCode reports whether a word may be the number of an article.
func isCode(s string) bool {
	const least, most = 3, 20
	return len(s) >= least && len(s) <= most && lexicon.HasDigit(s)
}
