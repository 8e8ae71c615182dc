package tagged

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"einvoice/formats/pdf/page/logo"
	"einvoice/formats/pdf/page/typeset"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Content is the content stream of a page, with the structure elements of its
// marked-content sequences.
type Content struct {
	Operators []byte
	Marked    []*Element // by MCID
	open      *Element   // of the sequence that has begun
	fill      typeset.Colour
	fillSet   bool // fill is the current colour; before, it is the initial one
	Begins    string
	Classes   []string // of the sections that begin on the page
	Items     []Item   // the same for other formats, where it is kept
}

// An Item is a line of text, a filled area, a QR code or a picture.
type Item struct {
	X, Y, Width, Height float64
	Text                *Styled
	Fill                typeset.Colour
	Code                *QRCode
	Picture             *logo.Picture
	Across              bool // a text across the page, whose place is not said
}

// BeginMarkedContent begins a marked-content sequence of an element, unless it has
// begun already.
func (c *Content) BeginMarkedContent(e *Element) {
	if c.open == e {
		return
	}
	c.EndMarkedContent()
	c.open = e
	if e.Artifact {
		c.Operators = append(c.Operators, "/Artifact "...)
		c.Operators = append(c.Operators, e.Tag...)
		c.Operators = append(c.Operators, " BDC\n"...)
		return
	}
	c.Operators = append(c.Operators, '/')
	c.Operators = append(c.Operators, e.Tag...)
	c.Operators = append(c.Operators, " <</MCID "...)
	c.Operators = strconv.AppendInt(c.Operators, int64(len(c.Marked)), 10)
	c.Operators = append(c.Operators, ">> BDC\n"...)
	c.Marked = append(c.Marked, e)
}

// EndMarkedContent ends the sequence that has begun, if one has.
func (c *Content) EndMarkedContent() {
	if c.open != nil {
		c.Operators = append(c.Operators, "EMC\n"...)
		c.open = nil
	}
}

// Operands writes numbers.
func (c *Content) Operands(values ...float64) {
	for _, v := range values {
		c.Operators = append(appendHundredths(c.Operators, v), ' ')
	}
}

// appendHundredths appends a number with at most two digits after the point. Lengths on
// pages are small, so there is no need of the general way, which takes ten times as long.
func appendHundredths(b []byte, v float64) []byte {
	n := int64(math.Round(v * 100))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/100, 10)
	switch fraction := n % 100; {
	case fraction == 0:
		return b
	case fraction%10 == 0:
		return append(b, '.', byte('0'+fraction/10))
	default:
		return append(b, '.', byte('0'+fraction/10), byte('0'+fraction%10))
	}
}

// Operator writes an operator behind its operands.
func (c *Content) Operator(op string) {
	c.Operators = append(c.Operators, op...)
	c.Operators = append(c.Operators, '\n')
}

// SetFill sets the colour that is filled with, unless it is set already.
func (c *Content) SetFill(fill typeset.Colour) {
	if c.fillSet && c.fill == fill {
		return
	}
	c.fill, c.fillSet = fill, true
	for _, v := range fill {
		c.Operators = strconv.AppendFloat(c.Operators, float64(v), 'f', 3, 32)
		c.Operators = append(c.Operators, ' ')
	}
	c.Operator("rg")
}

// Rectangle fills an area.
func (c *Content) Rectangle(e *Element, x, y, width, height float64, fill typeset.Colour) {
	c.BeginMarkedContent(e)
	c.SetFill(fill)
	c.Operands(x, typeset.PageHeight-y-height, width, height)
	c.Operator("re f")
}

// Object shows an external object, in an area.
func (c *Content) Object(e *Element, name string, x, y, width, height float64) {
	c.BeginMarkedContent(e)
	c.Operator("q")
	c.Operands(width, 0, 0, height, x, typeset.PageHeight-y-height)
	c.Operator("cm")
	c.Operator("/" + name + " Do")
	c.Operator("Q")
}

// Slope is the cosine and the sine of the angle of texts across a page.
func Slope() (cos, sin float64) { return math.Cos(slope), math.Sin(slope) }

const slope = math.Pi / 3.4

// Across shows a text of a width across the page, from the lower left.
func (c *Content) Across(e *Element, fonts *typeset.FontUse, p typeset.Phrase, st *typeset.Style, width float64) {
	cos, sin := Slope()
	c.BeginMarkedContent(e)
	c.Operator("q")
	c.Operators = fmt.Appendf(c.Operators, "%.4f %.4f %.4f %.4f %.2f %.2f cm\n", cos, sin, -sin, cos,
		typeset.PageWidth/2-width/2*cos, typeset.PageHeight/2-width/2*sin)
	c.Text(e, fonts, 0, typeset.PageHeight, p, st)
	c.Operator("Q")
	c.fillSet = false // the colour before is back
}

// Text shows one line of text; y is its base line.
func (c *Content) Text(e *Element, fonts *typeset.FontUse, x, y float64, p typeset.Phrase, st *typeset.Style) {
	s := p.Text
	if s == "" {
		return
	}
	c.BeginMarkedContent(e)
	c.SetFill(st.Colour)
	shaped := typeset.NeedsShaping(s)
	if shaped {
		c.Operators = append(c.Operators, "/Span <</ActualText <"...)
		c.Operators = fmt.Appendf(c.Operators, "%X", types.EncodeUTF16String(typeset.SolidToBlank(s)))
		c.Operators = append(c.Operators, ">>> BDC\n"...)
	}
	c.Operators = append(c.Operators, "BT\n"...)
	c.Operands(x, typeset.PageHeight-y)
	c.Operator("Td")
	if shaped {
		c.shapedText(fonts, p, st)
		c.Operator("ET")
		c.Operator("EMC")
		return
	}
	current := -1
	for _, r := range s {
		f, code := fonts.Code(r, st.Bold)
		if f != current {
			c.endString(current)
			c.font(f, st.Size)
			c.Operators = append(c.Operators, '<')
			current = f
		}
		c.hex(code)
	}
	c.endString(current)
	c.Operator("ET")
}

func (c *Content) font(face int, size float64) {
	c.Operators = append(c.Operators, "/F"...)
	c.Operators = strconv.AppendInt(c.Operators, int64(face), 10)
	c.Operators = append(c.Operators, ' ')
	c.Operands(size)
	c.Operators = append(c.Operators, "Tf "...)
}

func (c *Content) hex(code uint16) {
	const digits = "0123456789ABCDEF"
	c.Operators = append(c.Operators, digits[code>>12], digits[code>>8&15], digits[code>>4&15], digits[code&15])
}

func (c *Content) endString(current int) {
	if current >= 0 {
		c.Operators = append(c.Operators, "> Tj\n"...)
	}
}

// shapedText shows glyphs at the places that shaping gives them.
func (c *Content) shapedText(fonts *typeset.FontUse, p typeset.Phrase, st *typeset.Style) {
	glyphs, _ := fonts.Shape(strings.TrimRight(p.Text, " "), st, p.RightToLeft)
	current, rise := -1, 0.0
	for _, g := range glyphs {
		if g.Face != current {
			c.font(g.Face, st.Size)
			c.Operator("")
			current = g.Face
		}
		if g.Y != rise {
			c.Operands(g.Y * st.Size / 1000)
			c.Operator("Ts")
			rise = g.Y
		}
		c.Operators = append(c.Operators, '[')
		if g.X != 0 {
			c.Operands(-g.X)
		}
		c.Operators = append(c.Operators, '<')
		c.hex(g.Code)
		c.Operators = append(c.Operators, "> "...)
		c.Operands(g.Width + g.X - g.Advance)
		c.Operator("] TJ")
	}
	if rise != 0 {
		c.Operator("0 Ts")
	}
}
