package parse

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/pdf/text"
)

// A word is a word of a page, as text.Word has it, with what labels are compared by.
type word struct {
	text.Word
	page   int // from 1
	tokens []string
}

func newWord(w text.Word, page int) *word { return &word{w, page, tokens(w.Text)} }

// A row has the words that are side by side on one base line.
type row struct {
	page        int
	words       []*word // from left to right
	tokens      []token
	top, bottom float64
	cells       []cell
	index       int // in layout.rows
	hits        map[*labels][]hit
}

// A cell is a run of words of a row with no more than a space between them.
type cell struct {
	row         *row
	first, last int // in row.words; last is included
	left, right float64
	token       int // in row.tokens: the first at or behind the cell's first word
}

// A layout is what all pages show, from top to bottom.
type layout struct {
	rows     []*row
	pages    []text.Sheet
	usual    float64 // size of most letters of the first page
	repeated []bool  // by index of the row: other pages have it at the same place
}

// How wide a gap between words begins another cell, and how far base lines of one row
// are apart at most, as a part of the font's size.
const (
	cellGap = 0.8
	rowGap  = 0.4
)

func newLayout(sheets []text.Sheet) *layout {
	l := &layout{pages: sheets}
	for i := range sheets {
		l.addPage(&sheets[i], i+1)
	}
	l.usual, l.repeated = l.usualSize(), repeatedRows(l)
	return l
}

func (l *layout) addPage(sheet *text.Sheet, number int) {
	read := visibleWords(sheet, number)
	if side, body := besideBody(sheet, read); side != nil {
		l.addRows(side, number)
		read = body
	}
	l.addRows(read, number)
}

// addRows adds the rows of a page, or of a column of it.
func (l *layout) addRows(read []*word, number int) {
	slices.SortStableFunc(read, func(a, b *word) int { return cmp.Compare(a.baseLine(), b.baseLine()) })
	for len(read) > 0 {
		first, n := read[0], 1
		for n < len(read) && read[n].baseLine()-first.baseLine() <= rowGap*min(max(first.Size, 4), max(read[n].Size, 4)) {
			n++
		}
		l.addRow(read[:n], number)
		read = read[n:]
	}
}

// visibleWords are the words that a reader sees. Where nothing else is on a page, as on
// one that was scanned and recognised, they are the words behind its picture.
func visibleWords(sheet *text.Sheet, number int) []*word {
	var shown, hidden []*word
	seen := map[text.Word]bool{}
	for _, w := range sheet.Words {
		// A program may print a word twice to make it bold.
		place := text.Word{Text: w.Text, Box: text.Box{Left: float64(int(w.Box.Left)), Top: float64(int(w.Box.Top))}}
		if w.Turned || seen[place] {
			continue
		}
		seen[place] = true
		list := &shown
		if w.Hidden {
			list = &hidden
		}
		for _, whole := range withoutLeaders(w) {
			for _, part := range splitLabel(whole) {
				*list = append(*list, newWord(part, number))
			}
		}
	}
	if len(shown) == 0 {
		return hidden
	}
	return shown
}

// numberSign matches what says that a number follows, without a space before it.
var numberSign = pattern(`^(?i)(?:(č\.|№|#|n[°º]\.?|n[or]\.)[A-Z]{0,4}-?\d|(n[or])\d)`)

// splitLabel parts a label from a value that follows its colon, or its sign for a number,
// without a space.
func splitLabel(w text.Word) []text.Word {
	label, value, found := strings.Cut(w.Text, ":")
	switch {
	case found && value != "" && !strings.HasPrefix(value, "/") && strings.ContainsFunc(label, unicode.IsLetter) && !strings.ContainsFunc(label, unicode.IsDigit):
		label += ":"
	case numberSign().MatchString(w.Text):
		m := numberSign().FindStringSubmatch(w.Text)
		at := len(m[1]) + len(m[2])
		label, value = w.Text[:at], w.Text[at:]
	default:
		return []text.Word{w}
	}
	middle := w.Box.Left + (w.Box.Right-w.Box.Left)*float64(len(label))/float64(len(w.Text))
	first, second := w, w
	first.Text, first.Box.Right = label, middle
	second.Text, second.Box.Left = value, middle
	return []text.Word{first, second}
}

// baseLine is the line that the letters are set on, from the top of the page.
func (w *word) baseLine() float64 { return w.Box.Bottom - 0.22*w.Size }

func (w *word) middle() float64 { return (w.Box.Left + w.Box.Right) / 2 }

// maxRowWords bounds the words of a row, so that work on pairs of them stays small. One
// with more, as no page that people read has, becomes several.
const maxRowWords = 300

func (l *layout) addRow(of []*word, page int) {
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(a, b *word) int { return cmp.Compare(a.Box.Left, b.Box.Left) })
	for part := range slices.Chunk(joinSpaced(of), maxRowWords) {
		l.addSorted(part, page)
	}
}

func (l *layout) addSorted(of []*word, page int) {
	r := &row{page: page, words: of, top: of[0].Box.Top, bottom: of[0].Box.Bottom, index: len(l.rows), hits: map[*labels][]hit{}}
	for i, w := range r.words {
		r.top, r.bottom = min(r.top, w.Box.Top), max(r.bottom, w.Box.Bottom)
		if i == 0 || w.Box.Left-r.words[i-1].Box.Right > gapBetween(r.words[i-1], w)*max(min(w.Size, r.words[i-1].Size), 4) {
			r.cells = append(r.cells, cell{row: r, first: i, left: w.Box.Left, token: len(r.tokens)})
		}
		for _, t := range w.tokens {
			r.tokens = append(r.tokens, token{t, i})
		}
		c := &r.cells[len(r.cells)-1]
		c.last, c.right = i, max(c.right, w.Box.Right)
	}
	l.rows = append(l.rows, r)
}

// bullets part the texts of one line, with more than a space around them.
const (
	bullets   = "·•●∙‧|"
	bulletGap = 2.5
)

// gapBetween is the gap that begins another cell, as a part of the font's size.
func gapBetween(a, b *word) float64 {
	if strings.Contains(bullets, a.Text) || strings.Contains(bullets, b.Text) {
		return bulletGap
	}
	return cellGap
}

// height is that of the largest letters.
func (r *row) height() float64 { return r.bottom - r.top }

// cellAt is the index of the cell that a word is in.
func (r *row) cellAt(word int) int {
	i, _ := slices.BinarySearchFunc(r.cells, word, func(c cell, word int) int { return cmp.Compare(c.last, word) })
	return i
}

func (c *cell) words() []*word { return c.row.words[c.first : c.last+1] }

func (c *cell) text() string { return textOf(c.words()) }

func textOf(of []*word) string {
	var b strings.Builder
	for i, w := range of {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// A hit is a label at a place.
type hit struct {
	row         *row
	field       string
	first, last int // words of the row; last is included
	tokens      int
	length      int // of the label, in characters
	colon       bool
	startsCell  bool
}

// find finds the labels of a row, the longest at each place. A label is within a cell,
// and is not the beginning of an identifier, as PO in PO-17.
func (r *row) find(l *labels) []hit {
	hits, known := r.hits[l]
	if !known {
		hits = r.findAll(l)
		r.hits[l] = hits
	}
	return hits
}

func (r *row) findAll(l *labels) []hit {
	var hits []hit
	for i := 0; i < len(r.tokens); {
		m, ok := l.longest(r.tokens[i:r.cellEnd(i)])
		if !ok || i > 0 && r.tokens[i-1].word == r.tokens[i].word && !wordStart(r, i) || r.goesOn(i+m.used) {
			i++
			continue
		}
		h := hit{row: r, field: m.field, first: r.tokens[i].word, last: r.tokens[i+m.used-1].word, tokens: m.used, length: m.length}
		// A label that ends inside of a word, as in "Datum/Date", is as good as one that fills it.
		h.colon = strings.HasSuffix(r.words[h.last].Text, ":") || h.last+1 < len(r.words) && r.words[h.last+1].Text == ":"
		h.startsCell = r.cells[r.cellAt(h.first)].first == h.first
		hits = append(hits, h)
		i += m.used
	}
	return hits
}

// label is the label that a cell begins with.
func (c *cell) label(l *labels) (match, bool) {
	if t := c.row.tokens; c.token < len(t) && t[c.token].word == c.first {
		return l.longest(t[c.token:c.row.cellEnd(c.token)])
	}
	return match{}, false
}

// maxLabel is more tokens than a label has.
const maxLabel = 12

// cellEnd is the end of the tokens, behind one, that may be of a label: those of its cell.
func (r *row) cellEnd(at int) int {
	last := r.cells[r.cellAt(r.tokens[at].word)].last
	end := at
	for end < len(r.tokens) && end < at+maxLabel && r.tokens[end].word <= last {
		end++
	}
	return end
}

// goesOn tells whether a number is in the rest of the word of the token before.
func (r *row) goesOn(at int) bool {
	for ; at > 0 && at < len(r.tokens) && r.tokens[at].word == r.tokens[at-1].word; at++ {
		if hasDigit(r.tokens[at].text) {
			return true
		}
	}
	return false
}

// wordStart tells whether a token begins a part of a word that a slash or a bracket
// sets apart, as "Date" in "Datum/Date".
func wordStart(r *row, i int) bool {
	return strings.ContainsAny(r.words[r.tokens[i].word].Text, "/(|")
}

// box is where a label is.
func (h *hit) box() (left, right float64) {
	return h.row.words[h.first].Box.Left, h.row.words[h.last].Box.Right
}

// usualSize is the size of most letters of the first page.
func (l *layout) usualSize() float64 {
	count := map[float64]int{}
	best := 0.0
	for _, r := range l.rows {
		if r.page > 1 {
			break
		}
		for _, w := range r.words {
			count[w.Size] += len(w.Text)
			if n := count[w.Size]; n > count[best] || n == count[best] && w.Size < best {
				best = w.Size
			}
		}
	}
	return best
}
