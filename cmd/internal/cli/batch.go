package cli

import (
	"context"
	"io"
	"time"

	"einvoice/engine/words"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

// batch validates many documents, several at a time, and reports them in the order of
// the paths.
type batch struct {
	service *operation.Kit
	rules   validate.Rules
	// language is that of the messages; nil for English.
	language *words.Language
	paths    []string
	stdin    io.Reader
	limit    int64 // bytes of a document
	jobs     int
	report   report.Writer
}

// A validated document is what remains of it: as large as its report.
type validated struct {
	outcome *report.Outcome
	part    report.Part
	err     error // of the report, which then ends
}

// run validates all documents and writes the report.
func (b *batch) run(cmd *cobra.Command) (*report.Summary, error) {
	summary := &report.Summary{Asked: len(b.paths)}
	go b.service.Prepare(b.rules)
	started := time.Now()
	bar := progress(cmd.ErrOrStderr(), cmd.OutOrStdout(), len(b.paths))
	err := b.each(cmd.Context(), func(v validated) error {
		if v.err != nil {
			return v.err
		}
		summary.Add(v.outcome)
		_ = bar.Add(1)
		return b.report.Write(v.part)
	})
	_ = bar.Finish()
	if err != nil {
		return nil, err
	}
	summary.Stopped, summary.Took = cmd.Context().Err() != nil, time.Since(started)
	return summary, b.report.Close(summary)
}

// each validates the documents and yields them in the order of the paths.
func (b *batch) each(ctx context.Context, yield func(validated) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Each path has a channel of its own; the queue of these channels is in order and
	// bounds how far the workers may run ahead. Waking a worker costs much compared with
	// the tenth of a millisecond that a document takes, so work is handed out in advance.
	const ahead = 64
	jobs := max(b.jobs, 1)
	queue := make(chan chan validated, ahead*jobs)
	work := make(chan func(), ahead*jobs)
	var workers errgroup.Group
	for range jobs {
		workers.Go(func() error {
			for job := range work {
				job()
			}
			return nil
		})
	}
	workers.Go(func() error {
		defer close(queue)
		defer close(work)
		for _, path := range b.paths {
			done := make(chan validated, 1)
			select {
			case queue <- done:
			case <-ctx.Done():
				return nil
			}
			work <- func() { done <- b.one(ctx, path) }
		}
		return nil
	})
	var failure error
	for done := range queue {
		v := <-done
		if failure == nil && ctx.Err() == nil {
			if failure = yield(v); failure != nil {
				cancel()
			}
		}
	}
	_ = workers.Wait() // none of them fails
	return failure
}

// one validates a document and keeps no more of it than its report.
func (b *batch) one(ctx context.Context, path string) validated {
	o := &report.Outcome{Name: path}
	data, err := readInput(path, b.stdin, b.limit)
	if err == nil {
		var result *validate.Result
		defer func() { result.GiveBack() }()
		if result, err = b.service.Validate(ctx, data, b.rules); err == nil {
			o.Report, o.Document = result.Report, result.Document
			err = o.Report.Translate(b.language)
		}
	}
	o.Err = err
	part, err := b.report.Encode(o)
	o.Document = nil
	return validated{o, part, err}
}
