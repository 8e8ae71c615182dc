package archive

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Open opens a file or a folder.
func (f *FS) Open(name string) (fs.File, error) {
	info, err := f.stat("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		entries, err := f.ReadDir(name)
		return &folder{info: info, rest: entries}, err
	}
	data, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &file{bytes.NewReader(data), info}, nil
}

// Stat describes a file or a folder.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return f.stat("stat", name) }

func (f *FS) stat(operation, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: operation, Path: name, Err: fs.ErrInvalid}
	}
	if e, found := f.file(name); found {
		return about{name: path.Base(name), size: int64(e.size())}, nil
	}
	if name == "." {
		return about{name: name, folder: true}, nil
	}
	if i := f.find(name + "/"); i < f.count && strings.HasPrefix(f.entry(i).name(), name+"/") {
		return about{name: path.Base(name), folder: true}, nil
	}
	return nil, notFound(operation, name)
}

// ReadDir lists a folder.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	info, err := f.stat("readdir", name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	var entries []fs.DirEntry
	for i := f.find(prefix); i < f.count; i++ {
		e := f.entry(i)
		rest, inside := strings.CutPrefix(e.name(), prefix)
		if !inside {
			break
		}
		base, _, isFolder := strings.Cut(rest, "/")
		if !isFolder {
			entries = append(entries, fs.FileInfoToDirEntry(about{name: base, size: int64(e.size())}))
			continue
		}
		entries = append(entries, fs.FileInfoToDirEntry(about{name: base, folder: true}))
		i = f.find(prefix+base+"0") - 1 // 0 comes after /
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// A file is one that is open.
type file struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// A folder is one that is open.
type folder struct {
	info fs.FileInfo
	rest []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }

func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.Name(), Err: fs.ErrInvalid}
}

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.rest) {
		if n > 0 && len(f.rest) == 0 {
			return nil, io.EOF
		}
		n = len(f.rest)
	}
	entries := f.rest[:n:n]
	f.rest = f.rest[n:]
	return entries, nil
}

// about describes a file or a folder.
type about struct {
	name   string
	size   int64
	folder bool
}

func (a about) Name() string       { return a.name }
func (a about) Size() int64        { return a.size }
func (a about) ModTime() time.Time { return time.Time{} }
func (a about) IsDir() bool        { return a.folder }
func (a about) Sys() any           { return nil }

func (a about) Mode() fs.FileMode {
	if a.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
