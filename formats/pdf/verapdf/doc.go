// Package verapdf asks the program veraPDF whether a PDF is the PDF/A that it
// claims to be.
//
//	program, err := verapdf.Find("verapdf")
//	verdicts, err := program.Check(ctx, data)
//	for _, v := range verdicts {
//		fmt.Println(v.Profile, v.Compliant, v.Failures)
//	}
//
// veraPDF is not a part of this project and need not be installed; make verapdf installs
// it. A PDF comes from a stranger, so veraPDF gets a copy of its own and limited time,
// and its report is read up to a limit.
package verapdf
