// Package create makes invoice documents: out of the JSON of a request, and out
// of documents in another syntax or profile. The command line and the HTTP API
// share it.
//
//	creator := create.New(library, formats.Options{})
//	request, err := create.ReadRequest(body)                  // *jsoninvoice.Error: every mistake in the JSON
//	created, err := creator.Create(ctx, "xrechnung", request) // *create.Refused: the findings
//
// A document is held against its schema and all rules of its profile before it is
// handed out; one that violates a rule is not. Nothing of a request is dropped: a
// term that has no place in the document is a finding as well.
package create
