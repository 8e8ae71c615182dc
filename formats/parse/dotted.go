package parse

import (
	"strconv"
	"strings"
)

// Dotted returns a JSON pointer in the form that the fields of findings have:
// lines[0].netAmount for /lines/0/netAmount.
func Dotted(pointer string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		switch _, err := strconv.Atoi(part); {
		case err == nil:
			b.WriteString("[" + part + "]")
		case i == 0:
			b.WriteString(part)
		default:
			b.WriteString("." + part)
		}
	}
	return b.String()
}
