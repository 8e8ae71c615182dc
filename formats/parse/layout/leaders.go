package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/lexicon"
	"einvoice/formats/pdf/text"
)

// Dots or dashes that lead the eye from a label to its amount, and a label that an amount
// follows without a space.
var (
	leader     = lexicon.Pattern(`(?:\.{3,}|…+|_{3,}|-{4,}|(?:\.\s){2,}\.?)`)
	onlyLeader = lexicon.Pattern(`^[._…]+$`)
	gluedDot   = lexicon.Pattern(`^\d{1,3}(?:[.,'’]\d{3})*[.,]\d{2}$`)
	gluedMoney = lexicon.Pattern(`^(\p{L}[\p{L}.%]{2,}?)\.?(-?\d{1,3}(?:[.,'’]\d{3})*[.,]\d{2})$`)
)

// withoutLeaders parts a word where a leader or an amount begins, and drops leaders.
func withoutLeaders(w text.Word) []text.Word {
	if onlyLeader().MatchString(w.Text) {
		return nil
	}
	if rest, cut := strings.CutPrefix(w.Text, "."); cut && gluedDot().MatchString(rest) {
		return []text.Word{partOf(w, 1, len(w.Text))}
	}
	var parts []text.Word
	add := func(from, to int) {
		if from < to {
			parts = append(parts, partOf(w, from, to))
		}
	}
	at := 0
	for _, m := range leader().FindAllStringIndex(w.Text, -1) {
		add(at, m[0])
		at = m[1]
	}
	if at == 0 {
		if m := gluedMoney().FindStringSubmatchIndex(w.Text); m != nil && !isCode(w.Text[m[2]:m[3]]) {
			return []text.Word{partOf(w, m[2], m[3]), partOf(w, m[4], m[5])}
		}
		return []text.Word{w}
	}
	add(at, len(w.Text))
	return parts
}

// isCode reports whether letters are those of a currency, which an amount may follow.
func isCode(s string) bool {
	_, ok := lexicon.CurrencyWord(s)
	return ok
}

// partOf is a part of a word, with the share of its box.
func partOf(w text.Word, from, to int) text.Word {
	part, width, all := w, w.Box.Right-w.Box.Left, float64(len(w.Text))
	part.Text = w.Text[from:to]
	part.Box.Left, part.Box.Right = w.Box.Left+width*float64(from)/all, w.Box.Left+width*float64(to)/all
	return part
}

// leastSpaced is how many letters that stand alone are one word that was set with spaces.
const leastSpaced = 4

// joinSpaced makes one word of capital letters that were set apart, as in I N V O I C E.
func joinSpaced(of []*Word) []*Word {
	out := make([]*Word, 0, len(of))
	for i := 0; i < len(of); {
		n := 1
		for isCapital1(of[i]) && i+n < len(of) && isCapital1(of[i+n]) && of[i+n].Box.Left-of[i+n-1].Box.Right < 1.2*max(of[i].Size, 4) {
			n++
		}
		if n < leastSpaced {
			out = append(out, of[i:i+n]...)
		} else {
			joined := *of[i]
			var b strings.Builder
			for _, w := range of[i : i+n] {
				b.WriteString(w.Text)
			}
			joined.Text, joined.Box.Right = b.String(), of[i+n-1].Box.Right
			joined.Tokens = lexicon.Tokens(joined.Text)
			out = append(out, &joined)
		}
		i += n
	}
	return out
}

func isCapital1(w *Word) bool {
	r, size := utf8.DecodeRuneInString(w.Text)
	return size == len(w.Text) && unicode.IsUpper(r)
}
