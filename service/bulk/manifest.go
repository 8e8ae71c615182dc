package bulk

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"einvoice/model/problem"
)

// manifestInfo counts a manifest.
type manifestInfo struct {
	Documents  int   `json:"documents"`
	Bytes      int64 `json:"bytes"`
	Batches    int   `json:"batches"`
	Duplicates int   `json:"duplicates"` // documents that have the bytes of an earlier one
}

// An Entry is a document of the manifest.
type Entry struct {
	Key  string `json:"key"`  // its name in the source, and in the results
	Size int64  `json:"size"` // in bytes
	// Hash is sha256: and the hash in hexadecimal, or what the source has in its place,
	// such as the ETag of S3; empty for a document that could not be read.
	Hash string `json:"hash,omitempty"`
	// Stamp is when the document was last written, where that is known.
	Stamp int64 `json:"stamp,omitempty"`
	// At is where a member of a TAR begins, in bytes.
	At int64 `json:"at,omitempty"`
	// Of is the first document with the same bytes.
	Of *place `json:"of,omitempty"`
}

// A place is a document of the manifest.
type place struct {
	Batch int `json:"batch"` // from 1
	At    int `json:"at"`    // from 0
}

// A batch is what a worker does at a time: some documents of the manifest that follow each
// other.
type batch struct {
	Number  int     `json:"batch"` // from 1
	Entries []Entry `json:"entries"`
}

const (
	batchDocuments = 256
	batchBytes     = 8 << 20   // of documents; more only for a single one
	batchKeys      = 256 << 10 // of names, so that a batch is a message of NATS
)

const hashPrefix = "sha256:"

// hashOf is the hash of a document as a manifest has it.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hashPrefix + hex.EncodeToString(sum[:])
}

// Plan writes the manifest, once: what the source lists is done, and nothing that comes
// later. Documents are read for their hashes, several at a time.
func (j *Job) Plan(ctx context.Context, source Source, jobs int) error {
	if j.Manifest != nil {
		return nil
	}
	ctx, abandon := context.WithCancel(ctx) // so that a manifest that is not whole is not kept
	defer abandon()
	if err := os.MkdirAll(j.target.Work(), 0o755); err != nil {
		return notWritten(err)
	}
	seen, err := newTable(filepath.Join(j.target.Work(), "hashes"))
	if err != nil {
		return err
	}
	defer seen.close()
	f, err := j.target.Create(ctx, manifestFile)
	if err != nil {
		return err
	}
	p := &planner{seen: seen, to: bufio.NewWriterSize(f, 1<<16)}
	p.batches = batcher{most: j.Batch, yield: func(batch) error { return nil }}
	err = inOrder(ctx, jobs, func(yield func(Entry) error) error { return source.Each(ctx, yield) },
		func(e Entry) Entry { return hashed(ctx, source, e) }, p.add)
	if err == nil {
		err = p.batches.end()
	}
	if err == nil {
		err = p.to.Flush()
	}
	if err == nil && p.Documents == 0 {
		err = &problem.Error{Code: CodeEmpty, Message: "there is no document in " + j.Source, Remedy: "name a folder, archive, list or prefix with files that end in " + listed(InvoiceEndings)}
	}
	if err != nil {
		abandon()
		_ = f.Close() // it gives the reason of ctx
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	p.Batches = p.batches.batch.Number
	j.Manifest = &p.manifestInfo
	return writeJob(ctx, j.target, j.jobInfo)
}

// hashed reads a document for its hash and size. One that cannot be read has neither, and
// its error is found again when it is its turn.
func hashed(ctx context.Context, source Source, e Entry) Entry {
	if e.Hash != "" {
		return e
	}
	if s, is := source.(Stamped); is {
		e.Stamp = s.Stamp(e) // before it is read
	}
	if data, err := source.Read(ctx, e); err == nil {
		e.Hash, e.Size = hashOf(data), int64(len(data))
	}
	return e
}

// A planner writes a manifest.
type planner struct {
	manifestInfo
	seen    *table
	to      *bufio.Writer
	batches batcher
}

func (p *planner) add(e Entry) error {
	at, err := p.batches.place(&e)
	if err != nil {
		return err
	}
	if sum, isHash := sumOf(e.Hash); isHash {
		first, err := p.seen.put(sum, at)
		if err != nil {
			return err
		}
		if first != at {
			e.Of = &first
			p.Duplicates++
		}
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	p.Documents++
	p.Bytes += e.Size
	_, err = p.to.Write(append(line, '\n'))
	return err
}

// batches reads the manifest in batches.
func (j *Job) batches(ctx context.Context, yield func(batch) error) error {
	f, err := j.target.Open(ctx, manifestFile)
	if err != nil {
		return err
	}
	defer f.Close()
	to := batcher{most: j.Batch, yield: yield}
	lines := json.NewDecoder(bufio.NewReaderSize(f, 1<<16))
	for documents := 0; ; documents++ {
		var e Entry
		switch err := lines.Decode(&e); {
		case errors.Is(err, io.EOF):
			if documents != j.Manifest.Documents {
				return fmt.Errorf("the manifest in %s has %d documents, and had %d when it was written", j.target, documents, j.Manifest.Documents)
			}
			return to.end()
		case err != nil:
			return fmt.Errorf("%s of %s: %w", manifestFile, j.target, err)
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if _, err := to.place(&e); err != nil {
			return err
		}
	}
}

// A batcher puts entries together.
type batcher struct {
	most  int // documents
	yield func(batch) error
	batch batch
	bytes int64
	keys  int
}

// place adds an entry and tells where it is. A reader of the manifest and its writer come
// to the same batches, because what decides is in the entry.
func (b *batcher) place(e *Entry) (place, error) {
	if n := len(b.batch.Entries); n == b.most || n > 0 && (b.bytes+e.Size > batchBytes || b.keys+len(e.Key) > batchKeys) {
		if err := b.end(); err != nil {
			return place{}, err
		}
	}
	if len(b.batch.Entries) == 0 {
		b.batch.Number++
	}
	b.batch.Entries = append(b.batch.Entries, *e)
	b.bytes += e.Size
	b.keys += len(e.Key)
	return place{b.batch.Number, len(b.batch.Entries) - 1}, nil
}

func (b *batcher) end() error {
	if len(b.batch.Entries) == 0 {
		return nil
	}
	err := b.yield(b.batch)
	b.batch.Entries, b.bytes, b.keys = nil, 0, 0
	return err
}
