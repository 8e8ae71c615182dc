package page

// An element is a structure element of the tagged PDF, such as a heading, a table or a
// cell, for people who listen to a page. Content without a meaning, such as lines and
// repeated table headers, is an artifact.
type element struct {
	tag      string // the structure type; of an artifact, its property list
	artifact bool
	kids     []kid
	scope    string     // of a header cell: Row or Column
	alt      string     // the alternate description of a figure
	bbox     [4]float64 // of a figure
}

// A kid is an element, or a marked-content sequence of a page.
type kid struct {
	element *element
	page    int32
	mcid    int32
}

var (
	decoration = &element{tag: "<</Type /Layout>>", artifact: true}
	footer     = &element{tag: "<</Type /Pagination /Subtype /Footer>>", artifact: true}
	header     = &element{tag: "<</Type /Pagination /Subtype /Header>>", artifact: true}
)

// add adds an element within another.
func (e *element) add(tag string) *element {
	child := &element{tag: tag}
	e.kids = append(e.kids, kid{element: child})
	return child
}
