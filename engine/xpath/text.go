package xpath

import (
	"strings"

	"einvoice/model/source"
)

// NormalizeSpace is XPath's normalize-space: no white space at both ends, and
// one space for every run of it inside.
func NormalizeSpace(s string) string {
	for i := range len(s) {
		switch c := s[i]; {
		case c > ' ':
		case c == '\t' || c == '\n' || c == '\r', c == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' '):
			return strings.Join(strings.FieldsFunc(s, isSpace), " ")
		}
	}
	return s // the usual case
}

func isSpace(c rune) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// TextOf is what an element (without its children) or an attribute says.
func TextOf(t *source.Tree, r source.Ref) string {
	if r < 0 {
		return t.Attributes[-1-r].Value
	}
	return t.Text(source.Node(r))
}
