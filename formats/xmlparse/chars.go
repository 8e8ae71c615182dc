package xmlparse

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// The classes of bytes, for the loops that look at every byte.
const (
	spaceByte   = 1 << iota // white space
	nameByte                // allowed in a name; includes all bytes from 0x80, which are checked later
	valueByte               // copied unchanged in an attribute value
	controlByte             // not allowed in XML
)

var byteClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case strings.IndexByte(" \t\r\n", byte(c)) >= 0:
			t[c] = spaceByte
			if c == ' ' {
				t[c] |= valueByte
			}
		case c < ' ':
			t[c] = controlByte
		case c >= utf8.RuneSelf, 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._:", byte(c)) >= 0:
			t[c] = nameByte | valueByte
		case strings.IndexByte(`<&"'`, byte(c)) < 0:
			t[c] = valueByte
		}
	}
	return t
}()

func isSpace(c byte) bool { return byteClass[c]&spaceByte != 0 }

// isBlank reports whether s is empty or only white space.
func isBlank[T string | []byte](s T) bool {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return false
		}
	}
	return true
}

// nextSpecial is the first offset from i on of a byte, or of a control character that is not
// white space; len(s) if there is none. It looks at eight bytes at a time.
func nextSpecial(s string, i int, stop byte) int {
	b, stops := unsafe.Slice(unsafe.StringData(s), len(s)), uint64(stop)*ones
	for len(b)-i >= 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		x := w ^ stops
		found := ((x-ones)&^x | (w-' '*ones)&^w) & tops // the lowest of these bits is right
		if found == 0 {
			i += 8
			continue
		}
		if i += bits.TrailingZeros64(found) / 8; b[i] == stop || !isSpace(b[i]) {
			return i
		}
		i++
	}
	for i < len(b) && b[i] != stop && byteClass[b[i]]&controlByte == 0 {
		i++
	}
	return i
}

// hasControl reports whether s has a control character that is not white space.
func hasControl(s string) bool { return nextSpecial(s, 0, 0) < len(s) }

// isUnicode reports whether s is valid UTF-8 without U+FFFE and U+FFFF. Few documents have a
// byte that these begin with, and one byte is found sooner than several.
func isUnicode(s string) bool {
	first := strings.IndexByte(s, "\uFFFE"[0])
	return utf8.ValidString(s) && (first < 0 || !strings.Contains(s[first:], "\uFFFE") && !strings.Contains(s[first:], "\uFFFF"))
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// findBadCharacter finds the first offset that is not valid UTF-8, or not a character of
// XML 1.0; it is -1 if there is none.
func findBadCharacter(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
		if !isCharacter(r) {
			return i
		}
	}
	return -1
}

// isCharacter is production 2, Char, of XML 1.0.
func isCharacter(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xD800:
		return true
	}
	return r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

// IsNCName reports whether s is a name without a colon, production 4 of
// Namespaces in XML.
func IsNCName(s string) bool {
	for i, r := range s {
		if !isNameStart(r) && (i == 0 || !isNameFollower(r)) {
			return false
		}
	}
	return s != ""
}

// isNameStart is production 4, NameStartChar, of XML 1.0 (fifth edition),
// without the colon.
func isNameStart(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
	case r < 0x2000:
		return r >= 0xC0 && r != 0xD7 && r != 0xF7 && !(r >= 0x300 && r <= 0x36F) && r != 0x37E
	case r < 0x10000:
		return r == 0x200C || r == 0x200D || r >= 0x2070 && r <= 0x218F || r >= 0x2C00 && r <= 0x2FEF ||
			r >= 0x3001 && r <= 0xD7FF || r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFFD
	}
	return r <= 0xEFFFF
}

// isNameFollower is production 4a, NameChar, without the characters of NameStartChar.
func isNameFollower(r rune) bool {
	return r == '-' || r == '.' || '0' <= r && r <= '9' || r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040
}
