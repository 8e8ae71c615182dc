// Package quote shows texts of documents in messages. However long a text is, only its
// beginning is shown, so that a document cannot make an answer much larger than itself.
package quote

import (
	"strconv"
	"strings"
)

// Most is how many characters of a value messages show where nothing else is said.
const Most = 256

// LongestPath is how many characters of a path through a document messages show.
const LongestPath = 1024

// Shorten cuts a text to at most so many characters, and adds "..." and the length of the
// whole in bytes where it cut.
func Shorten(text string, most int) string {
	head := head(text, most)
	if len(head) == len(text) {
		return text
	}
	return head + rest(text)
}

// Value is a text in double quotes, escaped as in Go and cut after Most characters.
func Value(text string) string {
	head := head(text, Most)
	if len(head) == len(text) {
		return strconv.Quote(text)
	}
	return strconv.Quote(head) + rest(text)
}

// Fields is a text without white space around it and with single spaces inside, cut as
// by Shorten. It looks at the beginning alone.
func Fields(text string, most int) string {
	text = strings.Trim(text, " \t\r\n")
	head := head(text, most)
	shown := strings.Join(strings.FieldsFunc(head, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' }), " ")
	if len(head) < len(text) {
		shown += rest(text)
	}
	return shown
}

// head is the first characters of a text.
func head(text string, most int) string {
	if len(text) <= most { // no more bytes, so no more characters
		return text
	}
	count := 0
	for i := range text {
		if count == most {
			return text[:i]
		}
		count++
	}
	return text
}

// rest marks the cut. The length is in bytes, because counting characters takes time.
func rest(text string) string { return "... (" + strconv.Itoa(len(text)) + " bytes)" }
