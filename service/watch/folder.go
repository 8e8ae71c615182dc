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
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

const (
	// takenFolder is the folder of a source with the documents in progress.
	takenFolder = ".taken"
	// pause is between two looks at a folder that has nothing.
	pause = 500 * time.Millisecond
	// window is how many documents of a source are looked at before some of them are taken.
	window = 2048
)

// A Folder is a source in the file system.
type Folder struct {
	Path   string
	Settle time.Duration // that a file has to stay the same before it is taken

	seen map[string]look
	to   *Stored
}

// A look is how a file was when it was looked at.
type look struct {
	size  int64
	stamp time.Time
	since time.Time // that it is like this
	round bool      // it was there in the last round
}

// String is the path.
func (f *Folder) String() string { return f.Path }

// Pause is half a second.
func (*Folder) Pause() time.Duration { return pause }

// Open keeps a second process from the folder.
func (f *Folder) Open(ctx context.Context, to Target) (locked context.Context, over func(), left []*Document, err error) {
	if info, err := os.Stat(f.Path); err != nil || !info.IsDir() {
		return nil, nil, nil, errors.Join(&problem.Error{Code: CodeSource, Message: f.Path + " is not a folder that can be watched", Remedy: "name a folder that is there", Cause: err})
	}
	if f.to, err = Keeps(f, to); err != nil {
		return nil, nil, nil, err
	}
	f.seen = map[string]look{}
	taken := filepath.Join(f.Path, takenFolder)
	locked, over, err = bulk.Folder(taken).Lock(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	entries, err := os.ReadDir(taken)
	if err != nil {
		over()
		return nil, nil, nil, unusable(f.Path, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			f.to.reserve(e.Name())
			left = append(left, f.document(e.Name(), info.ModTime()))
		}
	}
	return locked, over, left, nil
}

// Keeps is the target of a source whose documents have to be kept somewhere else.
func Keeps(s Source, to Target) (*Stored, error) {
	if stored, is := to.(*Stored); is {
		return stored, nil
	}
	return nil, &problem.Error{Code: CodeTarget, Message: "documents of " + s.String() + " cannot go to " + to.String() + ", where reports alone are kept", Remedy: "name a folder or a prefix of S3 with --out"}
}

// Take takes files that are at rest.
func (f *Folder) Take(ctx context.Context, room func() bool, hand func(*Document)) (took, waits int, err error) {
	took, waits, err = f.take(ctx, room, hand)
	if took > 0 || err != nil {
		return took, waits, err
	}
	for path, one := range f.seen {
		if !one.round {
			delete(f.seen, path)
			continue
		}
		one.round = false
		f.seen[path] = one
	}
	return 0, waits, nil
}

func (f *Folder) take(ctx context.Context, room func() bool, hand func(*Document)) (took, waits int, err error) {
	folder, err := os.Open(f.Path)
	if err != nil {
		return 0, 0, unusable(f.Path, err)
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
			waits++
			path := filepath.Join(f.Path, e.Name())
			if !f.rests(path, info) {
				continue
			}
			if !room() {
				return took, waits, nil
			}
			d, err := f.move(ctx, e.Name(), info.ModTime())
			if hand(d); err != nil {
				return took, waits, err
			}
			delete(f.seen, path)
			if d != nil {
				took++
			}
		}
		if took > 0 || errors.Is(err, io.EOF) {
			return took, waits, nil
		}
		if err != nil {
			return took, waits, unusable(f.Path, err)
		}
	}
	return took, waits, nil
}

func unusable(source string, err error) error {
	return &problem.Error{Code: CodeSource, Message: fmt.Sprintf("%s cannot be listed: %v", source, err), Remedy: "see that it is there and may be read, and start again", Cause: err}
}

// rests reports whether a file is no longer being written: it was the same for a while, by the
// clock of this process.
func (f *Folder) rests(path string, info fs.FileInfo) bool {
	if f.Settle <= 0 {
		return true
	}
	before, known := f.seen[path]
	now := look{info.Size(), info.ModTime(), time.Now(), true}
	if known && before.size == now.size && before.stamp.Equal(now.stamp) {
		now.since = before.since
	}
	f.seen[path] = now
	return known && time.Since(now.since) >= f.Settle
}

// move moves a file to what is taken of its source, under a name that no document of the target
// has. It is nil where somebody took the file away.
func (f *Folder) move(ctx context.Context, name string, stamp time.Time) (*Document, error) {
	free, err := f.to.free(ctx, name)
	if err != nil {
		return nil, err
	}
	d := f.document(free, stamp)
	err = os.Rename(filepath.Join(f.Path, name), d.Origin.(taken).path())
	if errors.Is(err, fs.ErrNotExist) {
		f.to.unreserve(free)
		return nil, nil
	}
	if err != nil {
		return nil, unusable(f.Path, err)
	}
	return d, nil
}

func (f *Folder) document(name string, stamp time.Time) *Document {
	return &Document{Name: name, Source: f.Path, Came: stamp, Origin: taken{f.Path, name}}
}

// taken is a file in the folder of what is taken.
type taken struct{ source, name string }

func (t taken) path() string { return filepath.Join(t.source, takenFolder, t.name) }

func (t taken) Read(_ context.Context, limit int64) ([]byte, error) {
	data, _, err := inputfile.Read(t.path(), limit)
	return data, err
}

func (t taken) Open(context.Context) (io.ReadCloser, error) { return os.Open(t.path()) }

func (t taken) Release(context.Context) error { return os.Remove(t.path()) }
