package schema

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A simple is a simple type: one of XML Schema's own, with what restricts it.
type simple struct {
	builtin *builtin
	// Facets; maxLength is zero where there are none.
	minLength, maxLength int
	values               []string
}

const blanks = " \t\n\r"

// trim takes the white space off both ends.
func trim(s string) string {
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' { // nearly always
		return s
	}
	return strings.Trim(s, blanks)
}

// accepts reports whether a value is one of the type.
func (s *simple) accepts(value string) bool {
	b := s.builtin
	if b.valid != nil {
		if b.space == collapse {
			value = trim(value)
		}
		if !b.valid(value) {
			return false
		}
	}
	if s.maxLength > 0 {
		if n := utf8.RuneCountInString(s.normalize(value)); n < s.minLength || n > s.maxLength {
			return false
		}
	}
	return s.values == nil || slices.Contains(s.values, s.normalize(value))
}

// normalize is what a value is after its white space has been dealt with.
func (s *simple) normalize(value string) string {
	switch s.builtin.space {
	case replace:
		return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(value)
	case collapse:
		value = trim(value)
		if strings.ContainsAny(value, "\t\n\r") || strings.Contains(value, "  ") {
			return strings.Join(strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(blanks, r) }), " ")
		}
	}
	return value
}

// wanted describes a value, for messages.
func (s *simple) wanted() string {
	switch {
	case s.values != nil:
		return "one of " + strings.Join(s.values, ", ")
	case s.maxLength > 0:
		return s.builtin.wanted + " of " + occurs(s.minLength, s.maxLength) + " characters"
	}
	return s.builtin.wanted
}
