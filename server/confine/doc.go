// Package confine does work in processes of its own, so that it can be ended where it
// stands: when its time is over or its client is gone, the work stops within Grace, and its
// memory is free. Parsers of PDFs, pictures and fonts cannot be asked to stop.
//
// The owner of a Pool calls it for each piece of work. A process does one at a time and is
// used again:
//
//	pool := confine.New(confine.Options{Command: command})
//	reply, err := pool.Do(ctx, &confine.Call{Method: "POST", URL: "/v1/parse/json", Body: body}, owner)
//
// The process answers with Serve on its standard input and output. It ends with its owner.
package confine
