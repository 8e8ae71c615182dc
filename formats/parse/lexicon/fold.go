package lexicon

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters are those that have no decomposition into a plain letter and a mark.
var letters = strings.NewReplacer("ß", "ss", "ł", "l", "Ł", "l", "ø", "o", "Ø", "o", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe", "đ", "d", "ı", "i")

// Tokens are the parts of a text that labels are compared by: letters and digits in
// small letters without marks, and the signs that mean something in a label.
func Tokens(s string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, c := range norm.NFKD.String(letters.Replace(s)) {
		switch {
		case unicode.Is(unicode.Mn, c):
		case unicode.IsLetter(c), unicode.IsDigit(c):
			b.WriteRune(unicode.ToLower(c))
		case c == '%' || c == '#' || c == '€' || c == '£' || c == '$':
			end()
			out = append(out, string(c))
		default:
			end()
		}
	}
	end()
	return out
}

// Fold is a text without case, marks, spaces and punctuation.
func Fold(s string) string { return strings.Join(Tokens(s), "") }

// HasDigit reports whether a text has a digit.
func HasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }
