// Package watch judges documents as they come, without an end: each goes from a source to the place
// of its verdict, with its report, exactly once, however the process ends in between.
package watch

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
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

// Dead is the place of documents that were given up. A line with Retry tries them again.
const Dead = "dead"

// Places are where documents go to.
var Places = []string{string(bulk.Valid), string(bulk.Invalid), string(bulk.Unreadable), Dead}

// PlaceFolders are the folders of a target that stores documents.
func PlaceFolders() (folders []string) {
	for _, place := range Places {
		folders = append(folders, place+"/")
	}
	return folders
}

// A Source is where documents come from. Its methods are called one at a time.
type Source interface {
	String() string
	// Open takes the source for this process, and gives the documents that a process took which
	// ended. The context that it gives ends when the source is lost to another process. A source
	// refuses a target that it cannot deliver to.
	Open(ctx context.Context, to Target) (locked context.Context, over func(), left []*Document, err error)
	// Take hands out some of the documents that wait. It asks for room before it takes one, and
	// ends where there is none; where there was room and no document, it hands out nil. It gives how
	// many it handed out, and how many it saw waiting.
	Take(ctx context.Context, room func() bool, hand func(*Document)) (took, waits int, err error)
	// Pause is how long to wait after nothing was taken.
	Pause() time.Duration
}

// A Document is one that was taken from a source.
type Document struct {
	Name   string    // which no other document of the target has
	Source string    // where it came from, for the log
	Came   time.Time // when it was handed in
	// Deliveries is how often it was given to a process, with this time, where the source counts
	// that; 0 where it does not.
	Deliveries int
	Origin     Origin

	data []byte // what was read
}

// SHA256 is that of the document in hexadecimal, and its size in bytes.
func (d *Document) SHA256(ctx context.Context) (sum string, size int64, err error) {
	if d.data != nil {
		return audit.Sum(d.data), int64(len(d.data)), nil
	}
	return audit.SumOf(d.Origin.Open(ctx))
}

// An Origin is a document in its source.
type Origin interface {
	// Read reads the document. It is ErrGone where it is no longer what was taken; an error that is
	// bulk.ErrUnavailable ends the line, and any other is about the document.
	Read(ctx context.Context, limit int64) ([]byte, error)
	// Open reads it whatever its size.
	Open(ctx context.Context) (io.ReadCloser, error)
	// Release removes it from the source.
	Release(ctx context.Context) error
}

// ErrGone is the error of a document that somebody changed or took away before it was read.
var ErrGone = errors.New("the document is not there any more")

// A Target is where documents go to. Several goroutines may use it at a time.
type Target interface {
	String() string
	// Open takes the target for this process where it has to be alone. The context that it gives
	// ends when the target is lost to another process.
	Open(ctx context.Context) (locked context.Context, over func() error, err error)
	// Begun counts how often a process ended that had begun a document: at all, and while it did
	// nothing else. The document counts as begun once more after Begin.
	Begun(ctx context.Context, d *Document) (ends, alone int, err error)
	Begin(ctx context.Context, d *Document, alone bool) error
	// Reported is the place where the report of a document is; "" for none.
	Reported(ctx context.Context, d *Document) (place string, err error)
	// Report writes the report of a document, which lasts then.
	Report(ctx context.Context, d *Document, place string, line []byte, rules string) error
	// Finish takes a document that is reported to its place, and out of its source. Each step of it
	// may have been done before. line is the report; nil where it was written before.
	Finish(ctx context.Context, d *Document, place string, line []byte, rules string) error
	// Forget ends the use of a document that was not done.
	Forget(ctx context.Context, d *Document) error
}

// A Line judges what comes from some sources.
type Line struct {
	Sources []Source // the first of which goes before the others
	Target  Target
	By      bulk.Performance
	Jobs    int   // documents at a time
	Limit   int64 // bytes of a document
	Once    bool  // end when nothing waits
	Retry   bool  // begin with the documents that were given up before
	Log     *slog.Logger
	// Done is told of each document that the line has judged, but not of one that was judged
	// before a restart and whose files are now taken to their place; may be nil.
	Done func(Result)
	// Waits is told now and then how many documents wait in the sources; may be nil.
	Waits func(documents int)

	// Turns are shared by the lines of one process; nil for one line.
	Turns bulk.Turns
}

// A Result is what has become of a document.
type Result struct {
	bulk.Outcome
	Source string
	Place  string
	Waited time.Duration // from when it was handed in
}

// Run judges what comes until ctx ends; documents in hand are done then.
func (l *Line) Run(ctx context.Context) (err error) {
	if l.Turns == nil {
		l.Turns = bulk.NewTurns()
	}
	for _, s := range l.Sources {
		if within(s.String(), l.Target.String()) || within(l.Target.String(), s.String()) {
			return &problem.Error{Code: CodeTarget, Message: "the target " + l.Target.String() + " and the source " + s.String() + " are inside each other, so that results would be documents", Remedy: "name another target with --out"}
		}
	}
	sources := l.Sources
	if r, is := l.Target.(Retrier); is {
		sources = append([]Source{r.Again(l.Retry)}, sources...)
	}
	told := ctx
	ctx, over, err := l.Target.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, over()) }()
	var left []*Document
	for _, s := range sources {
		locked, over, some, err := s.Open(ctx, l.Target)
		if err != nil {
			return err
		}
		defer over()
		ctx = locked
		left = append(left, some...)
	}
	for _, d := range left { // one after the other: one of them may have ended the process
		if ctx.Err() != nil {
			break
		}
		if err := l.do(context.WithoutCancel(ctx), d); err != nil {
			return err
		}
	}
	if err := l.intake(ctx, sources); err != nil || told.Err() != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil { // a lock was lost
		return err
	}
	return nil
}

// within reports whether a name is that of a place inside another one.
func within(name, other string) bool {
	if strings.Contains(name, ":") || strings.Contains(other, ":") { // not both are folders
		return strings.HasPrefix(strings.TrimRight(name, "/")+"/", strings.TrimRight(other, "/")+"/")
	}
	return bulk.IsInside(filepath.Clean(name), filepath.Clean(other))
}

// intake takes documents and has them judged. No more are taken than there is room for, so that
// what cannot be done stays in the source.
func (l *Line) intake(ctx context.Context, sources []Source) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	places := make(chan struct{}, max(1, l.Jobs))
	var work sync.WaitGroup
	room := func() bool {
		select {
		case places <- struct{}{}:
			return true
		case <-ctx.Done():
			return false
		}
	}
	hand := func(d *Document) {
		if d == nil {
			<-places
			return
		}
		work.Go(func() {
			defer func() { <-places }()
			if err := l.do(context.WithoutCancel(ctx), d); err != nil {
				stop(err)
			}
		})
	}
	if err := l.look(ctx, sources, room, hand); err != nil {
		stop(err)
	}
	work.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// look takes what waits, the first source first. After what it took of a source it begins again with
// the first one.
func (l *Line) look(ctx context.Context, sources []Source, room func() bool, hand func(*Document)) error {
	quiet := make([]time.Time, len(sources)) // until when nothing is looked for
	waiting := make([]int, len(sources))
	swept := time.Time{}
	for ctx.Err() == nil {
		took, next := 0, time.Now().Add(time.Minute)
		for i, s := range sources {
			if now := time.Now(); quiet[i].After(now) {
				next = earlier(next, quiet[i])
				continue
			}
			n, waits, err := s.Take(ctx, room, hand)
			if err != nil {
				return err
			}
			if waiting[i] = waits; n > 0 {
				took = n
				break
			}
			quiet[i] = time.Now().Add(s.Pause())
			next = earlier(next, quiet[i])
		}
		if swept.Before(time.Now().Add(-time.Hour)) {
			swept = time.Now()
			if s, is := l.Target.(interface{ Sweep(context.Context) error }); is {
				if err := s.Sweep(ctx); err != nil {
					return err
				}
			}
		}
		if took > 0 {
			continue
		}
		all := 0
		for _, n := range waiting {
			all += n
		}
		if l.Waits != nil {
			l.Waits(all)
		}
		if all == 0 && l.Once {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(next)):
		}
	}
	return nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
