package binding

import (
	"strings"

	"einvoice/model/source"

	"gopkg.in/yaml.v3"
)

// namesIn finds every qualified name and attribute name in the texts of a table.
func namesIn(table *yaml.Node) []source.QName {
	f := nameFinder{seen: map[string]bool{}}
	f.inside(table)
	return f.found
}

type nameFinder struct {
	seen  map[string]bool
	found []source.QName
}

func (f *nameFinder) inside(n *yaml.Node) {
	f.in(n.Value)
	for _, inside := range n.Content {
		f.inside(inside)
	}
}

func (f *nameFinder) in(text string) {
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isNamePart(text[i]) {
			i++
		}
		name := text[from:i]
		attribute := from > 0 && text[from-1] == '@'
		if !attribute && strings.IndexByte(name, ':') <= 0 || f.seen[name] {
			continue
		}
		f.seen[name] = true
		if q, err := source.ParseQName(name); err == nil && q.Local != "" {
			f.found = append(f.found, q)
		}
	}
}

func isNamePart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == ':' || c == '_' || c == '-'
}
