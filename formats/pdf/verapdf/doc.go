// Package verapdf asks the program veraPDF whether a PDF is the PDF/A that it
// claims to be.
//
//	program, err := verapdf.Find("verapdf")
//	verdicts, err := program.Check(ctx, data)
//	for _, v := range verdicts {
//		fmt.Println(v.Profile, v.Compliant, v.Failures)
//	}
//
// veraPDF is no part of this project and need not be there: make verapdf installs
// it. It reads what a stranger sent, so it is given a copy of its own, little
// time, and its answer is read to a limit.
package verapdf
