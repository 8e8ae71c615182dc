package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Folder is a target in the file system.
type Folder string

// String is the path.
func (f Folder) String() string { return string(f) }

// Work is a folder inside the folder.
func (f Folder) Work() string { return f.path(workFolder) }

func (f Folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// part is the name of a file that is not whole yet.
func part(path string) string { return path + ".part" }

// Write writes every file under another name, has the system bring them to the disk, and
// only then renames them.
func (f Folder) Write(_ context.Context, files ...File) (err error) {
	defer func() {
		if err != nil {
			for _, file := range files {
				_ = os.Remove(part(f.path(file.Name))) // most are not there
			}
			err = notWritten(err)
		}
	}()
	var folders []string
	for _, file := range files {
		path := f.path(file.Name)
		if folder := filepath.Dir(path); !slices.Contains(folders, folder) {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			folders = append(folders, folder)
		}
		if err := os.WriteFile(part(path), file.Data, 0o644); err != nil {
			return err
		}
	}
	if err := f.toDisk(files); err != nil {
		return err
	}
	for _, file := range files {
		if err := os.Rename(part(f.path(file.Name)), f.path(file.Name)); err != nil {
			return err
		}
	}
	for _, folder := range folders {
		if err := syncFile(folder); err != nil {
			return err
		}
	}
	return nil
}

// manyFiles is from how many files on the whole file system is synced at once.
const manyFiles = 8

// toDisk brings the contents of new files to the disk.
func (f Folder) toDisk(files []File) error {
	if len(files) >= manyFiles {
		if done, err := syncFileSystem(string(f)); done {
			return err
		}
	}
	for _, file := range files {
		if err := syncFile(part(f.path(file.Name))); err != nil {
			return err
		}
	}
	return nil
}

// syncFile brings a file, or the names in a folder, to the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Note writes a file without waiting for the disk.
func (f Folder) Note(_ context.Context, name string, data []byte) error {
	path := f.path(name)
	err := os.WriteFile(part(path), data, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(part(path), data, 0o644)
		}
	}
	if err == nil {
		err = os.Rename(part(path), path)
	}
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// Create begins a file under another name.
func (f Folder) Create(ctx context.Context, name string) (io.WriteCloser, error) {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, notWritten(err)
	}
	file, err := os.Create(part(path))
	if err != nil {
		return nil, notWritten(err)
	}
	return &newFile{ctx, file, path}, nil
}

type newFile struct {
	ctx  context.Context
	file *os.File
	path string
}

func (n *newFile) Write(data []byte) (int, error) {
	count, err := n.file.Write(data)
	if err != nil {
		err = notWritten(err)
	}
	return count, err
}

func (n *newFile) Close() error {
	err := n.ctx.Err()
	if err == nil {
		err = n.file.Sync()
	}
	if err = errors.Join(err, n.file.Close()); err == nil {
		if err = os.Rename(part(n.path), n.path); err == nil {
			err = syncFile(filepath.Dir(n.path))
		}
	}
	if err != nil {
		return errors.Join(notWritten(err), os.Remove(part(n.path)))
	}
	return nil
}

// Open opens a file. A pipe or a device in its place is refused, because it would be waited for.
func (f Folder) Open(_ context.Context, name string) (io.ReadCloser, error) {
	path := f.path(name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	return os.Open(path)
}

// Has reports whether there is a file.
func (f Folder) Has(_ context.Context, name string) (bool, error) {
	_, err := os.Stat(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, notWritten(err)
	}
	return true, nil
}

// Each walks a folder. What is not whole yet, or was removed meanwhile, is left out.
func (f Folder) Each(ctx context.Context, folder string, yield func(string) error) error {
	return filepath.WalkDir(f.path(folder), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || filepath.Ext(path) == part("") {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		name, err := filepath.Rel(string(f), path)
		if err != nil {
			return err
		}
		return yield(filepath.ToSlash(name))
	})
}

// Remove removes a file.
func (f Folder) Remove(_ context.Context, name string) error {
	err := os.Remove(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Lock takes a lock of the system, which ends with the process however that ends.
func (f Folder) Lock(ctx context.Context) (locked context.Context, unlock func(), err error) {
	unlock, err = lock(string(f), f.path(lockFile))
	return ctx, unlock, err
}
