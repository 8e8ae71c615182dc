// Package service performs the operations on invoices, named as the HTTP API names
// them: validate, create, convert, transform, embed, extract and render. The command
// line, the HTTP API and the conformance runs all work through it, and so can any Go
// program:
//
//	s, err := service.Open(service.Config{})
//	data, err := os.ReadFile("invoice.xml")
//	result, err := s.Validate(ctx, data, service.Rules{})
//
// An input that cannot be processed is a *problem.Error. A document that was made is
// validated before it is delivered; one that violates a rule is a *Refused instead,
// with the findings. Nothing of a request is dropped silently: a term that has no place
// in the document is a finding or a loss.
//
// Package report writes what a validation found, as text, JSON, SARIF and other formats.
package service
