package authoring

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"einvoice/engine"
	"einvoice/engine/words"
)

// A Workspace is a folder of rulesets that somebody edits, over the built-in ones. Texts
// that are open in an editor count in place of the files. It may be used by any number of
// goroutines at a time.
type Workspace struct {
	own, base fs.FS

	mu      sync.Mutex
	accept  string            // languages of what is described, as in Accept-Language
	open    map[string]string // texts by file name
	library *engine.Library   // of the texts as they are; nil until it is asked for
	checked *checked          // of the texts as they were when it was asked for last; nil for none
	until   context.Context   //nolint:containedctx // a workspace of one request ends with it; nil for none
}

// Open makes a workspace of a folder; base are the built-in rulesets.
func Open(own, base fs.FS) *Workspace {
	return &Workspace{own: own, base: base, open: map[string]string{}}
}

// Until has checks end with a context, before any is begun.
func (w *Workspace) Until(ctx context.Context) { w.until = ctx }

// Ended is why checks ended before their end; nil where they did not. See [engine.Library.Ended].
func (w *Workspace) Ended() error {
	library, err := w.Library()
	if err != nil {
		return nil
	}
	return library.Ended()
}

// Accept chooses the language of hovers and completions, by a tag or a header
// Accept-Language. Mistakes are in English; Mistake.In says one in a language.
func (w *Workspace) Accept(languages string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.accept = languages
}

// Language is that of what is described, and of mistakes where they are shown; nil for English.
func (w *Workspace) Language() *words.Language {
	library, err := w.Library()
	if err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return library.Accepted(w.accept)
}

// Change has a text in place of a file, which need not be there.
func (w *Workspace) Change(name, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[name], w.library = text, nil
}

// Close has the file itself again.
func (w *Workspace) Close(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, name)
	w.library = nil
}

// Opened are the names of the files that texts are in place of, sorted.
func (w *Workspace) Opened() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.open))
}

// Text is the text of a file; "" where there is none.
func (w *Workspace) Text(name string) string {
	w.mu.Lock()
	text, open := w.open[name]
	w.mu.Unlock()
	if open {
		return text
	}
	data, err := fs.ReadFile(w.own, name)
	if err != nil {
		return ""
	}
	return string(data)
}

// Library is the library of the texts as they are now.
func (w *Workspace) Library() (*engine.Library, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.library != nil {
		return w.library, nil
	}
	library, err := engine.Open(engine.Layered(edited{w.own, maps.Clone(w.open)}, w.base))
	if err == nil {
		library.Until(w.until)
	}
	w.library = library
	return library, err
}

// edited is a folder with some texts in place of files.
type edited struct {
	fs.FS
	texts map[string]string
}

func (e edited) Open(name string) (fs.File, error) {
	if text, ok := e.texts[name]; ok {
		return &textFile{info: textInfo{path.Base(name), int64(len(text)), false}, Reader: strings.NewReader(text)}, nil
	}
	f, err := e.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) && len(e.below(name)) > 0 { // a folder that only open texts are in
		return &textFile{info: textInfo{path.Base(name), 0, true}, Reader: strings.NewReader("")}, nil
	}
	return f, err
}

// below are the names directly in a folder that open texts have: true for folders.
func (e edited) below(folder string) map[string]bool {
	names := map[string]bool{}
	for name := range e.texts {
		rest := name
		if folder != "." {
			inside := false
			if rest, inside = strings.CutPrefix(name, folder+"/"); !inside {
				continue
			}
		}
		first, _, deeper := strings.Cut(rest, "/")
		names[first] = deeper
	}
	return names
}

// ReadDir joins the files of a folder with the texts.
func (e edited) ReadDir(folder string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(e.FS, folder)
	below := e.below(folder)
	if err != nil && len(below) == 0 {
		return nil, err
	}
	for name, deeper := range below {
		if !slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return d.Name() == name }) {
			entries = append(entries, fs.FileInfoToDirEntry(textInfo{name, int64(len(e.texts[path.Join(folder, name)])), deeper}))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Stat finds a file or a text.
func (e edited) Stat(name string) (fs.FileInfo, error) {
	f, err := e.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

type textFile struct {
	io.Reader
	info textInfo
}

func (f *textFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *textFile) Close() error               { return nil }

type textInfo struct {
	name   string
	size   int64
	folder bool
}

func (i textInfo) Name() string       { return i.name }
func (i textInfo) Size() int64        { return i.size }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return i.folder }
func (i textInfo) Sys() any           { return nil }

func (i textInfo) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
