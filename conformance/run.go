package conformance

import (
	"context"
	"errors"
	"runtime"
	"time"

	"einvoice/engine"
	"einvoice/service/operation"

	"golang.org/x/sync/errgroup"
)

// ErrNothingCompared is the error of a run that found no document with a verdict or an
// expectation. Such a run shows nothing, so it must not look like agreement.
var ErrNothingCompared = errors.New("nothing was compared: no document in the folders has a recorded verdict or states what to expect")

// ErrNothingCovered is the error of Cover where the folders have no document.
var ErrNothingCovered = errors.New("nothing was covered: no document in the folders can be read as an invoice; name folders with invoices")

type suiteOutcome struct {
	suite    *Suite
	outcomes []*outcome
}

// Run validates every document of the suites with the rulesets alone, without a profile,
// and compares the results with the verdicts and the authors' expectations.
func Run(ctx context.Context, library *engine.Library, suites []*Suite, expected []ExpectedDifference) (*Report, error) {
	started := time.Now()
	validator := operation.New(library, operation.Config{})
	if err := validator.CheckRules(rulesFor(nil)); err != nil {
		return nil, err
	}
	all := make([]suiteOutcome, len(suites))
	var work []func()
	for i, s := range suites {
		all[i] = suiteOutcome{s, make([]*outcome, len(s.Cases))}
		for j, c := range s.Cases {
			work = append(work, func() { all[i].outcomes[j] = runCase(ctx, validator, c) })
		}
	}
	inParallel(ctx, work)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := newReport(all, expected)
	r.Took = time.Since(started)
	if r.Compared == 0 && r.Unreadable == 0 {
		return nil, ErrNothingCompared
	}
	return r, nil
}

// inParallel runs all jobs on all cores. It starts no more jobs when ctx ends.
func inParallel(ctx context.Context, work []func()) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, job := range work {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			job()
			return nil
		})
	}
	_ = group.Wait() // no job fails
}

func runCase(ctx context.Context, validator *operation.Kit, c *Case) *outcome {
	o := &outcome{testCase: c}
	data, err := c.Data()
	if err != nil {
		o.unreadable = err
		return o
	}
	r, err := lookUp(data)
	if err != nil {
		o.unreadable = err
		return o
	}
	v := c.Verdict
	if r != nil {
		o.occurrences = r.occurrences
		if v == nil {
			v = &r.verdicts[0]
		}
	}
	if v == nil && len(c.Fires)+len(c.Passes) == 0 {
		return o
	}
	result, err := validator.Validate(ctx, data, rulesFor(v))
	o.compare(v, result, err)
	result.GiveBack()
	return o
}
