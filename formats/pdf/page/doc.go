// Package page draws an invoice as pages that people read: a tagged PDF/A-3, HTML or SVG that
// shows every term of the invoice.
//
//	rendered, err := page.PDF(ctx, invoice, page.Options{Language: "de"})
//	err = os.WriteFile("invoice.pdf", rendered.Data, 0o644)
//
// The invoice is composed once (package compose), and written in one of three ways (pdfa, html,
// svg). A term that the layout does not name is shown under the further details at the end, or
// with its line: none is left out. To add a language, add its file; a test compares each with
// English.
//
// The content streams are written directly. A library that draws pages would parse
// its fonts for each document, which takes longer than all the rest.
package page
