package render

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// Look returns the look of a name, one of the service's own or one of the program, or a
// *problem.Error if there is none.
func (p *Pages) Look(name string) (*look.Look, error) {
	if l := p.Looks.named(name); l != nil {
		return l, nil
	}
	l, err := look.BuiltIn(name)
	if err != nil {
		names := append(p.Looks.names(), look.Names()...)
		slices.Sort(names)
		return nil, &problem.Error{
			Code: problem.CodeOption, Message: "there is no look " + quote.Value(name), Remedy: "use one of " + strings.Join(names, ", "),
			Field: "options.look", Cause: err,
		}
	}
	return l, nil
}

// Looks are the looks of a folder: each file NAME.yaml in it is the look NAME. They can be
// read again while they are in use: invoices that are being drawn keep the look that they
// began with.
type Looks struct {
	// Try reads the files of all looks of a folder and tries the looks elsewhere, such as in a
	// process of its own; nil to do that here.
	Try func(folder string) (files map[string][]byte, err error)

	folder  string
	current atomic.Pointer[map[string]*look.Look]
	files   atomic.Pointer[map[string][]byte] // of those in force

	mu    sync.Mutex // serialises Refresh
	tried uint64     // fingerprint of the folder that was last read or refused
	fault atomic.Pointer[error]
}

// OneLook returns Looks with one look of a name, without a folder.
func OneLook(name string, one *look.Look) *Looks {
	l := &Looks{}
	l.current.Store(&map[string]*look.Look{name: one})
	return l
}

// ReadLooks reads the looks of a folder. The error is a *problem.Error about the first file
// that is not a look, unless the folder cannot be read.
func ReadLooks(folder string) (*Looks, error) {
	l := &Looks{folder: folder}
	if _, err := l.Refresh(true); err != nil {
		return nil, err
	}
	if l.current.Load() == nil {
		return nil, fmt.Errorf("the folder of looks %s changed while it was read; start again when it is at rest", folder)
	}
	return l, nil
}

// Refresh reads the folder again if it changed, or always if forced, and reports whether it
// did so. A folder with a file that is not a look changes nothing, and the error names the
// file.
func (l *Looks) Refresh(force bool) (tried bool, err error) {
	if l == nil || l.folder == "" {
		return false, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	print, err := l.fingerprint()
	if err == nil && print == l.tried && !force {
		return false, nil
	}
	var looks map[string]*look.Look
	var files map[string][]byte
	if err == nil && l.Try != nil {
		if files, err = l.Try(l.folder); err == nil {
			looks, err = looksOf(files)
		}
	} else if err == nil {
		looks, files, err = readLooks(os.DirFS(l.folder), page.ReadLook)
	}
	if again, changed := l.fingerprint(); err == nil && (changed != nil || again != print) {
		return false, nil // what was read is half old, half new
	}
	if before := l.fault.Load(); err != nil && print == l.tried && before != nil && (*before).Error() == err.Error() {
		return false, err // told already
	}
	l.tried = print
	if err != nil {
		l.fault.Store(&err)
		return true, err
	}
	l.fault.Store(nil)
	l.current.Store(&looks)
	l.files.Store(&files)
	return true, nil
}

// Files returns the files of the looks in force, by their names in the folder; nil for looks
// without a folder.
func (l *Looks) Files() map[string][]byte {
	if l == nil || l.files.Load() == nil {
		return nil
	}
	return *l.files.Load()
}

// TryLooks reads the files of all looks of a folder and tries the looks. The error is that of
// the first file that is not a look.
func TryLooks(folder string) (files map[string][]byte, err error) {
	_, files, err = readLooks(os.DirFS(folder), page.ReadLook)
	return files, err
}

// LooksOf returns looks that were tried, from their files. They do not change.
func LooksOf(files map[string][]byte) (*Looks, error) {
	looks, err := looksOf(files)
	if err != nil {
		return nil, err
	}
	l := &Looks{}
	l.current.Store(&looks)
	l.files.Store(&files)
	return l, nil
}

func looksOf(files map[string][]byte) (map[string]*look.Look, error) {
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	tried := func(fsys fs.FS, file string) (*look.Look, error) {
		return look.Read(fsys, file, func(*look.Look) error { return nil })
	}
	looks, _, err := readLooks(fsys, tried)
	return looks, err
}

// Fault returns the error that keeps the folder as it is now out of use; nil if it is in use.
func (l *Looks) Fault() error {
	if l == nil {
		return nil
	}
	if fault := l.fault.Load(); fault != nil {
		return *fault
	}
	return nil
}

// named is the look of a name; nil if there is none.
func (l *Looks) named(name string) *look.Look {
	if l == nil {
		return nil
	}
	return (*l.current.Load())[name]
}

// names are the names of all, in no order.
func (l *Looks) names() []string {
	if l == nil {
		return nil
	}
	return slices.Collect(maps.Keys(*l.current.Load()))
}

// mostLookFiles bounds a folder of looks with all that they name.
const mostLookFiles = 10_000

// fingerprint says whether the folder changed, from names, sizes and times of its files.
func (l *Looks) fingerprint() (uint64, error) {
	h, n := fnv.New64a(), 0
	root := os.DirFS(l.folder)
	err := engine.EachFile(root, func(name string) error {
		if n++; n > mostLookFiles {
			return fmt.Errorf("the folder of looks %s has more than %d files", l.folder, mostLookFiles)
		}
		info, err := fs.Stat(root, name) // what it leads to: a file may be a link, as in a mounted ConfigMap
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return h.Sum64(), err
}

// readLooks reads the looks of a folder in some way, with the files that are read for them.
func readLooks(folder fs.FS, read func(fs.FS, string) (*look.Look, error)) (looks map[string]*look.Look, files map[string][]byte, err error) {
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, nil, err
	}
	noted := &noting{folder, map[string][]byte{}}
	looks = map[string]*look.Look{}
	for _, file := range names {
		if looks[strings.TrimSuffix(file, ".yaml")], err = read(noted, file); err != nil {
			return nil, nil, err
		}
	}
	return looks, noted.files, nil
}

// A noting folder keeps what is read of it.
type noting struct {
	fs.FS
	files map[string][]byte
}

// ReadFile reads a file and keeps it.
func (n *noting) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(n.FS, name)
	if err == nil {
		n.files[name] = data
	}
	return data, err
}

// Stat is that of the folder.
func (n *noting) Stat(name string) (fs.FileInfo, error) { return fs.Stat(n.FS, name) }

// ReadLook reads the look of one file. The files that it names are beside the file. The error
// is a *problem.Error.
func ReadLook(file string) (*look.Look, error) {
	folder, name := filepath.Split(file)
	if folder == "" {
		folder = "."
	}
	return page.ReadLook(os.DirFS(folder), name)
}
