package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
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
}

// Complete tells whether every document is done.
func (s *Summary) Complete() bool { return s.All > 0 && s.Documents == s.All }

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

// Part is the results of one batch of documents, as JSON Lines; next is the first batch after
// it that is done, -1 where there is none yet. The error of a batch that is not done is
// fs.ErrNotExist.
func Part(ctx context.Context, t Target, batch int, formats []Format) (data []byte, next int, err error) {
	info, err := existing(ctx, t)
	if err != nil {
		return nil, -1, err
	}
	format, err := formatNamed(info.Format, formats)
	if err != nil {
		return nil, -1, err
	}
	done, err := (&finished{target: t, jobInfo: info}).done(ctx)
	if err != nil {
		return nil, -1, err
	}
	next = -1
	for other := range done.all() {
		if other > batch {
			next = other
			break
		}
	}
	if batch < 0 || !done.has(batch) {
		return nil, next, fs.ErrNotExist
	}
	if data, err = readFile(ctx, t, info.segmentName(batch)); err == nil {
		data, err = format.decode(data)
	}
	return data, next, err
}

// Results writes the results that are there as JSON Lines, in the order of the manifest. Formats
// are those that the program has.
func Results(ctx context.Context, t Target, w io.Writer, formats []Format) error {
	info, err := existing(ctx, t)
	if err != nil {
		return err
	}
	format, err := formatNamed(info.Format, formats)
	if err != nil {
		return err
	}
	done, err := (&finished{target: t, jobInfo: info}).done(ctx)
	if err != nil {
		return err
	}
	for batch := range done.all() {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := readFile(ctx, t, info.segmentName(batch))
		if info.Manifest == nil && errors.Is(err, fs.ErrNotExist) { // likewise
			continue
		}
		if err == nil {
			data, err = format.decode(data)
		}
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
