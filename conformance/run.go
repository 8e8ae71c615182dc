package conformance

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"einvoice/engine"
	"einvoice/engine/pipeline"
)

// ErrNothingCompared is the error of a run that found no document with a verdict
// or an expectation: it shows nothing, so it must not look like agreement.
var ErrNothingCompared = errors.New("nothing was compared: no document in the folders has a recorded verdict or states what to expect")

type suiteOutcome struct {
	suite    *Suite
	outcomes []*outcome
}

// Run validates every document of the suites with the bare rulesets and compares
// each with its verdict and its authors' expectations.
func Run(ctx context.Context, library *engine.Library, suites []*Suite, expected []ExpectedDifference) (*Report, error) {
	started := time.Now()
	p, err := pipeline.New(library, pipeline.Options{Rulesets: compared})
	if err != nil {
		return nil, err
	}
	all := make([]suiteOutcome, len(suites))
	var work []func()
	for i, s := range suites {
		all[i] = suiteOutcome{s, make([]*outcome, len(s.Cases))}
		for j, c := range s.Cases {
			work = append(work, func() { all[i].outcomes[j] = runCase(ctx, p, c) })
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

// inParallel does all work on all cores, unless ctx ends before.
func inParallel(ctx context.Context, work []func()) {
	queue := make(chan func())
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for job := range queue {
				job()
			}
		})
	}
	for _, job := range work {
		if ctx.Err() != nil {
			break
		}
		queue <- job
	}
	close(queue)
	wait.Wait()
}

func runCase(ctx context.Context, p *pipeline.Pipeline, c *Case) *outcome {
	o := &outcome{of: c}
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
		o.places = r.places
		if v == nil {
			v = &r.verdict
		}
	}
	if v == nil && len(c.Fires)+len(c.Passes) == 0 {
		return o
	}
	result, err := p.Validate(ctx, data)
	o.compare(v, result, err)
	return o
}
