// Package conformance compares the validator with the verdicts of the published
// artefacts on the official test documents, rule by rule and level by level.
//
//	suites, err := conformance.Collect("eInvoicing-EN16931", "xrechnung-schematron")
//	report, err := conformance.Run(ctx, library, suites, expected)
//	report.WriteText(os.Stdout, false)
//	ok := report.OK()
//
// A suite is a folder as its authors publish it, with plain documents, CEN testSet files,
// or instances with xmute instructions; or a prepared folder, with verdicts.jsonl and
// manifest.jsonl beside the documents. The artefacts' verdicts are recorded in verdicts/,
// by the SHA-256 of each document.
package conformance
