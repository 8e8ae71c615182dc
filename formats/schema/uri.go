package schema

import "strings"

// isURI accepts URI references by RFC 3986. As XML Schema says, the characters that a
// URI cannot have (spaces, letters outside ASCII, some punctuation) count as escaped.
// Square brackets are allowed in fragments, as in libxml2.
func isURI(s string) bool {
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	if !isURIText(fragment, "/?:@[]") || !isURIText(query, "/?:@") {
		return false
	}
	first, _, _ := strings.Cut(s, "/")
	if scheme, _, ok := strings.Cut(first, ":"); ok {
		if !isScheme(scheme) {
			return false // includes a first path segment with a colon, which looks like a scheme
		}
		s = s[len(scheme)+1:]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		if !isAuthority(rest[:end]) {
			return false
		}
		s = rest[end:]
	}
	return isURIText(s, "/:@")
}

func isScheme(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && (i == 0 || !isDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}

func isAuthority(s string) bool {
	if user, host, ok := strings.Cut(s, "@"); ok {
		if !isURIText(user, ":") {
			return false
		}
		s = host
	}
	var port string
	var hasPort bool
	if strings.HasPrefix(s, "[") { // an IPv6 address
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return false
		}
		if s = s[end+1:]; s == "" {
			return true
		}
		s, port, hasPort = strings.Cut(s, ":")
		return s == "" && hasPort && isPort(port)
	}
	s, port, hasPort = strings.Cut(s, ":")
	return isURIText(s, "") && (!hasPort || isPort(port))
}

func isPort(s string) bool { return s != "" && digits(s) == len(s) }

// isURIText reports whether s has only characters that are allowed anywhere in a URI,
// characters in also, and escapes.
func isURIText(s, also string) bool {
	const (
		anywhere = "-._~!$&'()*+,;="
		escaped  = "<>\"{}|\\^`" // by the processor
	)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 2
		case isLetter(c), isDigit(c), c <= ' ', c >= 0x7F,
			strings.IndexByte(anywhere, c) >= 0, strings.IndexByte(escaped, c) >= 0, strings.IndexByte(also, c) >= 0:
		default:
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
