package text

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"einvoice/formats/pdf"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"golang.org/x/text/unicode/norm"
)

// A Sheet is a page with its words at their places.
type Sheet struct {
	// Width and Height are those of the page as its text reads, in points.
	Width, Height float64
	// Rotation is how far the page was turned clockwise so that most of its text
	// reads from left to right: 0, 90, 180 or 270 degrees.
	Rotation int
	Words    []Word // in the order in which they are shown
	// Pictured is how much of the page pictures cover, from 0 to 1. Pictures that
	// overlap count twice, up to 1.
	Pictured float64
	// Scan is the JPEG file of the picture that the page shows alone, upright and from edge
	// to edge, as that of a scanner does; nil where it shows something else, too. Text that
	// is not drawn may be behind it.
	Scan []byte
	// Recognised tells that the words were recognised in a picture of the page.
	Recognised bool
}

// A Word is text without spaces.
type Word struct {
	Text string
	Box  Box
	Size float64 // of the font, in points
	Bold bool    // the name of the font says so
	// Hidden tells that nobody sees the word, such as recognised text behind a scan, and
	// HiddenBy why.
	Hidden   bool
	HiddenBy Hiding
	// Doubt is how unsure recognised text is, from 0 to 1; 0 for text of the PDF.
	Doubt float64
	// Other is what recognised text was read as another time; empty where both agree.
	Other string
	// Turned tells that the word does not read from left to right on its sheet.
	Turned bool
}

// A Box is a part of a page, in points from the page's top left corner.
type Box struct{ Left, Top, Right, Bottom float64 }

// Words reads the words of each page. The error is ErrLimit, or that of a failure of
// pdfcpu; the sheets are those that were read before.
func Words(c *pdf.Container, limits Limits) ([]Sheet, error) {
	limits = limits.withDefaults()
	r := newReader(c, limits, time.Now().Add(limits.Time))
	r.sheets = &[]Sheet{}
	err := pdf.Guard(func() error { r.pages(c.Document()); return nil })
	if err == nil && r.Err() != nil {
		err = errors.Join(ErrLimit, r.Err())
	}
	return *r.sheets, err
}

// A pageWords collects the words of a page, in the coordinates of its content.
type pageWords struct {
	words    []placedWord
	open     bool // the last word may go on
	x, y     float64
	pictured float64 // area, in square points
	scan     scannedPage
	path     path
	grounds  []ground // in the order in which they were painted
	bands    bands    // of the grounds
}

// A placedWord is a word between the two ends of its base line.
type placedWord struct {
	text         strings.Builder
	fromX, fromY float64
	toX, toY     float64
	dirX, dirY   float64 // along the base line; their length is 1
	size         float64
	bold         bool
	hiding       Hiding
	after        int // how many areas were painted before
}

// A glyph is what one code shows, and where.
type glyph struct {
	text         string
	fromX, fromY float64
	toX, toY     float64
	dirX, dirY   float64
	size         float64
	bold         bool
	hiding       Hiding
}

// add appends a glyph to the last word, or begins another one.
func (p *pageWords) add(g *glyph) {
	if strings.TrimSpace(g.text) == "" { // a space, also one that does not break
		p.open = p.open && g.text == ""
		return
	}
	if !p.open || p.isApart(g) {
		p.words = append(p.words, placedWord{
			fromX: g.fromX, fromY: g.fromY, dirX: g.dirX, dirY: g.dirY, size: g.size, bold: g.bold, hiding: g.hiding, after: len(p.grounds),
		})
	}
	w := &p.words[len(p.words)-1]
	w.text.WriteString(g.text)
	w.toX, w.toY = g.toX, g.toY
	w.size = max(w.size, g.size)
	p.open, p.x, p.y = true, g.toX, g.toY
}

// kernGap is how far a glyph is moved back below the one before at most, as a part of its size: that of Te in some
// fonts is more than a space moves on.
const kernGap = 0.3

// isApart reports whether a glyph begins another word than the one before.
func (p *pageWords) isApart(g *glyph) bool {
	last := &p.words[len(p.words)-1]
	smaller, larger := max(min(last.size, g.size), 0.01), max(last.size, g.size)
	movedX, movedY := g.fromX-p.x, g.fromY-p.y
	along, across := movedX*last.dirX+movedY*last.dirY, movedX*last.dirY-movedY*last.dirX
	turned := g.dirX*last.dirX+g.dirY*last.dirY < 0.9
	return turned || max(across, -across) > lineGap*larger || along > wordGap*smaller || along < -kernGap*smaller || last.hiding != g.hiding
}

// How far glyphs reach above and below the base line, as a part of their size.
const (
	ascent  = 0.74
	descent = 0.22
)

// corners are the box of a word in the coordinates of the page's content, in which y
// grows upwards.
func (w *placedWord) corners() (left, bottom, right, top float64) {
	upX, upY := -w.dirY*w.size, w.dirX*w.size
	left, bottom = w.fromX, w.fromY
	right, top = left, bottom
	for _, end := range [][2]float64{{w.fromX, w.fromY}, {w.toX, w.toY}} {
		for _, up := range []float64{ascent, -descent} {
			x, y := end[0]+upX*up, end[1]+upY*up
			left, right, bottom, top = min(left, x), max(right, x), min(bottom, y), max(top, y)
		}
	}
	return left, bottom, right, top
}

// quarter is how many quarters the word is turned against the clock: 0 to 3.
func (w *placedWord) quarter() int {
	switch {
	case w.dirX >= 0.7:
		return 0
	case w.dirY >= 0.7:
		return 1
	case w.dirX <= -0.7:
		return 2
	}
	return 3
}

// usualPage is A4, for a page that does not say its size.
var usualPage = [4]float64{0, 0, 595, 842}

// farAway is farther from a page than any text that is shown, in points.
const farAway = 1e6

// sheet places the words of a page on the page as it is read.
func (r *reader) sheet(node types.Dict, p *pageWords) Sheet {
	page := usualPage
	if box := r.inherited(node, "CropBox", "MediaBox"); box != nil {
		if n := r.numbers(box); len(n) == 4 && n[0] != n[2] && n[1] != n[3] {
			page = [4]float64{min(n[0], n[2]), min(n[1], n[3]), max(n[0], n[2]), max(n[1], n[3])}
		}
	}
	turns := readingTurns(p.words, int(r.number(r.inherited(node, "Rotate")))/90)
	s := Sheet{Rotation: turns * 90, Words: make([]Word, 0, len(p.words))}
	s.Width, s.Height = page[2]-page[0], page[3]-page[1]
	s.Pictured = min(p.pictured/(s.Width*s.Height), 1)
	for i := range p.words {
		w := &p.words[i]
		left, bottom, right, top := w.corners()
		if extent := max(-left, right, -bottom, top, w.size); !(extent < farAway) { // also where it is not a number
			continue
		}
		hiding := w.hiding
		if whole := (area{left, bottom, right, top}); hiding == "" && whole.and(area{page[0], page[1], page[2], page[3]}).size() < seenPart*whole.size() {
			hiding = HiddenByEdge
		}
		if hiding == "" {
			hiding = r.covered(p, w)
		}
		box := Box{left - page[0], page[3] - top, right - page[0], page[3] - bottom}
		s.Words = append(s.Words, Word{
			Text: normal(w.text.String()), Box: box.turned(turns, s.Width, s.Height), Size: w.size,
			Bold: w.bold, Hidden: hiding != "", HiddenBy: hiding, Turned: w.quarter() != turns,
		})
	}
	if shown := slices.ContainsFunc(p.words, func(w placedWord) bool { return w.hiding == "" }); !shown && turns == 0 {
		s.Scan = p.scan.covering(page)
	}
	if turns%2 == 1 {
		s.Width, s.Height = s.Height, s.Width
	}
	return s
}

// normal is a text in composed letters, ligatures apart and no wide or narrow forms. Raised letters and digits stay, as
// in 2.º and m²: 2.o and m2 would be something else than what is printed.
func normal(s string) string {
	const raised = "ªº²³¹"
	if !strings.ContainsAny(s, raised) {
		return norm.NFKC.String(s)
	}
	var b strings.Builder
	for s != "" {
		at := strings.IndexAny(s, raised)
		if at < 0 {
			at = len(s)
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		b.WriteString(norm.NFKC.String(s[:at]))
		b.WriteString(s[at : at+size])
		s = s[at+size:]
	}
	return b.String()
}

// readingTurns is how many quarters a page is to be turned clockwise for most of its
// characters to read from left to right: the turns that it asks for where it has none.
func readingTurns(words []placedWord, asked int) int {
	var characters [4]int
	for i := range words {
		characters[words[i].quarter()] += words[i].text.Len()
	}
	best := (asked%4 + 4) % 4
	for turns, n := range characters {
		if n > characters[best] {
			best = turns
		}
	}
	return best
}

// turned is the box on a page of this size that is turned clockwise by quarters.
func (b Box) turned(quarters int, width, height float64) Box {
	switch quarters {
	case 1:
		return Box{height - b.Bottom, b.Left, height - b.Top, b.Right}
	case 2:
		return Box{width - b.Right, height - b.Bottom, width - b.Left, height - b.Top}
	case 3:
		return Box{b.Top, width - b.Right, b.Bottom, width - b.Left}
	}
	return b
}

// inherited is the first of the entries that a page, or a node of the page tree above
// it, has.
func (r *reader) inherited(page types.Dict, names ...string) types.Object {
	for _, name := range names {
		node := page
		for range maxParents {
			if o := node[name]; o != nil || node == nil {
				if o != nil {
					return o
				}
				break
			}
			node = r.Entries(node["Parent"])
		}
	}
	return nil
}

// maxParents is how many levels of the page tree are asked for what a page inherits.
const maxParents = 50
