package problem

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// names are the names of formats, as a caller writes them. They stay as they are at the beginning of a
// sentence too: Cii is the name of nothing.
var names = map[string]bool{"ubl": true, "cii": true, "xrechnung": true, "facturx": true, "zugferd": true}

// Sentence makes a sentence of the text of an error: it begins with a capital letter and ends
// with a full stop, unless it asks something. A name of a format, a key such as btCodes, and a path stay as they
// are.
func Sentence(text string) string {
	text = strings.TrimSpace(text)
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	if word, _, _ := strings.Cut(text, " "); !isName(word) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}

// isName reports whether a word is the name of something as it is written: that of a format, or one with a
// capital letter, a digit or a sign inside.
func isName(word string) bool {
	isPlain := func(r rune) bool {
		return unicode.IsLower(r) || r == ',' || r == ':' || r == '.' || r == '-' || r == '\'' || r == '’'
	}
	_, size := utf8.DecodeRuneInString(word)
	return names[word] || strings.ContainsFunc(strings.TrimRight(word[size:], ".,:;!?"), func(r rune) bool { return !isPlain(r) || r == '.' })
}
