package schema

import (
	"math/big"
	"regexp"
	"strings"
	"sync"

	"einvoice/formats/xmlparse"
)

const xsURI = "http://www.w3.org/2001/XMLSchema"

// A builtin is a simple type of XML Schema itself.
type builtin struct {
	name  string
	base  string
	space space
	// valid judges a value without the white space around it; nil if any will do.
	valid func(string) bool
	// wanted describes a value, for messages.
	wanted string
}

// A space says what becomes of white space before a value is judged.
type space uint8

const (
	preserve space = iota
	replace        // each is a space
	collapse       // none at the ends, single spaces within
)

var (
	// anyType is the base of all types and allows everything. Elements that no
	// schema declares have it.
	anyType = &typ{name: "xs:anyType", facts: &facts{
		mixed: true, anyAttr: lax, model: compile([]particle{{max: unbounded, wildcard: &wildcard{process: lax}}}),
	}}
	// builtins are the types of XML Schema. The schemas use a dozen of them; a
	// document may name any in an xsi:type attribute.
	builtins = makeBuiltins()
)

func makeBuiltins() map[string]*typ {
	const (
		floating = `[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|-?INF|NaN`
		duration = `-?P(([0-9]+Y)?([0-9]+M)?[0-9]+D|([0-9]+Y)?[0-9]+M|[0-9]+Y)?(T(([0-9]+H)?([0-9]+M)?[0-9]+(\.[0-9]+)?S|([0-9]+H)?[0-9]+M|[0-9]+H))?`
		bytes    = `([0-9a-fA-F]{2})*`
	)
	out := map[string]*typ{"anyType": anyType}
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
		{"ENTITY", "NCName", collapse, nothing, "an entity, of which there are none"},
		{"boolean", "anySimpleType", collapse, isBoolean, "true or false"},
		{"decimal", "anySimpleType", collapse, isDecimal, "a decimal number such as 1200.50"},
		{"integer", "decimal", collapse, isInteger, "a whole number"},
		{"nonPositiveInteger", "integer", collapse, between("", "0"), "a whole number up to 0"},
		{"negativeInteger", "nonPositiveInteger", collapse, between("", "-1"), "a whole number below 0"},
		{"long", "integer", collapse, between("-9223372036854775808", "9223372036854775807"), "a whole number in 64 bits"},
		{"int", "long", collapse, between("-2147483648", "2147483647"), "a whole number in 32 bits"},
		{"short", "int", collapse, between("-32768", "32767"), "a whole number in 16 bits"},
		{"byte", "short", collapse, between("-128", "127"), "a whole number in 8 bits"},
		{"nonNegativeInteger", "integer", collapse, between("0", ""), "a whole number from 0"},
		{"unsignedLong", "nonNegativeInteger", collapse, between("0", "18446744073709551615"), "a whole number from 0 in 64 bits"},
		{"unsignedInt", "unsignedLong", collapse, between("0", "4294967295"), "a whole number from 0 in 32 bits"},
		{"unsignedShort", "unsignedInt", collapse, between("0", "65535"), "a whole number from 0 in 16 bits"},
		{"unsignedByte", "unsignedShort", collapse, between("0", "255"), "a whole number from 0 in 8 bits"},
		{"positiveInteger", "nonNegativeInteger", collapse, between("1", ""), "a whole number from 1"},
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
		{"NOTATION", "anySimpleType", collapse, nothing, "a notation, of which there are none"},
		{"NMTOKENS", "anySimpleType", collapse, each(isNameToken), "words of letters, digits, dots, hyphens"},
		{"IDREFS", "anySimpleType", collapse, each(xmlparse.IsNCName), "names without colons"},
		{"ENTITIES", "anySimpleType", collapse, nothing, "entities, of which there are none"},
	} {
		out[b.name] = &typ{name: "xs:" + b.name, base: out[b.base], facts: &facts{text: &simple{builtin: &b}}}
	}
	return out
}

func nothing(string) bool { return false }

func isName(s string) bool { return xmlparse.IsNCName(strings.ReplaceAll(s, ":", "_")) }

func isNameToken(s string) bool {
	return s != "" && xmlparse.IsNCName("_"+strings.ReplaceAll(s, ":", "_"))
}

// isQName does not know whether a prefix is bound.
func isQName(s string) bool {
	prefix, local, ok := strings.Cut(s, ":")
	return xmlparse.IsNCName(prefix) && (!ok || xmlparse.IsNCName(local))
}

// matches judges by a regular expression, which is compiled when it is first
// needed, and by exceptions to it.
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

// between judges whole numbers; an empty limit is none.
func between(low, high string) func(string) bool {
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

// each judges lists.
func each(valid func(string) bool) func(string) bool {
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
