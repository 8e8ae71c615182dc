// Package workbench has the operations of the page /app: a document judged with the places
// of its faults, its pages and fields, corrections that have one right answer, cards of
// rules, drafts of rules, and what a draft changes on an archive. Each is called by name
// with JSON and answers JSON, so that the service and the WebAssembly program in a browser
// run the same code.
//
// Offsets count UTF-16 code units from 0, as editors in browsers do, in a text whose lines
// end with "\n".
//
//	desk := workbench.New(kit, workbench.Config{}) // kit is that of operation.Open
//	answer, err := desk.Call(ctx, "check", []byte(`{"text": "<Invoice ..."}`))
package workbench
