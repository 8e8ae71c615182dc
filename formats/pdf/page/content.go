package page

import (
	"strconv"
)

// A content is the content stream of a page, with the structure elements of its
// marked-content sequences.
type content struct {
	operators []byte
	marked    []*element // by MCID
	open      *element   // of the sequence that has begun
	fill      colour
	fillSet   bool // fill is the current colour; before, it is the initial one
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
		c.operators = strconv.AppendFloat(c.operators, v, 'f', 2, 64)
		c.operators = append(c.operators, ' ')
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

// text shows one line of text; y is its base line.
func (c *content) text(e *element, fonts *fontUse, x, y float64, s string, st *style) {
	if s == "" {
		return
	}
	c.beginMarkedContent(e)
	c.setFill(st.colour)
	c.operators = append(c.operators, "BT\n"...)
	c.operands(x, pageHeight-y)
	c.operator("Td")
	current := faceCount
	for _, r := range s {
		f, code := fonts.code(r, st.bold)
		if f != current {
			c.endString(current)
			c.operators = append(c.operators, "/F"...)
			c.operators = append(c.operators, '0'+byte(f), ' ')
			c.operands(st.size)
			c.operators = append(c.operators, "Tf <"...)
			current = f
		}
		const digits = "0123456789ABCDEF"
		c.operators = append(c.operators, digits[code>>12], digits[code>>8&15], digits[code>>4&15], digits[code&15])
	}
	c.endString(current)
	c.operator("ET")
}

func (c *content) endString(current face) {
	if current != faceCount {
		c.operators = append(c.operators, "> Tj\n"...)
	}
}
