package workbench

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// mostArchived bounds an archive.
const mostArchived = 200_000

// archiveNames are the files of an archive that may be invoices, sorted.
func archiveNames(archive fs.FS) (names []string, err error) {
	err = fs.WalkDir(archive, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".xml", ".pdf":
			names = append(names, name)
		}
		if len(names) == mostArchived {
			return fs.SkipAll
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}
