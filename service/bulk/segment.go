package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// segmentsInFolder is how many segments one folder holds.
const segmentsInFolder = 1000

// segment is the file of the results of a batch.
func (j *Job) segment(batch int) string {
	return filepath.Join(j.folder, resultsFolder, fmt.Sprintf("%04d", batch/segmentsInFolder), fmt.Sprintf("%07d.jsonl", batch))
}

// counts is the file of what the summary counts of a batch.
func (j *Job) counts(batch int) string {
	name := j.segment(batch)
	return name[:len(name)-len(".jsonl")] + ".counts.json"
}

// isDone tells whether a batch has its segment.
func (j *Job) isDone(batch int) (bool, error) {
	_, err := os.Stat(j.segment(batch))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, notWritten(err)
	}
	return true, nil
}

// do performs the operation on the documents of a batch and writes the segment.
func (j *Job) do(ctx context.Context, source Source, b batch) error {
	if done, err := j.isDone(b.Number); done || err != nil {
		return err
	}
	guard, err := newGuard(j.work(filepath.Join("begun", strconv.Itoa(b.Number))))
	if err != nil {
		return err
	}
	var segment []byte
	counts := newCounts()
	for i, e := range b.Entries {
		if segment, err = j.entry(ctx, source, guard, i, e, segment, counts); err != nil {
			break
		}
	}
	if err == nil {
		err = j.writeSegment(b.Number, segment, counts)
	}
	guard.ends() // not reached when the process ends
	return err
}

// entry does a document of a batch.
func (j *Job) entry(ctx context.Context, source Source, guard *guard, i int, e Entry, segment []byte, counts *Counts) ([]byte, error) {
	var data []byte
	var failed error
	if reason := guard.givesUp(i); reason != "" {
		failed = errors.New(reason)
		counts.GivenUp = append(counts.GivenUp, GivenUp{e.Key, reason})
	} else {
		if err := guard.begins(i, e.Key); err != nil {
			return nil, err
		}
		data, failed = source.Read(ctx, e.Key)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	segment, outcome, err := j.one(ctx, segment, e, data, failed)
	if err == nil {
		err = ctx.Err() // the operation may have ended early
	}
	if err == nil {
		counts.add(e.Key, &outcome)
	}
	return segment, err
}

// one does one document. What goes wrong inside the operation ends this document alone.
func (j *Job) one(ctx context.Context, segment []byte, e Entry, data []byte, failed error) (out []byte, outcome Outcome, err error) {
	length := len(segment)
	defer func() {
		if r := recover(); r != nil {
			out, outcome, err = j.operation.Do(ctx, segment[:length], e.Key, nil, fmt.Errorf("the program failed on this document: %v", r))
			outcome.Verdict = Unreadable
		}
	}()
	return j.operation.Do(ctx, segment, e.Key, data, failed)
}

// writeSegment writes first what is counted, then the results: a segment that is there has
// its counts.
func (j *Job) writeSegment(number int, segment []byte, counts *Counts) error {
	folder := filepath.Dir(j.segment(number))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return notWritten(err)
	}
	counts.finish()
	data, err := json.Marshal(counts)
	if err != nil {
		return err
	}
	if err := writeWhole(j.counts(number), data); err != nil {
		return err
	}
	if err := writeWhole(j.segment(number), segment); err != nil {
		return err
	}
	return syncFolder(folder)
}
