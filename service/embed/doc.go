// Package embed converts any PDF to PDF/A-3 and attaches an invoice in CII to it.
//
//	made, err := embed.Document(ctx, service, pages, xml, embed.Options{})
//
// It refuses an invoice that is not valid, and a PDF that cannot be converted. The package also
// says which files are attached to the PDFs that other packages make.
package embed
