package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A content is the content stream of a page, with the structure elements of its
// marked-content sequences.
type content struct {
	operators []byte
	marked    []*element // by MCID
	open      *element   // of the sequence that has begun
	fill      colour
	fillSet   bool // fill is the current colour; before, it is the initial one
	begins    string
	classes   []string // of the sections that begin on the page
	items     []item   // the same for other formats, where it is kept
}

// An item is a line of text, a filled area, a QR code or a picture.
type item struct {
	x, y, width, height float64
	text                *styled
	fill                colour
	code                *qrCode
	picture             *picture
}

// beginMarkedContent begins a marked-content sequence of an element, unless it has
// begun already.
func (c *content) beginMarkedContent(e *element) {
	if c.open == e {
		return
	}
	c.endMarkedContent()
	c.open = e
	if e.artifact {
		c.operators = append(c.operators, "/Artifact "...)
		c.operators = append(c.operators, e.tag...)
		c.operators = append(c.operators, " BDC\n"...)
		return
	}
	c.operators = append(c.operators, '/')
	c.operators = append(c.operators, e.tag...)
	c.operators = append(c.operators, " <</MCID "...)
	c.operators = strconv.AppendInt(c.operators, int64(len(c.marked)), 10)
	c.operators = append(c.operators, ">> BDC\n"...)
	c.marked = append(c.marked, e)
}

func (c *content) endMarkedContent() {
	if c.open != nil {
		c.operators = append(c.operators, "EMC\n"...)
		c.open = nil
	}
}

func (c *content) operands(values ...float64) {
	for _, v := range values {
		c.operators = append(appendHundredths(c.operators, v), ' ')
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

func (c *content) operator(op string) {
	c.operators = append(c.operators, op...)
	c.operators = append(c.operators, '\n')
}

func (c *content) setFill(fill colour) {
	if c.fillSet && c.fill == fill {
		return
	}
	c.fill, c.fillSet = fill, true
	for _, v := range fill {
		c.operators = strconv.AppendFloat(c.operators, float64(v), 'f', 3, 32)
		c.operators = append(c.operators, ' ')
	}
	c.operator("rg")
}

// rectangle fills an area.
func (c *content) rectangle(e *element, x, y, width, height float64, fill colour) {
	c.beginMarkedContent(e)
	c.setFill(fill)
	c.operands(x, pageHeight-y-height, width, height)
	c.operator("re f")
}

// object shows an external object, in an area.
func (c *content) object(e *element, name string, x, y, width, height float64) {
	c.beginMarkedContent(e)
	c.operator("q")
	c.operands(width, 0, 0, height, x, pageHeight-y-height)
	c.operator("cm")
	c.operator("/" + name + " Do")
	c.operator("Q")
}

// text shows one line of text; y is its base line.
func (c *content) text(e *element, fonts *fontUse, x, y float64, p phrase, st *style) {
	s := p.text
	if s == "" {
		return
	}
	c.beginMarkedContent(e)
	c.setFill(st.colour)
	shaped := needsShaping(s)
	if shaped {
		c.operators = append(c.operators, "/Span <</ActualText <"...)
		c.operators = fmt.Appendf(c.operators, "%X", types.EncodeUTF16String(solidToBlank(s)))
		c.operators = append(c.operators, ">>> BDC\n"...)
	}
	c.operators = append(c.operators, "BT\n"...)
	c.operands(x, pageHeight-y)
	c.operator("Td")
	if shaped {
		c.shapedText(fonts, p, st)
		c.operator("ET")
		c.operator("EMC")
		return
	}
	current := -1
	for _, r := range s {
		f, code := fonts.code(r, st.bold)
		if f != current {
			c.endString(current)
			c.font(f, st.size)
			c.operators = append(c.operators, '<')
			current = f
		}
		c.hex(code)
	}
	c.endString(current)
	c.operator("ET")
}

func (c *content) font(face int, size float64) {
	c.operators = append(c.operators, "/F"...)
	c.operators = strconv.AppendInt(c.operators, int64(face), 10)
	c.operators = append(c.operators, ' ')
	c.operands(size)
	c.operators = append(c.operators, "Tf "...)
}

func (c *content) hex(code uint16) {
	const digits = "0123456789ABCDEF"
	c.operators = append(c.operators, digits[code>>12], digits[code>>8&15], digits[code>>4&15], digits[code&15])
}

func (c *content) endString(current int) {
	if current >= 0 {
		c.operators = append(c.operators, "> Tj\n"...)
	}
}

// shapedText shows glyphs at the places that shaping gives them.
func (c *content) shapedText(fonts *fontUse, p phrase, st *style) {
	glyphs, _ := fonts.shape(strings.TrimRight(p.text, " "), st, p.rightToLeft)
	current, rise := -1, 0.0
	for _, g := range glyphs {
		if g.face != current {
			c.font(g.face, st.size)
			c.operator("")
			current = g.face
		}
		if g.y != rise {
			c.operands(g.y * st.size / 1000)
			c.operator("Ts")
			rise = g.y
		}
		c.operators = append(c.operators, '[')
		if g.x != 0 {
			c.operands(-g.x)
		}
		c.operators = append(c.operators, '<')
		c.hex(g.code)
		c.operators = append(c.operators, "> "...)
		c.operands(g.width + g.x - g.advance)
		c.operator("] TJ")
	}
	if rise != 0 {
		c.operator("0 Ts")
	}
}
