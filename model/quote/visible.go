package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is a text for a terminal: characters that are not shown, or that change how
// others are shown (control characters, escape sequences, the direction of text), are
// written as escapes, as are bytes that are not UTF-8. Line ends, and spaces of every width,
// stay.
func Visible(text string) string { return escaped(text, isHidden) }

// Name is the name of a file for a terminal or a page: Visible, and on one line. Whoever sends
// a file chooses its name, and a line end in it would make another line of a report, such as
// that of another verdict.
func Name(text string) string {
	return escaped(text, func(r rune) bool { return r == '\n' || isHidden(r) })
}

// Spelled is the name of a file as a text, from which it can be told again: bytes that are not UTF-8 are
// written as \xff, and so is the backslash of a name that has such an escape itself. JSON and XML would
// write one character for all such bytes, and files whose names differ in them alone had one name.
func Spelled(name string) string {
	if utf8.ValidString(name) && !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && size == 1 || isEscape(name[i:]) {
			fmt.Fprintf(&b, `\x%02x`, name[i])
		} else {
			b.WriteString(name[i : i+size])
		}
	}
	return b.String()
}

// isEscape reports whether a text begins with the escape of a byte.
func isEscape(text string) bool {
	if len(text) < len(`\xff`) || text[:2] != `\x` {
		return false
	}
	_, err := strconv.ParseUint(text[2:4], 16, 8)
	return err == nil
}

// escaped writes characters that are hidden as escapes, and bytes that are not UTF-8, which no
// page and no terminal shows.
func escaped(text string, hidden func(rune) bool) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case hidden(r):
			b.WriteString(strings.Trim(strconv.QuoteToASCII(string(r)), `"`))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isHidden(r rune) bool {
	return r != '\n' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}
