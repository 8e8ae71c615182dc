package xpath

import (
	"strings"
	"unicode/utf8"

	"einvoice/model"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// NormalizeSpace is XPath's normalize-space: no white space at both ends, and
// one space for every run of it inside.
func NormalizeSpace(s string) string {
	for i := range len(s) {
		switch c := s[i]; {
		case c > ' ':
		case c == '\t' || c == '\n' || c == '\r', c == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' '):
			return strings.Join(strings.FieldsFunc(s, isWhite), " ")
		}
	}
	return s // the usual case
}

// whiteSpace is that of XML.
const whiteSpace = " \t\r\n"

func isWhite(r rune) bool { return strings.ContainsRune(whiteSpace, r) }

// textPredicates are the functions that ask something of two texts.
var textPredicates = map[string]func(a, b string) bool{
	"starts-with": strings.HasPrefix,
	"ends-with":   strings.HasSuffix,
	"contains":    strings.Contains,
}

// functionsOfText make a text of a text.
var functionsOfText = map[string]func(string) string{
	"normalize-space": NormalizeSpace,
	"upper-case":      UpperCase,
}

// functionsOfTwoTexts make a text of two.
var functionsOfTwoTexts = map[string]func(a, b string) string{
	"substring-before": func(s, part string) string {
		before, _, found := strings.Cut(s, part)
		if !found {
			return ""
		}
		return before
	},
	"substring-after": func(s, part string) string {
		_, after, _ := strings.Cut(s, part)
		return after
	},
}

// UpperCase maps letters as Unicode does in full ("ß" becomes "SS"), which
// XPath 2.0 asks for.
func UpperCase(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

// LowerCase maps letters as Unicode does in full, one by one: a sigma at the end of a word is
// as any other.
func LowerCase(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und, cases.HandleFinalSigma(false)).String(s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func length(s string) number { return integer(utf8.RuneCountInString(s)) }

// translate replaces the characters of from by those at the same places of to,
// and removes those for which to is too short. Of a character that from has
// twice, the first place counts.
func translate(s, from, to string) string {
	by := map[rune]rune{}
	replacements := []rune(to)
	for i, r := range []rune(from) {
		if _, known := by[r]; known {
			continue
		}
		by[r] = removed
		if i < len(replacements) {
			by[r] = replacements[i]
		}
	}
	return strings.Map(func(r rune) rune {
		if replacement, known := by[r]; known {
			return replacement
		}
		return r
	}, s)
}

// removed tells strings.Map to leave a character out.
const removed = -1

// substringFrom is the part of a text from a position on, which is rounded and
// counts characters from 1.
func substringFrom(s string, from number) string {
	if from.nan {
		return ""
	}
	return s[byteAt(s, round(from.decimal)):]
}

// substring is the part of a text from a position on, of so many characters:
// both numbers are rounded, and what is before the text counts too.
func substring(s string, from, count number) string {
	if from.nan || count.nan {
		return ""
	}
	first := round(from.decimal)
	start, end := byteAt(s, first), byteAt(s, first.Add(round(count.decimal)))
	return s[start:max(start, end)]
}

// byteAt is the byte at which the character of a position begins, within the
// text.
func byteAt(s string, position model.Decimal) int {
	at := 1
	for i := range s {
		if position.Cmp(model.NewDecimal(int64(at))) <= 0 {
			return i
		}
		at++
	}
	return len(s)
}
