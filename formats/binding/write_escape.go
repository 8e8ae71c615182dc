package binding

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"einvoice/model"
)

// A NotXML error means that a text of the invoice holds a character that no XML
// document may hold.
type NotXML struct {
	Field string // where: notes[0].text
	Char  rune
}

func (e *NotXML) Error() string {
	return fmt.Sprintf("%s holds the character U+%04X, which XML does not allow; remove it", e.Field, e.Char)
}

// plainBytes need no care wherever they stand.
var plainBytes = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = !strings.ContainsRune(`&<>"`, c)
	}
	return plain
}()

// escape writes a text of the invoice so that reading it gives the same again.
func (w *writer) escape(s string, attribute bool, owner model.Object, f *model.Field) {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainBytes[c] {
			i++
			continue
		}
		size, with := 1, ""
		switch {
		case c == '&':
			with = "&amp;"
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '\r':
			with = "&#13;"
		case attribute && c == '"':
			with = "&quot;"
		case attribute && c == '\n':
			with = "&#10;"
		case attribute && c == '\t':
			with = "&#9;"
		case c < 0x20 && c != '\n' && c != '\t':
			w.refuse(rune(c), owner, f)
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || r == 0xFFFE || r == 0xFFFF {
				w.refuse(r, owner, f)
			}
		}
		if with != "" {
			w.out = append(append(w.out, s[from:i]...), with...)
			from = i + 1
		}
		i += size
	}
	w.out = append(w.out, s[from:]...)
}

func (w *writer) refuse(r rune, owner model.Object, f *model.Field) {
	if w.bad == nil {
		w.bad = &NotXML{Field: pathOf(w.invoice, owner, f), Char: r}
	}
}
