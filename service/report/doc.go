// Package report writes what validations found, in the formats that people, programs
// and CI systems read. The command line (validate -o NAME) and the HTTP API (Accept)
// choose from one list, Formats; a new format is a file of this package and a line
// there.
//
//	w := report.Named("sarif").New(os.Stdout, report.Options{Library: library})
//	part, err := w.Encode(&report.Outcome{Name: "invoice.xml", Report: result.Report, Document: result.Document})
//	err = w.Write(part)
//	err = w.Close(&summary)
package report
