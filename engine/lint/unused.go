package lint

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"einvoice/engine"
)

// checkUnused reports constants and code lists of the library's own folder that no rule
// uses: most often a name is misspelled where it should be used. Lists that replace one of
// the folder below are used by whoever used that one.
func checkUnused(l *engine.Library, sets []*engine.Ruleset) (failures engine.LoadErrors) {
	named := map[string]bool{} // constants
	lists := map[string]bool{}
	for _, s := range sets {
		for _, r := range s.Rules {
			if r.Template != nil {
				for _, name := range engine.NamesIn(r.Template) {
					named[name] = true
				}
			}
		}
		for _, name := range s.CodeLists() {
			lists[name] = true
		}
	}
	for _, s := range overlayRules(l) {
		for _, name := range s.CodeLists() {
			lists[name] = true
		}
	}
	failures = append(failures, checkUnusedTables(l, sets)...)
	own, below := l.Own()
	for _, s := range sets {
		for _, name := range slices.Sorted(maps.Keys(s.Defined)) {
			if at := s.Defined[name]; !named[name] && isIn(own, at.File) {
				what := "constant"
				if s.Parameter(name) != nil {
					what = "parameter"
				}
				at.Message = fmt.Sprintf("no rule uses the %s %s: remove it, or write ${%s} where it is meant", what, name, name)
				failures = append(failures, at)
			}
		}
	}
	files, err := fs.Glob(own, engine.FolderOfCodeLists+"/*.yaml")
	if err != nil {
		return engine.MistakesIn(engine.FolderOfCodeLists, err)
	}
	l.MarkExtended(lists)
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".yaml")
		if !lists[name] && below != nil && !isIn(below, file) {
			failures = append(failures, engine.LoadError{File: file, Message: fmt.Sprintf("no rule asks the code list %s: remove it, or ask it with .isInCodeList(%q)", name, name)})
		}
	}
	return failures
}

// checkUnusedTables reports tables of the library's own folder that no rule looks anything
// up in.
func checkUnusedTables(l *engine.Library, sets []*engine.Ruleset) (failures engine.LoadErrors) {
	looked := map[string]bool{}
	for _, s := range append(overlayRules(l), sets...) {
		for _, name := range s.Tables() {
			looked[name] = true
		}
	}
	_, below := l.Own()
	names, err := ownTables(l)
	if err != nil {
		return engine.MistakesIn(engine.FolderOfTables, err)
	}
	for _, name := range names {
		file := path.Join(engine.FolderOfTables, name+".yaml")
		if !looked[name] && (below == nil || !isIn(below, file)) {
			failures = append(failures, engine.LoadError{File: file, Line: 1, Column: 1, Message: fmt.Sprintf("no rule looks anything up in the table %s: remove it, or ask it as in lookup(%q, key).COLUMN", name, name)})
		}
	}
	return failures
}

// ownTables are the names of the tables of the library's own folder.
func ownTables(l *engine.Library) (names []string, err error) {
	own, _ := l.Own()
	files, err := fs.Glob(own, engine.FolderOfTables+"/*.yaml")
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".yaml"))
	}
	return names, err
}

// checkFresh warns of tables of the library's own folder whose last day is before a day, as
// reports do that rest on them.
func checkFresh(l *engine.Library, today engine.Day) (warnings engine.LoadErrors) {
	names, err := ownTables(l)
	if err != nil {
		return engine.MistakesIn(engine.FolderOfTables, err)
	}
	for _, name := range names {
		if t, err := l.Table(name); err == nil && t.FreshUntil != "" && t.FreshUntil < today {
			warnings = append(warnings, t.Stale())
		}
	}
	return warnings
}

// overlayRules are the rules that overlays of the library add.
func overlayRules(l *engine.Library) (sets []*engine.Ruleset) {
	names, err := l.OverlayNames()
	if err != nil {
		return nil
	}
	for _, name := range names {
		if o, err := l.Overlay(name); err == nil && o.Rules() != nil {
			sets = append(sets, o.Rules())
		}
	}
	return sets
}

func isIn(fsys fs.FS, file string) bool {
	_, err := fs.Stat(fsys, file)
	return err == nil
}
