package engine

import (
	"einvoice/engine/words"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// RuleFiles walks the files of a folder of rulesets that can matter. Folders and files
// that begin with a dot belong to editors and version control. What is not a file, such as a
// pipe or a link to a folder, is an error that names it: it is never opened, because that
// might take for ever.
func RuleFiles(dir string, visit func(name string, info fs.FileInfo) error) error {
	root := os.DirFS(dir)
	return EachFile(root, func(name string) error {
		if !IsRuleFile(name) {
			if info, err := fs.Stat(root, name); err == nil && info.IsDir() { // a walk does not go through links
				return fmt.Errorf("%s is a link to a folder, which is not followed; put the folder itself there", name)
			}
			return nil
		}
		info, err := fs.Stat(root, name) // what it leads to: a file may be a link, as in a mounted ConfigMap
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a file (%s); remove it from the rulesets", name, info.Mode())
		}
		return visit(name, info)
	})
}

// IsRuleFile tells files of rules, examples and the data of tables by their names.
func IsRuleFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".xml") || IsTableData(name)
}

// EachFile visits the files of a folder that do not belong to editors and version
// control.
func EachFile(fsys fs.FS, visit func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		return visit(name)
	})
}

// A FileKind is what a file of a folder is for.
type FileKind int

// The kinds of files. One that is ignored is for people.
const (
	FileIgnored FileKind = iota
	FileOfRules
	FileOfCodes
	FileOfProfiles
	FileOfOverlay
	FileOfFindings
	FileOfInvoice
	FileOfWords
	FileOfTable
	FileOfRows
)

// KindOf tells by its path what a file is for. Files that are neither YAML nor XML, nor the
// rows of a table, are for people.
func KindOf(name string) FileKind {
	parts := strings.Split(name, "/")
	yaml, xml := path.Ext(name) == ".yaml", path.Ext(name) == ".xml"
	switch {
	case parts[0] == "examples" && (yaml || xml):
		return FileOfInvoice
	case IsTableData(name):
		return FileOfRows
	case !yaml:
		return FileIgnored
	case parts[0] == words.Folder && len(parts) >= 3:
		return FileOfWords
	case len(parts) == 2 && parts[0] == FolderOfCodeLists:
		return FileOfCodes
	case len(parts) == 2 && parts[0] == FolderOfTables:
		return FileOfTable
	case len(parts) == 2 && parts[0] == FolderOfProfiles:
		return FileOfProfiles
	case len(parts) == 2 && parts[0] == FolderOfOverlays:
		return FileOfOverlay
	case len(parts) == 2 && parts[0] == "findings":
		return FileOfFindings
	case len(parts) == 3 && !slices.Contains(Reserved, parts[0]):
		return FileOfRules
	}
	return FileIgnored
}
