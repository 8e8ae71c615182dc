package problem

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence makes a sentence of the text of an error: it begins with a capital letter and ends
// with a full stop, unless it asks something.
func Sentence(text string) string {
	text = strings.TrimSpace(text)
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}
