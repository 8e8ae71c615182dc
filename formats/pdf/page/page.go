package page

import (
	"strconv"
)

// Measures are in points, from the top left corner of the page.
const (
	mm         = 72 / 25.4
	pageWidth  = 210 * mm
	pageHeight = 297 * mm
	marginLeft = 18 * mm
	marginTop  = 16 * mm
	textWidth  = pageWidth - 2*marginLeft
	// textBottom is where text ends; the footer stands below.
	textBottom = pageHeight - 20*mm
)

// A color is red, green and blue, each from 0 to 1.
type color [3]float32

var (
	ink    = color{0.12, 0.15, 0.19}
	muted  = color{0.36, 0.41, 0.47} // still 5.5 to 1 against white
	accent = color{0.07, 0.29, 0.42}
	rule   = color{0.80, 0.84, 0.87}
	tint   = color{0.93, 0.955, 0.97}
	black  = color{0, 0, 0}
)

// A style is how a text is set.
type style struct {
	size  float64
	heavy bool
	color color
}

var (
	styleTitle   = &style{22, true, accent}
	styleNumber  = &style{11, false, muted}
	styleDue     = &style{17, true, ink}
	styleHeading = &style{10.5, true, accent}
	styleName    = &style{10, true, ink}
	styleText    = &style{9, false, ink}
	styleStrong  = &style{9, true, ink}
	styleTotal   = &style{11.5, true, ink}
	styleLabel   = &style{7.2, false, muted}
	styleSmall   = &style{7.8, false, muted}
	styleColumn  = &style{7.8, true, accent}
)

// leading is the height of a line of text.
func (s *style) leading() float64 { return s.size * 1.32 }

// A page holds the operators of its content, and the elements of structure that
// its marked parts belong to.
type page struct {
	content []byte
	marked  []*element // by number
	open    *element
	fill    color
	started bool // fill says the colour that is set
}

// tag begins a part that belongs to an element, unless it is open already.
func (p *page) tag(e *element) {
	if p.open == e {
		return
	}
	p.closeTag()
	p.open = e
	if e.artifact {
		p.content = append(p.content, "/Artifact "...)
		p.content = append(p.content, e.tag...)
		p.content = append(p.content, " BDC\n"...)
		return
	}
	p.content = append(p.content, '/')
	p.content = append(p.content, e.tag...)
	p.content = append(p.content, " <</MCID "...)
	p.content = strconv.AppendInt(p.content, int64(len(p.marked)), 10)
	p.content = append(p.content, ">> BDC\n"...)
	p.marked = append(p.marked, e)
}

func (p *page) closeTag() {
	if p.open != nil {
		p.content = append(p.content, "EMC\n"...)
		p.open = nil
	}
}

func (p *page) numbers(values ...float64) {
	for _, v := range values {
		p.content = strconv.AppendFloat(p.content, v, 'f', 2, 64)
		p.content = append(p.content, ' ')
	}
}

func (p *page) operator(op string) {
	p.content = append(p.content, op...)
	p.content = append(p.content, '\n')
}

func (p *page) color(c color) {
	if p.started && p.fill == c {
		return
	}
	p.fill, p.started = c, true
	for _, v := range c {
		p.content = strconv.AppendFloat(p.content, float64(v), 'f', 3, 32)
		p.content = append(p.content, ' ')
	}
	p.operator("rg")
}

// rectangle fills an area.
func (p *page) rectangle(e *element, x, y, width, height float64, c color) {
	p.tag(e)
	p.color(c)
	p.numbers(x, pageHeight-y-height, width, height)
	p.operator("re f")
}

// text prints one line; y is its base line.
func (p *page) text(e *element, u *usage, x, y float64, s string, st *style) {
	if s == "" {
		return
	}
	p.tag(e)
	p.color(st.color)
	p.content = append(p.content, "BT\n"...)
	p.numbers(x, pageHeight-y)
	p.operator("Td")
	current := faceCount
	for _, r := range s {
		f, n := u.number(r, st.heavy)
		if f != current {
			p.endString(current)
			p.content = append(p.content, "/F"...)
			p.content = append(p.content, '0'+byte(f), ' ')
			p.numbers(st.size)
			p.content = append(p.content, "Tf <"...)
			current = f
		}
		const digits = "0123456789ABCDEF"
		p.content = append(p.content, digits[n>>12], digits[n>>8&15], digits[n>>4&15], digits[n&15])
	}
	p.endString(current)
	p.operator("ET")
}

func (p *page) endString(current face) {
	if current != faceCount {
		p.content = append(p.content, "> Tj\n"...)
	}
}
