package binding

import (
	"bytes"

	"einvoice/model/source"
)

// mentioned finds every qualified name and attribute name in a table by looking
// at its text only, which is so much faster than parsing it that it can be done
// for every format before a document is parsed.
func mentioned(table []byte) []source.QName {
	var found []source.QName
	for len(table) > 0 {
		i := bytes.IndexFunc(table, isNamePart)
		if i < 0 {
			break
		}
		attribute := i > 0 && table[i-1] == '@'
		table = table[i:]
		end := bytes.IndexFunc(table, func(r rune) bool { return !isNamePart(r) })
		if end < 0 {
			end = len(table)
		}
		word := table[:end]
		table = table[end:]
		if !attribute && bytes.IndexByte(word, ':') < 0 {
			continue
		}
		if q, err := source.ParseQName(string(word)); err == nil && q.Local != "" {
			found = append(found, q)
		}
	}
	return found
}

func isNamePart(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ':' || r == '_' || r == '-'
}
