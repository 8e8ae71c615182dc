// Package create makes an invoice document from a request in JSON.
//
//	made, err := create.Document(ctx, pages, "xrechnung", request)
//
// It completes the invoice with the values that follow from others, writes it in the format that
// is asked for, validates what it wrote, and draws pages around it if the format is a PDF. It
// does not deliver a document that violates a rule: the error is then a *write.Refused with the
// report.
package create
