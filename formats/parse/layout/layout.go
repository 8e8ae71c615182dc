package layout

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/lexicon"
	"einvoice/formats/pdf/text"
)

// IsLabel reports whether a cell begins with a label of the head.
func IsLabel(c *Cell) bool {
	if c.Row.isPart(c.First) {
		return true
	}
	p, ok := c.Label(&lexicon.Words().Header)
	return ok && !c.Row.goesOn(c.Token+p.Used)
}

// Near reports whether there is no more than a space between two words.
func Near(a, b *Word) bool { return b.Box.Left-a.Box.Right < 0.65*max(b.Size, 4) }

// A Word is a word of a page, as text.Word has it, with what labels are compared by.
type Word struct {
	text.Word
	Page   int // from 1
	Tokens []string
}

// NewWord returns a word of a page with what labels are compared by.
func NewWord(w text.Word, page int) *Word { return &Word{w, page, lexicon.Tokens(w.Text)} }

// A Row has the words that are side by side on one base line.
type Row struct {
	Page        int
	Words       []*Word // from left to right
	Tokens      []lexicon.Token
	Top, Bottom float64
	Cells       []Cell
	Index       int // in layout.rows
	hits        map[*lexicon.Labels][]Hit
	begun       [][2]int // first and last words of the beginnings of labels of the head that go on in the next row
	broken      []Hit    // the ends of such labels
}

// A Cell is a run of words of a row with no more than a space between them.
type Cell struct {
	Row         *Row
	First, Last int // in row.words; last is included
	Left, Right float64
	Token       int // in row.tokens: the first at or behind the cell's first word
}

// A Layout is what all pages show, from top to bottom.
type Layout struct {
	Rows     []*Row
	Pages    []text.Sheet
	Usual    float64 // size of most letters of the first page
	Repeated []bool  // by index of the row: other pages have it at the same place
}

// How wide a gap between words begins another cell, and how far base lines of one row
// are apart at most, as a part of the font's size.
const (
	CellGap = 0.8
	rowGap  = 0.4
)

// New returns the rows of pages.
func New(sheets []text.Sheet) *Layout {
	l := &Layout{Pages: sheets}
	for i := range sheets {
		l.AddPage(&sheets[i], i+1)
	}
	l.Usual, l.Repeated = l.usualSize(), repeatedRows(l)
	return l
}

// AddPage adds the rows of a page.
func (l *Layout) AddPage(sheet *text.Sheet, number int) {
	read, from := wordsOf(sheet, number), len(l.Rows)
	if side, body := besideBody(sheet, read); side != nil {
		l.addRows(side, number)
		read = body
	}
	l.addRows(read, number)
	l.breakLabels(from)
}

// addRows adds the rows of a page, or of a column of it.
func (l *Layout) addRows(read []*Word, number int) {
	height := 0.0
	if number <= len(l.Pages) {
		height = l.Pages[number-1].Height
	}
	slices.SortStableFunc(read, func(a, b *Word) int { return cmp.Compare(a.baseLine(), b.baseLine()) })
	for len(read) > 0 {
		first, n := read[0], 1
		for n < len(read) && read[n].baseLine()-first.baseLine() <= rowGap*min(max(first.Size, 4), max(read[n].Size, 4)) {
			n++
		}
		if !isOfBrowser(read[:n], height) {
			l.AddRow(read[:n], number)
		}
		read = read[n:]
	}
}

// wordsOf are the words of a page, but for those that are turned. A program may print a
// word twice to make it bold.
func wordsOf(sheet *text.Sheet, number int) (all []*Word) {
	seen := map[text.Word]bool{}
	for _, w := range sheet.Words {
		place := text.Word{Text: w.Text, Box: text.Box{Left: float64(int(w.Box.Left)), Top: float64(int(w.Box.Top))}}
		if w.Turned || seen[place] {
			continue
		}
		seen[place] = true
		for _, whole := range withoutLeaders(w) {
			for _, part := range splitLabel(whole) {
				all = append(all, NewWord(part, number))
			}
		}
	}
	return all
}

// numberSign matches what says that a number follows, without a space before it.
var numberSign = lexicon.Pattern(`^(?i)(?:(č\.|№|#|n[°º]\.?|n[or]\.)[A-Z]{0,4}-?\d|(n[or])\d)`)

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
func (w *Word) baseLine() float64 { return w.Box.Bottom - 0.22*w.Size }

// Middle is the place between both ends.
func (w *Word) Middle() float64 { return (w.Box.Left + w.Box.Right) / 2 }

// maxRowWords bounds the words of a row, so that work on pairs of them stays small. One
// with more, as no page that people read has, becomes several.
const maxRowWords = 300

// RowOf is the row that has a word; nil if none has.
func (l *Layout) RowOf(w *Word) *Row {
	at := slices.IndexFunc(l.Rows, func(r *Row) bool { return slices.Contains(r.Words, w) })
	if at < 0 {
		return nil
	}
	return l.Rows[at]
}

// AddRow adds a row of words that are on one base line.
func (l *Layout) AddRow(of []*Word, page int) {
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(a, b *Word) int { return cmp.Compare(a.Box.Left, b.Box.Left) })
	for part := range slices.Chunk(joinSpaced(of), maxRowWords) {
		l.addSorted(part, page)
	}
}

func (l *Layout) addSorted(of []*Word, page int) {
	r := &Row{Page: page, Words: of, Top: of[0].Box.Top, Bottom: of[0].Box.Bottom, Index: len(l.Rows), hits: map[*lexicon.Labels][]Hit{}}
	for i, w := range r.Words {
		r.Top, r.Bottom = min(r.Top, w.Box.Top), max(r.Bottom, w.Box.Bottom)
		if i == 0 || w.Box.Left-r.Words[i-1].Box.Right > gapBetween(r.Words[i-1], w)*max(min(w.Size, r.Words[i-1].Size), 4) {
			r.Cells = append(r.Cells, Cell{Row: r, First: i, Left: w.Box.Left, Token: len(r.Tokens)})
		}
		for _, t := range w.Tokens {
			r.Tokens = append(r.Tokens, lexicon.Token{Text: t, Word: i})
		}
		c := &r.Cells[len(r.Cells)-1]
		c.Last, c.Right = i, max(c.Right, w.Box.Right)
	}
	l.Rows = append(l.Rows, r)
}

// bullets part the texts of one line, with more than a space around them.
const (
	bullets   = "·•●∙‧|"
	bulletGap = 2.5
)

// IsBullet reports whether a word is a sign that parts the texts of one line.
func IsBullet(w *Word) bool { return strings.Contains(bullets, w.Text) }

// gapBetween is the gap that begins another cell, as a part of the font's size.
func gapBetween(a, b *Word) float64 {
	if IsBullet(a) || IsBullet(b) {
		return bulletGap
	}
	return CellGap
}

// Height is that of the largest letters.
func (r *Row) Height() float64 { return r.Bottom - r.Top }

// Size is the size of the letters of most words of a row: that of a single word is not exact where
// it was recognised in a picture.
func (r *Row) Size() float64 {
	sizes := make([]float64, len(r.Words))
	for i, w := range r.Words {
		sizes[i] = w.Size
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// CellAt is the index of the cell that a word is in.
func (r *Row) CellAt(word int) int {
	i, _ := slices.BinarySearchFunc(r.Cells, word, func(c Cell, word int) int { return cmp.Compare(c.Last, word) })
	return i
}

// Words are the words of the cell.
func (c *Cell) Words() []*Word { return c.Row.Words[c.First : c.Last+1] }

// Text is the text of the cell.
func (c *Cell) Text() string { return TextOf(c.Words()) }

// TextOf is the text of words, with spaces between them.
func TextOf(of []*Word) string {
	var b strings.Builder
	for i, w := range of {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// A Hit is a label at a place.
type Hit struct {
	Row         *Row
	Field       string
	First, Last int // words of the row; last is included
	Tokens      int
	Length      int // of the label, in characters
	Colon       bool
	StartsCell  bool
}

// English is 1 where English alone has the label in the lexicon, -1 where other languages alone have it, else 0.
func (h *Hit) English(in *lexicon.Labels) int {
	first := slices.IndexFunc(h.Row.Tokens, func(t lexicon.Token) bool { return t.Word == h.First })
	if first < 0 {
		return 0
	}
	return in.English(h.Row.Tokens[first:min(first+h.Tokens, len(h.Row.Tokens))])
}

// Words are those of the label.
func (h *Hit) Words() []*Word { return h.Row.Words[h.First : h.Last+1] }

// setColon finds out whether a colon is behind the label. One that ends inside of a word, as in "Datum/Date", is as good as
// one that fills it.
func (h *Hit) setColon() {
	r := h.Row
	h.Colon = strings.HasSuffix(r.Words[h.Last].Text, ":") || h.Last+1 < len(r.Words) && r.Words[h.Last+1].Text == ":"
}

// Find finds the labels of a row, the longest at each place. A label is within a cell,
// and is not the beginning of an identifier, as PO in PO-17.
func (r *Row) Find(l *lexicon.Labels) []Hit {
	hits, known := r.hits[l]
	if !known {
		if hits = r.findAll(l); l == &lexicon.Words().Header {
			hits = r.withBroken(hits)
		}
		r.hits[l] = hits
	}
	return hits
}

func (r *Row) findAll(l *lexicon.Labels) []Hit {
	var hits []Hit
	for i := 0; i < len(r.Tokens); {
		m, ok := l.Longest(r.Tokens[i:r.CellEnd(i)])
		if !ok || i > 0 && r.Tokens[i-1].Word == r.Tokens[i].Word && !wordStart(r, i) || r.goesOn(i+m.Used) {
			i++
			continue
		}
		h := Hit{Row: r, Field: m.Field, First: r.Tokens[i].Word, Last: r.Tokens[i+m.Used-1].Word, Tokens: m.Used, Length: m.Length}
		h.setColon()
		h.StartsCell = r.Cells[r.CellAt(h.First)].First == h.First
		hits = append(hits, h)
		i += m.Used
	}
	return hits
}

// Label is the label that a cell begins with.
func (c *Cell) Label(l *lexicon.Labels) (lexicon.Match, bool) {
	if t := c.Row.Tokens; c.Token < len(t) && t[c.Token].Word == c.First {
		return l.Longest(t[c.Token:c.Row.CellEnd(c.Token)])
	}
	return lexicon.Match{}, false
}

// maxLabel is more tokens than a label has.
const maxLabel = 12

// CellEnd is the end of the tokens, behind one, that may be of a label: those of its cell.
func (r *Row) CellEnd(at int) int {
	last := r.Cells[r.CellAt(r.Tokens[at].Word)].Last
	end := at
	for end < len(r.Tokens) && end < at+maxLabel && r.Tokens[end].Word <= last {
		end++
	}
	return end
}

// goesOn reports whether a number is in the rest of the word of the token before.
func (r *Row) goesOn(at int) bool {
	for ; at > 0 && at < len(r.Tokens) && r.Tokens[at].Word == r.Tokens[at-1].Word; at++ {
		if lexicon.HasDigit(r.Tokens[at].Text) {
			return true
		}
	}
	return false
}

// wordStart reports whether a token begins a part of a word that a slash or a bracket
// sets apart, as "Date" in "Datum/Date".
func wordStart(r *Row, i int) bool {
	return strings.ContainsAny(r.Words[r.Tokens[i].Word].Text, "/(|")
}

// Box is where a label is.
func (h *Hit) Box() (left, right float64) {
	return h.Row.Words[h.First].Box.Left, h.Row.Words[h.Last].Box.Right
}

// usualSize is the size of most letters of the first page. Sizes of a point more or less are one, because
// those of recognised words are by their boxes; it is the most frequent of them.
func (l *Layout) usualSize() float64 {
	near, exact := map[float64]int{}, map[float64]int{}
	for _, r := range l.Rows {
		if r.Page > 1 {
			break
		}
		for _, w := range r.Words {
			near[math.Round(w.Size)] += len(w.Text)
			exact[w.Size] += len(w.Text)
		}
	}
	best := 0.0
	for _, size := range slices.Sorted(maps.Keys(exact)) {
		n, most := near[math.Round(size)], near[math.Round(best)]
		if n > most || n == most && exact[size] > exact[best] {
			best = size
		}
	}
	return best
}

// LetterWidth is the width of a letter, which is that of a space in fonts of one width.
func (w *Word) LetterWidth() float64 {
	return min((w.Box.Right-w.Box.Left)/float64(max(len(w.Text), 1)), 0.62*w.Size)
}
