// Package bundle collects all documents that belong to an invoice: the files that are
// attached to its PDF, and those inside its XML (BT-125 and, in Factur-X EXTENDED, those of
// references), decoded and with file names.
//
//	b, err := bundle.Of(data, hybrid.Options())
//	for _, f := range b.Files {
//		fmt.Println(f.Name, f.Source, f.Size)
//	}
//	err = b.WriteZIP(w)
//
// The invoice need not be valid, and need not even be readable: Files are the documents
// that could be collected, and Problems say why others could not. The names are safe
// to use for files in one folder, independent of the names that the sender chose.
package bundle
