package server

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"einvoice/engine"
	"einvoice/service/operation"
)

// A reloader has the rulebook in use. When the folder of edited rulesets
// changes, the next one is copied, checked and compiled beside it and then replaces
// it with one atomic store; one that does not load changes nothing.
type reloader struct {
	dir     string           // "" for the built-in rulesets alone
	usual   []string         // names of the overlays that apply where a request chooses none
	config  operation.Config // of the services of the rulebooks
	archive fs.FS            // past invoices that drafts of rules are tried on; nil without
	current atomic.Pointer[rulebook]

	mu    sync.Mutex // serialises refresh
	tried uint64     // fingerprint of the folder that was last loaded or refused
	fault atomic.Pointer[reloadFault]

	looked atomic.Int64 // when refresh last came to its end, in nanoseconds of Unix time
}

// A reloadFault is why the folder as it is now is not in use.
type reloadFault struct {
	err  error
	when time.Time
}

// refresh loads the folder if it changed since it was last looked at, or in any
// case if forced. It reports whether there was anything to do.
func (s *reloader) refresh(ctx context.Context, force bool) (tried bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.looked.Store(time.Now().UnixNano()) }()
	if s.dir == "" && !force {
		return false, nil
	}
	print, err := fingerprint(s.dir)
	if err == nil && print == s.tried && !force {
		return false, nil
	}
	if err == nil {
		var book *rulebook
		if book, err = s.loadPublished(ctx); err == nil {
			// A folder that changed while it was copied is half old, half new.
			var again uint64
			if again, err = fingerprint(s.dir); err == nil && again != print {
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
	if before := s.fault.Load(); print == s.tried && before != nil && before.err.Error() == err.Error() {
		return false, err // told already
	}
	s.tried = print
	s.fault.Store(&reloadFault{err, time.Now().UTC()})
	return true, err
}

// loadPublished loads the folder with what was published into it.
func (s *reloader) loadPublished(ctx context.Context) (*rulebook, error) {
	all, err := publications(s.dir)
	if err != nil {
		return nil, err
	}
	return s.load(ctx, all)
}

func (s *reloader) load(ctx context.Context, all []publication) (*rulebook, error) {
	var edited []byte
	if s.dir != "" {
		var err error
		if edited, err = snapshot(s.dir); err != nil {
			return nil, err
		}
	}
	b, err := s.book(edited, publishedOverlays(all))
	if err != nil {
		return nil, err
	}
	return b, b.try(ctx)
}

// book makes a rulebook of a snapshot of edited rulesets, nil for none, with the overlays
// that were published. It is not tried.
func (s *reloader) book(edited []byte, published []string) (*rulebook, error) {
	var own fs.FS
	if edited != nil {
		archive, err := zip.NewReader(bytes.NewReader(edited), int64(len(edited)))
		if err != nil {
			return nil, err
		}
		own = archive
	}
	b, err := newRulebook(own, s.config, s.usual, published, s.archive)
	if err != nil {
		return nil, err
	}
	b.edited, b.published = edited, published
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
		fmt.Fprintln(h, v.Name())
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return h.Sum64(), err
}

// mostRuleBytes bounds a folder of rulesets; the built-in ones have some 1 MB.
const mostRuleBytes = 64 << 20

// snapshot copies a folder into memory, as a zip archive, which is a file system
// already: what is checked must be what is run, whatever is edited meanwhile.
func snapshot(dir string) ([]byte, error) {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	total := int64(0)
	err := engine.RuleFiles(dir, func(name string, info fs.FileInfo) error {
		if total += info.Size(); total > mostRuleBytes {
			return fmt.Errorf("%s holds more than %d bytes of rulesets", dir, int64(mostRuleBytes))
		}
		data, err := fs.ReadFile(os.DirFS(dir), name)
		if err != nil {
			return err
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return archive.Bytes(), nil
}
