// Package content reads content streams: what draws the pages of a PDF.
//
//	err := content.Scan(data, func(op *content.Op) error {
//		fmt.Println(op.Name, op.Args, string(data[op.From:op.To]))
//		return nil
//	})
//
// Nothing is executed. Whoever wants to change a stream replaces the bytes of
// operators, and leaves everything else as it was.
package content
