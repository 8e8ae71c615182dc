package audit

import (
	"context"
	"errors"

	"einvoice/service/bulk"
)

// An Archive keeps documents and what was decided about them, by their digests. What is in it is
// never written again.
type Archive struct {
	In      bulk.Target
	By      bulk.Performance
	Program string // that decides

	log     *Log
	decided map[[2]string]bool // documents and digests of what decided about them
	known   map[string]bool    // names of documents in the archive
}

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
	a.decided, a.known = map[[2]string]bool{}, map[string]bool{}
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
		if err != nil || e == nil {
			return err
		}
		if name := e.Document(); !a.known[name] {
			a.known[name] = true
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
		a.decided[[2]string{e.SHA256, e.Rules}], a.known[e.Document()] = true, true
	}
	return err
}

// decide is nil for a document that was decided about by the same rules.
func (a *Archive) decide(ctx context.Context, key, source string, data []byte) (*Event, []byte, error) {
	e := &Event{File: key, Source: source, SHA256: Sum(data), Bytes: int64(len(data)), Rules: a.By.Operation.Digest(), Program: a.Program}
	decision := [2]string{e.SHA256, e.Rules}
	if a.decided[decision] {
		return nil, nil, nil
	}
	line, outcome, givenUp, err := a.By.Do(ctx, bulk.Document{Key: key, Data: data})
	if err != nil {
		return nil, nil, err
	}
	a.decided[decision] = true
	if e.Verdict = string(outcome.Verdict); givenUp != "" {
		e.Verdict = string(bulk.Unreadable)
	}
	e.Report, e.Seller, e.Month, e.Findings = Sum(line), outcome.Seller, outcome.Month, outcome.Findings
	return e, line, nil
}
