package schema

import (
	"math/big"
	"regexp"
	"strings"
	"sync"

	"einvoice/formats/xmlparse"
)

const xsURI = "http://www.w3.org/2001/XMLSchema"

// A builtin is a built-in simple type of XML Schema.
type builtin struct {
	name  string
	base  string
	space whiteSpace
	// valid reports whether a value without surrounding white space is one of the
	// type; nil if every value is.
	valid func(string) bool
	// wanted describes the values, for messages.
	wanted string
}

// whiteSpace is the facet of XML Schema that says how white space is normalized
// before a value is checked.
type whiteSpace uint8

const (
	preserve whiteSpace = iota
	replace             // each white-space character becomes a space
	collapse            // removed at both ends, and single spaces in between
)

var (
	// anyType is the base of all types and allows all content. It is the type of
	// elements that no schema declares.
	anyType = &xsdType{name: "xs:anyType", definition: &definition{
		mixed: true, anyAttr: lax, content: newContentModel([]particle{{max: unbounded, wildcard: &wildcard{process: lax}}}),
	}}
	// builtins are the built-in types of XML Schema by local name. The published
	// schemas use a dozen of them, but a document may name any in xsi:type.
	builtins = makeBuiltins()
)

func makeBuiltins() map[string]*xsdType {
	const (
		floating = `[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|-?INF|NaN`
		duration = `-?P(([0-9]+Y)?([0-9]+M)?[0-9]+D|([0-9]+Y)?[0-9]+M|[0-9]+Y)?(T(([0-9]+H)?([0-9]+M)?[0-9]+(\.[0-9]+)?S|([0-9]+H)?[0-9]+M|[0-9]+H))?`
		bytes    = `([0-9a-fA-F]{2})*`
	)
	out := map[string]*xsdType{"anyType": anyType}
	for _, b := range []builtin{
		{"anySimpleType", "anyType", preserve, nil, "text"},
		{"string", "anySimpleType", preserve, nil, "text"},
		{"normalizedString", "string", replace, nil, "text"},
		{"token", "normalizedString", collapse, nil, "text"},
		{"language", "token", collapse, isLanguage, "a language such as de or de-AT"},
		{"NMTOKEN", "token", collapse, isNameToken, "letters, digits, dots, hyphens"},
		{"Name", "token", collapse, isName, "a name"},
		{"NCName", "Name", collapse, xmlparse.IsNCName, "a name without a colon"},
		{"ID", "NCName", collapse, xmlparse.IsNCName, "a name without a colon"},
		{"IDREF", "NCName", collapse, xmlparse.IsNCName, "a name without a colon"},
		{"ENTITY", "NCName", collapse, noValue, "an entity, of which there are none"},
		{"boolean", "anySimpleType", collapse, isBoolean, "true or false"},
		{"decimal", "anySimpleType", collapse, isDecimal, "a decimal number such as 1200.50"},
		{"integer", "decimal", collapse, isInteger, "a whole number"},
		{"nonPositiveInteger", "integer", collapse, integerBetween("", "0"), "a whole number up to 0"},
		{"negativeInteger", "nonPositiveInteger", collapse, integerBetween("", "-1"), "a whole number below 0"},
		{"long", "integer", collapse, integerBetween("-9223372036854775808", "9223372036854775807"), "a whole number in 64 bits"},
		{"int", "long", collapse, integerBetween("-2147483648", "2147483647"), "a whole number in 32 bits"},
		{"short", "int", collapse, integerBetween("-32768", "32767"), "a whole number in 16 bits"},
		{"byte", "short", collapse, integerBetween("-128", "127"), "a whole number in 8 bits"},
		{"nonNegativeInteger", "integer", collapse, integerBetween("0", ""), "a whole number from 0"},
		{"unsignedLong", "nonNegativeInteger", collapse, integerBetween("0", "18446744073709551615"), "a whole number from 0 in 64 bits"},
		{"unsignedInt", "unsignedLong", collapse, integerBetween("0", "4294967295"), "a whole number from 0 in 32 bits"},
		{"unsignedShort", "unsignedInt", collapse, integerBetween("0", "65535"), "a whole number from 0 in 16 bits"},
		{"unsignedByte", "unsignedShort", collapse, integerBetween("0", "255"), "a whole number from 0 in 8 bits"},
		{"positiveInteger", "nonNegativeInteger", collapse, integerBetween("1", ""), "a whole number from 1"},
		{"float", "anySimpleType", collapse, matches(floating), "a number such as 1.5E3"},
		{"double", "anySimpleType", collapse, matches(floating), "a number such as 1.5E3"},
		{"date", "anySimpleType", collapse, isDate, "a date such as 2026-03-31"},
		{"time", "anySimpleType", collapse, isTime, "a time such as 14:30:00"},
		{"dateTime", "anySimpleType", collapse, isDateTime, "a date and time such as 2026-03-31T14:30:00"},
		{"duration", "anySimpleType", collapse, matches(duration, "-P", "P"), "a duration such as P30D"},
		{"gYear", "anySimpleType", collapse, partOfDate("", "", "-01-01"), "a year"},
		{"gYearMonth", "anySimpleType", collapse, partOfDate("", "", "-01"), "a year and month such as 2026-03"},
		{"gMonth", "anySimpleType", collapse, partOfDate("--", "2000-", "-01"), "a month such as --03"},
		{"gMonthDay", "anySimpleType", collapse, partOfDate("--", "2000-", ""), "a month and day such as --03-31"},
		{"gDay", "anySimpleType", collapse, partOfDate("---", "2000-01-", ""), "a day such as ---31"},
		{"base64Binary", "anySimpleType", collapse, isBase64, "bytes in base64"},
		{"hexBinary", "anySimpleType", collapse, matches(bytes), "bytes in hexadecimal"},
		{"anyURI", "anySimpleType", collapse, isURI, "a URI"},
		{"QName", "anySimpleType", collapse, isQName, "a name, with a prefix if it has a namespace"},
		{"NOTATION", "anySimpleType", collapse, noValue, "a notation, of which there are none"},
		{"NMTOKENS", "anySimpleType", collapse, listOf(isNameToken), "words of letters, digits, dots, hyphens"},
		{"IDREFS", "anySimpleType", collapse, listOf(xmlparse.IsNCName), "names without colons"},
		{"ENTITIES", "anySimpleType", collapse, noValue, "entities, of which there are none"},
	} {
		out[b.name] = &xsdType{name: "xs:" + b.name, base: out[b.base], definition: &definition{text: &simpleType{builtin: &b}}}
	}
	return out
}

func noValue(string) bool { return false }

func isName(s string) bool { return xmlparse.IsNCName(strings.ReplaceAll(s, ":", "_")) }

func isNameToken(s string) bool {
	return s != "" && xmlparse.IsNCName("_"+strings.ReplaceAll(s, ":", "_"))
}

// isQName checks the form only, not whether the prefix is bound.
func isQName(s string) bool {
	prefix, local, ok := strings.Cut(s, ":")
	return xmlparse.IsNCName(prefix) && (!ok || xmlparse.IsNCName(local))
}

// matches accepts the values that match a regular expression, except some. The
// expression is compiled when it is first needed.
func matches(pattern string, except ...string) func(string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:" + pattern + ")$") })
	return func(s string) bool {
		for _, e := range except {
			if s == e {
				return false
			}
		}
		return compiled().MatchString(s)
	}
}

// integerBetween accepts the integers from low to high; an empty limit is none.
func integerBetween(low, high string) func(string) bool {
	return func(s string) bool {
		if !isInteger(s) {
			return false
		}
		var n, limit big.Int
		n.SetString(strings.TrimPrefix(s, "+"), 10)
		if _, ok := limit.SetString(low, 10); ok && n.Cmp(&limit) < 0 {
			return false
		}
		_, ok := limit.SetString(high, 10)
		return !ok || n.Cmp(&limit) <= 0
	}
}

// listOf accepts non-empty lists whose items are all valid.
func listOf(valid func(string) bool) func(string) bool {
	return func(s string) bool {
		items := strings.Fields(s)
		for _, item := range items {
			if !valid(item) {
				return false
			}
		}
		return len(items) > 0
	}
}
