package conformance

import (
	"context"
	"errors"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/formats/hybrid"
)

// DifferingMutants are the mutants that decide otherwise than their rules on any document
// of the suites, and the number of documents.
func DifferingMutants(ctx context.Context, l *engine.Library, mutants []ruletest.Mutant, suites []*Suite) (differing []ruletest.Mutant, documents int, err error) {
	o := ruletest.ObserveMutants(l, mutants)
	var work []func()
	read := make(chan struct{})
	for _, s := range suites {
		for _, c := range s.Cases {
			work = append(work, func() {
				data, err := c.Data()
				if err != nil {
					return
				}
				doc, err := formats.Read(data, hybrid.Options())
				if err != nil {
					return // it is not an invoice
				}
				if _, err := o.Validator.Validate(ctx, doc); err == nil {
					read <- struct{}{}
				}
			})
		}
	}
	go func() {
		defer close(read)
		inParallel(ctx, work)
	}()
	for range read {
		documents++
	}
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	if documents == 0 {
		return nil, 0, errors.New("there is no document to try the changes on")
	}
	return o.Differing(), documents, nil
}
