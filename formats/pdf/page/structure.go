package page

// An element is a structure element of the tagged PDF, such as a heading, a table or a
// cell, for people who listen to a page. Content without a meaning, such as lines and
// repeated table headers, is an artifact.
type element struct {
	tag      string // the structure type; of an artifact, its property list
	class    string // what the element is for, in HTML
	artifact bool
	kids     []kid
	scope    string     // of a header cell: Row or Column
	right    bool       // of a cell whose text is aligned to the right
	alt      string     // the alternate description of a figure
	bbox     [4]float64 // of a figure
	picture  *picture   // of a figure, for HTML
	code     *qrCode    // of a figure, for HTML
}

// A kid is an element, a marked-content sequence of a page, or, where pages are kept for
// other formats, the text of both.
type kid struct {
	element *element
	text    *styled
	page    int32
	mcid    int32
}

// A styled phrase is one with its style.
type styled struct {
	phrase
	style *style
	width float64 // of its widest line, broken at line feeds alone; 0 if it is not known
}

var (
	decoration = &element{tag: "<</Type /Layout>>", artifact: true}
	footer     = &element{tag: "<</Type /Pagination /Subtype /Footer>>", artifact: true}
	header     = &element{tag: "<</Type /Pagination /Subtype /Header>>", artifact: true}
	background = &element{tag: "<</Type /Background>>", artifact: true}
)

// add adds an element within another.
func (e *element) add(tag string) *element {
	child := &element{tag: tag}
	e.kids = append(e.kids, kid{element: child})
	return child
}

// section adds a section.
func (e *element) section(class string) *element {
	child := e.add("Sect")
	child.class = class
	return child
}

// drop removes an element that was added last.
func (e *element) drop() { e.kids = e.kids[:len(e.kids)-1] }
