package xmlparse

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Classes of bytes, for the loops that look at every byte.
const (
	spaceByte   = 1 << iota // white space
	nameByte                // may stand in a name; every byte of a character beyond ASCII, to be checked later
	valueByte               // in an attribute value only copied
	controlByte             // no XML character
)

var class = func() (t [256]uint8) {
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

func isSpace(c byte) bool { return class[c]&spaceByte != 0 }

// isBlank reports whether s has nothing but white space.
func isBlank[T string | []byte](s T) bool {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return false
		}
	}
	return true
}

// badCharacter finds the first place that is not UTF-8 or no character of
// XML 1.0; it is -1 where there is none. All of a document is checked at once,
// eight bytes at a time, so that the parser need not look at each.
func badCharacter(s string) int {
	const (
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	ascii := uint64(0)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := load(s, i)
		ascii |= w
		// A byte below 0x20 borrows into its top bit. Bytes from 0x80 are
		// masked out; a false alarm costs a closer look.
		if (w-0x20*ones)&^w&tops != 0 {
			for k := i; k < i+8; k++ {
				if class[s[k]]&controlByte != 0 {
					return firstBad(s, k)
				}
			}
		}
	}
	for ; i < len(s); i++ {
		ascii |= uint64(s[i])
		if class[s[i]]&controlByte != 0 {
			return firstBad(s, i)
		}
	}
	if ascii&tops == 0 {
		return -1
	}
	if !utf8.ValidString(s) || strings.Contains(s, "\uFFFE") || strings.Contains(s, "\uFFFF") {
		return firstBad(s, len(s))
	}
	return -1
}

// firstBad is the first bad place up to the one that was noticed.
func firstBad(s string, noticed int) int {
	for i, r := range s[:noticed] {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
		if !isCharacter(r) {
			return i
		}
	}
	return noticed
}

func load(s string, i int) uint64 {
	b := unsafe.Slice(unsafe.StringData(s), len(s))[i : i+8 : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
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

// isNameFollower is what production 4a, NameChar, adds.
func isNameFollower(r rune) bool {
	return r == '-' || r == '.' || '0' <= r && r <= '9' || r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040
}
