package bulk

import (
	"context"
	"os"
)

// Files are documents by their paths.
type Files struct {
	Paths []string
	Open  func(path string) ([]byte, error)
}

// Each lists the paths. What cannot be looked at has no size, and an error when it is read.
func (f *Files) Each(ctx context.Context, yield func(Entry) error) error {
	for _, path := range f.Paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := Entry{Key: path}
		if info, err := os.Stat(path); err == nil {
			e.Size = info.Size()
		}
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a file.
func (f *Files) Read(_ context.Context, key string) ([]byte, error) { return f.Open(key) }
