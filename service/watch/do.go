package watch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

// mostEnds is how often the process may end while it did a document and nothing beside it.
const mostEnds = 2

// A note is what is known of a document that was begun and has no result.
type note struct {
	Begun int `json:"begun"`
	Alone int `json:"alone"` // of these, how often nothing else was being done
	Log   int `json:"log"`   // lines that the log had when it was first begun
}

// do judges a document and moves it to the place of its verdict. Each step can be done again: the
// report is written, then the log, then the document is moved, and whoever goes on after an end
// finds by these how far it was.
func (l *Line) do(ctx context.Context, f *file) error {
	place, err := l.reported(f.name)
	if err != nil {
		return err
	}
	var result Result
	if place == "" {
		if result, err = l.judge(ctx, f); err != nil {
			return err
		}
		place = result.Place
	}
	if err := l.record(ctx, f, place); err != nil {
		return err
	}
	if err := move(f.path(), filepath.Join(l.Target, place, f.name)); err != nil {
		return err
	}
	if err := l.target.Remove(ctx, l.noteOf(f.name)); err != nil {
		return err
	}
	l.forget(f.name)
	if l.Done != nil && result.Place != "" {
		l.Done(result)
	}
	return nil
}

// reported is the place where the report of a document is; "" for none.
func (l *Line) reported(name string) (string, error) {
	for _, place := range Places {
		there, err := l.target.Has(context.Background(), place+"/"+name+ReportEnding)
		if there || err != nil {
			return place, err
		}
	}
	return "", nil
}

func (l *Line) noteOf(name string) string { return begunFolder + name + ".json" }

// judge does a document and writes its report.
func (l *Line) judge(ctx context.Context, f *file) (result Result, err error) {
	known, err := l.note(ctx, f.name)
	if err != nil {
		return result, err
	}
	alone := known.Begun > 0
	over, err := l.turns.Take(ctx, alone)
	if err != nil {
		return result, err
	}
	defer over()
	began := time.Now()
	d := bulk.Document{Key: f.name}
	givenUp := ""
	if known.Alone >= mostEnds {
		givenUp = fmt.Sprintf("given up: the process that worked on this document, and on nothing else, ended %d times", known.Alone)
		d.Err = errors.New(givenUp)
	} else {
		if !alone {
			known.Log, _ = l.log.Head()
		}
		known.Begun++
		if alone {
			known.Alone++
		}
		if err := l.write(ctx, l.noteOf(f.name), known); err != nil {
			return result, err
		}
		d.Data, _, d.Err = inputfile.Read(f.path(), l.Limit)
	}
	line, outcome, late, err := l.By.Do(ctx, d)
	if err != nil {
		return result, err
	}
	if late != "" {
		givenUp = late
	}
	outcome.Took = time.Since(began)
	result = Result{Outcome: outcome, Place: string(outcome.Verdict), Waited: l.now().Sub(f.waited)}
	if givenUp != "" {
		result.Place = Dead
	}
	return result, l.target.Write(ctx, bulk.File{Name: result.Place + "/" + f.name + ReportEnding, Data: line})
}

func (l *Line) note(ctx context.Context, name string) (known note, err error) {
	r, err := l.target.Open(ctx, l.noteOf(name))
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return known, err
	}
	data, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err == nil && json.Unmarshal(data, &known) != nil { // the power was lost while it was written
		known = note{Begun: 1}
	}
	return known, err
}

func (l *Line) write(ctx context.Context, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return l.target.Note(ctx, name, data)
}

// record writes what has become of a document to the log, unless the log has it since the document
// was begun.
func (l *Line) record(ctx context.Context, f *file, place string) error {
	known, err := l.note(ctx, f.name)
	if err != nil || l.lines[f.name] > known.Log {
		return err
	}
	document, size, err := SumOf(f.path())
	if err != nil {
		return err
	}
	report, _, err := SumOf(filepath.Join(l.Target, place, f.name+ReportEnding))
	if err != nil {
		return err
	}
	return l.log.Append(Event{File: f.name, Source: f.source, SHA256: document, Bytes: size, Verdict: place, Report: report, Rules: l.By.Operation.Digest()})
}

// SumOf is the SHA-256 of a file in hexadecimal, and its size.
func SumOf(path string) (sum string, size int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	n, err := io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), int(n), errors.Join(err, f.Close())
}

// move moves a document, also to another file system, where it is copied, brought to the disk, and
// then removed.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to + ".part")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(to+".part", to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(to+".part"))
	}
	return os.Remove(from)
}
