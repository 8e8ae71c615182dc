package typeset

import (
	"context"
	"errors"
	"sync"
	"unicode"

	"einvoice/formats/pdf/font"
)

// replacement is shown for a character that no font has.
const replacement = '\uFFFD'

// NoBreakSpace is set as a space, and a line does not end at it.
const NoBreakSpace = '\u00a0'

// A Face is a font that text can be set in. It is shared by all documents.
type Face struct {
	FontName string
	File     []byte
	*font.Font
	unicode *font.Cmap
	shapes  shapes
}

// NewFace reads a font, which needs a table of Unicode characters.
func NewFace(name string, data []byte) (*Face, error) {
	program, err := font.Parse(data)
	if err != nil {
		return nil, err
	}
	table := unicodeTable(program.Cmaps)
	if table == nil {
		return nil, errors.New("the font has no table of Unicode characters")
	}
	return &Face{FontName: name, File: data, Font: program, unicode: table}, nil
}

// Glyph is the glyph of a character; font.NotDef if the font has none.
func (t *Face) Glyph(r rune) int { return t.unicode.Glyph(int(r)) }

// builtInFaces are the fonts of the program, by the order of their names.
var builtInFaces = sync.OnceValue(func() (faces [4]*Face) {
	for i, name := range font.BuiltInNames {
		face, err := NewFace(name, font.BuiltIn(name))
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

// A FontUse is the fonts of one document, and the characters that it uses of each. A
// character has a code by the order of first use; strings in content streams consist of
// these codes.
type FontUse struct {
	Faces     []*Face // plain and bold, then those for other characters, plain and bold in turn
	further   *Fonts
	Used      []faceUse // by face
	shaper    *shaper   // nil until text needs it
	ascii     [2][128]glyph
	others    [2]map[rune]glyph
	Missing   []rune // characters that no font has
	ctx       context.Context
	set       int // bytes of text that were shaped, to measure or to draw them
	isMissing map[rune]bool
	words     map[wordKey]float64 // widths of words that were shaped, in font sizes
}

// A faceUse is what is used of a face.
type faceUse struct {
	Glyphs []UsedGlyph // by code
	codes  map[rune]uint16
	shaped map[UsedGlyph]uint16
}

// A UsedGlyph is a glyph and the text that it shows.
type UsedGlyph struct {
	Glyph int
	Text  string
}

// NewFontUse begins a document with the fonts of a look. When the context ends, texts are no
// longer measured: what is composed then is to be thrown away.
func NewFontUse(ctx context.Context, plain, bold *Face, further *Fonts) *FontUse {
	builtIn := builtInFaces()
	if plain == nil {
		plain, bold = builtIn[0], builtIn[1]
	}
	u := &FontUse{ctx: ctx, further: further, isMissing: map[rune]bool{}}
	u.Faces = []*Face{plain, bold}
	if plain != builtIn[0] {
		u.Faces = append(u.Faces, builtIn[0], builtIn[1])
	}
	u.Faces = append(u.Faces, builtIn[2], builtIn[3])
	u.Used = make([]faceUse, len(u.Faces))
	for weight := range u.ascii {
		u.others[weight] = map[rune]glyph{}
		for r := range rune(128) {
			u.ascii[weight][r] = u.find(r, weight)
		}
	}
	return u
}

// goesOn reports whether the document is still wanted.
func (u *FontUse) goesOn() bool { return u.ctx.Err() == nil }

func weightOf(bold bool) int {
	if bold {
		return 1
	}
	return 0
}

// glyphOf is how a character is shown.
func (u *FontUse) glyphOf(r rune, bold bool) glyph {
	if r == NoBreakSpace {
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

func (u *FontUse) find(r rune, weight int) glyph {
	// A private use character has no meaning that a font could show.
	private := unicode.Is(unicode.Co, r)
	for i := weight; i < len(u.Faces) && !private; i += 2 {
		if g := u.Faces[i].Glyph(r); g != font.NotDef {
			return glyph{i, r, u.Faces[i].Width(g)}
		}
	}
	if face := u.further.with(r); face != nil && !private {
		u.Faces = append(u.Faces, face, face) // one weight serves both
		u.Used = append(u.Used, faceUse{}, faceUse{})
		return u.find(r, 0)
	}
	last := 2 // the first of the program's own that has the mark
	for u.Faces[last+weight].Glyph(replacement) == font.NotDef {
		last += 2
	}
	last += weight
	return glyph{last, replacement, u.Faces[last].Width(u.Faces[last].Glyph(replacement))}
}

// Width is the width of a text in points.
func (u *FontUse) Width(s string, st *Style) float64 {
	width := 0.0
	ascii := &u.ascii[weightOf(st.Bold)]
	for i := range len(s) {
		if s[i] >= 128 {
			return u.wideWidth(s, st)
		}
		width += ascii[s[i]].width
	}
	return width * st.Size / 1000
}

// wideWidth is the width of a text that is not ASCII.
func (u *FontUse) wideWidth(s string, st *Style) float64 {
	if NeedsShaping(s) {
		return u.shapedWidth(s, st)
	}
	width := 0.0
	for _, r := range s {
		width += u.glyphOf(r, st.Bold).width
	}
	return width * st.Size / 1000
}

// Code is the face and the code of a character.
func (u *FontUse) Code(r rune, bold bool) (face int, code uint16) {
	g := u.glyphOf(r, bold)
	if r == NoBreakSpace {
		r = ' '
	}
	if g.char != r {
		u.lacks(r)
	}
	use := &u.Used[g.face]
	code, ok := use.codes[g.char]
	if !ok {
		code = use.add(UsedGlyph{u.Faces[g.face].Glyph(g.char), string(g.char)})
		if use.codes == nil {
			use.codes = map[rune]uint16{}
		}
		use.codes[g.char] = code
	}
	return g.face, code
}

func (u *FontUse) lacks(r rune) {
	if !u.isMissing[r] {
		u.isMissing[r] = true
		u.Missing = append(u.Missing, r)
	}
}

// add gives a glyph a code. Code 0 is the glyph .notdef, which is never shown.
func (f *faceUse) add(g UsedGlyph) uint16 {
	if len(f.Glyphs) == 0 {
		f.Glyphs = append(f.Glyphs, UsedGlyph{font.NotDef, ""})
	}
	f.Glyphs = append(f.Glyphs, g)
	return uint16(len(f.Glyphs) - 1)
}
