package quote

import (
	"strconv"
	"strings"
	"unicode"
)

// Visible is a text for a terminal: characters that are not shown, or that change how
// others are shown (control characters, escape sequences, the direction of text), are
// written as escapes. Line ends, and spaces of every width, stay.
func Visible(text string) string {
	if strings.IndexFunc(text, isHidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isHidden(r) {
			b.WriteString(strings.Trim(strconv.QuoteToASCII(string(r)), `"`))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isHidden(r rune) bool {
	return r != '\n' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}
