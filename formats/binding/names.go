package binding

import (
	"bytes"

	"einvoice/model/source"
)

// namesIn finds every qualified name and attribute name in a table by scanning its
// text. This is so much faster than parsing the YAML that it can be done for every
// format before a document is parsed.
func namesIn(table []byte) []source.QName {
	var found []source.QName
	seen := map[string]bool{}
	for i := 0; i < len(table); i++ {
		from := i
		for i < len(table) && isNamePart(table[i]) {
			i++
		}
		word := table[from:i]
		attribute := from > 0 && table[from-1] == '@'
		if !attribute && bytes.IndexByte(word, ':') <= 0 || seen[string(word)] {
			continue
		}
		name := string(word)
		seen[name] = true
		if q, err := source.ParseQName(name); err == nil && q.Local != "" {
			found = append(found, q)
		}
	}
	return found
}

func isNamePart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == ':' || c == '_' || c == '-'
}
