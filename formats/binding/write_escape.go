package binding

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"einvoice/model"
)

// A NotXML error means that a text of the invoice contains a character that XML
// does not allow.
type NotXML struct {
	Field string // the path of the text: notes[0].text
	Char  rune
}

func (e *NotXML) Error() string {
	return fmt.Sprintf("%s holds the character U+%04X, which XML does not allow; remove it", e.Field, e.Char)
}

// plainBytes are the bytes that are written as they are, in text and in attributes.
var plainBytes = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = !strings.ContainsRune(`&<>"`, c)
	}
	return plain
}()

// escape writes a text of the invoice so that reading it gives the same text.
func (w *writer) escape(s string, attribute bool, owner model.Object, f *model.Field) {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainBytes[c] {
			i++
			continue
		}
		size, reference := 1, ""
		switch {
		case c == '&':
			reference = "&amp;"
		case c == '<':
			reference = "&lt;"
		case c == '>':
			reference = "&gt;"
		case c == '\r':
			reference = "&#13;"
		case attribute && c == '"':
			reference = "&quot;"
		case attribute && c == '\n':
			reference = "&#10;"
		case attribute && c == '\t':
			reference = "&#9;"
		case c < 0x20 && c != '\n' && c != '\t':
			w.refuse(rune(c), owner, f)
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || r == 0xFFFE || r == 0xFFFF {
				w.refuse(r, owner, f)
			}
		}
		if reference != "" {
			w.out = append(append(w.out, s[from:i]...), reference...)
			from = i + 1
		}
		i += size
	}
	w.out = append(w.out, s[from:]...)
}

func (w *writer) refuse(r rune, owner model.Object, f *model.Field) {
	if w.err == nil {
		w.err = &NotXML{Field: pathOf(w.invoice, owner, f), Char: r}
	}
}
