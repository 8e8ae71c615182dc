package parties

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// isName reports whether a text can be a name.
func isName(s string) bool {
	n := 0
	for _, c := range s {
		if unicode.IsLetter(c) {
			n++
		}
	}
	return n >= 3 && 2*n >= len([]rune(s)) && len(s) <= 100 && !isSentence(s) && !isTagline(s) && !strings.ContainsAny(s, "@:?!") && !strings.Contains(s, "www.") && !isPartyLabel(s) && !isPartLabel(s) && !isSpaced(s) && !lexicon.Words().LegalForms[lexicon.Fold(s)]
}

// isSpaced reports whether a text is no more than letters with spaces between them, as in a heading with wide gaps: where one
// of its words ends, nothing says.
func isSpaced(s string) bool {
	const least = 3 // letters
	words := strings.Fields(s)
	return len(words) >= least && !slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) > 1 })
}

// isTagline reports whether a text says what somebody does, or since when, and not who it is: words with separators
// between them, as Joinery · Stairs, or with a year at their end, as Booksellers since 1898.
func isTagline(s string) bool { return tagline().MatchString(s) }

// tagline matches words with separators between them, or with a year at their end.
var tagline = lexicon.Pattern(` [·•|] | [–—-] .* [–—-] |\p{Ll} (?:1[6-9]|20)\d\d$`)

// IsDescription reports whether a name without a legal form has several words in small letters, as Wholesale of snacks
// and drinks: it may say what somebody does.
func IsDescription(name candidate.Printed) bool {
	return !HasLegalForm(name.Words) && smallWords(name.Value) >= 2
}

// isSentence reports whether a text ends with a full stop that is not that of a legal form, such as a.s., and has words
// in small letters, as terms of payment do and names do not.
func isSentence(s string) bool {
	if smallWords(s) < 2 || !strings.HasSuffix(s, ".") {
		return false
	}
	words := strings.Fields(s)
	return !lexicon.Words().LegalForms[lexicon.Fold(words[len(words)-1])]
}

// smallWords is how many words of a text are in small letters and do more than join others.
func smallWords(s string) (small int) {
	for _, word := range strings.Fields(s) {
		if r, _ := utf8.DecodeRuneInString(word); unicode.IsLower(r) && len(word) >= leastOfWord {
			small++
		}
	}
	return small
}

// leastOfWord is how many letters a word has at least that does more than join others, as und and van do.
const leastOfWord = 4

// longName is how many words a name has at most.
const longName = 9

// isHeading reports whether a name above a sender's line is the sender's, and the first words of the line say what it
// does, or which of its houses it is: it is larger, or has a legal form, and these words have none.
func isHeading(name []*layout.Word, line *layout.Cell, n int) bool {
	first := line.Words()[:min(n, line.Last-line.First+1)]
	return !HasLegalForm(first) && (HasLegalForm(name) || name[0].Size > 1.1*first[0].Size) && lexicon.Fold(layout.TextOf(name)) != lexicon.Fold(layout.TextOf(first))
}

// firstName is the first name that there are votes for; empty where there are none.
func firstName(votes []nameVote) string {
	if len(votes) == 0 {
		return ""
	}
	return votes[0].name.Value
}

// sharesWord reports whether a name has a word.
func sharesWord(w *layout.Word, name string) bool {
	return slices.ContainsFunc(strings.Fields(name), func(of string) bool { return lexicon.Fold(of) == lexicon.Fold(w.Text) })
}
