// Package pdfa writes PDF/A-3, the kind of PDF that may carry an invoice: pages
// with their fonts and colours in the file, and files attached by the rules of
// ISO 19005-3, Factur-X and ZUGFeRD.
//
//	files := []archive.File{{Name: "factur-x.xml", MIME: "text/xml", Relationship: "Alternative", Data: xml}}
//	data, err := archive.Write(ctx, archive.Metadata{Title: "Invoice 42", Language: "en", Date: date}, files)
//
// Write finishes a document whose pages are fit already. What it writes depends
// on its arguments alone: the same document, date and files give the same bytes.
package archive
