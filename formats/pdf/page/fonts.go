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

// A face is one of the fonts that text is set in.
type face uint8

// The faces. A character that is not in the first two is set in one of the others.
const (
	regular face = iota
	bold
	fallbackRegular
	fallbackBold
	faceCount
)

// replacement is shown for a character that no font has.
const replacement = '\uFFFD'

var faces = [faceCount]struct {
	name string
	font func() *fontProgram
}{
	regular:         {"LiberationSans", parsedOnce(liberationsansregular.TTF)},
	bold:            {"LiberationSans-Bold", parsedOnce(liberationsansbold.TTF)},
	fallbackRegular: {"DejaVuSans", parsedOnce(dejavusans.TTF)},
	fallbackBold:    {"DejaVuSans-Bold", parsedOnce(dejavusansbold.TTF)},
}

// A fontProgram is a font program with its table of Unicode characters.
type fontProgram struct {
	*font.Font
	unicode *font.Cmap
}

// parsedOnce parses a font when it is first needed; all documents share it.
func parsedOnce(data []byte) func() *fontProgram {
	return sync.OnceValue(func() *fontProgram {
		program, err := font.Parse(data)
		if err != nil {
			panic("page: " + err.Error()) // the fonts are part of the program
		}
		table := program.Cmap(3, 10) // all of Unicode
		if table == nil {
			table = program.Cmap(3, 1) // its first 65,536 characters
		}
		return &fontProgram{program, table}
	})
}

func (p *fontProgram) glyph(r rune) int { return p.unicode.Glyph(int(r)) }

// A glyph is how a character is shown.
type glyph struct {
	face  face
	char  rune // replacement if no font has the character
	width float64
}

func glyphOf(r rune, isBold bool) glyph {
	first, second := regular, fallbackRegular
	if isBold {
		first, second = bold, fallbackBold
	}
	if p := faces[first].font(); p.glyph(r) != font.NotDef {
		return glyph{first, r, p.Width(p.glyph(r))}
	}
	p := faces[second].font()
	// A private use character has no meaning that a font could show.
	if p.glyph(r) == font.NotDef || unicode.Is(unicode.Co, r) {
		r = replacement
	}
	return glyph{second, r, p.Width(p.glyph(r))}
}

// widthOf is the width of a text in points.
func widthOf(s string, st *style) float64 {
	width := 0.0
	for _, r := range s {
		width += glyphOf(r, st.bold).width
	}
	return width * st.size / 1000
}

// A fontUse is the characters that one document uses of each face. A character has a
// code by the order of first use; strings in content streams consist of these codes.
type fontUse struct {
	chars     [faceCount][]rune // by code
	codes     [faceCount]map[rune]uint16
	missing   []rune // characters that no font has
	isMissing map[rune]bool
}

func newFontUse() *fontUse {
	u := &fontUse{isMissing: map[rune]bool{}}
	for f := range u.codes {
		u.chars[f] = []rune{0} // code 0 is the glyph .notdef, which is never shown
		u.codes[f] = map[rune]uint16{}
	}
	return u
}

// code is the face and the code of a character.
func (u *fontUse) code(r rune, isBold bool) (face, uint16) {
	g := glyphOf(r, isBold)
	if g.char != r && !u.isMissing[r] {
		u.isMissing[r] = true
		u.missing = append(u.missing, r)
	}
	code, ok := u.codes[g.face][g.char]
	if !ok {
		code = uint16(len(u.chars[g.face]))
		u.chars[g.face] = append(u.chars[g.face], g.char)
		u.codes[g.face][g.char] = code
	}
	return g.face, code
}
