package page

import (
	"sync"
	"unicode"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"

	"einvoice/formats/pdf/font"
)

// A face is one of the fonts that pages are set in.
type face uint8

// The faces. What the first two have no glyph for is set in the other two.
const (
	regular face = iota
	bold
	otherRegular
	otherBold
	faceCount
)

// replacement stands for a character that no font has.
const replacement = '\uFFFD'

var faces = [faceCount]struct {
	name string
	font func() *typeface
}{
	regular:      {"LiberationSans", once(liberationsansregular.TTF)},
	bold:         {"LiberationSans-Bold", once(liberationsansbold.TTF)},
	otherRegular: {"DejaVuSans", once(dejavusans.TTF)},
	otherBold:    {"DejaVuSans-Bold", once(dejavusansbold.TTF)},
}

// A typeface is a font with its table of characters.
type typeface struct {
	*font.Font
	characters *font.Cmap
}

// once parses a font when it is first needed; all documents share it.
func once(data []byte) func() *typeface {
	return sync.OnceValue(func() *typeface {
		parsed, err := font.Parse(data)
		if err != nil {
			panic("render: " + err.Error()) // the fonts are part of the program
		}
		all := parsed.Cmap(3, 10) // all of Unicode, or its first 65,536 characters
		if all == nil {
			all = parsed.Cmap(3, 1)
		}
		return &typeface{parsed, all}
	})
}

func (f *typeface) glyph(r rune) int { return f.characters.Glyph(int(r)) }

// A glyph is how a character is printed.
type glyph struct {
	face  face
	char  rune // replacement where no font has the character
	width float64
}

func glyphOf(r rune, heavy bool) glyph {
	first, second := regular, otherRegular
	if heavy {
		first, second = bold, otherBold
	}
	if f := faces[first].font(); f.glyph(r) != font.NotDef {
		return glyph{first, r, f.Width(f.glyph(r))}
	}
	f := faces[second].font()
	// What private characters mean is not for fonts to say.
	if f.glyph(r) == font.NotDef || unicode.Is(unicode.Co, r) {
		r = replacement
	}
	return glyph{second, r, f.Width(f.glyph(r))}
}

// widthOf measures a text in points.
func widthOf(s string, st *style) float64 {
	width := 0.0
	for _, r := range s {
		width += glyphOf(r, st.heavy).width
	}
	return width * st.size / 1000
}

// usage is what one document uses of the fonts. Characters have numbers in the
// order of their first use; text in the pages is made of these numbers.
type usage struct {
	chars   [faceCount][]rune
	numbers [faceCount]map[rune]uint16
	missing []rune
	lost    map[rune]bool
}

func newUsage() *usage {
	u := &usage{lost: map[rune]bool{}}
	for f := range u.numbers {
		u.chars[f] = []rune{0} // number 0 stands for a missing glyph, and is never used
		u.numbers[f] = map[rune]uint16{}
	}
	return u
}

func (u *usage) number(r rune, heavy bool) (face, uint16) {
	g := glyphOf(r, heavy)
	if g.char != r && !u.lost[r] {
		u.lost[r] = true
		u.missing = append(u.missing, r)
	}
	n, ok := u.numbers[g.face][g.char]
	if !ok {
		n = uint16(len(u.chars[g.face]))
		u.chars[g.face] = append(u.chars[g.face], g.char)
		u.numbers[g.face][g.char] = n
	}
	return g.face, n
}
