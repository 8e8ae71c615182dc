// Package archive writes PDF/A-3, the kind of PDF that may carry an invoice: fonts
// and colour spaces are part of the file, and files are attached as ISO 19005-3,
// Factur-X and ZUGFeRD require.
//
//	files := []archive.File{{Name: "factur-x.xml", MIME: "text/xml", Relationship: "Alternative", Data: xml}}
//	metadata := archive.Metadata{Title: "Invoice 42", Language: "en", Date: &date}
//	data, err := archive.Write(ctx, document, metadata, files)          // pages that conform already
//	converted, err := archive.Convert(data, metadata, files, pdf.Limits{}) // any other PDF
//
// Write completes a document whose pages conform to PDF/A. Convert walks all that the
// pages of a PDF use, repairs what can be repaired in one way only, and refuses the
// rest with reason and page. It does not draw pages again.
//
// The output depends on the arguments alone: the same document, date and files give
// the same bytes.
package archive
