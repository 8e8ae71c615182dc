// Package bundle collects every document that came with an invoice: the files
// attached to its PDF, and those inside its XML (BT-125), decoded and named.
//
//	b, err := bundle.Of(data, formats.Options{})
//	for _, f := range b.Files {
//		fmt.Println(f.Name, f.Source, f.Size)
//	}
//	err = b.WriteZIP(w)
//
// The invoice need not be valid, nor even readable: what can be had is in Files,
// and what can not is said in Problems. Names are safe to be used as the names of
// files in one folder, whatever the sender called them.
package bundle
