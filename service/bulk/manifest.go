package bulk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// manifestInfo counts a manifest.
type manifestInfo struct {
	Documents int   `json:"documents"`
	Bytes     int64 `json:"bytes"`
	Batches   int   `json:"batches"`
}

// A batch is what a worker does at a time: some documents of the manifest that follow each
// other.
type batch struct {
	Number  int     `json:"batch"` // from 1
	Entries []Entry `json:"entries"`
}

const (
	batchDocuments = 256
	batchBytes     = 8 << 20 // more only for a single document
)

// Plan writes the manifest, once: what the source lists is done, and nothing that comes
// later.
func (j *Job) Plan(ctx context.Context, source Source) error {
	if j.manifest.Documents > 0 {
		return nil
	}
	temporary := filepath.Join(j.folder, manifestFile+".part")
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return notWritten(err)
	}
	defer os.Remove(temporary) // there is none when it went well
	w := bufio.NewWriterSize(f, 1<<16)
	var info manifestInfo
	count := batcher{yield: func(batch) error { info.Batches++; return nil }}
	err = source.Each(ctx, func(e Entry) error {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		info.Documents++
		info.Bytes += e.Size
		if _, err := w.Write(append(line, '\n')); err != nil {
			return notWritten(err)
		}
		return count.add(e)
	})
	if err == nil {
		err = count.end()
	}
	if err == nil {
		if err = errors.Join(w.Flush(), f.Sync()); err != nil {
			err = notWritten(err)
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if info.Documents == 0 {
		return errors.New("there is no document in the source")
	}
	if err := os.Rename(temporary, filepath.Join(j.folder, manifestFile)); err != nil {
		return notWritten(err)
	}
	if err := syncFolder(j.folder); err != nil {
		return err
	}
	job, err := readJob(j.folder)
	if err != nil {
		return err
	}
	j.manifest, job.Manifest = info, &info
	return j.write(job)
}

// batches reads the manifest in batches.
func (j *Job) batches(ctx context.Context, yield func(batch) error) error {
	f, err := os.Open(filepath.Join(j.folder, manifestFile))
	if err != nil {
		return err
	}
	defer f.Close()
	to := batcher{yield: yield}
	lines := json.NewDecoder(bufio.NewReaderSize(f, 1<<16))
	for documents := 0; ; documents++ {
		var e Entry
		switch err := lines.Decode(&e); {
		case errors.Is(err, io.EOF):
			if documents != j.manifest.Documents {
				return fmt.Errorf("the manifest in %s has %d documents, and had %d when it was written", j.folder, documents, j.manifest.Documents)
			}
			return to.end()
		case err != nil:
			return fmt.Errorf("%s: %w", filepath.Join(j.folder, manifestFile), err)
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if err := to.add(e); err != nil {
			return err
		}
	}
}

// A batcher puts entries together.
type batcher struct {
	yield func(batch) error
	batch batch
	bytes int64
}

func (b *batcher) add(e Entry) error {
	if len(b.batch.Entries) == batchDocuments || len(b.batch.Entries) > 0 && b.bytes+e.Size > batchBytes {
		if err := b.end(); err != nil {
			return err
		}
	}
	b.batch.Entries = append(b.batch.Entries, e)
	b.bytes += e.Size
	return nil
}

func (b *batcher) end() error {
	if len(b.batch.Entries) == 0 {
		return nil
	}
	b.batch.Number++
	err := b.yield(b.batch)
	b.batch.Entries, b.bytes = nil, 0
	return err
}
