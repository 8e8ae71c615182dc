package schema

import "strings"

// The functions in this file check the values of the types that documents use most.
// None of them allocates memory.

func isBoolean(s string) bool { return s == "true" || s == "false" || s == "1" || s == "0" }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// digits counts the digits that s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

func isInteger(s string) bool {
	s = unsigned(s)
	return s != "" && digits(s) == len(s)
}

// isDecimal allows a decimal point at either end, and no exponent.
func isDecimal(s string) bool {
	s = unsigned(s)
	whole := digits(s)
	if whole == len(s) {
		return whole > 0
	}
	if s[whole] != '.' {
		return false
	}
	fraction := digits(s[whole+1:])
	return whole+fraction > 0 && whole+1+fraction == len(s)
}

// isLanguage accepts a language code with subtags, each of 1 to 8 characters.
func isLanguage(s string) bool {
	for first := true; ; first = false {
		tag, rest, more := strings.Cut(s, "-")
		if tag == "" || len(tag) > 8 {
			return false
		}
		for i := range len(tag) {
			if !isLetter(tag[i]) && (first || !isDigit(tag[i])) {
				return false
			}
		}
		if !more {
			return true
		}
		s = rest
	}
}

// base64 is the value of each character; invalid for characters that are not
// allowed.
var base64 = func() (t [256]uint8) {
	for i := range t {
		t[i] = invalid
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = uint8(i)
	}
	return t
}()

const invalid = 0xFF

// isBase64 allows white space anywhere. The bits of the last character that encode
// nothing, because padding follows, must be zero.
func isBase64(s string) bool {
	end := len(s)
	padding := 0
	for end > 0 && (s[end-1] == '=' || strings.IndexByte(xmlSpace, s[end-1]) >= 0) {
		if end--; s[end] == '=' {
			padding++
		}
	}
	n := 0
	last := uint8(0)
	for i := range end {
		if v := base64[s[i]]; v != invalid {
			last = v
			n++
		} else if strings.IndexByte(xmlSpace, s[i]) < 0 {
			return false
		}
	}
	switch padding {
	case 0:
		return n%4 == 0
	case 1:
		return n%4 == 3 && last&0x03 == 0
	case 2:
		return n%4 == 2 && last&0x0F == 0
	}
	return false
}
