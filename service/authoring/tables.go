package authoring

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"einvoice/engine"
	"einvoice/model/pattern"
)

// What is offered and said of look-up tables, where an expression asks one.
var (
	inTableName = pattern.Later(`lookup\(\s*["'][^"']*$`)
	inColumn    = pattern.Later(`lookup\(\s*["']([^"']+)["']\s*,.*\)\.\w*$`)
	tableCall   = pattern.Later(`lookup\(\s*["']([^"']+)["']`)
)

func (w *Workspace) tables() (all []Completion, err error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(library.FS(), engine.FolderOfTables+"/*.yaml")
	for _, file := range files {
		if t, err := library.Table(strings.TrimSuffix(path.Base(file), ".yaml")); err == nil { // else Check says why
			all = append(all, Completion{Label: t.Name, Detail: t.Title, Kind: CompleteList})
		}
	}
	return all, err
}

// columns are those of the table that an expression asks before a place.
func (w *Workspace) columns(before string) (all []Completion, err error) {
	library, err := w.Library()
	if err != nil {
		return nil, err
	}
	t, err := library.Table(inColumn().FindStringSubmatch(before)[1])
	if err != nil {
		return nil, nil //nolint:nilerr // Check says why
	}
	for _, c := range t.Columns() {
		all = append(all, Completion{Label: c.Name, Detail: string(c.Kind), Kind: CompleteTerm})
	}
	return all, nil
}

// hoverTable says of a table that a line asks, or of a column of it, what it is and who answers
// for it.
func hoverTable(library *engine.Library, line, word string) string {
	for _, call := range tableCall().FindAllStringSubmatch(line, -1) {
		t, err := library.Table(call[1])
		if err != nil {
			continue
		}
		about := fmt.Sprintf("table **%s**: %s, of %s", t.Name, t.Title, t.Owner)
		if t.FreshUntil != "" {
			about += fmt.Sprintf(", fresh until %s", t.FreshUntil)
		}
		if word == t.Name {
			for _, c := range t.Columns() {
				about += fmt.Sprintf("\n- `%s` %s", c.Name, c.Kind)
			}
			return about
		}
		for _, c := range t.Columns() {
			if word[strings.LastIndexByte(word, '.')+1:] == c.Name {
				return fmt.Sprintf("`%s` %s, in %s", c.Name, c.Kind, about)
			}
		}
	}
	return ""
}
