package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
)

// A Summary is how far a job is, and what its results say so far.
type Summary struct {
	Operation string `json:"operation"`
	Source    string `json:"source"`
	Digest    string `json:"digest"`
	All       int    `json:"all"` // documents of the manifest; 0 while the source is being listed
	Bytes     int64  `json:"bytes"`
	// Duplicates counts the documents that have the bytes of an earlier one.
	Duplicates int `json:"duplicates"`
	// Others counts the files of the source that were not looked at, because their names do not
	// end as those of invoices do.
	Others int `json:"others,omitempty"`
	// Together is what was found by holding the documents against each other; nil where that
	// was not asked for, or is not done.
	Together *TogetherCounts `json:"together,omitempty"`
	Counts
	comparing bool // the documents are to be compared with each other, and are not yet
}

// Complete reports whether every document is done, and compared with the others where that was
// asked for.
func (s *Summary) Complete() bool { return s.All > 0 && s.Documents == s.All && !s.comparing }

// State says in a few words how far the job is.
func (s *Summary) State() string {
	switch {
	case s.Complete():
		return "complete"
	case s.All == 0 && s.Documents == 0:
		return "no document is done yet"
	case s.All == 0:
		return fmt.Sprintf("documents that are done: %d; the source is not listed to its end", s.Documents)
	case s.Documents < s.All:
		return fmt.Sprintf("documents that are done: %d of %d", s.Documents, s.All)
	default:
		return fmt.Sprintf("documents that are done: %d; they are not yet compared with each other", s.Documents)
	}
}

// Status reads the summary of a target, while the job runs or later.
func Status(ctx context.Context, t Target) (*Summary, error) {
	info, err := existing(ctx, t)
	if err != nil {
		return nil, err
	}
	s := &Summary{Operation: info.Operation, Source: info.Source, Digest: info.Digest, Counts: *newCounts()}
	if m := info.Manifest; m != nil {
		s.All, s.Bytes, s.Duplicates, s.Others = m.Documents, m.Bytes, m.Duplicates, m.Others
	}
	done, err := (&finished{target: t, jobInfo: info}).done(ctx)
	if err != nil {
		return nil, err
	}
	for batch := range done.all() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		head, err := readHead(ctx, t, batch)
		if info.Manifest == nil && errors.Is(err, fs.ErrNotExist) { // it was of another listing
			continue
		}
		if err != nil {
			return nil, err
		}
		s.merge(&head.Counts)
	}
	s.finish()
	s.Together, err = readTogether(ctx, t)
	s.comparing = info.Together && s.Together == nil
	return s, err
}

func readTogether(ctx context.Context, t Target) (*TogetherCounts, error) {
	data, err := readFile(ctx, t, togetherCounts)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	counts := &TogetherCounts{}
	if err == nil {
		err = json.Unmarshal(data, counts)
	}
	return counts, err
}

// Results are those of a job that are there.
type Results struct {
	Target  Target
	Formats []Format // that the program has besides JSON Lines
	As      *Format  // that they are written in; nil for JSON Lines
}

// WritePart writes the results of one batch of documents. The error of a batch that is not done
// is fs.ErrNotExist. next is the first batch after it that is done, -1 where there is none yet.
func (r *Results) WritePart(ctx context.Context, w io.Writer, batch int) (next int, err error) {
	of, err := r.open(ctx)
	if err != nil {
		return -1, err
	}
	next = -1
	for other := range of.done.all() {
		if other > batch {
			next = other
			break
		}
	}
	if batch < 0 || !of.done.has(batch) {
		return next, fs.ErrNotExist
	}
	return next, of.write(ctx, w, func(yield func(int) bool) { yield(batch) })
}

// WriteAll writes the results in the order of the manifest.
func (r *Results) WriteAll(ctx context.Context, w io.Writer) error {
	of, err := r.open(ctx)
	if err != nil {
		return err
	}
	return of.write(ctx, w, of.done.all())
}

// openResults are results of batches that are done.
type openResults struct {
	*Results
	jobInfo
	format *Format // of the segments
	done   batchSet
}

func (r *Results) open(ctx context.Context) (of *openResults, err error) {
	of = &openResults{Results: r}
	if of.jobInfo, err = existing(ctx, r.Target); err != nil {
		return nil, err
	}
	if of.format, err = formatNamed(of.Format, r.Formats); err != nil {
		return nil, err
	}
	of.done, err = (&finished{target: r.Target, jobInfo: of.jobInfo}).done(ctx)
	return of, err
}

// write writes the results of some batches.
func (of *openResults) write(ctx context.Context, w io.Writer, batches iter.Seq[int]) (err error) {
	var rows RowWriter
	if of.As != nil {
		rows = of.As.Write(w)
		defer func() { err = errors.Join(err, rows.Close()) }()
	}
	for batch := range batches {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := readFile(ctx, of.Target, of.segmentName(batch))
		if of.Manifest == nil && errors.Is(err, fs.ErrNotExist) { // it was of another listing
			continue
		}
		if err == nil {
			data, err = of.format.decode(data)
		}
		if err == nil {
			err = of.writeBatch(ctx, w, rows, batch, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (of *openResults) writeBatch(ctx context.Context, w io.Writer, rows RowWriter, batch int, lines []byte) error {
	if rows == nil {
		_, err := w.Write(lines)
		return err
	}
	documents, err := rowsOf(ctx, of.Target, batch, lines)
	if err != nil {
		return err
	}
	return rows.WriteRows(documents)
}
