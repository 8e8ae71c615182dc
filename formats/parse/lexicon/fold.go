package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters are those that have no decomposition into a plain letter and a mark.
var letters = strings.NewReplacer("ß", "ss", "ł", "l", "Ł", "l", "ø", "o", "Ø", "o", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe", "đ", "d", "ı", "i")

// decomposed is a text with each letter apart from its marks.
func decomposed(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFKD.String(letters.Replace(s))
		}
	}
	return s
}

// scan folds a text: its letters and digits in small letters without marks, and the signs that mean
// something in a label. ends are where its tokens end.
func scan(s string) (folded string, ends []int) {
	b := make([]byte, 0, 64)
	end := func() {
		if len(b) > 0 && (len(ends) == 0 || ends[len(ends)-1] < len(b)) {
			ends = append(ends, len(b))
		}
	}
	for _, c := range decomposed(s) {
		switch {
		case unicode.Is(unicode.Mn, c):
		case unicode.IsLetter(c), unicode.IsDigit(c):
			b = utf8.AppendRune(b, unicode.ToLower(c))
		case c == '%' || c == '#' || unicode.Is(unicode.Sc, c):
			end()
			b = utf8.AppendRune(b, c)
			end()
		default:
			end()
		}
	}
	end()
	return string(b), ends
}

// Tokens are the parts of a text that labels are compared by: words and numbers in small letters
// without marks, and the signs that mean something in a label.
func Tokens(s string) []string {
	folded, ends := scan(s)
	var out []string
	start := 0
	for _, end := range ends {
		out = append(out, folded[start:end])
		start = end
	}
	return out
}

// Fold is a text without case, marks, spaces and punctuation: its tokens, joined.
func Fold(s string) string {
	folded, _ := scan(s)
	return folded
}

// HasDigit reports whether a text has a digit.
func HasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }
