package engine

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

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
	codes   func() map[string]struct{}
	Extends []string // lists that it adds to
	stray   func() string
	digest  string // of its file, and of the lists that it adds to
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
	_, ok := c.codes()[xpath.NormalizeSpace(text)]
	return ok
}

// Len counts the codes.
func (c *CodeList) Len() int { return len(c.codes()) }

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
	contents, err := l.open(file)
	if err != nil {
		hint := l.suggestFile(FolderOfCodeLists, name)
		if exists(l.fsys, path.Join(FolderOfTables, name+".yaml")) {
			hint = fmt.Sprintf("; there is a table of this name: ask it with has(lookup(%q, KEY).COLUMN)", name)
		}
		return nil, fmt.Errorf("there is no code list %q (%s)%s", name, file, hint)
	}
	var f codeListFile
	if err := contents.decode(&f); err != nil {
		return nil, contents.mistakes(err)
	}
	if f.List != name {
		return nil, LoadError{File: file, Message: fmt.Sprintf("the list calls itself %q; it must be named as its file", f.List)}
	}
	c := &CodeList{Name: name, Title: f.Title, Version: f.Version, Extends: f.Extends, digest: contents.digest}
	var bases []*CodeList
	for _, base := range f.Extends {
		b, err := l.codeList(base, append(within, name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		bases = append(bases, b)
		c.digest = hexDigest([]byte(c.digest + b.digest))
	}
	c.stray = func() string { return f.stray(bases) }
	c.codes = sync.OnceValue(func() map[string]struct{} { return f.codes(bases) })
	mayBeEmpty := f.Without != "" || strings.TrimSpace(f.Codes) == ""
	if mayBeEmpty && c.Len() == 0 {
		return nil, LoadError{File: file, Message: "the list has no codes"}
	}
	l.codeLists[name] = c
	return c, nil
}

// codes are those of the file, with those of the lists that it adds to.
func (f *codeListFile) codes(bases []*CodeList) map[string]struct{} {
	own := strings.Fields(f.Codes)
	codes := make(map[string]struct{}, len(own))
	for _, b := range bases {
		maps.Copy(codes, b.codes())
	}
	for _, code := range own {
		codes[code] = struct{}{}
	}
	for _, code := range strings.Fields(f.Without) {
		delete(codes, code)
	}
	return codes
}

// stray is the first code of without that neither the file nor a list that it adds to has; "" for none. It takes
// nothing out, and so is a mistake, unless somebody else's list took the place of one that this adds to.
func (f *codeListFile) stray(bases []*CodeList) string {
	own := strings.Fields(f.Codes)
	for _, code := range strings.Fields(f.Without) {
		isOf := func(b *CodeList) bool { _, has := b.codes()[code]; return has }
		if !slices.Contains(own, code) && !slices.ContainsFunc(bases, isOf) {
			return code
		}
	}
	return ""
}

// given are codes that are there already.
func given(codes map[string]struct{}) func() map[string]struct{} {
	return func() map[string]struct{} { return codes }
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
