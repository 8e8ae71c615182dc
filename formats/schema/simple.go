package schema

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A simpleType is a built-in type with the facets that restrict it.
type simpleType struct {
	builtin *builtin
	// The facets; maxLength is zero if there is no length facet.
	minLength, maxLength int
	values               []string
}

const xmlSpace = " \t\n\r"

// trim removes the white space at both ends.
func trim(s string) string {
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' { // nearly every value
		return s
	}
	return strings.Trim(s, xmlSpace)
}

// accepts reports whether a value is valid for the type.
func (s *simpleType) accepts(value string) bool {
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

// normalize applies the whiteSpace facet to a value.
func (s *simpleType) normalize(value string) string {
	switch s.builtin.space {
	case replace:
		return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(value)
	case collapse:
		value = trim(value)
		if strings.ContainsAny(value, "\t\n\r") || strings.Contains(value, "  ") {
			return strings.Join(strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(xmlSpace, r) }), " ")
		}
	}
	return value
}

// wanted describes the values of the type, for messages.
func (s *simpleType) wanted() string {
	switch {
	case s.values != nil:
		return "one of " + strings.Join(s.values, ", ")
	case s.maxLength > 0:
		return s.builtin.wanted + " of " + occurs(s.minLength, s.maxLength) + " characters"
	}
	return s.builtin.wanted
}
