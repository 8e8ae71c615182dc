package bulk

import (
	"context"
	"errors"
	"io"
)

// A Target is where a job keeps its manifest and its results. Names have slashes. What is
// not there is an error that is fs.ErrNotExist. Several goroutines may use a target at a
// time.
type Target interface {
	// String is the target as it was named.
	String() string
	// Write writes files. When it returns without an error, all of them last, also after
	// a loss of power. Each is there as a whole or not at all, and one that is there has
	// all that are before it in the list.
	Write(ctx context.Context, files ...File) error
	// Note writes a file as a whole that need not outlast a loss of power.
	Note(ctx context.Context, name string, data []byte) error
	// Create begins a large file. It is there, and lasts, once it is closed without an
	// error; when ctx ends before, it is not.
	Create(ctx context.Context, name string) (io.WriteCloser, error)
	// Open reads a file.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Has reports whether a file is there.
	Has(ctx context.Context, name string) (bool, error)
	// Each names all files below a folder, which ends in a slash; "" for all. A folder that is
	// not there has no files.
	Each(ctx context.Context, folder string, yield func(name string) error) error
	// Remove removes a file, if it is there.
	Remove(ctx context.Context, name string) error
	// Lock keeps a second process from working here, until unlock or the end of this
	// process. The context that it gives ends when the lock is lost. The error of a target
	// that is in use is a *problem.Error of CodeBusy.
	Lock(ctx context.Context) (locked context.Context, unlock func(), err error)
	// Work is a folder of this machine for what can be made again.
	Work() string
}

// A File is what is written to a target.
type File struct {
	Name string
	Data []byte
}

// readFile reads a file of a target.
func readFile(ctx context.Context, t Target, name string) ([]byte, error) {
	f, err := t.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

// isEmpty reports whether a target has no file.
func isEmpty(ctx context.Context, t Target) (bool, error) {
	some := errors.New("there is one")
	err := t.Each(ctx, "", func(string) error { return some })
	if errors.Is(err, some) {
		return false, nil
	}
	return err == nil, err
}
