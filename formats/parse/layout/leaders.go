package layout

import (
	"slices"
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

// joinSpaced makes words of letters that were set apart, as in I N V O I C E  N o . 17: of a run of single characters
// with capital letters below one another, a wider gap than most ends a word.
func joinSpaced(of []*Word) []*Word {
	out := make([]*Word, 0, len(of))
	for i := 0; i < len(of); {
		n := 1
		for isSpaced(of[i]) && i+n < len(of) && isSpaced(of[i+n]) && gapBefore(of[i+n-1], of[i+n]) < mostGap(of[i:i+n]) {
			n++
		}
		n = spacedLetters(of[i : i+n])
		if run := of[i : i+n]; n == 1 || mostCapitals(run) < leastSpaced {
			out = append(out, run...)
		} else {
			out = append(out, joinRun(run)...)
		}
		i += n
	}
	return out
}

// spacedLetters is how many words of a run are letters that were set apart: all where pairs are few, which stand as close as
// FA does, and else those before the first pair. It is one at least.
func spacedLetters(run []*Word) int {
	const pairs = 3 // of so many words one may be a pair
	singles := 0
	for _, w := range run {
		if isSingle(w) {
			singles++
		}
	}
	if singles == len(run) || singles >= leastSpaced && pairs*(len(run)-singles) <= len(run) {
		return len(run)
	}
	return max(slices.IndexFunc(run, func(w *Word) bool { return !isSingle(w) }), 1)
}

// How wide the gap between letters that are set apart is at most, in sizes of the letters, and the one between two words
// of them, in gaps between letters.
const (
	spacedGap = 1.2
	wordsGap  = 3.5
)

// mostGap is how wide the gap behind the letters of a run is at most.
func mostGap(run []*Word) float64 {
	most := spacedGap * max(run[0].Size, 4)
	if len(run) >= leastSpaced {
		most = max(most, wordsGap*gapBefore(run[0], run[1]))
	}
	return most
}

// widerGap is how many times as wide as most gaps of a run one is that ends a word.
const widerGap = 1.5

// spaceOf is how wide a space is, in sizes of the letters.
const spaceOf = 0.3

// joinRun joins single characters to words.
func joinRun(run []*Word) (words []*Word) {
	gaps := make([]float64, 0, len(run))
	for i := 1; i < len(run); i++ {
		gaps = append(gaps, gapBefore(run[i-1], run[i]))
	}
	usual := slices.Sorted(slices.Values(gaps))[len(gaps)/2]
	for first, i := 0, 1; i <= len(run); i++ {
		if i < len(run) && gaps[i-1] <= widerGap*usual {
			continue
		}
		joined := *run[first]
		var b strings.Builder
		for _, w := range run[first:i] {
			b.WriteString(w.Text)
		}
		joined.Text, joined.Box.Right = b.String(), run[i-1].Box.Right
		if i < len(run) { // the words of one text are of one cell
			joined.Box.Right = max(joined.Box.Right, run[i].Box.Left-spaceOf*run[i].Size)
		}
		joined.Tokens = lexicon.Tokens(joined.Text)
		words = append(words, &joined)
		first = i
	}
	return words
}

func gapBefore(last, w *Word) float64 { return w.Box.Left - last.Box.Right }

// mostCapitals is how many capital letters follow each other in a run at most.
func mostCapitals(run []*Word) (most int) {
	n := 0
	for _, w := range run {
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsUpper(r) {
			n += utf8.RuneCountInString(w.Text)
		} else {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// isSpaced reports whether a word may be of letters that were set apart: one character, or a pair of capital letters.
func isSpaced(w *Word) bool {
	if isSingle(w) {
		return true
	}
	letters := []rune(w.Text)
	return len(letters) == 2 && unicode.IsUpper(letters[0]) && unicode.IsUpper(letters[1])
}

// isSingle reports whether a word is a single character, or the small letter that ends an abbreviation, as in N r.
func isSingle(w *Word) bool {
	r, size := utf8.DecodeRuneInString(w.Text)
	return size == len(w.Text) || unicode.IsLower(r) && w.Text[size:] == "."
}
