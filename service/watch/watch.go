// Package watch judges documents as they come, without an end: each goes from a source to a folder
// of its verdict, with its report, exactly once, however the process ends in between.
package watch

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"einvoice/model/problem"
	"einvoice/service/audit"
	"einvoice/service/bulk"
)

// The codes of errors.
const (
	CodeSource = "WATCH-SOURCE" // a source cannot be used
	CodeTarget = "WATCH-TARGET" // the target cannot be used
)

// Dead is the folder of documents that were given up: moved back to a source, they are tried again.
const Dead = "dead"

// The files of a target beside the folders of verdicts, and of a source.
const (
	// LogFile is the log of all results.
	LogFile     = "log.jsonl"
	workFolder  = ".watch"
	begunFolder = workFolder + "/begun/"
	takenFolder = ".taken"
)

// Removed is what the log says of a document that was kept long enough.
const Removed = "removed"

// ReportEnding is behind the name of a document in that of its report.
const ReportEnding = ".report.json"

// Places are the folders that documents go to.
var Places = []string{string(bulk.Valid), string(bulk.Invalid), string(bulk.Unreadable), Dead}

// A Line judges what comes into some folders.
type Line struct {
	Sources []string // folders, the first of which goes before the others
	Target  string   // a folder
	By      bulk.Performance
	Jobs    int           // documents at a time
	Settle  time.Duration // that a file has to stay the same before it is taken
	Limit   int64         // bytes of a document
	Keep    int           // days that documents and reports stay; 0 for ever
	Once    bool          // end when nothing waits
	Log     *slog.Logger
	// Done is told of each document; may be nil.
	Done func(Result)
	// Waits is told now and then how many files wait in the sources; may be nil.
	Waits func(files int)

	target bulk.Folder
	log    *audit.Log
	turns  bulk.Turns
	taken  map[string]bool // names of the target that documents have
	mu     sync.Mutex      // of taken
	lines  map[string]int  // of the log, the last ones about documents that were taken at the start
	now    func() time.Time
}

// A Result is what has become of a document.
type Result struct {
	bulk.Outcome
	Place  string        // a folder of the target
	Waited time.Duration // from when the file was last written
}

// An Event is what the log says of a document.
type Event struct {
	File   string `json:"file"`   // in the target
	Source string `json:"source"` // where it came from
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	// Verdict is the folder that it went to; removed for one that was kept long enough.
	Verdict string `json:"verdict"`
	Report  string `json:"report,omitempty"` // SHA-256
	Rules   string `json:"rules,omitempty"`  // digest of rules, options and program
}

// pause is between two looks at sources that have nothing.
const pause = 500 * time.Millisecond

// window is how many documents of a source are looked at before some of them are taken.
const window = 2048

// Run judges what comes until ctx ends; documents in hand are done then.
func (l *Line) Run(ctx context.Context) (err error) {
	if l.now == nil {
		l.now = time.Now
	}
	l.target, l.turns, l.taken = bulk.Folder(l.Target), bulk.NewTurns(), map[string]bool{}
	l.lines = map[string]int{}
	unlock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := l.prepare(); err != nil {
		return err
	}
	left, err := l.left()
	if err != nil {
		return err
	}
	l.log, err = audit.Open(filepath.Join(l.Target, LogFile), l.told)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.log.Close()) }()
	for _, f := range left { // one after the other: one of them may have ended the process
		if ctx.Err() != nil {
			return nil //nolint:nilerr // told to stop
		}
		if err := l.do(context.WithoutCancel(ctx), f); err != nil {
			return err
		}
	}
	return l.intake(ctx)
}

// lock keeps a second process from the target and from each source.
func (l *Line) lock(ctx context.Context) (unlock func(), err error) {
	var all []func()
	unlock = func() {
		for _, one := range slices.Backward(all) {
			one()
		}
	}
	folders := []string{filepath.Join(l.Target, workFolder)}
	for _, s := range l.Sources {
		if info, err := os.Stat(s); err != nil || !info.IsDir() {
			return nil, errors.Join(&problem.Error{Code: CodeSource, Message: s + " is not a folder that can be watched", Remedy: "name a folder that is there", Cause: err})
		}
		if bulk.IsInside(s, l.Target) || bulk.IsInside(l.Target, s) {
			return nil, &problem.Error{Code: CodeTarget, Message: "the target " + l.Target + " and the source " + s + " are inside each other, so that results would be documents", Remedy: "name another folder with --out"}
		}
		folders = append(folders, filepath.Join(s, takenFolder))
	}
	for _, folder := range folders {
		_, one, err := bulk.Folder(folder).Lock(ctx)
		if err != nil {
			unlock()
			return nil, err
		}
		all = append(all, one)
	}
	return unlock, nil
}

func (l *Line) prepare() error {
	for _, place := range Places {
		if err := os.MkdirAll(filepath.Join(l.Target, place), 0o755); err != nil {
			return &problem.Error{Code: CodeTarget, Message: err.Error(), Remedy: "name a folder that can be written with --out", Cause: err}
		}
	}
	return nil
}

// A file is a document that was taken: it is in the folder of what is taken of its source.
type file struct {
	source string
	name   string // in the target, and while it is taken
	waited time.Time
}

func (f *file) path() string { return filepath.Join(f.source, takenFolder, f.name) }

// intake takes documents and has them judged. No more are taken than are in hand, so that what
// cannot be done stays in the source.
func (l *Line) intake(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	todo := make(chan *file)
	var workers sync.WaitGroup
	for range max(1, l.Jobs) {
		workers.Go(func() {
			for f := range todo {
				if err := l.do(context.WithoutCancel(ctx), f); err != nil {
					stop(err)
				}
			}
		})
	}
	seen := map[string]look{}
	swept := time.Time{}
	for ctx.Err() == nil {
		took, waits, err := l.look(ctx, seen, todo)
		if err != nil {
			stop(err)
			break
		}
		if l.Keep > 0 && l.now().Sub(swept) > time.Hour {
			swept = l.now()
			if err := l.sweep(ctx); err != nil {
				stop(err)
				break
			}
		}
		if took == 0 && waits == 0 && l.Once {
			break
		}
		if took == 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	}
	close(todo)
	workers.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// left is what was taken when the last process ended.
func (l *Line) left() (left []*file, err error) {
	for _, s := range l.Sources {
		entries, err := os.ReadDir(filepath.Join(s, takenFolder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				left = append(left, &file{s, e.Name(), info.ModTime()})
				l.taken[e.Name()] = true
			}
		}
	}
	return left, nil
}

// told notes the last line of the log about a document that is taken.
func (l *Line) told(line audit.Line) error {
	var e Event
	if err := json.Unmarshal(line.Event, &e); err != nil {
		return err
	}
	if l.taken[e.File] {
		l.lines[e.File] = line.Number
	}
	return nil
}

// sweep removes documents and reports that were kept long enough. The log says so.
func (l *Line) sweep(ctx context.Context) error {
	before := l.now().AddDate(0, 0, -l.Keep)
	for _, place := range Places {
		err := filepath.WalkDir(filepath.Join(l.Target, place), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || strings.HasSuffix(path, ReportEnding) || ctx.Err() != nil {
				return err
			}
			info, err := os.Stat(path + ReportEnding)
			if errors.Is(err, fs.ErrNotExist) || err == nil && info.ModTime().After(before) {
				return nil // it is not a document of ours, or is kept
			}
			if err != nil {
				return err
			}
			sum, size, err := SumOf(path)
			if err != nil {
				return err
			}
			if err := l.log.Append(Event{File: e.Name(), Source: place, SHA256: sum, Bytes: size, Verdict: Removed}); err != nil {
				return err
			}
			return errors.Join(os.Remove(path), os.Remove(path+ReportEnding))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
