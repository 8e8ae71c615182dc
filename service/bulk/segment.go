package bulk

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"

	"einvoice/model/problem"
)

// segmentsInFolder is how many segments one folder holds.
const segmentsInFolder = 1000

// segmentName is the file of the results of a batch.
func (i *jobInfo) segmentName(batch int) string { return stem(batch) + "." + i.Format }

func stem(batch int) string { return resultsFolder + "/" + folderOf(batch) }

// folderOf is the place of a batch among others.
func folderOf(batch int) string { return fmt.Sprintf("%04d/%07d", batch/segmentsInFolder, batch) }

// batchOf is the batch that a file is the segment of.
func (i *jobInfo) batchOf(name string) (int, bool) {
	number, is := strings.CutSuffix(path.Base(name), "."+i.Format)
	batch, err := strconv.Atoi(number)
	return batch, is && err == nil && name == i.segmentName(batch)
}

// A segment is what becomes of a batch.
type segment struct {
	data   []byte
	rows   []row
	counts *Counts
	files  []File
}

func (s *segment) add(e *Entry, hash string, data []byte, o *Outcome) {
	s.rows = append(s.rows, row{e.named(), hash, len(data) - len(s.data), len(o.Files), *o})
	s.data = data
	s.files = append(s.files, o.Files...)
	s.counts.add(e.named(), o)
}

// at is what is kept of a document that is done, and its result.
func (s *segment) at(i int) (*row, []byte) {
	from := 0
	for _, r := range s.rows[:i] {
		from += r.Length
	}
	return &s.rows[i], s.data[from : from+s.rows[i].Length]
}

// do performs the operation on the documents of a batch and writes the segment.
func (j *Job) do(ctx context.Context, source Source, b *Batch) error {
	if done, err := j.target.Has(ctx, j.segmentName(b.Number)); done || err != nil {
		return err
	}
	guard, err := newGuard(ctx, j.target, begunFolder+strconv.Itoa(b.Number))
	if err != nil {
		return err
	}
	s := &segment{counts: newCounts(), data: make([]byte, 0, j.usual.Load())}
	for i := range b.Entries {
		if err = j.entry(ctx, source, guard, b, i, s); err != nil {
			break
		}
	}
	if err == nil {
		j.usual.Store(int64(len(s.data) + len(s.data)/8))
		err = j.writeSegment(ctx, b, s)
	}
	guard.ends(err == nil) // not reached when the process ends
	return err
}

// entry does a document of a batch.
func (j *Job) entry(ctx context.Context, source Source, guard *guard, b *Batch, i int, s *segment) error {
	e := &b.Entries[i]
	if reason := guard.givesUp(i); reason != "" {
		s.counts.GivenUp = append(s.counts.GivenUp, GivenUp{e.named(), reason})
		return j.perform(ctx, b, i, s, nil, "", errors.New(reason))
	}
	if taken, err := j.take(ctx, b.Number, e, e.Hash, s); taken || err != nil {
		return err
	}
	over, err := guard.begins(ctx, j.turns, i, e.Key)
	if err != nil {
		return err
	}
	before := len(s.counts.GivenUp)
	err = errors.Join(j.judge(ctx, source, b, i, s), over())
	if given := s.counts.GivenUp; err == nil && len(given) > before {
		err = guard.gaveUp(ctx, i, given[before].Reason)
	}
	return err
}

// judge reads a document and does it.
func (j *Job) judge(ctx context.Context, source Source, b *Batch, i int, s *segment) error {
	e := &b.Entries[i]
	data, hash, failed := b.read(ctx, source, i)
	if errors.Is(failed, ErrUnavailable) {
		return failed
	}
	if hash != "" && hash != e.Hash { // which is known now
		if taken, err := j.take(ctx, b.Number, e, hash, s); taken || err != nil {
			return err
		}
	}
	return j.perform(ctx, b, i, s, data, hash, failed)
}

// perform adds the result of the operation on a document, or of what failed before.
func (j *Job) perform(ctx context.Context, b *Batch, i int, s *segment, data []byte, hash string, failed error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := &b.Entries[i]
	d := Document{e.Key, data, failed, place{b.Number, i}}
	out, outcome, failure, givenUp, err := j.inTimeOrGivenUp(ctx, s.data, d)
	if givenUp != "" {
		s.counts.GivenUp = append(s.counts.GivenUp, GivenUp{e.named(), givenUp})
	}
	if err == nil {
		err = ctx.Err() // the operation may have ended early
	}
	if err != nil {
		return err
	}
	if failure {
		hash = ""
	}
	s.add(e, hash, out, &outcome)
	return nil
}

// read gives a document with its hash, which has to be that of the manifest. The hash is not
// computed again for a document that is still in memory, or was not written since.
func (b *Batch) read(ctx context.Context, source Source, i int) (data []byte, hash string, err error) {
	e := &b.Entries[i]
	if i < len(b.Read) && b.Read[i] != nil {
		data, b.Read[i] = b.Read[i], nil
		return data, e.Hash, nil
	}
	data, stamp, err := source.Read(ctx, *e)
	if err != nil {
		return nil, "", err
	}
	if e.Stamp != 0 && stamp == e.Stamp && e.Hash != "" && int64(len(data)) == e.Size {
		return data, e.Hash, nil
	}
	hash = hashOf(data)
	if strings.HasPrefix(e.Hash, HashPrefix) && e.Hash != hash {
		return nil, "", Changed()
	}
	return data, hash, nil
}

// Changed is the error of a document that is not the one of the manifest.
func Changed() error {
	return &problem.Error{
		Code:    CodeChanged,
		Message: "the document is not the one that the job began with: its bytes have changed",
		Remedy:  "begin a new job for documents that changed",
	}
}

// one does one document. What goes wrong inside the operation ends this document alone, and
// is a failure.
func (j *Job) one(ctx context.Context, data []byte, d *Document) (out []byte, outcome Outcome, failure bool, err error) {
	length := len(data)
	defer func() {
		if r := recover(); r != nil {
			d.Data, d.Err = nil, fmt.Errorf("the program failed on this document: %v", r)
			out, outcome, err = j.operation.Do(ctx, data[:length], d)
			outcome.Verdict, failure = Unreadable, true
		}
	}()
	out, outcome, err = j.operation.Do(ctx, data, d)
	return out, outcome, d.Err != nil, err
}

// Name is for files that are made of the document: its place in the manifest, and as much of
// its own name as any system takes. No other document has it.
func (d *Document) Name() string {
	base := path.Base(strings.ReplaceAll(d.Key, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	clean := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, base)
	const longest = 80 // bytes
	if len(clean) > longest {
		clean = strings.ToValidUTF8(clean[:longest], "")
	}
	return fmt.Sprintf("%s/%03d-%s", folderOf(d.at.Batch), d.at.At, clean)
}

// writeSegment writes the files that were made, then what is counted, then the results: a
// segment that is there has the others.
func (j *Job) writeSegment(ctx context.Context, b *Batch, s *segment) error {
	s.counts.finish()
	index, err := s.writeIndex(b.digest())
	if err != nil {
		return err
	}
	data, err := j.format.encode(s)
	if err != nil {
		return err
	}
	err = j.target.Write(ctx, append(s.files, File{indexName(b.Number), index}, File{j.segmentName(b.Number), data})...)
	if err == nil && j.wrote != nil {
		j.wrote(s.counts)
	}
	return err
}
