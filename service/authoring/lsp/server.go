// Package lsp is the language server for rule files: the protocol around package authoring.
//
//	err := lsp.Serve(ctx, os.Stdin, os.Stdout, rulesets.FS)
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"einvoice/service/authoring"
)

// quiet is for how long nobody types before the rules are checked.
const quiet = 150 * time.Millisecond

// runExamples is the command that runs examples; its arguments are a URI and two lines.
const runExamples = "einvoice.runExamples"

// Serve speaks the Language Server Protocol until the client says exit, the input ends or
// ctx does. base are the built-in rulesets. Folders of rulesets are found by the files that
// the client opens.
func Serve(ctx context.Context, in io.Reader, out io.Writer, base fs.FS) error {
	s := &server{base: base, copies: folderOfCopies(), out: &writer{w: out}, folders: map[string]*folder{}, ours: map[string]bool{}}
	defer s.checks.Wait()
	defer s.stop()
	reader := bufio.NewReader(in)
	for ctx.Err() == nil {
		m, err := read(reader)
		switch {
		case errors.Is(err, errMalformed):
			if err := s.out.write(&message{ID: json.RawMessage("null"), Error: &failure{codeParse, err.Error()}}); err != nil {
				return err
			}
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if m.Method == "exit" {
			return nil
		}
		if err := s.answer(m); err != nil {
			return err
		}
	}
	return ctx.Err()
}

type server struct {
	base   fs.FS
	copies string // the folder with copies of built-in files; "" where there can be none
	out    *writer
	checks sync.WaitGroup

	mu      sync.Mutex
	locale  string             // of the editor
	folders map[string]*folder // by their paths
	ours    map[string]bool    // URIs of open documents that were texts of rulesets
	stopped bool
}

// A folder of rulesets with files that are open.
type folder struct {
	path      string
	workspace *authoring.Workspace
	mistakes  map[string][]authoring.Mistake // that were published
	timer     *time.Timer
}

// answer answers a request; notifications have no answer.
func (s *server) answer(m *message) error {
	handle, known := handlers[m.Method]
	if m.ID == nil {
		if known {
			_, err := handle(s, m.Params)
			if err != nil {
				return s.out.write(notification("window/logMessage", &shown{1, err.Error()}))
			}
		}
		return nil
	}
	if m.Method == "" { // an answer to a request that this server does not make
		return nil
	}
	if !known {
		return s.out.write(&message{ID: m.ID, Error: &failure{codeMethod, fmt.Sprintf("there is no method %.100q", m.Method)}})
	}
	result, err := handle(s, m.Params)
	if err != nil {
		code := codeInternal
		if errors.Is(err, errParams) {
			code = codeParams
		}
		return s.out.write(&message{ID: m.ID, Error: &failure{code, err.Error()}})
	}
	if result == nil {
		result = json.RawMessage("null")
	}
	return s.out.write(&message{ID: m.ID, Result: result})
}

var errParams = errors.New("wrong parameters")

func notification(method string, params any) *message {
	data, err := json.Marshal(params)
	if err != nil {
		panic(err) // own types, which can be written
	}
	return &message{Method: method, Params: data}
}

// handler makes a handler of a function with parameters of a type.
func handler[P any](f func(*server, P) (any, error)) func(*server, json.RawMessage) (any, error) {
	return func(s *server, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, errors.Join(errParams, err)
			}
		}
		return f(s, p)
	}
}

// of finds the folder of rulesets that a document is in, and its name there; nil for a
// document that is in none.
func (s *server) of(uri string) (*folder, string) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return nil, ""
	}
	file := filepath.FromSlash(u.Path)
	root := folderOf(filepath.ToSlash(file))
	if root == "" || root == "." || root == "/" { // never a whole disk
		return nil, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.folders[root]
	if f == nil {
		own := os.DirFS(filepath.FromSlash(root))
		if s.isCopy(root) {
			own = s.base
		}
		f = &folder{path: root, workspace: authoring.Open(own, s.base)}
		f.workspace.Accept(s.locale)
		s.folders[root] = f
	}
	name, err := filepath.Rel(filepath.FromSlash(root), file)
	if err != nil {
		return nil, ""
	}
	return f, filepath.ToSlash(name)
}

// folderOf is the folder of rulesets that a file belongs to: rules are in FAMILY/VERSION,
// other files in folders of fixed names; "" for a file that is in none.
func folderOf(file string) string {
	if path.Ext(file) != ".yaml" {
		return ""
	}
	if before, _, found := strings.Cut(file, "/languages/"); found {
		return before
	}
	dir := path.Dir(file)
	if slices.Contains([]string{"codelists", "profiles", "findings", "overlays", "tables"}, path.Base(dir)) {
		return path.Dir(dir)
	}
	return path.Dir(path.Dir(dir))
}

func (f *folder) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: path.Join(f.path, name)}).String()
}

// check checks the folder when nobody has typed for a moment.
func (s *server) check(f *folder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.isCopy(f.path) {
		return
	}
	if f.timer != nil && f.timer.Stop() { // one that waits
		f.timer.Reset(quiet)
		return
	}
	s.checks.Add(1)
	f.timer = time.AfterFunc(quiet, func() {
		defer s.checks.Done()
		s.publish(f)
	})
}

// stop ends the checks that wait.
func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, f := range s.folders {
		if f.timer != nil && f.timer.Stop() {
			s.checks.Done()
		}
	}
}

// publish tells the client all mistakes of a folder, and that files have none any more.
func (s *server) publish(f *folder) {
	mistakes, err := f.workspace.Check()
	if err != nil {
		_ = s.out.write(notification("window/logMessage", &shown{1, err.Error()})) // a client that is gone needs no log
		return
	}
	s.mu.Lock()
	before := f.mistakes
	f.mistakes = mistakes
	s.mu.Unlock()
	for name := range before {
		if _, still := mistakes[name]; !still && !slices.Contains(f.workspace.Opened(), name) {
			_ = s.out.write(notification("textDocument/publishDiagnostics", &published{f.uri(name), []diagnostic{}}))
		}
	}
	for name, all := range mistakes {
		p := &published{URI: f.uri(name)}
		for _, m := range all {
			p.Diagnostics = append(p.Diagnostics, f.diagnostic(m))
		}
		_ = s.out.write(notification("textDocument/publishDiagnostics", p))
	}
	for _, name := range f.workspace.Opened() {
		if _, has := mistakes[name]; !has {
			_ = s.out.write(notification("textDocument/publishDiagnostics", &published{f.uri(name), []diagnostic{}}))
		}
	}
}

func (f *folder) diagnostic(m authoring.Mistake) diagnostic {
	severity := severityError
	if m.Warning {
		severity = severityWarning
	}
	return diagnostic{Range: f.textRange(m.File, m.Range), Severity: severity, Source: "einvoice", Message: m.In(f.workspace.Language()).Message}
}

// textRange is a range in units of the protocol.
func (f *folder) textRange(name string, r authoring.Range) textRange {
	line := lineOf(f.workspace.Text(name), r.Line)
	return textRange{position{r.Line - 1, unitsBefore(line, r.Column)}, position{r.Line - 1, unitsBefore(line, max(r.End, r.Column))}}
}
