package xpath

import (
	"strings"

	"einvoice/model/source"
)

// TextOf is what an element (without its children) or an attribute says.
func TextOf(t *source.Tree, r source.Ref) string {
	if r < 0 {
		return t.Attributes[-1-r].Value
	}
	return t.Text(source.Node(r))
}

// stringValue is XPath's string-value of a node: of an element with elements
// inside, all texts in it, without the white space between tags, which the tree
// does not keep.
func stringValue(e *Evaluation, r source.Ref) string {
	if r < 0 {
		return e.Read(TextOf(e.Tree, r))
	}
	first, end := inside(e.Tree, r)
	if first == end {
		return e.Read(e.Tree.Text(r.Element()))
	}
	var all strings.Builder
	for n := max(r.Element(), e.Tree.Root()); n < end && e.Budget.Step(); n++ {
		all.WriteString(e.Read(e.Tree.Text(n)))
	}
	return all.String()
}

// inside is the run of elements inside a node, from the first up to and without
// the other.
func inside(t *source.Tree, r source.Ref) (first, end source.Node) {
	if r == 0 {
		return t.Root(), source.Node(len(t.Elements))
	}
	return r.Element() + 1, t.Elements[r.Element()].End
}
