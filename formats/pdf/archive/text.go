package archive

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// bytesOf is a string as the document means it; nil if o is no string.
func bytesOf(o types.Object) []byte {
	switch s := o.(type) {
	case types.StringLiteral:
		// An end of line is a line feed, however it was written.
		if b, err := types.Unescape(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(s))); err == nil {
			return append([]byte{}, b...)
		}
	case types.HexLiteral:
		if b, err := s.Bytes(); err == nil {
			return append([]byte{}, b...)
		}
	}
	return nil
}

// literal is a string of these bytes.
func literal(b []byte) types.StringLiteral {
	var s strings.Builder
	for _, c := range b {
		switch c {
		case '(', ')', '\\':
			s.WriteByte('\\')
			s.WriteByte(c)
		case '\r': // bare, it would be read as a line feed
			s.WriteString(`\r`)
		default:
			s.WriteByte(c)
		}
	}
	return types.StringLiteral(s.String())
}

// text is a text string: as it is where it is ASCII, else UTF-16.
func text(s string) types.StringLiteral {
	if isASCII(s) {
		return literal([]byte(s))
	}
	b := []byte{0xFE, 0xFF}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return literal(b)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// date is a point in time as PDF writes it, in UTC.
func date(t time.Time) types.StringLiteral {
	return types.StringLiteral(t.UTC().Format("D:20060102150405") + "+00'00'")
}

// clean drops what XML cannot carry and no title needs, and makes one line of it.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar || r&0xFFFE == 0xFFFE:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.TrimSpace(s)
}
