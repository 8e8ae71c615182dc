package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Own is the folder that this library is about: the upper one of two.
func (l *Library) Own() (own, below fs.FS) {
	if both, ok := l.fsys.(layered); ok {
		return both.upper, both.lower
	}
	return l.fsys, nil
}

// OwnRulesets are the rulesets of the library's own folder, of which all rules that are
// written there count, and the rules that its overlays add.
func (l *Library) OwnRulesets() ([]*Ruleset, error) {
	own, _ := l.Own()
	refs, err := OwnVersions(own)
	if err != nil {
		return nil, err
	}
	names, err := OverlaysIn(own)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			return nil, err
		}
		if o.rules != nil {
			refs = append(refs, FolderOfOverlays+"/"+name)
		}
	}
	return l.AllOf(refs)
}

// OwnVersions are the rulesets, FAMILY/VERSION, that have a file of rules in a folder.
func OwnVersions(own fs.FS) ([]string, error) {
	versions := map[string]bool{}
	err := EachFile(own, func(name string) error {
		if KindOf(name) == FileOfRules {
			versions[path.Dir(name)] = true
		}
		return nil
	})
	return slices.Sorted(maps.Keys(versions)), err
}

// OwnRules are the rules that a version does not take over as they are: those that it
// writes, and those in which it gives a constant another value.
func (l *Library) OwnRules(s *Ruleset) []*Rule {
	if s.Extends == "" {
		return s.Rules
	}
	base, err := l.Ruleset(s.Extends)
	if err != nil {
		return s.Rules
	}
	return slices.DeleteFunc(slices.Clone(s.Rules), func(r *Rule) bool { return base.ByID[r.ID] == r })
}

// AllOf are the versions of these names, each once: a version that is named twice, as "company"
// and as "company/1", would report each of its findings twice.
func (l *Library) AllOf(refs []string) (sets []*Ruleset, err error) {
	for _, ref := range refs {
		s, err := l.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(sets, func(have *Ruleset) bool { return have.Name == s.Name && have.Version == s.Version }) {
			sets = append(sets, s)
		}
	}
	return sets, nil
}

// CheckCodeLists reads every code list.
func (l *Library) CheckCodeLists() (failures LoadErrors) {
	files, err := fs.Glob(l.fsys, FolderOfCodeLists+"/*.yaml")
	if err != nil {
		return MistakesIn(FolderOfCodeLists, err)
	}
	own, _ := l.Own()
	for _, file := range files {
		list, err := l.CodeList(strings.TrimSuffix(path.Base(file), ".yaml"))
		if err != nil {
			failures = append(failures, MistakesIn(file, err)...)
		} else if code := list.stray(); code != "" && exists(own, file) {
			failures = append(failures, LoadError{File: file, Message: fmt.Sprintf("without has %s, which is no code of the list: take it out", code)})
		}
	}
	return failures
}

// MistakesIn are the mistakes that kept a folder from loading.
func MistakesIn(folder string, err error) LoadErrors {
	if err == nil {
		return nil
	}
	if inFiles, ok := errors.AsType[LoadErrors](err); ok {
		return inFiles
	}
	if inFile, ok := errors.AsType[LoadError](err); ok {
		return LoadErrors{inFile}
	}
	return LoadErrors{{File: folder, Message: err.Error()}}
}
