// Package validate checks invoices against the rules of the profile that they declare:
//
//	result, err := validate.Document(ctx, file)
//	fmt.Println(result.Report.Valid, len(result.Report.Findings))
//
// A Service does so for many documents, with limits and rulesets of its own:
//
//	s, err := validate.Open(validate.Config{Read: hybrid.Options()})
//	result, err := s.Validate(ctx, data, validate.Rules{})
//
// An input that cannot be processed is a *problem.Error; what is wrong with an invoice is in
// the report, which package report writes as text, JSON, SARIF and other formats.
//
// The package reads XML. A program passes in what opens PDFs, reads their pages and runs veraPDF
// (packages hybrid, compare and verapdf), so that a program links what it uses. The other
// operations are packages beside this one, and work with its Service.
package validate
