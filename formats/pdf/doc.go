// Package pdf opens hybrid invoices: PDFs that carry the invoice as an attached
// XML file, as Factur-X, ZUGFeRD and XRechnung in PDF do.
//
//	container, err := pdf.Open(data, pdf.Limits{})
//	invoice, err := container.Invoice()
//	xml, err := invoice.Data()
//	fmt.Println(invoice.Name, invoice.Relationship, len(xml))
//
// Attachments are searched for wherever PDF allows them: in the name tree
// EmbeddedFiles, in the associated files (AF) of the document, and in the associated
// files and file attachment annotations of each page. Open checks nothing else:
// whether the PDF is PDF/A, or attaches the invoice as the standards require, is
// decided by rules.
//
// Package pdf is also the access to PDF objects for the packages below it: a
// Document is the table of objects, a Reader follows references in it. The library
// pdfcpu parses the file; no other package uses its model of a document.
//
// A PDF comes from a stranger. Limits bound what it may cost, and every failure,
// including a panic of pdfcpu, is a *problem.Error with a code.
//
// The packages import each other in one direction only (docs/adr/0031-pdf-packages.md):
//
//	content   reads content streams              imports none of the others
//	font      reads font programs                imports none of the others
//	pdf       objects, attachments               imports none of the others
//	text      the text that pages show           imports pdf, content, font
//	inspect   facts for the rules about PDFs     imports pdf, text
//	archive   writes and converts to PDF/A-3     imports pdf, content, font
//	page      draws the pages of an invoice      imports pdf, archive, font
//	verapdf   runs the program veraPDF           imports none of the others
//	pdftest   writes small PDFs for tests        imports none of the others
package pdf
