package bulk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"einvoice/model/problem"
	"einvoice/service/inputfile"
)

// Plan writes the manifest, once: what the source lists is done, and nothing that comes
// later. Documents are read for their hashes, several at a time. Run does this itself where
// it was not done, and works meanwhile.
func (j *Job) Plan(ctx context.Context, source Source, jobs int) error {
	if j.Manifest != nil {
		return nil
	}
	ctx, unlock, err := j.target.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	none := func(*Batch) error { return nil }
	j.Manifest, err = j.plan(ctx, source, &planner{jobs: jobs, done: none, todo: none})
	return err
}

// A planner writes a manifest.
type planner struct {
	jobs int  // documents read at a time
	keep bool // documents in memory, for whoever does them
	// done and todo are called with each batch, as it does or does not have its segment.
	done, todo func(*Batch) error

	manifestInfo
	seen    *table
	to      *bufio.Writer
	line    []byte
	batches batcher
}

// A reading is a document that is listed, with its bytes if they are kept.
type reading struct {
	Entry
	data []byte
}

// plan writes the manifest. It is there once it is whole; an earlier attempt may have been
// stopped, of which there are segments. One of the same lines stays, the others are removed:
// the source is listed again, and may have changed.
func (j *Job) plan(ctx context.Context, source Source, p *planner) (*manifestInfo, error) {
	ctx, abandon := context.WithCancel(ctx) // so that a manifest that is not whole is not kept
	defer abandon()
	there, err := j.job().done(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(j.target.Work(), 0o755); err != nil {
		return nil, notWritten(err)
	}
	if p.seen, err = newTable(filepath.Join(j.target.Work(), "hashes")); err != nil {
		return nil, err
	}
	defer p.seen.close()
	f, err := j.target.Create(ctx, manifestFile)
	if err != nil {
		return nil, err
	}
	p.to = bufio.NewWriterSize(f, 1<<16)
	p.batches = batcher{most: j.Batch, yield: func(b *Batch) error { return j.sort(ctx, there, b, p) }}
	err = inOrder(ctx, p.jobs,
		func(yield func(reading) error) error {
			return j.list(ctx, source, func(e Entry) error { return yield(reading{Entry: e}) })
		},
		func(r reading) reading { return r.hashed(ctx, source, p.keep) }, p.add)
	if err == nil {
		err = p.batches.end()
	}
	if err == nil {
		err = p.to.Flush()
	}
	if err == nil && p.Documents == 0 {
		err = &problem.Error{Code: CodeEmpty, Message: "there is no document in " + j.Source, Remedy: "documents are files that end in " + listed(inputfile.Endings) + "; archives inside archives are not opened"}
	}
	for number := range there.all() {
		if err == nil && number > p.batches.count {
			err = j.forget(ctx, number)
		}
	}
	if err != nil {
		abandon()
		_ = f.Close() // it gives the reason of ctx
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	p.Batches = p.batches.count
	info := j.jobInfo
	if counted, ok := source.(interface{ Others() int }); ok {
		p.Others = counted.Others()
	}
	info.Manifest = &p.manifestInfo
	if err := writeJob(ctx, j.target, info); err != nil {
		return nil, err
	}
	return info.Manifest, nil
}

// list lists the source. An error of its own says what to do.
func (j *Job) list(ctx context.Context, source Source, yield func(Entry) error) error {
	var failed error
	err := source.Each(ctx, func(e Entry) error {
		failed = yield(e)
		return failed
	})
	if _, told := errors.AsType[*problem.Error](err); err == nil || failed != nil || told || ctx.Err() != nil {
		return err
	}
	return &problem.Error{Code: CodeSource, Message: fmt.Sprintf("%s cannot be listed: %v", j.Source, err), Remedy: "see that all of it is there and may be read, then start again; it is listed again, and what is done stays", Cause: err}
}

// sort reports whether a batch that was planned is done.
func (j *Job) sort(ctx context.Context, there batchSet, b *Batch, p *planner) error {
	if !there.has(b.Number) {
		return p.todo(b)
	}
	head, err := readHead(ctx, j.target, b.Number)
	if err == nil && head.Manifest == b.digest() {
		return p.done(b)
	}
	if err := j.forget(ctx, b.Number); err != nil {
		return err
	}
	return p.todo(b)
}

// forget removes the segment of a batch, then what is of no use without it.
func (j *Job) forget(ctx context.Context, number int) error {
	names := []string{j.segmentName(number), indexName(number)}
	err := j.target.Each(ctx, filesFolder+"/"+folderOf(number)+"/", func(name string) error {
		names = append(names, name)
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := j.target.Remove(ctx, name); err != nil {
			return fmt.Errorf("results of another listing: %w", err)
		}
	}
	return nil
}

// hashed reads a document for its hash and size. One that cannot be read has neither, and
// its error is found again when it is its turn.
func (r reading) hashed(ctx context.Context, source Source, keep bool) reading {
	if r.Hash != "" {
		return r
	}
	data, stamp, err := source.Read(ctx, r.Entry)
	if err != nil {
		return r
	}
	r.Hash, r.Size, r.Stamp = hashOf(data), int64(len(data)), stamp
	if keep && len(data) <= keptBytes {
		r.data = data
	}
	return r
}

func (p *planner) add(r reading) error {
	e := &r.Entry
	at, err := p.batches.place(e)
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
	p.line = e.appendLine(p.line[:0])
	p.batches.add(e, p.line, r.data)
	p.Documents++
	p.Bytes += e.Size
	_, err = p.to.Write(p.line)
	return err
}
