// Package render prints an invoice as a page that people read: a tagged PDF/A-3
// that carries every term of the invoice.
//
//	rendered, err := page.PDF(invoice, page.Options{Language: "de"})
//	err = os.WriteFile("invoice.pdf", rendered.Data, 0o644)
//
// Where each term stands is said by layout.yaml, and how terms and codes are called
// by a file for each language in the folder languages. A term that the layout does
// not place is printed at the end, or with its line: none is left out. A language
// is added by adding its file; a test holds each against English.
//
// Pages are written directly: the library that would draw them parses its fonts
// for each document, which takes longer than all the rest.
package page
