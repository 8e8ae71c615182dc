package text

import (
	"math"
	"strings"

	"einvoice/formats/pdf/content"
)

// moveLine begins another line, at an offset from the beginning of the last.
func (i *interpreter) moveLine(x, y float64) {
	i.lineMatrix = matrix{1, 0, 0, 1, x, y}.times(i.lineMatrix)
	i.textMatrix = i.lineMatrix
}

func (i *interpreter) setFont(op *content.Op) {
	i.state.size = numberOperand(op, 1)
	name, _ := op.Arg(0).(content.Name)
	i.state.font = nil
	if o, found := i.Entries(i.resources["Font"])[string(name)]; found {
		i.state.font = i.font(o)
	}
}

// showText executes the four operators that show text.
func (i *interpreter) showText(op *content.Op) {
	switch op.Name {
	case "'":
		i.moveLine(0, -i.state.leading)
	case "\"":
		i.state.wordSpace, i.state.charSpace = numberOperand(op, 0), numberOperand(op, 1)
		i.moveLine(0, -i.state.leading)
	}
	if len(op.Args) == 0 {
		return
	}
	parts, several := op.Args[len(op.Args)-1].(content.Array)
	if !several {
		parts = content.Array{op.Args[len(op.Args)-1]}
	}
	for _, part := range parts {
		if i.Err() != nil {
			return
		}
		switch part := part.(type) {
		case content.String:
			i.showString(part)
		case content.Number:
			i.advance(-part.Value / 1000 * i.state.size * i.state.scale)
		}
	}
}

// advance moves the text position along the line.
func (i *interpreter) advance(by float64) {
	i.textMatrix = matrix{1, 0, 0, 1, by, 0}.times(i.textMatrix)
}

func (i *interpreter) showString(codes []byte) {
	s := &i.state
	if s.font == nil || len(codes) == 0 {
		return
	}
	i.noteFont(s.font)
	i.notePaint(textPaint[s.renderingMode&7])
	begin := i.renderingMatrix()
	line := i.glyphLine()
	var b strings.Builder
	moved := 0.0
	for len(codes) > 0 {
		if !i.Step() {
			return
		}
		c := s.font.next(codes)
		codes = codes[c.length:]
		if c.text == "" {
			c.text = i.takeActualText()
		}
		if b.Len() < i.limits.Characters-i.characters {
			b.WriteString(c.text)
		}
		step := c.width*s.size + s.charSpace
		if c.isSpace {
			step += s.wordSpace
		}
		if i.words != nil {
			g := line.glyph(c.text, moved, moved+(c.width*s.size+s.charSpace)*s.scale)
			if c.text != "" && !c.isSpace {
				g.hiding = i.hiding(g)
			}
			i.words.add(g)
			if i.placed+len(i.words.words) > i.limits.Words {
				i.Fail(ErrWords)
				return
			}
		}
		moved += step * s.scale
	}
	i.advance(moved)
	end := i.renderingMatrix()
	if b.Len() == 0 {
		return
	}
	i.out.add(&shownString{text: b.String(), fromX: begin[4], fromY: begin[5], toX: end[4], toY: end[5], size: length(begin[2], begin[3])})
	if i.out.text.Len() > i.limits.Characters {
		i.Fail(ErrLimit)
	}
}

// renderingMatrix maps a glyph of size 1 to the page.
func (i *interpreter) renderingMatrix() matrix {
	s := &i.state
	return matrix{s.size * s.scale, 0, 0, s.size, 0, s.rise}.times(i.textMatrix).times(s.ctm)
}

// A glyphLine is where the glyphs of one string are.
type glyphLine struct {
	origin matrix  // maps text space to the page
	rise   float64 // above the base line, in text space
	scale  float64 // from text space to the page, along the base line
	size   float64 // of the font, on the page
	bold   bool
}

func (i *interpreter) glyphLine() glyphLine {
	s := &i.state
	origin := i.textMatrix.times(s.ctm)
	return glyphLine{
		origin: origin, rise: s.rise, scale: length(origin[0], origin[1]), size: math.Abs(s.size) * length(origin[2], origin[3]),
		bold: s.font.bold,
	}
}

// glyph is the glyph between two places of the base line, in text space.
func (l *glyphLine) glyph(text string, from, to float64) *glyph {
	at := func(x float64) (float64, float64) {
		return x*l.origin[0] + l.rise*l.origin[2] + l.origin[4], x*l.origin[1] + l.rise*l.origin[3] + l.origin[5]
	}
	g := &glyph{text: text, size: l.size, bold: l.bold, dirX: 1}
	g.fromX, g.fromY = at(from)
	g.toX, g.toY = at(to)
	if l.scale > 0 {
		g.dirX, g.dirY = l.origin[0]/l.scale, l.origin[1]/l.scale
	}
	return g
}

// noteFont lists a font that text is visible in.
func (i *interpreter) noteFont(f *textFont) {
	if i.state.renderingMode == invisible || i.shown[f] {
		return
	}
	i.shown[f] = true
	if listed := (listedFont{f.name, f.embedded}); !i.listed[listed] {
		i.listed[listed] = true
		i.document.Fonts = append(i.document.Fonts, Font{Name: f.name, Page: i.page, Embedded: f.embedded})
	}
}
