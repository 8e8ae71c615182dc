package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/model/pattern"
	"einvoice/service/authoring"
)

// handlers answer the methods of the protocol.
var handlers map[string]func(*server, json.RawMessage) (any, error)

func init() {
	handlers = map[string]func(*server, json.RawMessage) (any, error){
		"initialize":                      handler(initialize),
		"initialized":                     handler(nothing),
		"shutdown":                        handler(nothing),
		"textDocument/didOpen":            handler(didOpen),
		"textDocument/didChange":          handler(didChange),
		"textDocument/didClose":           handler(didClose),
		"textDocument/didSave":            handler(nothing),
		"textDocument/completion":         handler(completion),
		"textDocument/hover":              handler(hoverAt),
		"textDocument/definition":         handler(definition),
		"textDocument/references":         handler(references),
		"textDocument/rename":             handler(rename),
		"textDocument/codeAction":         handler(codeActions),
		"textDocument/codeLens":           handler(codeLenses),
		"workspace/executeCommand":        handler(execute),
		"$/setTrace":                      handler(nothing),
		"$/cancelRequest":                 handler(nothing),
		"workspace/didChangeWatchedFiles": handler(nothing),
	}
}

func nothing(*server, struct{}) (any, error) { return nil, nil }

func initialize(s *server, p starting) (any, error) {
	const fullText = 1
	s.mu.Lock()
	s.locale = p.Locale
	s.mu.Unlock()
	return map[string]any{
		"serverInfo": map[string]string{"name": "einvoice"},
		"capabilities": map[string]any{
			"textDocumentSync":       map[string]any{"openClose": true, "change": fullText},
			"completionProvider":     map[string]any{"triggerCharacters": []string{".", "/", "\"", "'", "-", " "}},
			"hoverProvider":          true,
			"definitionProvider":     true,
			"referencesProvider":     true,
			"renameProvider":         true,
			"codeActionProvider":     true,
			"codeLensProvider":       map[string]any{},
			"executeCommandProvider": map[string]any{"commands": []string{runExamples}},
		},
	}, nil
}

func didOpen(s *server, p opened) (any, error) {
	return nil, s.change(p.TextDocument.URI, p.TextDocument.Text)
}

func didChange(s *server, p changed) (any, error) {
	if n := len(p.ContentChanges); n > 0 {
		return nil, s.change(p.TextDocument.URI, p.ContentChanges[n-1].Text)
	}
	return nil, nil
}

func (s *server) change(uri, text string) error {
	f, name := s.of(uri)
	switch {
	case f == nil:
		return nil
	case s.stays(uri, text) || isOurs(uri, f.onDisk(name)):
		f.workspace.Change(name, text)
	case slices.Contains(f.workspace.Opened(), name): // it was empty, and became another
		f.workspace.Close(name)
	default:
		return nil
	}
	s.check(f)
	return nil
}

// stays reports whether a document is ours. One that was stays so until it is closed, whatever is
// typed: without its text, positions and changes would be those of an earlier one.
func (s *server) stays(uri, text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ours := isOurs(uri, text)
	if ours && strings.TrimSpace(text) != "" {
		s.ours[uri] = true
	}
	return ours || s.ours[uri]
}

// onDisk is the text of a file without what is typed; not empty, which may become ours.
func (f *folder) onDisk(name string) string {
	data, err := os.ReadFile(filepath.Join(filepath.FromSlash(f.path), filepath.FromSlash(name)))
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return "-"
	}
	return string(data)
}

var rulesetKey = pattern.Later(`(?m)^ruleset:`)

// isOurs tells files of rulesets from other YAML, of which editors are full: by the name of
// their folder, or by their first key. What is empty may become one.
func isOurs(uri, text string) bool {
	for _, folder := range []string{"/codelists/", "/profiles/", "/findings/", "/languages/", "/overlays/", "/tables/"} {
		if strings.Contains(uri, folder) {
			return true
		}
	}
	return strings.TrimSpace(text) == "" || rulesetKey().MatchString(text)
}

func didClose(s *server, p opened) (any, error) {
	if f, name := s.of(p.TextDocument.URI); f != nil {
		s.mu.Lock()
		delete(s.ours, p.TextDocument.URI)
		s.mu.Unlock()
		f.workspace.Close(name)
		s.check(f)
	}
	return nil, nil
}

// at is the place of a request: the folder, the file, and line and column from 1.
func (s *server) at(p atPosition) (f *folder, name string, line, column int) {
	f, name = s.of(p.TextDocument.URI)
	if f == nil {
		return nil, "", 0, 0
	}
	line = p.Position.Line + 1
	return f, name, line, columnOf(lineOf(f.workspace.Text(name), line), p.Position.Character)
}

// itemKinds are the numbers of the protocol for what a completion is.
var itemKinds = map[authoring.CompletionKind]int{
	authoring.CompleteKey: 10, authoring.CompleteValue: 12, authoring.CompleteFunction: 3, authoring.CompleteTerm: 5, authoring.CompleteRule: 18, authoring.CompleteList: 17,
}

func completion(s *server, p atPosition) (any, error) {
	f, name, line, column := s.at(p)
	if f == nil {
		return nil, nil
	}
	all, err := f.workspace.Complete(name, line, column)
	items := make([]completionItem, len(all))
	for i, c := range all {
		items[i] = completionItem{c.Label, itemKinds[c.Kind], c.Detail, c.Doc}
	}
	return items, err
}

func hoverAt(s *server, p atPosition) (any, error) {
	f, name, line, column := s.at(p)
	if f == nil {
		return nil, nil
	}
	text, at, err := f.workspace.Hover(name, line, column)
	if text == "" || err != nil {
		return nil, err
	}
	return &hover{markup{"markdown", text}, f.textRange(name, at)}, nil
}

// definition leads to files of the folder, and to copies of those that are built in.
func definition(s *server, p atPosition) (any, error) {
	f, name, line, column := s.at(p)
	if f == nil {
		return nil, nil
	}
	place, found, err := f.workspace.Definition(name, line, column)
	if !found || err != nil {
		return nil, err
	}
	if f.workspace.Text(place.File) == "" {
		return s.builtIn(place)
	}
	return &location{f.uri(place.File), f.textRange(place.File, place.Range)}, nil
}

// references are the places of the folder in which what is at a place is named.
func references(s *server, p atPosition) (any, error) {
	f, name, line, column := s.at(p)
	if f == nil {
		return nil, nil
	}
	uses, err := f.workspace.References(name, line, column)
	places := make([]location, len(uses))
	for i, u := range uses {
		places[i] = location{f.uri(u.File), f.textRange(u.File, u.Range)}
	}
	return places, err
}

// rename writes another name wherever what is at a place is named.
func rename(s *server, p forRename) (any, error) {
	f, name, line, column := s.at(p.atPosition)
	if f == nil {
		return nil, nil
	}
	uses, err := f.workspace.Rename(name, line, column, p.NewName)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errParams, err)
	}
	edit := &workspaceEdit{map[string][]textEdit{}}
	for _, u := range uses {
		uri := f.uri(u.File)
		edit.Changes[uri] = append(edit.Changes[uri], textEdit{f.textRange(u.File, u.Range), p.NewName})
	}
	return edit, nil
}

func codeActions(s *server, p forActions) (any, error) {
	f, name := s.of(p.TextDocument.URI)
	if f == nil {
		return nil, nil
	}
	actions := []codeAction{}
	s.mu.Lock()
	mistakes := f.mistakes[name]
	s.mu.Unlock()
	for _, m := range mistakes {
		at := f.textRange(name, m.Range)
		if at.Start.Line < p.Range.Start.Line || at.Start.Line > p.Range.End.Line {
			continue
		}
		for _, fix := range f.workspace.Proven(m) {
			actions = append(actions, codeAction{
				Title: fix.In(f.workspace.Language()).Title, Kind: "quickfix", Diagnostics: []diagnostic{f.diagnostic(m)},
				Edit: &workspaceEdit{map[string][]textEdit{p.TextDocument.URI: {{at, fix.Text}}}},
			})
		}
	}
	for _, r := range f.workspace.Rules(name) {
		if r.First-1 <= p.Range.Start.Line && p.Range.Start.Line < r.Last {
			run := runOf(p.TextDocument.URI, r)
			actions = append(actions, codeAction{Title: run.Title, Kind: "source", Command: &run})
		}
	}
	return actions, nil
}

func codeLenses(s *server, p opened) (any, error) {
	f, name := s.of(p.TextDocument.URI)
	if f == nil {
		return nil, nil
	}
	lenses := []codeLens{}
	for _, r := range f.workspace.Rules(name) {
		lenses = append(lenses, codeLens{f.textRange(name, authoring.Range{Line: r.First, Column: 1, End: 1}), runOf(p.TextDocument.URI, r)})
	}
	return lenses, nil
}

func runOf(uri string, r authoring.Rule) command {
	return command{"Run the examples of " + r.ID, runExamples, []any{uri, r.First, r.Last}}
}

// execute runs examples and shows how they came out.
func execute(s *server, p executed) (any, error) {
	if p.Command != runExamples || len(p.Arguments) != 3 {
		return nil, fmt.Errorf("%w: %s takes a document and two lines", errParams, runExamples)
	}
	uri, _ := p.Arguments[0].(string)
	first, _ := p.Arguments[1].(float64)
	last, _ := p.Arguments[2].(float64)
	f, name := s.of(uri)
	if f == nil {
		return nil, fmt.Errorf("%w: %.200s is not a file of rules", errParams, uri)
	}
	results, err := f.workspace.RunExamples(name, int(first), int(last))
	if err != nil {
		return nil, err
	}
	var failed []string
	for _, r := range results {
		if !r.OK() {
			failed = append(failed, fmt.Sprintf("line %d: %s", r.Line, r.Error))
		}
	}
	told := &shown{3, fmt.Sprintf("%d passed, %d failed", len(results)-len(failed), len(failed))}
	if len(failed) > 0 {
		told = &shown{1, told.Message + "\n" + strings.Join(failed, "\n")}
	}
	return results, s.out.write(notification("window/showMessage", told))
}
