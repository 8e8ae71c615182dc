package typeset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean is a text in normalization form C, with line feeds alone between lines, and
// without control and format characters.
func Clean(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	s = lineFeeds.Replace(s)
	joins := NeedsShaping(s)
	s = strings.Map(func(r rune) rune {
		if r == '\n' || joins && (r == '\u200c' || r == '\u200d') { // these decide about the form of letters
			return r
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(replacement)))
	return norm.NFC.String(s)
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n", "\t", "    ")

// isPrintableASCII reports whether a text needs no cleaning, as most do not.
func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// Solid is a text that lines are not broken in.
func Solid(s string) string { return strings.ReplaceAll(s, " ", string(NoBreakSpace)) }

// A Line is the place of a line in a text, in bytes.
type Line struct{ From, To int }

// Wrap breaks a clean text into lines that fit a width: between words; in a word that is
// wider than a line, at a sign within it, or where it has to be. Line feeds are kept,
// except at the end.
func (u *FontUse) Wrap(s string, st *Style, width float64) []Line {
	return u.AppendLines(nil, s, st, width)
}

// AppendLines is wrap, with the lines behind others.
func (u *FontUse) AppendLines(lines []Line, s string, st *Style, width float64) []Line {
	end := len(strings.TrimRight(s, " \n"))
	for start := 0; ; {
		stop := end
		if i := strings.IndexByte(s[start:end], '\n'); i >= 0 {
			stop = start + i
		}
		if NeedsShaping(s[start:stop]) {
			lines = u.wrapShaped(lines, s, start, stop, st, width)
		} else {
			lines = u.wrapParagraph(lines, s, start, stop, st, width*1000/st.Size)
		}
		if stop == end || !u.goesOn() {
			return lines
		}
		start = stop + 1
	}
}

// separator stands between facts in one text.
const separator = '·'

// wrapParagraph appends the lines of a part of a text without line feeds. The width is
// in thousandths of the font size.
func (u *FontUse) wrapParagraph(lines []Line, s string, start, stop int, st *Style, width float64) []Line {
	const tolerance = 1e-6 // of sums of widths
	// A gap is where a line may end: what fits is before it, the next line begins after it.
	type gap struct {
		end, next int
		used      float64 // up to the next line
	}
	words, signs := gap{end: -1}, gap{end: -1}
	used := 0.0
	previous := rune(0)
	wordEnd, addressEnd := 0, 0 // of the last word with a hyphen, and of the last address
	for i := start; i < stop; {
		r, size := utf8.DecodeRuneInString(s[i:])
		w := u.glyphOf(r, st.Bold).width
		if used+w > width+tolerance && i > start && r != ' ' {
			g := gap{i, i, used}
			if words.end > start {
				g = words
			} else if signs.end > start {
				g = signs
			}
			lines = append(lines, Line{start, g.end})
			start, used = g.next, used-g.used
			words.end, signs.end = -1, -1
			if start > i { // only blanks are left before the character
				start = i
			}
			if start == i && r == separator { // no line begins with it
				for i += size; i < stop && s[i] == ' '; i++ {
				}
				start, used, previous = i, 0, ' '
				continue
			}
		}
		used += w
		next := i + size
		switch {
		case r == ' ':
			if previous != ' ' {
				words.end = i
			}
			words.next, words.used = next, used
		case next < stop && endsWord(previous, r, s[next:stop]):
			if i >= wordEnd {
				from := strings.LastIndexAny(s[:i], " \n\u00a0") + 1
				wordEnd = stop
				if n := strings.IndexAny(s[i:stop], " \u00a0"); n >= 0 {
					wordEnd = i + n
				}
				if isAddress(s[from:wordEnd]) {
					addressEnd = wordEnd
				}
			}
			if i < addressEnd { // a whole line is better for it
				signs = gap{next, next, used}
				break
			}
			words = gap{next, next, used}
		case r == NoBreakSpace && signs.next == i: // a line does not begin with it
			signs.next, signs.used = next, used
		case next < stop && endsPart(r):
			signs = gap{next, next, used}
		}
		previous = r
		i = next
	}
	return append(lines, Line{start, start + len(strings.TrimRight(s[start:stop], " "))})
}

// endsWord reports whether a line may end after a character although no blank follows: a
// dash, a hyphen or a stroke between letters, or a character of a script without blanks.
// Numbers, dates and codes are not broken.
func endsWord(before, r rune, rest string) bool {
	switch r {
	case '-', '/':
		after, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsLetter(before) && unicode.IsLetter(after) && unicode.IsLower(before)
	case '\u2013', '\u2014':
		return true
	}
	return r > 0x2e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// isAddress reports whether a word is a mail or web address.
func isAddress(word string) bool { return strings.Contains(word, "@") || strings.Contains(word, "://") }

// endsPart reports whether a word that is wider than a line may be broken after a
// character.
func endsPart(r rune) bool { return strings.ContainsRune("-/#:@_&?;,.+", r) }

// WidestWord is the width of the widest part of a text that is not broken.
func (u *FontUse) WidestWord(s string, st *Style) float64 {
	widest := 0.0
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == '\n' }) {
		widest = max(widest, u.Width(word, st))
	}
	return widest
}

// WidestLine is the width of the widest line of a text that is broken at line feeds alone.
func (u *FontUse) WidestLine(s string, st *Style) float64 {
	widest := 0.0
	for part := range strings.SplitSeq(s, "\n") {
		widest = max(widest, u.Width(part, st))
	}
	return widest
}

// Shorten cuts a text off so that it fits into one line.
func (u *FontUse) Shorten(s string, st *Style, width float64) string {
	s = strings.Join(strings.Fields(Clean(s)), " ")
	if lines := u.Wrap(s, st, width); len(lines) > 1 {
		first := u.Wrap(s, st, width-u.Width("…", st))[0]
		s = strings.TrimRight(s[first.From:first.To], " ") + "…"
	}
	return s
}
