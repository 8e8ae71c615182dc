// Package formats reads and writes invoices in every syntax that the project
// knows, and converts between them.
//
//	doc, err := formats.Read(data, formats.Options{})
//	if e, ok := errors.AsType[*problem.Error](err); ok {
//		fmt.Println(e.Code, e.Position, e.Message, e.Remedy)
//	}
//	fmt.Println(doc.Syntax, doc.Invoice.Number.Raw)
//
//	c, err := formats.Convert(doc, formats.Target{Syntax: model.CII, CreditNote: isCreditNote})
//	for _, l := range c.Losses {
//		fmt.Println(l.Kind, l.Line, l.Path, l.Value, l.Reason)
//	}
//
// A format is a folder with a table of bindings and a line in the list in
// formats.go. A document is parsed once, and its root element says which format
// it is; what is no invoice is an error that says what it is.
package formats
