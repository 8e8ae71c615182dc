package audit

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/bulk"
)

// An Archive keeps documents and what was decided about them, by their digests. What is in it is
// never written again.
type Archive struct {
	In      bulk.Target
	By      bulk.Performance
	Program string // that decides

	log     *Log
	decided map[[2]string]*decision // by documents and digests of what decided about them
	known   map[string]bool         // names of documents in the archive; whether the log had them
}

// A decision is what the archive has of a document and rules, as the event has it.
type decision struct{ day, said, document, report, digest string }

// CodeLost is of a document that the archive has no longer as its log says.
const CodeLost = "ARCHIVE-LOST"

// batchSize is how many documents are written before the log.
const batchSize = 256

// Add decides about the documents of a source and keeps them. A document that is there with a
// decision by the same rules is not added again. done is told of each that is, and failed of each that
// cannot be read.
func (a *Archive) Add(ctx context.Context, source bulk.Source, name string, done func(*Event), failed func(key string, err error)) (err error) {
	locked, unlock, err := a.In.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	a.decided, a.known = map[[2]string]*decision{}, map[string]bool{}
	a.log, err = OpenIn(locked, a.In, a.remember)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.log.Close()) }()
	var files []bulk.File
	var events []any
	flush := func() error {
		if len(events) == 0 {
			return nil
		}
		if err := a.In.Write(locked, files...); err != nil {
			return err
		}
		if err := a.log.Append(events...); err != nil {
			return err
		}
		for _, e := range events {
			done(e.(*Event))
		}
		files, events = nil, nil
		return nil
	}
	held := 0
	err = source.Each(locked, func(entry bulk.Entry) error {
		data, _, readErr := source.Read(locked, entry)
		if errors.Is(readErr, bulk.ErrUnavailable) {
			return readErr
		}
		if readErr != nil { // there is nothing to keep
			failed(entry.Key, readErr)
			return nil
		}
		e, line, err := a.decide(locked, entry.Key, name, data)
		if err == nil && e != nil && a.known[e.Document()] {
			err = a.kept(locked, e.Document(), e.SHA256)
		}
		if told, ok := errors.AsType[*problem.Error](err); ok && told.Code == CodeLost {
			failed(entry.Key, err)
			return nil
		}
		if err != nil || e == nil {
			return err
		}
		if _, known := a.known[e.Document()]; !known {
			name := e.Document()
			a.known[name] = false
			files = append(files, bulk.File{Name: name, Data: data})
			held += len(data)
		}
		files, events = append(files, bulk.File{Name: e.ReportName(), Data: line}), append(events, e)
		if held += len(line); len(events) >= batchSize || held > heldBytes {
			held = 0
			return flush()
		}
		return nil
	})
	return errors.Join(err, flush())
}

// heldBytes is how much waits in memory before it is written.
const heldBytes = 32 << 20

func (a *Archive) remember(line Line) error {
	e, err := line.event()
	if err == nil {
		a.decided[[2]string{e.SHA256, e.Rules}], a.known[e.Document()] = &decision{e.Day, e.Said, e.Document(), e.ReportName(), e.Report}, true
	}
	return err
}

// kept is the error of files that the log has, each by its name and digest, and the archive has not
// as they were added. It looks into folders: what is in S3 is under a lock, and each look is a request.
func (a *Archive) kept(ctx context.Context, files ...string) error {
	if _, isFolder := a.In.(bulk.Folder); !isFolder {
		return nil
	}
	for ; len(files) > 0 && files[0] != ""; files = files[2:] {
		name := files[0]
		sum, _, err := SumOf(a.In.Open(ctx, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if sum != files[1] {
			return &problem.Error{Code: CodeLost, Message: "the log has this document, but " + name + " was changed or removed", Remedy: "put it back from a copy, or use another archive"}
		}
	}
	return nil
}

// withoutDay is what a report says behind the name of the document, without the day that decided. No
// text in it has a quotation mark as it is.
func withoutDay(report []byte) []byte {
	_, said, _ := bytes.Cut(report, []byte(`"valid":`))
	before, day, isDated := bytes.Cut(said, []byte(`"date":{`))
	if !isDated {
		return said
	}
	_, after, _ := bytes.Cut(day, []byte("}"))
	return append(before[:len(before):len(before)], after...)
}

// decide is nil for a document that was decided about by the same rules: on the same day, where that
// decides, or on another with the same outcome.
func (a *Archive) decide(ctx context.Context, key, source string, data []byte) (*Event, []byte, error) {
	e := &Event{File: quote.Spelled(key), Source: quote.Spelled(source), SHA256: Sum(data), Bytes: int64(len(data)), Rules: a.By.Operation.Digest(), Program: a.Program}
	of := [2]string{e.SHA256, e.Rules}
	earlier := a.decided[of]
	if earlier != nil && bulk.HoldsToday(earlier.day) {
		return nil, nil, a.kept(ctx, earlier.document, e.SHA256, earlier.report, earlier.digest)
	}
	line, outcome, givenUp, err := a.By.Do(ctx, bulk.Document{Key: key, Data: data})
	if err != nil {
		return nil, nil, err
	}
	if outcome.Day != "" {
		e.Day, e.Said = outcome.Day, Sum(withoutDay(line))
	}
	if earlier != nil && earlier.said == e.Said {
		return nil, nil, a.kept(ctx, earlier.document, e.SHA256, earlier.report, earlier.digest)
	}
	if e.Verdict = string(outcome.Verdict); givenUp != "" {
		e.Verdict = string(bulk.Unreadable)
	}
	e.Report, e.Seller, e.Month, e.Findings = Sum(line), outcome.Seller, outcome.Month, outcome.Findings
	a.decided[of] = &decision{day: e.Day, said: e.Said} // not written yet
	return e, line, nil
}
