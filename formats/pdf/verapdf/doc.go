// Package verapdf asks the program veraPDF whether a PDF is the PDF/A that it
// claims to be.
//
//	program, err := verapdf.Find("verapdf")
//	verdict, err := program.Check(ctx, data)
//	for _, f := range verdict.Failures {
//		fmt.Println(f.Clause, f.Test, f.Message)
//	}
//
// veraPDF is no part of this project and need not be there: make verapdf installs
// it. It reads what a stranger sent, so it is given a copy of its own, little
// time, and its answer is read to a limit.
package verapdf
