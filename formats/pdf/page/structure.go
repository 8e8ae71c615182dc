package page

// An element is a part of the document's structure, for those who hear a page
// rather than see it: a heading, a table, a cell. What stands on pages by itself,
// such as rules and repeated headers, is an artifact.
type element struct {
	tag      string // name of the structure type; of an artifact, its properties
	artifact bool
	parent   *element
	kids     []kid
	scope    string // of a header cell: Row or Column
	span     int    // columns of a cell, where it is more than one
	alt      string // what a figure shows
	box      [4]float64
}

// A kid is an element, or a marked part of a page.
type kid struct {
	element *element
	page    int32
	mark    int32
}

var (
	decoration = &element{tag: "<</Type /Layout>>", artifact: true}
	footer     = &element{tag: "<</Type /Pagination /Subtype /Footer>>", artifact: true}
	header     = &element{tag: "<</Type /Pagination /Subtype /Header>>", artifact: true}
)

// add makes an element within another.
func (e *element) add(tag string) *element {
	part := &element{tag: tag, parent: e}
	e.kids = append(e.kids, kid{element: part})
	return part
}
