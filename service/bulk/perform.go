package bulk

import (
	"context"
	"errors"
	"time"
)

// A Performance does single documents outside a job, as a job does them: what goes wrong inside the
// operation ends one document alone, and one that outlives its time is given up.
type Performance struct {
	Operation Operation
	Time      time.Duration // of a document; 0 for as long as it takes
	// Elsewhere does documents in place of the operation, those that are Risky; nil for none.
	Elsewhere Elsewhere
	Risky     func(*Document) bool // nil for all
}

// Do performs the operation on a document. givenUp is why it was given up; "" if it was not.
func (p Performance) Do(ctx context.Context, d Document) (line []byte, outcome Outcome, givenUp string, err error) {
	j := &Job{operation: p.Operation, time: p.Time, elsewhere: p.Elsewhere, risky: p.Risky}
	line, outcome, _, givenUp, err = j.inTimeOrGivenUp(ctx, nil, d)
	return line, outcome, givenUp, err
}

// inTimeOrGivenUp does a document within its time; where that was not enough, its result says so.
func (j *Job) inTimeOrGivenUp(ctx context.Context, data []byte, d Document) (out []byte, outcome Outcome, failure bool, givenUp string, err error) {
	out, outcome, failure, err = j.inTime(ctx, data, d)
	if late, ok := errors.AsType[*lateError](err); ok {
		givenUp = late.Error()
		d.Data, d.Err = nil, late
		out, outcome, failure, err = j.one(ctx, data, &d)
	}
	return out, outcome, failure, givenUp, err
}
