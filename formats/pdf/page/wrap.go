package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// clean is a text in normalization form C, with line feeds alone between lines, and
// without control and format characters.
func clean(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n", "\t", "    ").Replace(s)
	s = strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(replacement)))
	return norm.NFC.String(s)
}

// isPrintableASCII tells whether a text needs no cleaning, as most do not.
func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// wrap breaks a text into lines that fit a width: between words, and within a word
// that is wider than a line. Line feeds are kept, except at the end.
func wrap(s string, st *style, width float64) []string {
	s = strings.TrimRight(clean(s), " \n")
	var lines []string
	for paragraph := range strings.SplitSeq(s, "\n") {
		lines = wrapParagraph(lines, paragraph, st, width*1000/st.size)
	}
	return lines
}

// wrapParagraph appends the lines of a text without line feeds. The width is in
// thousandths of the font size.
func wrapParagraph(lines []string, s string, st *style, width float64) []string {
	start, gap, next := 0, -1, 0 // the beginning of the line, the end of its last word that fits, the beginning of the next
	used, usedAtNext := 0.0, 0.0
	afterSpace := false
	for i, r := range s {
		w := glyphOf(r, st.bold).width
		if used+w > width && i > start && r != ' ' {
			if gap > start {
				lines = append(lines, s[start:gap])
				start, used = next, used-usedAtNext
			} else {
				lines = append(lines, s[start:i])
				start, used = i, 0
			}
			gap = -1
		}
		used += w
		switch {
		case r == ' ':
			if !afterSpace {
				gap = i
			}
			next, usedAtNext = i+1, used
		case canBreakAfter(r) && i+utf8.RuneLen(r) < len(s):
			next = i + utf8.RuneLen(r)
			gap, usedAtNext = next, used
		}
		afterSpace = r == ' '
	}
	return append(lines, strings.TrimRight(s[start:], " "))
}

// canBreakAfter tells whether a line may end after a character within a word.
func canBreakAfter(r rune) bool {
	switch r {
	case '-', '/', '#', ':', '@', '_', '&', '?', ';', ',', '\u2013', '\u2014':
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// shorten cuts a text off so that it fits into one line.
func shorten(s string, st *style, width float64) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	if lines := wrap(s, st, width); len(lines) > 1 {
		s = strings.TrimRight(wrap(s, st, width-widthOf("…", st))[0], " ") + "…"
	}
	return s
}
