// Package bulk performs one operation on any number of documents, so that none is lost and
// none is done twice, whatever stops on the way.
//
//	job, err := bulk.Open(ctx, bulk.Order{Target: bulk.Folder("results"), Source: "invoices", Operation: operation})
//	err = job.Run(ctx, bulk.Running{Source: source, Jobs: 2})   // may be stopped, killed and called again
//	summary, err := bulk.Status(ctx, bulk.Folder("results"))
//
// The manifest is the truth: what there is to do. A queue hands its documents out in
// batches, inside the process or, with a Broker, to workers on several machines. A worker
// reads the documents of a batch, performs the operation, writes the results as one file, a
// segment, and only then says that the batch is done. A segment is there as a whole or not at
// all, and what has one is not done again. Nothing relies on the queue: when it is lost, it
// is filled again with the batches of the manifest that have no segment.
//
// A document that ends its worker is found by doing its batch again with a note of each
// document before it is begun; one that was in hand at an end is done alone from then on. After
// a third time it is left out, and is in the list of what was given up, with the reason.
package bulk
