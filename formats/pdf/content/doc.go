// Package content reads content streams, whose operators draw the pages of a PDF. CMaps
// have the same syntax.
//
//	err := content.Scan{}.Operators(data, func(op *content.Op) error {
//		fmt.Println(op.Name, op.Args, string(data[op.From:op.To]))
//		return nil
//	})
//
// Nothing is executed. An Op has the position of its bytes, so that a caller can replace
// some operators and leave everything else as it was.
package content
