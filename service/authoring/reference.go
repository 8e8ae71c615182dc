package authoring

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/files"
	"einvoice/model/pattern"
	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// A Use is a place where something is named.
type Use struct {
	File string
	Range
}

// symbolKind is what can be found and renamed.
type symbolKind int

const (
	symbolNone symbolKind = iota
	symbolRule
	symbolParameter // or constant, ${name}
	symbolList      // a code list of an overlay's own
	symbolField     // of the invoice, which cannot be renamed
)

// A symbol is what is named at a place.
type symbol struct {
	kind symbolKind
	name string
	file string // of lists of an overlay, the overlay
}

var (
	placeholderAt = pattern.Later(`\$\{([A-Za-z][A-Za-z0-9]*)\}`)
	listCallAt    = pattern.Later(`isInCodeList\(\s*["']([^"']+)["']`)
	fieldNameAt   = pattern.Later(`[./]([A-Za-z][A-Za-z0-9]*)\b`)
	listKeyAt     = pattern.Later(`\blist:\s*["']?([A-Za-z0-9._-]+)`)
)

// symbolAt is what is named at a place.
func (w *Workspace) symbolAt(library *engine.Library, name string, line, column int) symbol {
	content := lineOf(w.Text(name), line)
	within := func(of *regexp.Regexp) string {
		for _, m := range of.FindAllStringSubmatchIndex(content, -1) {
			from, to := len([]rune(content[:m[2]]))+1, len([]rune(content[:m[3]]))+1
			if from <= column && column <= to {
				return content[m[2]:m[3]]
			}
		}
		return ""
	}
	if found := within(placeholderAt()); found != "" {
		return symbol{symbolParameter, found, name}
	}
	if found := valueAt(w.Text(name), line, column); found != "" {
		return symbol{symbolParameter, found, name}
	}
	for _, of := range []*regexp.Regexp{listCallAt(), listKeyAt()} {
		if found := within(of); found != "" {
			return symbol{symbolList, found, name}
		}
	}
	if word := wordAt(content, column); w.isRule(library, word.text) {
		return symbol{symbolRule, word.text, name}
	}
	if found := within(fieldNameAt()); found != "" && isField(found) {
		return symbol{symbolField, found, name}
	}
	return symbol{}
}

// valueKeys are the keys below parameters and constants in a text of YAML, wherever these are.
func valueKeys(text string) (keys []*yaml.Node) {
	var doc yaml.Node
	if strictyaml.CheckKeys([]byte(text)) != nil || yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil // while somebody writes it
	}
	top := doc.Content[0].Content
	for i := 0; i < len(top); i += 2 {
		if name := top[i].Value; name != "parameters" && name != "constants" || top[i+1].Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j < len(top[i+1].Content); j += 2 {
			keys = append(keys, top[i+1].Content[j])
		}
	}
	return keys
}

// valueAt is the parameter or constant whose key is at a place; "" for none.
func valueAt(text string, line, column int) string {
	for _, key := range valueKeys(text) {
		if key.Line == line && key.Column <= column && column <= key.Column+len([]rune(key.Value)) {
			return key.Value
		}
	}
	return ""
}

func (w *Workspace) isRule(library *engine.Library, id string) bool {
	found := false
	_ = w.eachRuleset(func(s *engine.Ruleset) { found = found || s.ByID[id] != nil })
	names, err := library.OverlayNames()
	if err != nil {
		return found
	}
	for _, name := range names {
		if o, err := library.Overlay(name); err == nil && o.Rules() != nil && o.Rules().ByID[id] != nil {
			return true
		}
	}
	return found
}

// isField reports whether any group of the invoice has a field of the name.
func isField(name string) bool {
	for _, t := range engine.ModelTypes() {
		if _, has := t.Field(name); has {
			return true
		}
	}
	return false
}

// ownFiles are the files of the folder, with those that are open, sorted.
func (w *Workspace) ownFiles() (names []string) {
	library, err := w.Library()
	if err != nil {
		return nil
	}
	own, _ := library.Own()
	_ = engine.EachFile(own, func(name string) error { // one that cannot be read names nothing
		if files.KindOf(name) != nil {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// pattern finds the name of a symbol, in its first group.
func (s symbol) pattern() *regexp.Regexp {
	name := regexp.QuoteMeta(s.name)
	switch s.kind {
	case symbolParameter:
		return regexp.MustCompile(`\$\{(` + name + `)\}`) // and keys, see valueKeys
	case symbolList:
		return regexp.MustCompile(`isInCodeList\(\s*["'](` + name + `)["']|\blist:\s*["']?(` + name + `)(?:["'\s,}]|$)`)
	case symbolField:
		return regexp.MustCompile(`[./](` + name + `)\b|\bfields:\s*\[(?:[^\]]*[,\s])?(` + name + `)\b`)
	}
	return regexp.MustCompile(`(?:^|[^A-Za-z0-9_-])(` + name + `)(?:[^A-Za-z0-9_-]|$)`)
}

// References are the places of the folder in which what is at a place is named.
func (w *Workspace) References(name string, line, column int) ([]Use, error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	return w.uses(w.symbolAt(library, name, line, column)), nil
}

func (w *Workspace) uses(s symbol) (uses []Use) {
	if s.kind == symbolNone {
		return nil
	}
	pattern := s.pattern()
	for _, file := range w.ownFiles() {
		uses = append(uses, s.keysIn(file, w.Text(file))...)
		for i, line := range strings.Split(w.Text(file), "\n") {
			code := withoutComment(line)
			for from := 0; from <= len(code); {
				m := pattern.FindStringSubmatchIndex(code[from:])
				if m == nil {
					break
				}
				at, end := m[2], m[3]
				if at < 0 {
					at, end = m[4], m[5]
				}
				column := len([]rune(code[:from+at])) + 1
				uses = append(uses, Use{file, Range{i + 1, column, column + len([]rune(code[from+at:from+end]))}})
				from += end
			}
		}
	}
	slices.SortFunc(uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return uses
}

// keysIn are the keys of YAML that name a parameter or constant in a file.
func (s symbol) keysIn(file, text string) (uses []Use) {
	if s.kind != symbolParameter {
		return nil
	}
	for _, key := range valueKeys(text) {
		if key.Value == s.name {
			from := key.Column
			if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
				from++
			}
			uses = append(uses, Use{file, Range{key.Line, from, from + len([]rune(s.name))}})
		}
	}
	return uses
}

// withoutComment cuts a comment of YAML off a line; what is between quotation marks stays.
func withoutComment(line string) string {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' '):
			return line[:i]
		}
	}
	return line
}

var newNames = map[symbolKind]func() *regexp.Regexp{
	symbolRule:      pattern.Later(`^[A-Za-z][A-Za-z0-9_-]*$`),
	symbolParameter: pattern.Later(`^[A-Za-z][A-Za-z0-9]*$`),
	symbolList:      pattern.Later(`^[A-Za-z0-9][A-Za-z0-9_-]*$`),
}

// Rename are the places to write another name at, after which the folder has no mistake; it must have none before. What is not the folder's own, and what the standard names, keeps its
// name.
func (w *Workspace) Rename(name string, line, column int, to string) ([]Use, error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	s := w.symbolAt(library, name, line, column)
	switch {
	case s.kind == symbolNone:
		return nil, errors.New("nothing here can be renamed: rules, parameters, constants and code lists of the folder can")
	case s.kind == symbolField:
		return nil, fmt.Errorf("%s is a field of the invoice, and keeps its name", s.name)
	case !newNames[s.kind]().MatchString(to):
		return nil, fmt.Errorf("%q cannot be a name here: it begins with a letter and has letters, digits and, but for parameters, - and _", to)
	}
	if s.kind == symbolList {
		own, _ := library.Own()
		if _, err := fs.Stat(own, engine.FolderOfCodeLists+"/"+s.name+".yaml"); err == nil {
			return nil, fmt.Errorf("%s is named as its file: rename codelists/%s.yaml", s.name, s.name)
		}
	}
	uses := w.uses(s)
	if len(w.uses(symbol{s.kind, to, s.file})) > 0 || s.kind == symbolRule && w.isRule(library, to) {
		return nil, fmt.Errorf("%s is a name already", to)
	}
	if file, m, err := w.firstMistake(); err != nil {
		return nil, err
	} else if m != nil {
		return nil, fmt.Errorf("it cannot be renamed while a file has a mistake, which may hide others: correct %s:%d: %s", file, m.Line, m.Message)
	}
	if file, m, err := w.renamed(uses, to).firstMistake(); err != nil {
		return nil, err
	} else if m != nil {
		return nil, fmt.Errorf("it cannot be renamed: %s:%d: %s", file, m.Line, m.Message)
	}
	return uses, nil
}

// firstMistake is the first mistake of the folder, warnings aside; nil for none.
func (w *Workspace) firstMistake() (file string, first *Mistake, err error) {
	found, err := w.Check()
	if err != nil {
		return "", nil, err
	}
	for _, file := range slices.Sorted(maps.Keys(found)) {
		for _, m := range found[file] {
			if !m.Warning {
				return file, &m, nil
			}
		}
	}
	return "", nil, nil
}

// renamed is the workspace with another name at some places.
func (w *Workspace) renamed(uses []Use, to string) *Workspace {
	trial := w
	for _, u := range slices.Backward(uses) { // the last of a line first
		trial = trial.with(u.File, u.replace(trial.Text(u.File), to))
	}
	return trial
}
