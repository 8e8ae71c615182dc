// Package formats reads invoices in every supported syntax, writes them, and
// converts between syntaxes.
//
//	doc, err := formats.Read(data, formats.Options{})
//	if e, ok := errors.AsType[*problem.Error](err); ok {
//		fmt.Println(e.Code, e.Position, e.Message, e.Remedy)
//	}
//	fmt.Println(doc.Syntax, doc.Invoice.Number.Raw)
//
//	c, err := formats.Convert(ctx, doc, formats.Output{Syntax: model.CII, CreditNote: isCreditNote})
//	for _, l := range c.Losses {
//		fmt.Println(l.Kind, l.Line, l.Path, l.Value, l.Reason)
//	}
//
// A format is an entry in the list of package syntax, and a folder here with a table of
// bindings. A document is parsed once. Its root element decides which format it is; if
// no format reads it, the error says what the document is instead.
package formats
