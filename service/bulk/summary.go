package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Summary is how far a job is, and what its results say so far.
type Summary struct {
	Operation string `json:"operation"`
	Source    string `json:"source"`
	Digest    string `json:"digest"`
	All       int    `json:"all"` // documents of the manifest; 0 while it is being written
	Bytes     int64  `json:"bytes"`
	Counts
}

// Complete tells whether every document is done.
func (s *Summary) Complete() bool { return s.All > 0 && s.Documents == s.All }

// Status reads the summary of a folder, while the job runs or later.
func Status(ctx context.Context, folder string) (*Summary, error) {
	if _, _, err := About(folder); err != nil {
		return nil, err
	}
	info, err := readJob(folder)
	if err != nil {
		return nil, err
	}
	s := &Summary{Operation: info.Operation, Source: info.Source, Digest: info.Digest, Counts: *newCounts()}
	if info.Manifest == nil {
		return s, nil
	}
	s.All, s.Bytes = info.Manifest.Documents, info.Manifest.Bytes
	j := &Job{folder: folder, manifest: *info.Manifest}
	for batch := 1; batch <= info.Manifest.Batches; batch++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if done, err := j.isDone(batch); err != nil || !done {
			if err != nil {
				return nil, err
			}
			continue
		}
		data, err := os.ReadFile(j.counts(batch))
		if err != nil {
			return nil, err
		}
		var counts Counts
		if err := json.Unmarshal(data, &counts); err != nil {
			return nil, fmt.Errorf("%s: %w", j.counts(batch), err)
		}
		s.merge(&counts)
	}
	s.finish()
	return s, nil
}

// Results writes the results that are there, in the order of the manifest.
func Results(ctx context.Context, folder string, w io.Writer) error {
	info, err := readJob(folder)
	if err != nil || info.Manifest == nil {
		return err
	}
	j := &Job{folder: folder, manifest: *info.Manifest}
	for batch := 1; batch <= info.Manifest.Batches && ctx.Err() == nil; batch++ {
		f, err := os.Open(j.segment(batch))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return ctx.Err()
}
