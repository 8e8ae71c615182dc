package bulk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"einvoice/engine"
	"einvoice/model/numeral"
	"einvoice/model/problem"
)

// take takes the result of a document that has the same bytes, of this job or of an earlier
// one, under the name of this document.
func (j *Job) take(ctx context.Context, batch int, e *Entry, hash string, s *segment) (taken bool, err error) {
	from, at := j.job(), place{}
	switch sum, isHash := sumOf(hash); {
	case e.Of != nil:
		at = *e.Of
	case j.reuse != nil && isHash:
		if at, _, err = j.reuse.table.find(&sum); err != nil || at.Batch == 0 {
			return false, err
		}
		from = j.reuse.earlier
	default:
		return false, nil
	}
	var r *row
	var line []byte
	if from.target == j.target && at.Batch == batch {
		r, line = s.at(at.At)
	} else {
		r, line, err = j.recent.get(ctx, from, at)
	}
	if errors.Is(err, fs.ErrNotExist) { // it is being done by another worker
		return false, nil
	}
	if err != nil || r.Hash == "" || r.Files > 0 || from.target != j.target && !j.reuse.holds(&r.Outcome) {
		return false, err
	}
	if line, err = renamed(line, e.named()); err != nil {
		return false, err
	}
	s.counts.Taken++
	s.add(e, r.Hash, append(s.data, line...), &r.Outcome)
	return true, nil
}

// renamed is a result with another key, which its first member has.
func renamed(line []byte, key string) ([]byte, error) {
	const before = `{"file":`
	rest, ok := bytes.CutPrefix(line, []byte(before))
	name := json.NewDecoder(bytes.NewReader(rest))
	if _, err := name.Token(); !ok || err != nil {
		return nil, fmt.Errorf("a result does not begin with %s", before)
	}
	quoted, err := json.Marshal(key)
	return slices.Concat([]byte(before), quoted, rest[name.InputOffset():]), err
}

// finished is a job whose segments are read.
type finished struct {
	target Target
	jobInfo
	format *Format // where results are read
}

func (j *Job) job() *finished { return &finished{j.target, j.jobInfo, j.format} }

// recentSegments keeps the segments that were read last: documents with the same bytes are
// mostly near each other, and so are those of two jobs over one source.
type recentSegments struct {
	mu   sync.Mutex
	kept []readSegment
}

const mostRecent = 8

type readSegment struct {
	target Target
	batch  int
	rows   []row
	lines  [][]byte
}

// get reads what is kept of a document, and its result. The error is fs.ErrNotExist while
// there is no segment.
func (r *recentSegments) get(ctx context.Context, of *finished, at place) (*row, []byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.kept, func(s readSegment) bool { return s.batch == at.Batch && s.target == of.target })
	if i < 0 {
		s, err := of.read(ctx, at.Batch)
		if err != nil {
			return nil, nil, err
		}
		r.kept = append(r.kept, s)
		r.kept = r.kept[max(0, len(r.kept)-mostRecent):]
		i = len(r.kept) - 1
	}
	s := &r.kept[i]
	if at.At >= len(s.rows) {
		return nil, nil, fmt.Errorf("%s of %s has no document %d", indexName(at.Batch), of.target, at.At)
	}
	return &s.rows[at.At], s.lines[at.At], nil
}

// read reads a segment with its index.
func (f *finished) read(ctx context.Context, batch int) (s readSegment, err error) {
	data, err := readFile(ctx, f.target, f.segmentName(batch))
	if err == nil {
		data, err = f.format.decode(data)
	}
	if err != nil {
		return s, err
	}
	s = readSegment{target: f.target, batch: batch}
	if _, s.rows, err = readIndex(ctx, f.target, batch, true); err != nil {
		return s, err
	}
	for _, r := range s.rows {
		if r.Length > len(data) {
			return s, fmt.Errorf("%s of %s is shorter than its index says", f.segmentName(batch), f.target)
		}
		s.lines = append(s.lines, data[:r.Length])
		data = data[r.Length:]
	}
	return s, nil
}

// sameRules is said of results that are taken because nothing else decides than before.
const sameRules = "the rules are the same, so results are taken for documents with the same bytes"

// reuse is an earlier job whose results are taken.
type reuse struct {
	earlier *finished
	table   *table
	holds   func(*Outcome) bool
	said    string
}

// openReuse finds out which results of an earlier job may be taken.
func openReuse(ctx context.Context, o *Order) (*reuse, error) {
	r, err := reusable(ctx, o)
	if told, ok := errors.AsType[*problem.Error](err); ok && (told.Code == CodeOther || told.Code == CodeNoJob) {
		said := *told // the earlier target is to blame, and not the one of the order
		said.Remedy = "name with --reuse the target of a job with the same operation, rules and options, or leave --reuse out"
		return nil, &said
	}
	if err != nil {
		return nil, err
	}
	return r, r.fill(ctx, o.Target.Work())
}

// reusable says whether results of the earlier job of an order may be taken at all.
func reusable(ctx context.Context, o *Order) (*reuse, error) {
	earlier, operation := o.Reuse, o.Operation
	info, err := existing(ctx, earlier)
	if err != nil {
		return nil, err
	}
	format, err := formatNamed(info.Format, o.Formats)
	if err != nil {
		return nil, err
	}
	r := &reuse{earlier: &finished{earlier, info, format}}
	comparer, compares := operation.(Comparer)
	switch {
	case info.Operation != operation.Name():
		return nil, otherJob(earlier, "are of "+info.Operation)
	case info.Digest == operation.Digest():
		// A document without a date is judged by the rules of the day on which it is.
		r.holds, r.said = func(o *Outcome) bool { return o.Month != "" || o.Verdict == Unreadable }, sameRules
	case compares:
		if r.holds, r.said, err = comparer.Since(info.Details); err != nil {
			return nil, err
		}
	default:
		return nil, otherJob(earlier, "are of other rules, other options or another version of the program")
	}
	byRules := r.holds
	r.holds = func(o *Outcome) bool { return HoldsToday(o.Day) && byRules(o) }
	return r, nil
}

// HoldsToday reports whether what was decided on a day, as an Outcome has it, is so today.
func HoldsToday(day string) bool { return day == "" || day == string(engine.Today()) }

// fill notes in a folder where the earlier job has the result of each document.
func (r *reuse) fill(ctx context.Context, work string) error {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return notWritten(err)
	}
	var err error
	if r.table, err = newTable(filepath.Join(work, "earlier")); err != nil {
		return err
	}
	done, err := r.earlier.done(ctx)
	if err != nil {
		return err
	}
	again := 0
	for batch := range done.all() {
		_, rows, err := readIndex(ctx, r.earlier.target, batch, true)
		if err != nil {
			return err
		}
		for i := range rows {
			if !r.holds(&rows[i].Outcome) {
				again++
			}
			if sum, ok := sumOf(rows[i].Hash); ok {
				if _, err := r.table.put(sum, place{batch, i}); err != nil {
					return err
				}
			}
		}
	}
	if again > 0 && r.said == sameRules { // of other rules, what is said tells which documents are done again
		r.said += ", but for " + numeral.Count(again, "document") + " about which the day decides"
	}
	return nil
}
