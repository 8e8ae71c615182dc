// Package pdf opens hybrid invoices: PDFs that carry the invoice as an attached
// XML file, as Factur-X, ZUGFeRD and XRechnung in PDF do.
//
//	container, err := pdf.Open(data, pdf.Limits{})
//	invoice, err := container.Invoice()
//	xml, err := invoice.Data()
//	fmt.Println(invoice.Name, invoice.Relationship, len(xml))
//
// Attachments are looked for wherever PDF lets them be: the document's name tree
// with its kids, its associated files, and those and the file annotations of
// each page. Nothing is asked of the PDF beyond that: whether it is PDF/A, or
// carries the attachment by the book, is for rules to say.
//
// A PDF comes from a stranger. What it may cost is bounded by Limits, and every
// failure, a panic of the library below included, is an *Error with a code.
package pdf
