package bulk

import (
	"context"
	"errors"
	"time"
)

// An Elsewhere does what Operation.Do does for a document, in another place where it can be ended,
// within a time. Its error is ErrLate where the time was too short, and a *FailedError for what is
// wrong with the document alone; any other ends the run. Several goroutines may call it at a time.
type Elsewhere func(ctx context.Context, d *Document, within time.Duration) (line []byte, o Outcome, err error)

// ErrLate is the error of work that outlived its time.
var ErrLate = errors.New("the document took too long")

// A FailedError is the error of a document that something failed on.
type FailedError struct{ Cause error }

func (e *FailedError) Error() string { return e.Cause.Error() }

// Unwrap gives what failed.
func (e *FailedError) Unwrap() error { return e.Cause }

// Place is where a document is among those of a job.
func (d *Document) Place() (batch, at int) { return d.at.Batch, d.at.At }

// Placed is a document of a job, elsewhere.
func Placed(key string, data []byte, batch, at int) *Document {
	return &Document{Key: key, Data: data, at: place{batch, at}}
}

// elsewhereInTime is inTime for what is done elsewhere.
func (j *Job) elsewhereInTime(ctx context.Context, data []byte, d Document) (out []byte, outcome Outcome, failure bool, err error) {
	for range lateTries {
		line, outcome, err := j.elsewhere(ctx, &d, j.time)
		failed, isFailed := errors.AsType[*FailedError](err)
		switch {
		case err == nil:
			return append(data, line...), outcome, false, nil
		case ctx.Err() != nil:
			return nil, outcome, false, ctx.Err()
		case isFailed:
			d.Data, d.Err = nil, failed.Cause
			out, outcome, _, err = j.one(ctx, data, &d)
			return out, outcome, true, err
		case !errors.Is(err, ErrLate):
			return nil, outcome, false, err
		}
	}
	return nil, outcome, false, &lateError{time: j.time, stops: true}
}
