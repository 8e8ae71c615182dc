// Package page draws an invoice as pages that people read: a tagged PDF/A-3 that
// shows every term of the invoice.
//
//	rendered, err := page.PDF(invoice, page.Options{Language: "de"})
//	err = os.WriteFile("invoice.pdf", rendered.Data, 0o644)
//
// Where each term is shown is data, in layout.yaml; how pages look is another, in looks. What terms and codes are called,
// and how numbers and dates are written, is a file for each language in the folder
// languages. A term that the layout does not name is shown under the further details
// at the end, or with its line: none is left out. To add a language, add its file; a
// test compares each with English.
//
// The content streams are written directly. A library that draws pages would parse
// its fonts for each document, which takes longer than all the rest.
package page
