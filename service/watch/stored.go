package watch

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"einvoice/model/problem"
	"einvoice/service/audit"
	"einvoice/service/bulk"
)

// The files of a target beside the places of documents.
const (
	workFolder  = ".watch"
	begunFolder = workFolder + "/begun/"
	idFile      = workFolder + "/id"
)

// A Stored is a target that keeps documents with their reports, and a log of all results.
type Stored struct {
	In   bulk.Target
	Keep int // days that documents and reports stay in a folder; 0 for ever

	log   *audit.Log
	begun map[string]bool // notes that were there at the start
	mu    sync.Mutex
	names map[string]bool // that documents in hand have
}

// String is the target.
func (s *Stored) String() string { return s.In.String() }

// isFolder reports whether asking for a file costs next to nothing.
func (s *Stored) isFolder() bool {
	_, is := s.In.(bulk.Folder)
	return is
}

// Open keeps a second process from the target.
func (s *Stored) Open(ctx context.Context) (locked context.Context, over func() error, err error) {
	s.begun, s.names = map[string]bool{}, map[string]bool{}
	lock := s.In
	if s.isFolder() {
		lock = bulk.Folder(filepath.Join(s.String(), workFolder))
		for _, place := range Places {
			if err := os.MkdirAll(filepath.Join(s.String(), place), 0o755); err != nil {
				return nil, nil, &problem.Error{Code: CodeTarget, Message: "the target cannot be written to: " + err.Error(), Remedy: "name a folder that can be written with --out", Cause: err}
			}
		}
	} else if s.Keep > 0 {
		return nil, nil, &problem.Error{Code: CodeTarget, Message: "--keep-days is for folders", Remedy: "have the bucket remove objects by a lifecycle rule"}
	}
	locked, unlock, err := lock.Lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = s.In.Each(locked, begunFolder, func(name string) error {
		s.begun[strings.TrimSuffix(strings.TrimPrefix(name, begunFolder), ".json")] = true
		return nil
	})
	if err == nil {
		s.log, err = audit.OpenIn(locked, s.In, nil)
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return locked, func() error { defer unlock(); return s.log.Close() }, nil
}

// A note is what is known of a document that was begun and has no result.
type note struct {
	Begun int `json:"begun"`
	Alone int `json:"alone"` // of these, how often nothing else was being done
	Log   int `json:"log"`   // lines that the log had when it was first begun
}

func noteOf(name string) string { return begunFolder + name + ".json" }

// Begun counts by notes. Where the source counts how often it gave a document, one that it gave once
// has none.
func (s *Stored) Begun(ctx context.Context, d *Document) (ends, alone int, err error) {
	known, err := s.note(ctx, d)
	return max(known.Begun, d.Deliveries-1), known.Alone, err
}

// Begin writes a note.
func (s *Stored) Begin(ctx context.Context, d *Document, alone bool) error {
	if d.Deliveries == 1 {
		return nil
	}
	known, err := s.note(ctx, d)
	if err != nil {
		return err
	}
	if !alone {
		known.Log, _ = s.log.Head()
	}
	known.Begun++
	if alone {
		known.Alone++
	}
	data, err := json.Marshal(known)
	if err != nil {
		return err
	}
	return s.In.Note(ctx, noteOf(d.Name), data)
}

// note is what is known of a document that was begun.
func (s *Stored) note(ctx context.Context, d *Document) (known note, err error) {
	if d.Deliveries == 1 || d.Deliveries == 0 && !s.begun[d.Name] {
		return known, nil
	}
	data, err := s.read(ctx, noteOf(d.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err == nil && json.Unmarshal(data, &known) != nil { // the power was lost while it was written
		known = note{Begun: 1}
	}
	return known, err
}

func (s *Stored) read(ctx context.Context, name string) ([]byte, error) {
	r, err := s.In.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// Reported looks for the report of a document that may have one.
func (s *Stored) Reported(ctx context.Context, d *Document) (string, error) {
	if !s.isFolder() && d.Deliveries <= 1 && !s.begun[d.Name] {
		return "", nil
	}
	return s.placeOf(ctx, d.Name)
}

// placeOf is where the report of a document of the target is; "" for none.
func (s *Stored) placeOf(ctx context.Context, name string) (string, error) {
	for _, place := range Places {
		there, err := s.In.Has(ctx, place+"/"+name+audit.ReportEnding)
		if there || err != nil {
			return place, err
		}
	}
	return "", nil
}

// Report writes a report.
func (s *Stored) Report(ctx context.Context, d *Document, place string, line []byte, _ string) error {
	return s.In.Write(ctx, bulk.File{Name: place + "/" + d.Name + audit.ReportEnding, Data: line})
}

// Finish writes the log and moves the document. One that an earlier process gave up may have been tried
// again before its source gave it once more: its document is at its place already.
func (s *Stored) Finish(ctx context.Context, d *Document, place string, line []byte, rules string) error {
	if err := s.record(ctx, d, place, line, rules); err != nil {
		return err
	}
	triedAgain, err := false, error(nil)
	if place == Dead && line == nil {
		triedAgain, err = s.isTriedAgain(ctx, d.Name)
	}
	switch {
	case err != nil:
	case triedAgain:
		err = d.Origin.Release(ctx)
	default:
		err = s.move(ctx, d, place+"/"+d.Name)
	}
	if err != nil {
		return err
	}
	return s.Forget(ctx, d)
}

// Forget removes the note.
func (s *Stored) Forget(ctx context.Context, d *Document) error {
	s.unreserve(d.Name)
	if d.Deliveries == 1 {
		return nil
	}
	return s.In.Remove(ctx, noteOf(d.Name))
}

// record writes what has become of a document to the log, unless the log has it since the document
// was begun.
func (s *Stored) record(ctx context.Context, d *Document, place string, line []byte, rules string) error {
	if line == nil {
		known, err := s.note(ctx, d)
		if err != nil {
			return err
		}
		there := false
		err = s.log.Each(func(l audit.Line) error {
			var e audit.Event
			err := json.Unmarshal(l.Event, &e)
			there = there || l.Number > known.Log && e.File == d.Name
			return err
		})
		if there || err != nil {
			return err
		}
		if line, err = s.read(ctx, place+"/"+d.Name+audit.ReportEnding); err != nil {
			return err
		}
	}
	e := audit.Event{File: d.Name, Source: d.Source, Verdict: place, Rules: rules}
	var err error
	if e.SHA256, e.Bytes, err = d.SHA256(ctx); err != nil {
		return err
	}
	e.Report = audit.Sum(line)
	return s.log.Append(e)
}

// move takes a document out of its source: by renaming it where that can be done, else by writing
// it first.
func (s *Stored) move(ctx context.Context, d *Document, to string) error {
	if t, is := d.Origin.(interface{ path() string }); is && s.isFolder() && os.Rename(t.path(), filepath.Join(s.String(), to)) == nil {
		return nil
	}
	if err := s.copy(ctx, d, to); err != nil {
		return err
	}
	return d.Origin.Release(ctx)
}

func (s *Stored) copy(ctx context.Context, d *Document, to string) error {
	if d.data != nil {
		return s.In.Write(ctx, bulk.File{Name: to, Data: d.data})
	}
	in, err := d.Origin.Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	out, err := s.In.Create(limited, to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		cancel() // what is not whole does not appear
		return errors.Join(err, out.Close())
	}
	return out.Close()
}

// ID is a name that this target alone has, also when it is moved.
func (s *Stored) ID(ctx context.Context) (string, error) {
	data, err := s.read(ctx, idFile)
	if errors.Is(err, fs.ErrNotExist) {
		data = []byte(rand.Text())
		err = s.In.Write(ctx, bulk.File{Name: idFile, Data: data})
	}
	return string(data), err
}

func (s *Stored) reserve(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = true
}

func (s *Stored) unreserve(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.names, name)
}

// longestStem leaves room for what is added to a name in a folder, where names have 255 bytes.
const longestStem = 180

// Stem is a name without its ending, without what a folder would have no room for, and with _ in place
// of bytes that no text has: the log is text.
func Stem(name string) string {
	stem := strings.ToValidUTF8(strings.TrimSuffix(name, filepath.Ext(name)), "_")
	if len(stem) > longestStem {
		stem = strings.ToValidUTF8(stem[:longestStem], "")
	}
	return stem
}

// free reserves a name for a document that no other one has, as like its own as can be.
func (s *Stored) free(ctx context.Context, name string) (string, error) {
	ending := filepath.Ext(name)
	stem := Stem(name)
	if !s.isFolder() { // where looking costs more than a name that nobody else can have
		return stem + "~" + rand.Text()[:12] + ending, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := 1; ; n++ {
		try := stem + ending
		if n > 1 {
			try = fmt.Sprintf("%s~%d%s", stem, n, ending)
		}
		there, err := s.isThere(ctx, try)
		if err != nil {
			return "", err
		}
		if !s.names[try] && !there {
			s.names[try] = true
			return try, nil
		}
	}
}

// isThere reports whether the target has, or had, a document or report of a name.
func (s *Stored) isThere(ctx context.Context, name string) (bool, error) {
	for _, place := range Places {
		for _, path := range []string{name, name + audit.ReportEnding} {
			if there, err := s.In.Has(ctx, place+"/"+path); there || err != nil {
				return there, err
			}
		}
	}
	return false, nil
}

// Sweep removes documents and reports that were kept long enough. The log says so.
func (s *Stored) Sweep(ctx context.Context) error {
	if s.Keep == 0 {
		return nil
	}
	before := time.Now().AddDate(0, 0, -s.Keep)
	for _, place := range Places {
		err := filepath.WalkDir(filepath.Join(s.String(), place), func(path string, e fs.DirEntry, err error) error {
			document, isReport := strings.CutSuffix(path, audit.ReportEnding)
			if err != nil || !e.Type().IsRegular() || !isReport || ctx.Err() != nil {
				return err
			}
			if info, err := e.Info(); err != nil || info.ModTime().After(before) {
				return err
			}
			sum, size, err := audit.SumOf(os.Open(document))
			if errors.Is(err, fs.ErrNotExist) { // it was dead and was tried again, or the process ended here
				err = nil
			}
			if err != nil {
				return err
			}
			if err := s.log.Append(audit.Event{File: filepath.Base(document), Source: place, SHA256: sum, Bytes: size, Verdict: audit.Removed}); err != nil {
				return err
			}
			if err := os.Remove(document); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return os.Remove(path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
