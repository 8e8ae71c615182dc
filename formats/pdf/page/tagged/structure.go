package tagged

import (
	"einvoice/formats/pdf/page/logo"
	"einvoice/formats/pdf/page/typeset"
)

// An Element is a structure element of the tagged PDF, such as a heading, a table or a
// cell, for people who listen to a page. Content without a meaning, such as lines and
// repeated table headers, is an artifact.
type Element struct {
	Tag      string // the structure type; of an artifact, its property list
	Class    string // what the element is for, in HTML
	Artifact bool
	Kids     []Kid
	Scope    string        // of a header cell: Row or Column
	Right    bool          // of a cell whose text is aligned to the right
	Shift    float64       // of such a cell to the left, in sizes of the font, for HTML
	Alt      string        // the alternate description of a figure
	BBox     [4]float64    // of a figure
	Picture  *logo.Picture // of a figure, for HTML
	Code     *QRCode       // of a figure, for HTML
}

// A Kid is an element, a marked-content sequence of a page, or, where pages are kept for
// other formats, the text of both.
type Kid struct {
	Element *Element
	Text    *Styled
	Page    int32
	MCID    int32
}

// A Styled phrase is one with its style.
type Styled struct {
	typeset.Phrase
	Style *typeset.Style
	Width float64 // of its widest line, broken at line feeds alone; 0 if it is not known
}

// Content without a meaning: lines, what every page has below and above, and letter paper.
var (
	Decoration = &Element{Tag: "<</Type /Layout>>", Artifact: true}
	Footer     = &Element{Tag: "<</Type /Pagination /Subtype /Footer>>", Artifact: true}
	Header     = &Element{Tag: "<</Type /Pagination /Subtype /Header>>", Artifact: true}
	Background = &Element{Tag: "<</Type /Background>>", Artifact: true}
)

// Add adds an element within another.
func (e *Element) Add(tag string) *Element {
	child := &Element{Tag: tag}
	e.Kids = append(e.Kids, Kid{Element: child})
	return child
}

// Section adds a section.
func (e *Element) Section(class string) *Element {
	child := e.Add("Sect")
	child.Class = class
	return child
}

// Drop removes an element that was added last.
func (e *Element) Drop() { e.Kids = e.Kids[:len(e.Kids)-1] }

// The names of external objects in the resources of pages.
const (
	LogoName  = "Logo"
	PaperName = "Paper" // with the number of the paper behind it
)

// RunsRightToLeft reports whether the phrase is a paragraph that runs from right to left.
func (t *Styled) RunsRightToLeft() bool {
	return typeset.NeedsShaping(t.Text) && typeset.StartsRightToLeft(t.Text)
}
