package expr

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// Functions of texts.
var textFunctions = []function{
	{"normalizeSpace", "Removes white space at both ends and makes every run of it inside one space, as XPath's normalize-space.",
		`"  a \n b ".normalizeSpace() == "a b"`,
		[]overload{member(ofText(xpath.NormalizeSpace, asText), types.StringType, types.StringType)}},
	{"upperCase", "Makes all letters capitals, as XPath's upper-case.", `"Vat".upperCase() == "VAT"`,
		[]overload{member(ofText(strings.ToUpper, asText), types.StringType, types.StringType)}},
	{"lowerCase", "Makes all letters small, as XPath's lower-case.", `"Vat".lowerCase() == "vat"`,
		[]overload{member(ofText(strings.ToLower, asText), types.StringType, types.StringType)}},
	{"startsWith", "Whether a text begins with another.", `"DE123".startsWith("DE")`,
		[]overload{member(ofTexts(strings.HasPrefix, asBool), types.BoolType, types.StringType, types.StringType)}},
	{"endsWith", "Whether a text ends with another.", `"a.pdf".endsWith(".pdf")`,
		[]overload{member(ofTexts(strings.HasSuffix, asBool), types.BoolType, types.StringType, types.StringType)}},
	{"contains", "Whether a text contains another.", `"#AAI#text".contains("#")`,
		[]overload{member(ofTexts(strings.Contains, asBool), types.BoolType, types.StringType, types.StringType)}},
	{"substringBefore", "The part before the first occurrence of a text, empty without one, as XPath's substring-before.", `"AAI#x".substringBefore("#") == "AAI"`,
		[]overload{member(ofTexts(substringBefore, asText), types.StringType, types.StringType, types.StringType)}},
	{"substringAfter", "The part after the first occurrence of a text, empty without one, as XPath's substring-after.", `"12.345".substringAfter(".") == "345"`,
		[]overload{member(ofTexts(substringAfter, asText), types.StringType, types.StringType, types.StringType)}},
	{"substring", "The characters from a position on, at most so many; positions count from 0.", `"DE123".substring(0, 2) == "DE" && "DE123".substring(2) == "123"`,
		[]overload{
			member(func(a []compiled) compiled {
				return asText(map2(a[0].text, a[1].integer, func(s string, i int64) string { return substring(s, i, int64(len(s))) }))
			}, types.StringType, types.StringType, types.IntType),
			member(func(a []compiled) compiled {
				return asText(func(act *Activation) (string, bool) {
					s, ok := a[0].text(act)
					i, okI := a[1].integer(act)
					n, okN := a[2].integer(act)
					if !ok || !okI || !okN {
						return "", false
					}
					return substring(s, i, n), true
				})
			}, types.StringType, types.StringType, types.IntType, types.IntType),
		}},
	{"replace", "Replaces every match of a regular expression (RE2); $1 stands for the first group.", `"DE 12\n3".replace("\\s", "") == "DE123"`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType, types.StringType}, result: types.StringType, compile: compileReplace}}},
	{"matches", "Whether a regular expression (RE2) matches anywhere in a text; anchor it with ^ and $ for all of it.", `"DE123".matches("^[A-Z]{2}")`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileMatches}}},
	{"split", "The parts between the matches of a regular expression (RE2).", `"a\r\nb".split("\r?\n").size() == 2`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: listOfText, compile: compileSplit}}},
	{"isInCodeList", "Whether a text, without white space around it, is a code of the named list (rulesets/codelists).", `"EUR".isInCodeList("iso-4217")`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.StringType}, result: types.BoolType, compile: compileCodeList}}},
	{"isDecimal", "Whether a text is a decimal number as XML Schema writes it.", `" 12.50 ".isDecimal() && !"1e3".isDecimal()`,
		[]overload{member(ofText(func(s string) bool { _, err := model.ParseDecimal(s); return err == nil }, asBool), types.BoolType, types.StringType)}},
	{"isDate", "Whether a text is a day as XML Schema writes it.", `"2026-11-20".isDate() && !"20.11.2026".isDate()`,
		[]overload{member(ofText(func(s string) bool { return model.NewDate(s).Valid }, asBool), types.BoolType, types.StringType)}},
	{"mod97", "The remainder by 97 of a text of digits and letters, as ISO 7064 and IBAN take it; -1 for any other text. A counts 10, Z 35; small letters count by their code too, from a = 42, as published rules take them: apply upperCase first where they shall not.", `"370400440532013000DE89".mod97() == 1 && "a".mod97() == 42`,
		[]overload{member(ofText(mod97, asInt), types.IntType, types.StringType)}},
}

// binaryValue is the exact value of the float64 next to d.
func binaryValue(d model.Decimal) model.Decimal {
	f, err := strconv.ParseFloat(d.String(), 64)
	if err != nil {
		return d // too large for one
	}
	exact, err := model.ParseDecimal(strings.TrimRight(new(big.Float).SetFloat64(f).Text('f', 80), "0"))
	if err != nil {
		return d
	}
	return exact
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

// substring counts characters, not bytes.
func substring(s string, from, n int64) string {
	var b strings.Builder
	i := int64(0)
	for _, r := range s {
		if i >= from && i-from < n {
			b.WriteRune(r)
		}
		i++
	}
	return b.String()
}

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

// regularExpression compiles one that is written as a literal, as all are:
// a pattern out of an invoice would be an attack.
func regularExpression(e compiled) (*regexp.Regexp, error) {
	text, ok := e.literal.(string)
	if !ok {
		return nil, fmt.Errorf("the regular expression must be a literal")
	}
	return regexp.Compile(text)
}

func compileMatches(_ *Environment, args []compiled) (compiled, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	return asBool(map1(args[0].text, re.MatchString)), nil
}

func compileReplace(_ *Environment, args []compiled) (compiled, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	return asText(map2(args[0].text, args[2].text, re.ReplaceAllString)), nil
}

func compileSplit(_ *Environment, args []compiled) (compiled, error) {
	re, err := regularExpression(args[1])
	if err != nil {
		return compiled{}, err
	}
	return asList(map1(args[0].text, func(s string) list { return list{strs: re.Split(s, -1)} })), nil
}

func compileCodeList(e *Environment, args []compiled) (compiled, error) {
	name, ok := args[1].literal.(string)
	if !ok {
		return compiled{}, fmt.Errorf("the name of the code list must be a literal")
	}
	contains, err := e.options.CodeLists(name)
	if err != nil {
		return compiled{}, err
	}
	return asBool(map1(args[0].text, contains)), nil
}
