package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"einvoice/model/problem"
	"einvoice/service/inputfile"
)

// Files are the documents of a folder, or of a list. Names are not held in memory.
type Files struct {
	// Folder is searched, with all folders below; what may be an invoice is listed in the
	// order of filepath.WalkDir.
	Folder string
	// List, in place of a folder, opens a list with a path a line.
	List func() (io.ReadCloser, error)
	// Work is a folder for what does not fit into memory.
	Work string
	// Open reads a file, and tells when it was last written, as Source.Read does.
	Open func(path string) (data []byte, stamp int64, err error)

	others atomic.Int64
}

// Others counts the files that the last listing passed over, because their names do not end as
// those of invoices do.
func (f *Files) Others() int { return int(f.others.Load()) }

// listFile is what a list from a stream is kept in.
const listFile = "list"

// KeepList keeps a list that is read from a stream in a file of the folder, because a source is
// read again. One that is there from an earlier run is taken; it is whole, because it is
// renamed at the end.
func KeepList(r io.Reader, folder string) (list func() (io.ReadCloser, error), err error) {
	path := filepath.Join(folder, listFile)
	list = func() (io.ReadCloser, error) { return os.Open(path) }
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return list, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, notWritten(err)
	}
	to, err := os.Create(part(path))
	if err != nil {
		return nil, notWritten(err)
	}
	n, err := io.Copy(to, io.LimitReader(r, MostUnpacked+1))
	if err == nil && n > MostUnpacked {
		err = fmt.Errorf("the list has more than %d bytes", int64(MostUnpacked))
	}
	if err = errors.Join(err, to.Close()); err == nil {
		err = os.Rename(part(path), path)
	}
	if err != nil {
		return nil, errors.Join(notWritten(err), os.Remove(part(path)))
	}
	return list, nil
}

// Each lists the paths. Sizes are found when the documents are read.
func (f *Files) Each(ctx context.Context, yield func(Entry) error) error {
	if f.List == nil {
		others := 0 // of this listing: another one may count beside it
		err := f.walk(ctx, f.Folder, &others, yield)
		f.others.Store(int64(others))
		return err
	}
	list, err := f.List()
	if err != nil {
		return err
	}
	defer list.Close()
	err = inputfile.Paths(list, func(path string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return yield(Entry{Key: path})
	})
	if errors.Is(err, inputfile.ErrNotPath) {
		return &problem.Error{Code: CodeSource, Message: err.Error(), Remedy: "name a file with one path a line"}
	}
	return err
}

func (f *Files) walk(ctx context.Context, folder string, others *int, yield func(Entry) error) error {
	return sortedNames(folder, f.Work, func(name string, isFolder bool) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(folder, name)
		switch {
		case isFolder:
			return f.walk(ctx, path, others, yield)
		case inputfile.MayBeInvoice(name):
			return yield(Entry{Key: path})
		}
		*others++
		return nil
	})
}

// Count counts the paths.
func (f *Files) Count(ctx context.Context) (n int, err error) {
	err = f.Each(ctx, func(Entry) error { n++; return nil })
	return n, err
}

// Read reads a file.
func (f *Files) Read(_ context.Context, e Entry) ([]byte, int64, error) { return f.Open(e.Key) }
