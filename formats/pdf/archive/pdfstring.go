package archive

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// stringBytes are the bytes that a string object stands for; nil if o is not a string.
func stringBytes(o types.Object) []byte {
	switch s := o.(type) {
	case types.StringLiteral:
		// By ISO 32000, an end of line within a literal string is a line feed, however it is written.
		if b, err := types.Unescape(lineEnds.Replace(string(s))); err == nil {
			return append([]byte{}, b...)
		}
	case types.HexLiteral:
		if b, err := s.Bytes(); err == nil {
			return append([]byte{}, b...)
		}
	}
	return nil
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// literalString is a literal string of these bytes.
func literalString(b []byte) types.StringLiteral {
	var s strings.Builder
	for _, c := range b {
		switch c {
		case '(', ')', '\\':
			s.WriteByte('\\')
			s.WriteByte(c)
		case '\r': // without the escape, it would be read as a line feed
			s.WriteString(`\r`)
		default:
			s.WriteByte(c)
		}
	}
	return types.StringLiteral(s.String())
}

// textString is a text string: ASCII as it is, any other text in UTF-16.
func textString(s string) types.StringLiteral {
	if isASCII(s) {
		return literalString([]byte(s))
	}
	b := []byte{0xFE, 0xFF}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return literalString(b)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// dateString is a date as PDF writes it, in UTC.
func dateString(t time.Time) types.StringLiteral {
	return types.StringLiteral(t.UTC().Format("D:20060102150405") + "+00'00'")
}

// clean is a text in one line, without characters that XML cannot contain or that
// have no meaning for others.
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
