package engine

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"einvoice/engine/xpath"
)

// FolderOfCodeLists is the folder that has them.
const FolderOfCodeLists = "codelists"

// A CodeList is a dated list of codes that rules share, one file of
// rulesets/codelists.
type CodeList struct {
	Name    string
	Title   string // such as "ISO 4217 currency codes"
	Version string // the list's own, or the artefact's it was taken from
	codes   map[string]struct{}
	Extends []string // lists that it adds to
	digest  string   // of its file, and of the lists that it adds to
}

// codeListFile is how a code list is written: codes as one text, in lines of a
// convenient length, or lists that this one adds to.
type codeListFile struct {
	List    string   `yaml:"list"`
	Title   string   `yaml:"title"`
	Version string   `yaml:"version"`
	Source  string   `yaml:"source"`
	Extends []string `yaml:"extends"`
	Without string   `yaml:"without"`
	Codes   string   `yaml:"codes"`
}

// Contains reports whether the text, white space around it aside, is a code of
// the list; a code has no white space inside.
func (c *CodeList) Contains(text string) bool {
	_, ok := c.codes[xpath.NormalizeSpace(text)]
	return ok
}

// Len counts the codes.
func (c *CodeList) Len() int { return len(c.codes) }

// CodeList returns the list of that name, read on first use.
func (l *Library) CodeList(name string) (*CodeList, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.codeList(name, nil)
}

func (l *Library) codeList(name string, within []string) (*CodeList, error) {
	if c, ok := l.codeLists[name]; ok {
		return c, nil
	}
	for _, outer := range within {
		if outer == name {
			return nil, fmt.Errorf("code list %s extends itself", name)
		}
	}
	file := path.Join(FolderOfCodeLists, name+".yaml")
	data, err := fs.ReadFile(l.fsys, file)
	if err != nil {
		return nil, fmt.Errorf("there is no code list %q (%s)%s", name, file, l.suggestFile(FolderOfCodeLists, name))
	}
	var f codeListFile
	if err := l.decode(data, &f); err != nil {
		return nil, YamlErrors(file, data, err)
	}
	if f.List != name {
		return nil, LoadError{File: file, Message: fmt.Sprintf("the list calls itself %q; it must be named as its file", f.List)}
	}
	c := &CodeList{Name: name, Title: f.Title, Version: f.Version, codes: map[string]struct{}{}, Extends: f.Extends, digest: hexDigest(data)}
	for _, base := range f.Extends {
		b, err := l.codeList(base, append(within, name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for code := range b.codes {
			c.codes[code] = struct{}{}
		}
		c.digest = hexDigest([]byte(c.digest + b.digest))
	}
	for _, code := range strings.Fields(f.Codes) {
		c.codes[code] = struct{}{}
	}
	for _, code := range strings.Fields(f.Without) {
		delete(c.codes, code)
	}
	if len(c.codes) == 0 {
		return nil, LoadError{File: file, Message: "the list has no codes"}
	}
	l.codeLists[name] = c
	return c, nil
}

// MarkExtended adds the lists that those in the map begin with.
func (l *Library) MarkExtended(lists map[string]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	todo := slices.Collect(maps.Keys(lists))
	for len(todo) > 0 {
		list := l.codeLists[todo[0]]
		todo = todo[1:]
		if list == nil {
			continue
		}
		for _, base := range list.Extends {
			if !lists[base] {
				lists[base] = true
				todo = append(todo, base)
			}
		}
	}
}
