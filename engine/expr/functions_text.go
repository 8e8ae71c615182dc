package expr

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/numeral"

	"github.com/google/cel-go/common/types"
)

// Functions of texts. substring, replace, split, startsWith, endsWith, contains
// and size are those of CEL and of cel-go's strings extension.
var textFunctions = []function{
	{"normalizeSpace", "Removes white space at both ends and makes every run of it inside one space, as XPath's normalize-space.",
		`"  a \n b ".normalizeSpace() == "a b"`,
		[]overload{ofText(toText(xpath.NormalizeSpace), asText, types.StringType)}},
	{"upperCase", "Makes all letters capitals, as XPath's upper-case.", `"Vat".upperCase() == "VAT" && "straße".upperCase() == "STRASSE"`,
		[]overload{ofText(toText(xpath.UpperCase), asText, types.StringType)}},
	{"lowerCase", "Makes all letters small, as XPath's lower-case.", `"Vat".lowerCase() == "vat"`,
		[]overload{ofText(toText(xpath.LowerCase), asText, types.StringType)}},
	{"startsWith", "Whether a text begins with another.", `"DE123".startsWith("DE")`,
		[]overload{ofTexts(strings.HasPrefix, asBool, types.BoolType)}},
	{"endsWith", "Whether a text ends with another.", `"a.pdf".endsWith(".pdf")`,
		[]overload{ofTexts(strings.HasSuffix, asBool, types.BoolType)}},
	{"contains", "Whether a text contains another.", `"#AAI#text".contains("#")`,
		[]overload{ofTexts(strings.Contains, asBool, types.BoolType)}},
	{"substringBefore", "The part before the first occurrence of a text, empty without one, as XPath's substring-before.", `"AAI#x".substringBefore("#") == "AAI"`,
		[]overload{ofTexts(substringBefore, asText, types.StringType)}},
	{"substringAfter", "The part after the first occurrence of a text, empty without one, as XPath's substring-after.", `"12.345".substringAfter(".") == "345"`,
		[]overload{ofTexts(substringAfter, asText, types.StringType)}},
	{"substring", "The characters from one position up to, and without, another, or to the end; positions count from 0. One that the text does not have is an error: ask size first.", `"DE12345".substring(1, 3) == "E1" && "DE123".substring(2) == "123"`,
		[]overload{
			member(func(a []compiled) compiled { return asText(substringOf(a[0].text, a[1].integer, nil)) }, types.StringType, types.StringType, types.IntType),
			member(func(a []compiled) compiled { return asText(substringOf(a[0].text, a[1].integer, a[2].integer)) }, types.StringType, types.StringType, types.IntType, types.IntType),
		}},
	{"replace", "Replaces a text wherever it occurs, or so many times from the left, by another.", `"1.000.000".replace(".", "") == "1000000" && "aaa".replace("a", "b", 2) == "bba"`,
		[]overload{
			member(func(a []compiled) compiled { return asText(replaceOf(a[0].text, a[1].text, a[2].text, nil)) }, types.StringType, types.StringType, types.StringType, types.StringType),
			member(func(a []compiled) compiled { return asText(replaceOf(a[0].text, a[1].text, a[2].text, a[3].integer)) }, types.StringType, types.StringType, types.StringType, types.StringType, types.IntType),
		}},
	{"split", "The parts between the occurrences of a text, at most so many.", `"a,b,c".split(",").size() == 3 && "a,b,c".split(",", 2)[1] == "b,c"`,
		[]overload{
			member(func(a []compiled) compiled { return asList(splitOf(a[0].text, a[1].text, nil)) }, listOfText, types.StringType, types.StringType),
			member(func(a []compiled) compiled { return asList(splitOf(a[0].text, a[1].text, a[2].integer)) }, listOfText, types.StringType, types.StringType, types.IntType),
		}},
	{"matches", "Whether a regular expression (RE2) matches anywhere in a text; anchor it with ^ and $ for all of it.", `"DE123".matches("^[A-Z]{2}")`,
		[]overload{
			{member: true, args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileMatches},
			{args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileMatches},
		}},
	{"replaceMatches", "Replaces every match of a regular expression (RE2); $1 is the first group.", `"DE 12\n3".replaceMatches("\\s", "") == "DE123" && "a1".replaceMatches("([a-z])", "$1x") == "ax1"`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType, types.StringType}, result: types.StringType, compile: compileReplaceMatches}}},
	{"splitMatches", "The parts between the matches of a regular expression (RE2).", `"a\r\nb".splitMatches("\r?\n").size() == 2`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: listOfText, compile: compileSplitMatches}}},
	{"isInCodeList", "Whether a text, without white space around it, is a code of the named list (rulesets/codelists).", `"EUR".isInCodeList("iso-4217")`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileCodeList}}},
	{"isDecimal", "Whether a text is a decimal number as XML Schema writes it.", `" 12.50 ".isDecimal() && !"1e3".isDecimal()`,
		[]overload{ofText(fromText(isDecimal), asBool, types.BoolType)}},
	{"isNumber", "Whether a text is a number as XPath reads what has no type: also with an exponent, and not INF or NaN. binary reads it.", `" 12.50 ".isNumber() && "1e3".isNumber() && !"1e".isNumber()`,
		[]overload{ofText(fromText(isNumber), asBool, types.BoolType)}},
	{"isDate", "Whether a text is a day such as 2026-11-20, also with a time zone.", `"2026-11-20".isDate() && !"20.11.2026".isDate()`,
		[]overload{ofText(fromText(isDate), asBool, types.BoolType)}},
	{"translate", "Puts in place of each character of the first text the one at its place in the second, or nothing where that is shorter, as XPath's translate.", `"1 234,50".translate(", ", ".") == "1234.50"`,
		[]overload{member(func(a []compiled) compiled { return asText(translateOf(a[0].text, a[1].text, a[2].text)) }, types.StringType, types.StringType, types.StringType, types.StringType)}},
	{"substringXPath", "The characters from a position on, or so many from there: positions count from 1, and those that the text does not have are left out, as XPath's substring.", `"12345".substringXPath(2, 3) == "234" && "12".substringXPath(2, 9) == "2" && "12345".substringXPath(0, 3) == "12"`,
		[]overload{
			member(func(a []compiled) compiled { return asText(substringXPathOf(a[0].text, a[1].integer, nil)) }, types.StringType, types.StringType, types.IntType),
			member(func(a []compiled) compiled { return asText(substringXPathOf(a[0].text, a[1].integer, a[2].integer)) }, types.StringType, types.StringType, types.IntType, types.IntType),
		}},
	{"mod97", "The remainder by 97 of a text of digits and letters, as ISO 7064 and IBAN take it; -1 for a text that holds anything else. A counts 10, Z 35; small letters count by their code too, from a = 42, as published rules take them: apply upperCase first where they shall not.", `"370400440532013000DE89".mod97() == 1 && "a".mod97() == 42`,
		[]overload{ofText(fromText(mod97), asInt, types.IntType)}},
}

// fromText and toText lift a function of one text; toText one that makes another
// text, which costs more.
func fromText[T any](g func(string) T) func(fn[string]) fn[T] {
	return func(text fn[string]) fn[T] { return texts1(text, g) }
}

func toText(g func(string) string) func(fn[string]) fn[string] {
	return func(text fn[string]) fn[string] {
		return func(act *Activation) (string, bool) {
			s, ok := text(act)
			if !ok || !act.pay(written*len(s)) {
				return "", false
			}
			return g(s), true
		}
	}
}

// ofText and ofTexts declare functions of one text and of two.
func ofText[T any](lift func(fn[string]) fn[T], as func(fn[T]) compiled, result *types.Type) overload {
	return member(func(a []compiled) compiled { return as(lift(a[0].text)) }, result, types.StringType)
}

func ofTexts[T any](g func(a, b string) T, as func(fn[T]) compiled, result *types.Type) overload {
	return member(func(a []compiled) compiled { return as(texts2(a[0].text, a[1].text, g)) }, result, types.StringType, types.StringType)
}

func substringBefore(s, sep string) string {
	if before, _, found := strings.Cut(s, sep); found {
		return before
	}
	return ""
}

func substringAfter(s, sep string) string {
	_, after, _ := strings.Cut(s, sep)
	return after
}

// substringOf is the text from one position to another, nil for its end.
func substringOf(text fn[string], from, to fn[int64]) fn[string] {
	return func(act *Activation) (string, bool) {
		s, ok := text(act)
		if !ok || !act.pay(len(s)) {
			return "", false
		}
		start, ok := from(act)
		if !ok {
			return "", false
		}
		if to == nil {
			return act.part(skip(s, start))
		}
		end, ok := to(act)
		if !ok {
			return "", false
		}
		return act.part(substring(s, start, end))
	}
}

func (act *Activation) part(s string, err error) (string, bool) {
	if err != nil {
		act.fail(errOther, nil, err.Error())
	}
	return s, err == nil
}

func substring(s string, start, end int64) (string, error) {
	if end < start {
		return "", fmt.Errorf("a part from position %d to %d is none", start, end)
	}
	rest, err := skip(s, start)
	if err != nil {
		return "", err
	}
	after, err := skip(rest, end-start)
	if err != nil {
		return skip(s, end) // whose error speaks of the whole text
	}
	return rest[:len(rest)-len(after)], nil
}

// skip is the text without so many characters at its beginning.
func skip(s string, n int64) (string, error) {
	left := n
	for i := range s {
		if left == 0 {
			return s[i:], nil
		}
		left--
	}
	if left != 0 {
		return "", fmt.Errorf("a text of %s has no position %d", numeral.Count(utf8.RuneCountInString(s), "character"), n)
	}
	return "", nil
}

// translateOf is XPath's translate: the first place of a character counts.
func translateOf(text, from, to fn[string]) fn[string] {
	return func(act *Activation) (string, bool) {
		s, ok := text(act)
		if !ok {
			return "", false
		}
		old, ok := from(act)
		if !ok {
			return "", false
		}
		with, ok := to(act)
		if !ok || !act.pay(len(old)+len(with)) || !act.pay(written*len(s)) {
			return "", false
		}
		places := map[rune]rune{}
		instead := []rune(with)
		for i, r := range []rune(old) {
			if _, known := places[r]; known {
				continue
			}
			if places[r] = -1; i < len(instead) {
				places[r] = instead[i]
			}
		}
		return strings.Map(func(r rune) rune {
			if by, known := places[r]; known {
				return by
			}
			return r
		}, s), true
	}
}

// substringXPathOf is XPath's substring for integers, nil for as many characters as there are.
func substringXPathOf(text fn[string], from, length fn[int64]) fn[string] {
	return func(act *Activation) (string, bool) {
		s, ok := text(act)
		if !ok || !act.pay(len(s)) {
			return "", false
		}
		start, ok := from(act)
		if !ok {
			return "", false
		}
		start = max(start, math.MinInt64/2)
		size := int64(utf8.RuneCountInString(s))
		end := size + 1
		if length != nil {
			n, ok := length(act)
			if !ok {
				return "", false
			}
			if n < end-start { // rather than start+n < end, which could overflow
				end = start + n
			}
		}
		start, end = max(1, start), min(size+1, end)
		if end <= start {
			return "", true
		}
		return act.part(substring(s, start-1, end-1))
	}
}

// limit evaluates an argument that says how many times at most; without it, or if
// it is negative, there is no limit.
func limit(of fn[int64], act *Activation) (int, bool) {
	if of == nil {
		return -1, true
	}
	n, ok := of(act)
	return int(max(-1, min(n, math.MaxInt32))), ok
}

func replaceOf(text, old, with fn[string], times fn[int64]) fn[string] {
	return func(act *Activation) (string, bool) {
		s, ok := text(act)
		if !ok {
			return "", false
		}
		from, ok := old(act)
		if !ok {
			return "", false
		}
		to, ok := with(act)
		if !ok {
			return "", false
		}
		n, ok := limit(times, act)
		if !ok || !act.pay(len(s)) || !act.pay(written*(len(s)+strings.Count(s, from)*len(to))) {
			return "", false
		}
		return strings.Replace(s, from, to, n), true
	}
}

func splitOf(text, sep fn[string], parts fn[int64]) fn[list] {
	return func(act *Activation) (list, bool) {
		s, ok := text(act)
		if !ok {
			return list{}, false
		}
		at, ok := sep(act)
		if !ok {
			return list{}, false
		}
		n, ok := limit(parts, act)
		if !ok || !act.pay(len(s)) || !act.budget.Spend(int64(strings.Count(s, at))) {
			return list{}, false
		}
		return list{items: &items{texts: strings.SplitN(s, at, n)}}, true
	}
}

func isDecimal(s string) bool {
	_, err := model.ParseDecimal(s)
	return err == nil
}

func isNumber(s string) bool {
	_, ok := untyped(s)
	return ok
}

func isDate(s string) bool { return model.NewDate(s).Valid }

func mod97(s string) int64 {
	rest := int64(0)
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int64(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int64(c-'A'+10)) % 97
		case c >= 'a' && c <= 'z':
			rest = (rest*100 + int64(c-'a'+42)) % 97
		default:
			return -1
		}
	}
	return rest
}

func compileCodeList(e *Environment, args []compiled) (compiled, error) {
	name, err := literalText(args[1], "name of the code list")
	if err != nil {
		return compiled{}, err
	}
	contains, err := e.options.CodeLists(name)
	if err != nil {
		return compiled{}, err
	}
	return asBool(texts1(args[0].text, contains)), nil
}
