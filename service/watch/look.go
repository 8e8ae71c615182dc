package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"einvoice/model/problem"
	"einvoice/service/inputfile"
)

// A look is how a file was when it was looked at.
type look struct {
	size  int64
	stamp time.Time
	since time.Time // that it is like this
	round bool      // it was there in the last round
}

// look takes what is at rest in the sources, the first source first, and gives how many that were,
// and how many were looked at. After what it took of a source it begins again with the first one.
func (l *Line) look(ctx context.Context, seen map[string]look, todo chan<- *file) (took, waits int, err error) {
	for _, source := range l.Sources {
		n, waiting, err := l.lookAt(ctx, source, seen, todo)
		took, waits = took+n, waits+waiting
		if err != nil || n > 0 {
			return took, waits, err
		}
	}
	for path, one := range seen {
		if !one.round {
			delete(seen, path)
			continue
		}
		one.round = false
		seen[path] = one
	}
	if l.Waits != nil {
		l.Waits(waits)
	}
	return took, waits, nil
}

// lookAt takes a window of documents from one source.
func (l *Line) lookAt(ctx context.Context, source string, seen map[string]look, todo chan<- *file) (took, waiting int, err error) {
	folder, err := os.Open(source)
	if err != nil {
		return 0, 0, unusable(source, err)
	}
	defer folder.Close()
	for ctx.Err() == nil {
		entries, err := folder.ReadDir(window)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular() || !inputfile.MayBeInvoice(e.Name()) {
				continue
			}
			info, err := e.Info()
			if err != nil { // it was taken away
				continue
			}
			waiting++
			path := filepath.Join(source, e.Name())
			if !l.rests(path, info, seen) {
				continue
			}
			f, err := l.take(source, e.Name(), info.ModTime())
			if err != nil {
				return took, waiting, err
			}
			delete(seen, path)
			if f == nil {
				continue
			}
			select {
			case todo <- f:
				took++
			case <-ctx.Done(): // it is taken, and done after the next start
				return took, waiting, nil
			}
		}
		if took > 0 || errors.Is(err, io.EOF) {
			return took, waiting, nil
		}
		if err != nil {
			return took, waiting, unusable(source, err)
		}
	}
	return took, waiting, nil
}

func unusable(source string, err error) error {
	return &problem.Error{Code: CodeSource, Message: fmt.Sprintf("%s cannot be listed: %v", source, err), Remedy: "see that it is there and may be read, and start again", Cause: err}
}

// rests reports whether a file is no longer being written: it was the same for a while, by the
// clock of this process.
func (l *Line) rests(path string, info fs.FileInfo, seen map[string]look) bool {
	if l.Settle <= 0 {
		return true
	}
	before, known := seen[path]
	now := look{info.Size(), info.ModTime(), l.now(), true}
	if known && before.size == now.size && before.stamp.Equal(now.stamp) {
		now.since = before.since
	}
	seen[path] = now
	return known && l.now().Sub(now.since) >= l.Settle
}

// take moves a file to what is taken of its source, under a name that no document of the target
// has. It is nil where somebody took the file away.
func (l *Line) take(source, name string, stamp time.Time) (*file, error) {
	f := &file{source, l.free(name), stamp}
	err := os.Rename(filepath.Join(source, name), f.path())
	if errors.Is(err, fs.ErrNotExist) {
		l.forget(f.name)
		return nil, nil
	}
	if err != nil {
		return nil, unusable(source, err)
	}
	return f, nil
}

// free is a name for a document that no other one has, as like its own as can be.
func (l *Line) free(name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	ending := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s~%d%s", stem, n, ending)
		}
		if !l.taken[try] && !l.isThere(try) {
			l.taken[try] = true
			return try
		}
	}
}

func (l *Line) forget(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, name)
}

// isThere reports whether the target has, or had, a document or report of a name.
func (l *Line) isThere(name string) bool {
	for _, place := range Places {
		for _, path := range []string{name, name + ReportEnding} {
			if _, err := os.Lstat(filepath.Join(l.Target, place, path)); err == nil {
				return true
			}
		}
	}
	return false
}
