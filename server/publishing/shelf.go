package publishing

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"einvoice/engine"
	"einvoice/server/held"
	"einvoice/service/operation"
)

// A Shelf has the Book in use. When the folder of edited rulesets
// changes, the next one is copied, checked and compiled beside it and then replaces
// it with one atomic store; one that does not load changes nothing.
type Shelf struct {
	Dir   string   // "" for the built-in rulesets alone
	Usual []string // names of the overlays that apply where a request chooses none
	// Mandatory are names of overlays that no request may leave out, unless its key says so.
	Mandatory []string
	// Signs is the key that publications are signed with; nil for none.
	Signs ed25519.PrivateKey
	// Approval has what one key publishes wait for another key to approve it.
	Approval bool
	Config   operation.Config // of the services of the books
	Archive  fs.FS            // past invoices that drafts of rules are tried on; nil without

	current atomic.Pointer[Book]

	once  sync.Mutex // serialises requests with idempotency keys
	mu    sync.Mutex // serialises Refresh
	tried uint64     // fingerprint of the folder that was last loaded or refused
	fault atomic.Pointer[Fault]

	looked atomic.Int64 // when Refresh last came to its end, in nanoseconds of Unix time
}

// A Fault is why the folder as it is now is not in use.
type Fault struct {
	Err  error
	When time.Time
}

// Current is the book in force; nil before there is one.
func (s *Shelf) Current() *Book { return s.current.Load() }

// Use takes a book into force.
func (s *Shelf) Use(b *Book) { s.current.Store(b) }

// Fault is why the folder as it is now is not in use; nil where it is.
func (s *Shelf) Fault() *Fault { return s.fault.Load() }

// Looked is when Refresh last came to its end.
func (s *Shelf) Looked() time.Time { return time.Unix(0, s.looked.Load()).UTC() }

// Refresh loads the folder if it changed since it was last looked at, or in any
// case if forced. It reports whether there was anything to do.
func (s *Shelf) Refresh(ctx context.Context, force bool) (tried bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.looked.Store(time.Now().UnixNano()) }()
	if s.Dir == "" && !force {
		return false, nil
	}
	print, err := fingerprint(s.Dir)
	if err == nil && print == s.tried && !force {
		return false, nil
	}
	if err == nil {
		if _, none := os.Stat(filepath.Join(s.Dir, versionsFolder)); s.Dir != "" && none == nil {
			if release, err := s.hold(ctx); err == nil { // a folder that may not be written is never half published
				defer release()
			}
		}
		var book *Book
		if book, err = s.loadPublished(ctx); err == nil {
			// A folder that changed while it was copied is half old, half new.
			var again uint64
			if again, err = fingerprint(s.Dir); err == nil && again != print {
				return false, nil
			}
			if err == nil {
				s.tried = print
				s.current.Store(book)
				s.fault.Store(nil)
				return true, nil
			}
		}
	}
	if before := s.fault.Load(); print == s.tried && before != nil && before.Err.Error() == err.Error() {
		return false, err // told already
	}
	s.tried = print
	s.fault.Store(&Fault{err, time.Now().UTC()})
	return true, err
}

// lockFile is what a process has hold of, in the folder of the versions, while it publishes, approves or
// rejects: services that share a folder of rules do so one after the other.
const lockFile = "lock"

// hold keeps other processes from publishing, until release is called. The caller has locked mu.
func (s *Shelf) hold(ctx context.Context) (release func(), err error) {
	return held.Wait(ctx, filepath.Join(s.Dir, versionsFolder, lockFile))
}

// loadPublished loads the folder with what was published into it.
func (s *Shelf) loadPublished(ctx context.Context) (*Book, error) {
	all, err := publications(s.Dir)
	if err != nil {
		return nil, err
	}
	return s.load(ctx, all, nil)
}

// load makes a book of the folder, with the texts of files as they are to be (nil: gone), and
// tries it.
func (s *Shelf) load(ctx context.Context, all []Publication, changed map[string]*string) (*Book, error) {
	var edited []byte
	if s.Dir != "" {
		var err error
		if edited, err = snapshot(s.Dir, changed); err != nil {
			return nil, err
		}
	}
	b, err := s.Book(edited, publishedOverlays(all))
	if err != nil {
		return nil, err
	}
	return b, b.try(ctx)
}

// Book makes a book of a snapshot of edited rulesets, nil for none, with the overlays
// that were published. It is not tried.
func (s *Shelf) Book(edited []byte, published []string) (*Book, error) {
	var own fs.FS
	if edited != nil {
		archive, err := zip.NewReader(bytes.NewReader(edited), int64(len(edited)))
		if err != nil {
			return nil, err
		}
		own = archive
	}
	b, err := newBook(own, s, published)
	if err != nil {
		return nil, err
	}
	b.Edited, b.Published = edited, published
	return b, nil
}

// fingerprint says whether a folder changed, from names, sizes and times.
func fingerprint(dir string) (uint64, error) {
	if dir == "" {
		return 0, nil
	}
	h := fnv.New64a()
	err := engine.RuleFiles(dir, func(name string, info fs.FileInfo) error {
		fmt.Fprintf(h, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		return 0, err
	}
	versions, err := os.ReadDir(filepath.Join(dir, versionsFolder)) // they say which overlays apply to everyone
	for _, v := range versions {
		if filepath.Ext(v.Name()) == ".json" { // and no lock, which comes and goes
			fmt.Fprintln(h, v.Name())
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return h.Sum64(), err
}

// mostRuleBytes bounds a folder of rulesets; the built-in ones have some 1 MB. The rows of tables,
// which may be many more, are bounded as they are kept: compressed.
const (
	mostRuleBytes = 64 << 20
	mostKeptBytes = 256 << 20
)

// snapshot copies a folder into memory, as a zip archive, which is a file system
// already: what is checked must be what is run, whatever is edited meanwhile, also by a process
// that is started later. Files that are to be changed have their texts; those that are to be gone
// have nil.
func snapshot(dir string, changed map[string]*string) ([]byte, error) {
	s := archiver{dir: dir}
	s.zip = zip.NewWriter(&s.kept)
	root := os.DirFS(dir)
	err := engine.RuleFiles(dir, func(name string, info fs.FileInfo) error {
		if _, is := changed[name]; is {
			return nil
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return s.add(name, info.Size(), f)
	})
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if text := changed[name]; err == nil && text != nil {
			err = s.add(name, int64(len(*text)), strings.NewReader(*text))
		}
	}
	if err == nil {
		err = s.zip.Close()
	}
	return s.kept.Bytes(), err
}

// An archiver keeps the files of a folder.
type archiver struct {
	dir   string
	kept  bytes.Buffer
	zip   *zip.Writer
	total int64 // bytes of rulesets
}

func (a *archiver) add(name string, size int64, data io.Reader) error {
	header := &zip.FileHeader{Name: name, Method: zip.Store}
	if engine.IsTableData(name) {
		header.Method = zip.Deflate
	} else if a.total += size; a.total > mostRuleBytes {
		return fmt.Errorf("%s holds more than %d bytes of rulesets", a.dir, int64(mostRuleBytes))
	}
	f, err := a.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	for { // by pieces: no more is read of what is too large
		_, err := io.CopyN(f, data, 1<<20)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case a.kept.Len() > mostKeptBytes:
			return fmt.Errorf("%s holds tables of more than %d bytes, compressed", a.dir, int64(mostKeptBytes))
		}
	}
}
