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

	"einvoice/engine"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model/problem"
)

// Look is the look of a name: one of the service's own, or one of the program. The error is
// a *problem.Error.
func (p *Pages) Look(name string) (*look.Look, error) {
	if l := p.Looks.named(name); l != nil {
		return l, nil
	}
	l, err := look.BuiltIn(name)
	if err != nil {
		names := append(p.Looks.names(), look.Names()...)
		slices.Sort(names)
		return nil, &problem.Error{
			Code: problem.CodeOption, Message: fmt.Sprintf("there is no look %q", name), Remedy: "use one of " + strings.Join(names, ", "),
			Field: "options.look", Cause: err,
		}
	}
	return l, nil
}

// Looks are the looks of a folder: each file NAME.yaml in it is the look NAME. They can be
// read again while they are used; invoices that are being drawn keep the look that they
// began with.
type Looks struct {
	folder  string
	current atomic.Pointer[map[string]*look.Look]

	mu    sync.Mutex // serialises Refresh
	tried uint64     // fingerprint of the folder that was last read or refused
	fault atomic.Pointer[error]
}

// OneLook is a look that has a name, without a folder.
func OneLook(name string, one *look.Look) *Looks {
	l := &Looks{}
	l.current.Store(&map[string]*look.Look{name: one})
	return l
}

// ReadLooks reads the looks of a folder. The error is that of the first file that is no
// look, a *problem.Error.
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

// Refresh reads the folder again if it changed, or in any case if forced. It reports
// whether there was anything to do; a folder with a file that is no look changes nothing.
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
	if err == nil {
		looks, err = readLooks(l.folder)
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
	return true, nil
}

// Fault is why the folder as it is now is not in use; nil if it is.
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

func readLooks(folder string) (map[string]*look.Look, error) {
	fsys := os.DirFS(folder)
	files, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	looks := map[string]*look.Look{}
	for _, file := range files {
		if looks[strings.TrimSuffix(file, ".yaml")], err = page.ReadLook(fsys, file); err != nil {
			return nil, err
		}
	}
	return looks, nil
}

// ReadLook reads the look of one file; what it names is beside the file.
func ReadLook(file string) (*look.Look, error) {
	folder, name := filepath.Split(file)
	if folder == "" {
		folder = "."
	}
	return page.ReadLook(os.DirFS(folder), name)
}
