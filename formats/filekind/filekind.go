// Package filekind tells what a file is by its first bytes, without reading it.
package filekind

import "bytes"

// headBytes is where the header of a PDF is searched.
const headBytes = 1024

// IsPDF reports whether data is a PDF. A few other bytes before the header are accepted,
// as PDF readers accept them. XML that mentions a PDF header is XML.
func IsPDF(data []byte) bool {
	head := data[:min(len(data), headBytes)]
	markup := bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("<"))
	return !markup && bytes.Contains(head, []byte("%PDF-"))
}
