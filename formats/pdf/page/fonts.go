package page

import (
	"errors"
	"sync"
	"unicode"

	"einvoice/formats/pdf/font"
)

// replacement is shown for a character that no font has.
const replacement = '\uFFFD'

// noBreakSpace is set as a space, and a line does not end at it.
const noBreakSpace = '\u00a0'

// A typeface is a font that text can be set in. It is shared by all documents.
type typeface struct {
	name string
	data []byte
	*font.Font
	unicode *font.Cmap
	shapes  shapes
}

func newTypeface(name string, data []byte) (*typeface, error) {
	program, err := font.Parse(data)
	if err != nil {
		return nil, err
	}
	table := unicodeTable(program.Cmaps)
	if table == nil {
		return nil, errors.New("the font has no table of Unicode characters")
	}
	return &typeface{name: name, data: data, Font: program, unicode: table}, nil
}

func (t *typeface) glyph(r rune) int { return t.unicode.Glyph(int(r)) }

// builtInFaces are the fonts of the program, by the order of their names.
var builtInFaces = sync.OnceValue(func() (faces [4]*typeface) {
	for i, name := range font.BuiltInNames {
		face, err := newTypeface(name, font.BuiltIn(name))
		if err != nil {
			panic("page: " + name + ": " + err.Error() + "; run make wasm where this is in a browser")
		}
		faces[i] = face
	}
	return faces
})

// A glyph is how a character is shown.
type glyph struct {
	face  int
	char  rune // replacement if no font has the character
	width float64
}

// A fontUse is the fonts of one document, and the characters that it uses of each. A
// character has a code by the order of first use; strings in content streams consist of
// these codes.
type fontUse struct {
	faces     []*typeface // plain and bold, then those for other characters, plain and bold in turn
	further   *Fonts
	used      []faceUse // by face
	shaper    *shaper   // nil until text needs it
	ascii     [2][128]glyph
	others    [2]map[rune]glyph
	missing   []rune // characters that no font has
	isMissing map[rune]bool
}

// A faceUse is what is used of a face.
type faceUse struct {
	glyphs []usedGlyph // by code
	codes  map[rune]uint16
	shaped map[shapedGlyph]uint16
}

// A usedGlyph is a glyph and the text that it shows.
type usedGlyph struct {
	glyph int
	text  string
}

// newFontUse begins a document with the fonts of a look.
func newFontUse(plain, bold *typeface, further *Fonts) *fontUse {
	builtIn := builtInFaces()
	if plain == nil {
		plain, bold = builtIn[0], builtIn[1]
	}
	u := &fontUse{further: further, isMissing: map[rune]bool{}}
	u.faces = []*typeface{plain, bold}
	if plain != builtIn[0] {
		u.faces = append(u.faces, builtIn[0], builtIn[1])
	}
	u.faces = append(u.faces, builtIn[2], builtIn[3])
	u.used = make([]faceUse, len(u.faces))
	for weight := range u.ascii {
		u.others[weight] = map[rune]glyph{}
		for r := range rune(128) {
			u.ascii[weight][r] = u.find(r, weight)
		}
	}
	return u
}

func weightOf(bold bool) int {
	if bold {
		return 1
	}
	return 0
}

// glyphOf is how a character is shown.
func (u *fontUse) glyphOf(r rune, bold bool) glyph {
	if r == noBreakSpace {
		r = ' '
	}
	weight := weightOf(bold)
	if r < 128 && r >= 0 {
		return u.ascii[weight][r]
	}
	g, known := u.others[weight][r]
	if !known {
		g = u.find(r, weight)
		u.others[weight][r] = g
	}
	return g
}

func (u *fontUse) find(r rune, weight int) glyph {
	// A private use character has no meaning that a font could show.
	private := unicode.Is(unicode.Co, r)
	for i := weight; i < len(u.faces) && !private; i += 2 {
		if g := u.faces[i].glyph(r); g != font.NotDef {
			return glyph{i, r, u.faces[i].Width(g)}
		}
	}
	if face := u.further.with(r); face != nil && !private {
		u.faces = append(u.faces, face, face) // one weight serves both
		u.used = append(u.used, faceUse{}, faceUse{})
		return u.find(r, 0)
	}
	last := 2 // the first of the program's own that has the mark
	for u.faces[last+weight].glyph(replacement) == font.NotDef {
		last += 2
	}
	last += weight
	return glyph{last, replacement, u.faces[last].Width(u.faces[last].glyph(replacement))}
}

// width is the width of a text in points.
func (u *fontUse) width(s string, st *style) float64 {
	width := 0.0
	ascii := &u.ascii[weightOf(st.bold)]
	for i := range len(s) {
		if s[i] >= 128 {
			return u.wideWidth(s, st)
		}
		width += ascii[s[i]].width
	}
	return width * st.size / 1000
}

// wideWidth is the width of a text that is not ASCII.
func (u *fontUse) wideWidth(s string, st *style) float64 {
	if needsShaping(s) {
		return u.shapedWidth(s, st)
	}
	width := 0.0
	for _, r := range s {
		width += u.glyphOf(r, st.bold).width
	}
	return width * st.size / 1000
}

// code is the face and the code of a character.
func (u *fontUse) code(r rune, bold bool) (face int, code uint16) {
	g := u.glyphOf(r, bold)
	if r == noBreakSpace {
		r = ' '
	}
	if g.char != r {
		u.lacks(r)
	}
	use := &u.used[g.face]
	code, ok := use.codes[g.char]
	if !ok {
		code = use.add(usedGlyph{u.faces[g.face].glyph(g.char), string(g.char)})
		if use.codes == nil {
			use.codes = map[rune]uint16{}
		}
		use.codes[g.char] = code
	}
	return g.face, code
}

func (u *fontUse) lacks(r rune) {
	if !u.isMissing[r] {
		u.isMissing[r] = true
		u.missing = append(u.missing, r)
	}
}

// add gives a glyph a code. Code 0 is the glyph .notdef, which is never shown.
func (f *faceUse) add(g usedGlyph) uint16 {
	if len(f.glyphs) == 0 {
		f.glyphs = append(f.glyphs, usedGlyph{font.NotDef, ""})
	}
	f.glyphs = append(f.glyphs, g)
	return uint16(len(f.glyphs) - 1)
}
