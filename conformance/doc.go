// Package conformance holds the validator against what the published artefacts
// say of the official test documents, rule by rule and level by level.
//
//	suites, err := conformance.Collect("eInvoicing-EN16931", "xrechnung-schematron")
//	report, err := conformance.Run(ctx, library, suites, expected)
//	report.WriteText(os.Stdout, false)
//	ok := report.OK()
//
// A suite is a folder as its authors publish it: plain documents, CEN testSet
// files, instances with xmute instructions; or a folder that was prepared, with
// verdicts.jsonl and manifest.jsonl beside the documents. What the artefacts say
// of a document is recorded in verdicts/, by the document's SHA-256.
package conformance
