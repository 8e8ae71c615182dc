package typeset

import (
	"bytes"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"einvoice/formats/pdf/font"

	"github.com/go-text/typesetting/di"
	shapefont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/segmenter"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
)

// Text of scripts whose letters join, stack or run from right to left is set by
// go-text/typesetting, which asks the tables of the font. All other text is set a
// character at a time, which takes a tenth of the time.

// NeedsShaping reports whether a text has letters of such a script.
func NeedsShaping(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xd6 && s[i] != 0xe2 && s[i] != 0xef { // the first byte of U+0580 and above, without punctuation
			for _, r := range s[i:] {
				if r >= 0x0590 && r < 0x10a0 || r >= 0x1700 && r < 0x1cd0 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 {
					return true
				}
			}
			return false
		}
		if s[i] == 0xef { // presentation forms
			r, _ := utf8.DecodeRuneInString(s[i:])
			if r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 {
				return true
			}
		}
	}
	return false
}

// shapes is the font as go-text reads it, parsed when it is first needed.
type shapes struct {
	once sync.Once
	font *shapefont.Font
}

func (t *Face) shapeFont() *shapefont.Font {
	t.shapes.once.Do(func() {
		if faces, err := shapefont.ParseTTC(bytes.NewReader(t.File)); err == nil && len(faces) > 0 {
			t.shapes.font = faces[0].Font
		}
	})
	return t.shapes.font
}

// A shaper sets text for one document.
type shaper struct {
	engine    shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
	faces     map[int]*shapefont.Face
	numbers   map[*shapefont.Font]int
}

// A PlacedGlyph is a glyph in a line; lengths are in thousandths of the font size.
type PlacedGlyph struct {
	Face    int
	Code    uint16
	Width   float64 // as the font has it
	Advance float64
	X, Y    float64 // away from its place
}

// faceFor chooses the font of a character for the segmenter.
type faceFor struct {
	u      *FontUse
	weight bool
}

// ResolveFace is the font that has a character.
func (f faceFor) ResolveFace(r rune) *shapefont.Face {
	g := f.u.glyphOf(r, f.weight)
	if g.char != r && r != NoBreakSpace && r != '\u200c' && r != '\u200d' {
		f.u.lacks(r)
	}
	return f.u.shapeFace(g.face)
}

func (u *FontUse) shapeFace(number int) *shapefont.Face {
	if u.shaper == nil {
		u.shaper = &shaper{faces: map[int]*shapefont.Face{}, numbers: map[*shapefont.Font]int{}}
	}
	face := u.shaper.faces[number]
	if face == nil {
		program := u.Faces[number].shapeFont()
		if program == nil { // a font that go-text cannot read has no text set in it this way
			number = len(u.Faces) - 1
			program = builtInFaces()[2].shapeFont()
		}
		face = shapefont.NewFace(program)
		u.shaper.faces[number] = face
		u.shaper.numbers[program] = number
	}
	return face
}

// Shape sets a line of text; the glyphs are in the order in which they are seen. A line of a
// paragraph that runs from right to left does so whatever it begins with.
func (u *FontUse) Shape(s string, st *Style, rightToLeft bool) (glyphs []PlacedGlyph, width float64) {
	text := []rune(SolidToBlank(s))
	for number, g := range u.shaped(s, text, st, rightToLeft) {
		cluster := string(text[g.TextIndex() : g.TextIndex()+max(1, g.RunesCount())])
		placed := u.place(number, int(g.GlyphID), cluster)
		if g.GlyphID != font.NotDef {
			placed.Advance, placed.X, placed.Y = float64(g.Advance)/64, float64(g.XOffset)/64, float64(g.YOffset)/64
		}
		glyphs = append(glyphs, placed)
		width += placed.Advance
	}
	return glyphs, width * st.Size / perEm
}

// perEm is the size that text is set in, in the unit of lengths.
const perEm = 1000

// shaped are the glyphs of a line of text in the order in which they are seen, each with the
// number of its font.
func (u *FontUse) shaped(s string, text []rune, st *Style, rightToLeft bool) iter.Seq2[int, *shaping.Glyph] {
	return func(yield func(int, *shaping.Glyph) bool) {
		u.set += len(s)
		direction := di.DirectionLTR
		if rightToLeft || StartsRightToLeft(s) {
			direction = di.DirectionRTL
		}
		u.shapeFace(weightOf(st.Bold))
		runs := u.shaper.segmenter.Split(shaping.Input{
			Text: text, RunEnd: len(text), Direction: direction, Size: fixed.I(perEm),
		}, faceFor{u, st.Bold})
		for _, run := range seenOrder(runs, direction) {
			out := u.shaper.engine.ShapeNoExtents(run)
			number := u.shaper.numbers[run.Face.Font]
			for i := range out.Glyphs {
				if !yield(number, &out.Glyphs[i]) {
					return
				}
			}
		}
	}
}

// measure tells of each glyph of a line which character it begins with, counted from 0, and its
// width. Nothing is noted of what is shown.
func (u *FontUse) measure(s string, st *Style, tell func(character int, width float64)) {
	text := []rune(SolidToBlank(s))
	for number, g := range u.shaped(s, text, st, false) {
		width := float64(g.Advance) / 64
		if g.GlyphID == font.NotDef {
			width = u.glyphOf(replacement, number%2 == 1).width
		}
		tell(g.TextIndex(), width*st.Size/perEm)
	}
}

// place gives a glyph its code; one that the font does not have is the mark for it.
func (u *FontUse) place(number, glyph int, text string) PlacedGlyph {
	if glyph == font.NotDef {
		face, code := u.Code(replacement, number%2 == 1)
		w := u.Faces[face].Width(u.Faces[face].Glyph(replacement))
		return PlacedGlyph{Face: face, Code: code, Width: w, Advance: w}
	}
	use := &u.Used[number]
	key := UsedGlyph{glyph, beginning(text)}
	if len(use.Glyphs) > mostCodes {
		key.Text = string(replacement) // ActualText has what it shows
	}
	code, known := use.shaped[key]
	if !known {
		code = use.add(key)
		if use.shaped == nil {
			use.shaped = map[UsedGlyph]uint16{}
		}
		use.shaped[key] = code
	}
	return PlacedGlyph{Face: number, Code: code, Width: u.Faces[number].Width(glyph)}
}

// Bounds of what hostile texts can make of the map from codes to characters, which has 65,536
// codes with texts of 512 bytes at most.
const (
	mostCodes   = 50_000
	longestText = 16 // characters
)

// beginning is the beginning of a text that is too long for the map.
func beginning(text string) string {
	n := 0
	for i := range text {
		if n == longestText {
			return text[:i]
		}
		n++
	}
	return text
}

// shapedWidth is the width of a text. That of a long one is the sum of its words, each of which is
// set once, and of a long word that of its parts: setting one takes time with which nothing else
// can be done.
func (u *FontUse) shapedWidth(s string, st *Style) (width float64) {
	whole := len(s) <= longestTried
	for s != "" && u.goesOn() {
		part := s
		if blank := strings.IndexByte(s[:min(len(s), longestTried+1)], ' '); !whole && blank >= 0 {
			part = s[:blank]
		}
		switch {
		case len(part) > longestTried:
			part = strings.ToValidUTF8(part[:longestTried], "")
			fallthrough
		case whole:
			u.measure(part, st, func(_ int, own float64) { width += own })
		default:
			width += u.wordWidth(part, st)
		}
		s = s[len(part):]
		if blanks := len(s) - len(strings.TrimLeft(s, " ")); !whole && blanks > 0 {
			width += float64(blanks) * u.glyphOf(' ', st.Bold).width * st.Size / perEm
			s = s[blanks:]
		}
	}
	return width
}

// SolidToBlank has usual blanks in place of those that do not break.
func SolidToBlank(s string) string {
	b := []rune(s)
	for i, r := range b {
		if r == NoBreakSpace {
			b[i] = ' '
		}
	}
	return string(b)
}

// StartsRightToLeft reports whether the first letter of a text is of a script that runs
// from right to left (rule P2 of the bidirectional algorithm).
func StartsRightToLeft(text string) bool {
	for _, r := range text {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

// seenOrder is the order of runs as they are seen: those of the other direction than the
// line's are turned round among themselves.
func seenOrder(runs []shaping.Input, line di.Direction) []shaping.Input {
	order := slices.Clone(runs)
	if line == di.DirectionRTL {
		slices.Reverse(order)
	}
	for i := 0; i < len(order); {
		end := i
		for end < len(order) && order[end].Direction != line {
			end++
		}
		slices.Reverse(order[i:end])
		i = end + 1
	}
	return order
}

// longestWord bounds how much of a word without blanks is tried for one line.
const longestWord = 300

// wrapShaped appends the lines of a part of a text without line feeds.
func (u *FontUse) wrapShaped(lines []Line, s string, start, stop int, st *Style, width float64) []Line {
	for start < stop && u.goesOn() {
		end := u.wordsThatFit(s[:stop], start, st, width) // as many words as fit
		if end == start {
			end += u.lettersThatFit(s[start:stop], st, width) // as many letters as fit, one at least
		}
		lines = append(lines, Line{start, end})
		for start = end; start < stop && s[start] == ' '; start++ { // a line does not begin with the blanks between words
		}
	}
	return lines
}

// longestTried is how many bytes are tried for one line.
const longestTried = 4 * longestWord

// wordsThatFit is where the last word ends of those from a place on that fit into a line, with
// the blanks before it; the place itself where none does. The widths of words decide, and the line
// is set only where that is close: a line need not be as wide as its words.
func (u *FontUse) wordsThatFit(s string, start int, st *Style, width float64) int {
	const close = 1.01
	blank := u.glyphOf(' ', st.Bold).width * st.Size / perEm
	ends, sum := []int{}, 0.0
	sure := 0 // how many fit, however close
	for at := start; at < len(s); {
		for at < len(s) && s[at] == ' ' {
			sum += blank
			at++
		}
		word := at
		for at < len(s) && s[at] != ' ' && at-start <= longestTried {
			at++
		}
		if at-start > longestTried {
			break
		}
		sum += u.wordWidth(s[word:at], st)
		if sum > close*width {
			break
		}
		ends = append(ends, at)
		if sum*close <= width {
			sure = len(ends)
		}
	}
	fits := func(n int) bool { return n <= sure || u.Width(s[start:ends[n-1]], st) <= width }
	if n := u.near(len(ends), fits); n > 0 {
		return ends[n-1]
	}
	return start
}

// near is the most of up to n, for each of which it is asked whether they fit: most often n
// itself or one less. It is 0 where not even one fits.
func (u *FontUse) near(n int, fits func(int) bool) int {
	for range 2 {
		if n == 0 || fits(n) {
			return n
		}
		n--
	}
	return sort.Search(n, func(i int) bool { return !fits(i + 1) })
}

// mostWords is how many widths of words are kept.
const mostWords = 1 << 14

// wordWidth is the width of a word, which is measured once.
func (u *FontUse) wordWidth(word string, st *Style) float64 {
	key := wordKey{word, st.Bold}
	width, known := u.words[key]
	if !known {
		if len(u.words) >= mostWords || u.words == nil {
			u.words = map[wordKey]float64{}
		}
		width = u.Width(word, st) / st.Size
		u.words[key] = width
	}
	return width * st.Size
}

// A wordKey is a word in a weight.
type wordKey struct {
	word string
	bold bool
}

// lettersThatFit is where the last letter ends of those that fit into a line, one at least. The
// text is measured once to know how many to try, with one more: the last letter of a line has
// another form than one within a word.
func (u *FontUse) lettersThatFit(s string, st *Style, width float64) int {
	for size := 256; ; size *= 4 {
		text := s
		if len(text) > size {
			text = strings.ToValidUTF8(text[:size], "")
		}
		ends := letterEnds(text)
		widths := make([]float64, len(text)+1) // of what begins with each byte
		u.eachCluster(text[:ends[len(ends)-1]], st, func(at int, w float64) { widths[at] += w })
		guess, sum, at := 0, 0.0, 0
		for ; guess < len(ends); guess++ {
			for ; at < ends[guess]; at++ {
				sum += widths[at]
			}
			if sum > width {
				break
			}
		}
		if guess == len(ends) && len(text) < len(s) && size < longestTried {
			continue // there may be room for more
		}
		n := u.near(min(guess+1, len(ends)), func(n int) bool { return u.Width(text[:ends[n-1]], st) <= width })
		return ends[max(0, n-1)]
	}
}

// eachCluster tells of each glyph of a text the byte that it begins with, and its width.
func (u *FontUse) eachCluster(s string, st *Style, tell func(at int, width float64)) {
	var offsets []int // of characters
	for at := range s {
		offsets = append(offsets, at)
	}
	u.measure(s, st, func(character int, width float64) { tell(offsets[character], width) })
}

// letterEnds are where the first letters of a text end, with all that belongs to them: the
// grapheme clusters of Unicode (UAX 29), and of Thai and Lao, whose words have no blanks
// between them, the vowels that are written before and behind a consonant. Where their words
// end only a dictionary knows.
func letterEnds(s string) []int {
	const enough = 16 * longestWord // bytes
	if len(s) > enough {
		s = strings.ToValidUTF8(s[:enough], "")
	}
	text := []rune(s)
	var graphemes segmenter.Segmenter
	graphemes.Init(text)
	var ends []int
	at := 0
	for clusters := graphemes.GraphemeIterator(); clusters.Next() && len(ends) < longestWord; {
		cluster := clusters.Grapheme()
		last, next := cluster.Text[0], cluster.Offset+len(cluster.Text)
		at += len(string(cluster.Text))
		if next < len(text) && (writtenBefore(last) || writtenBehind(text[next])) && next-cluster.Offset < longestText {
			continue
		}
		ends = append(ends, min(at, len(s)))
	}
	if len(ends) == 0 {
		ends = append(ends, len(s))
	}
	return ends
}

// writtenBefore tells of vowels of Thai and Lao that are written before their consonant.
func writtenBefore(r rune) bool { return r >= 0x0e40 && r <= 0x0e44 || r >= 0x0ec0 && r <= 0x0ec4 }

// writtenBehind tells of vowels and signs that are written behind it.
func writtenBehind(r rune) bool {
	return strings.ContainsRune("\u0e2f\u0e30\u0e32\u0e33\u0e45\u0e46\u0eb0\u0eb2\u0eb3\u0ebd\u0ec6", r)
}
