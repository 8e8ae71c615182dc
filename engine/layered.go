package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"einvoice/engine/words"
)

// Layered combines two folders of rulesets. A ruleset version in the upper folder
// replaces the same version in the lower one as a whole, so that no rule remains
// by accident, and its translations with it; code lists, profiles and examples are replaced file by file.
// An upper folder that is not there is an error of Open.
func Layered(upper, lower fs.FS) fs.FS { return layered{upper, lower} }

type layered struct{ upper, lower fs.FS }

func (l layered) Open(name string) (fs.File, error) {
	if name == "." { // without a folder, its rules would be missed without a word
		if _, err := fs.Stat(l.upper, name); err != nil {
			return nil, err
		}
	}
	f, err := l.upper.Open(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || l.replaced(name) {
		return f, err
	}
	return l.lower.Open(name)
}

// replaced reports whether a missing file belongs to a ruleset version that the
// upper folder has.
func (l layered) replaced(name string) bool {
	parts := strings.Split(name, "/")
	if parts[0] == words.Folder && len(parts) > 4 { // languages/TAG/FAMILY/VERSION/NAME.yaml goes with its rules
		parts = parts[2:]
	}
	if len(parts) < 2 || slices.Contains(Reserved, parts[0]) {
		return false
	}
	_, err := fs.Stat(l.upper, path.Join(parts[0], parts[1]))
	return err == nil
}

// ReadDir joins the entries of both folders, without those that Open does not open.
func (l layered) ReadDir(name string) ([]fs.DirEntry, error) {
	up, errUp := fs.ReadDir(l.upper, name)
	if errUp == nil && l.replaced(name) {
		return up, nil
	}
	low, errLow := fs.ReadDir(l.lower, name)
	if errUp != nil && errLow != nil {
		return nil, errUp
	}
	for _, e := range low {
		if !slices.ContainsFunc(up, func(u fs.DirEntry) bool { return u.Name() == e.Name() }) && !l.replaced(path.Join(name, e.Name())) {
			up = append(up, e)
		}
	}
	slices.SortFunc(up, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return up, nil
}

// Stat finds a file in either folder.
func (l layered) Stat(name string) (fs.FileInfo, error) {
	f, err := l.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}
