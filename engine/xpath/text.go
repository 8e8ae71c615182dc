package xpath

import (
	"strings"

	"einvoice/model/source"
)

// NormalizeSpace is XPath's normalize-space: no white space at both ends, and
// one space for every run of it inside.
func NormalizeSpace(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") && !strings.Contains(s, "  ") {
		return strings.Trim(s, " ")
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }), " ")
}

// TextOf is what an element (without its children) or an attribute says.
func TextOf(t *source.Tree, r source.Ref) string {
	if r < 0 {
		return t.Attributes[-1-r].Value
	}
	return t.Text(source.Node(r))
}
