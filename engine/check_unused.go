package engine

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// checkUnused reports constants and code lists of the library's own folder that no rule
// uses: most often a name is misspelled where it should be used. Lists that replace one of
// the folder below are used by whoever used that one.
func (l *Library) checkUnused(sets []*Ruleset) (failures LoadErrors) {
	named := map[string]bool{} // constants
	lists := map[string]bool{}
	for _, s := range sets {
		for _, r := range s.Rules {
			if r.template != nil {
				for _, name := range namesIn(r.template) {
					named[name] = true
				}
			}
		}
		for _, name := range s.CodeLists() {
			lists[name] = true
		}
	}
	own, below := l.own()
	for _, s := range sets {
		for _, name := range slices.Sorted(maps.Keys(s.defined)) {
			if at := s.defined[name]; !named[name] && isIn(own, at.File) {
				what := "constant"
				if s.parameter(name) != nil {
					what = "parameter"
				}
				at.Message = fmt.Sprintf("no rule uses the %s %s: remove it, or write ${%s} where it is meant", what, name, name)
				failures = append(failures, at)
			}
		}
	}
	files, err := fs.Glob(own, folderOfCodeLists+"/*.yaml")
	if err != nil {
		return mistakesIn(folderOfCodeLists, err)
	}
	l.markExtended(lists)
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".yaml")
		if !lists[name] && below != nil && !isIn(below, file) {
			failures = append(failures, LoadError{File: file, Message: fmt.Sprintf("no rule asks the code list %s: remove it, or ask it with .isInCodeList(%q)", name, name)})
		}
	}
	return failures
}

func isIn(fsys fs.FS, file string) bool {
	_, err := fs.Stat(fsys, file)
	return err == nil
}

// markExtended adds the lists that those in the map begin with.
func (l *Library) markExtended(lists map[string]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	todo := slices.Collect(maps.Keys(lists))
	for len(todo) > 0 {
		list := l.codeLists[todo[0]]
		todo = todo[1:]
		if list == nil {
			continue
		}
		for _, base := range list.extends {
			if !lists[base] {
				lists[base] = true
				todo = append(todo, base)
			}
		}
	}
}
