package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"einvoice/service/bulk"
)

// mostEnds is how often the process may end while it did a document and nothing beside it.
const mostEnds = 2

// do judges a document and takes it to the place of its verdict. Each step can be done again: the
// report is written, then the log, then the document is moved, and whoever goes on after an end
// finds by these how far it was.
func (l *Line) do(ctx context.Context, d *Document) error {
	place, err := l.Target.Reported(ctx, d)
	if err != nil {
		return err
	}
	var result Result
	var line []byte
	if place == "" {
		result, line, err = l.judge(ctx, d)
		if errors.Is(err, ErrGone) {
			return l.Target.Forget(ctx, d)
		}
		if err != nil {
			return err
		}
		place = result.Place
	}
	if err := l.Target.Finish(ctx, d, place, line, l.By.Operation.Digest()); err != nil {
		return err
	}
	if l.Done != nil && line != nil {
		l.Done(result)
	}
	return nil
}

// judge does a document and writes its report.
func (l *Line) judge(ctx context.Context, d *Document) (result Result, line []byte, err error) {
	ends, endsAlone, err := l.Target.Begun(ctx, d)
	if err != nil {
		return result, nil, err
	}
	alone := ends > 0
	over, err := l.Turns.Take(ctx, alone)
	if err != nil {
		return result, nil, err
	}
	defer over()
	began := time.Now()
	given := bulk.Document{Key: d.Name}
	givenUp := ""
	if endsAlone >= mostEnds {
		givenUp = fmt.Sprintf("given up: the process that worked on this document, and on nothing else, ended %d times", endsAlone)
		given.Err = errors.New(givenUp)
	} else {
		if err := l.Target.Begin(ctx, d, alone); err != nil {
			return result, nil, err
		}
		d.data, given.Err = d.Origin.Read(ctx, l.Limit)
		if errors.Is(given.Err, ErrGone) || errors.Is(given.Err, bulk.ErrUnavailable) {
			return result, nil, given.Err
		}
		given.Data = d.data
	}
	line, outcome, late, err := l.By.Do(ctx, given)
	if err != nil {
		return result, nil, err
	}
	if late != "" {
		givenUp = late
	}
	outcome.Took = time.Since(began)
	result = Result{Outcome: outcome, Source: d.Source, Place: string(outcome.Verdict), Waited: time.Since(d.Came)}
	if givenUp != "" {
		result.Place = Dead
	}
	return result, line, l.Target.Report(ctx, d, result.Place, line, l.By.Operation.Digest())
}
